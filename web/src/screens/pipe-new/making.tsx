import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { LeaveDialog } from '../../kit/leave-dialog.tsx';
import { toast } from '../../kit/toast.tsx';
import type { PipeKind } from '../../pipes/kinds.ts';
import { useTurn } from '../../view/use-turn.ts';
import { Head } from './head.tsx';
import { firstStep } from './model/draft.ts';
import { allowedStep, lastStep } from './model/steps.ts';
import { noMemory, useWizard, type Memory } from './model/use-wizard.ts';
import type { Step } from './params.ts';
import { Progress } from './progress.tsx';
import { StepForm } from './step-form.tsx';
import styles from './pipe-new.module.css';

const route = getRouteApi('/inside/pipes/new');

interface MakingProps {
  kind: PipeKind;
  wanted: Step;
  memory: Memory;
  onMemory(kind: PipeKind, change: (before: Memory) => Memory): void;
}

/** A pipe of one kind. */
export function Making({ kind, wanted, memory, onMemory }: MakingProps) {
  const navigate = route.useNavigate();
  const remember = useCallback(
    (change: (before: Memory) => Memory) => onMemory(kind, change),
    [kind, onMemory],
  );
  const wizard = useWizard(kind, memory, remember);
  const { draft, isChanged, connected } = wizard;
  const [isTried, setTried] = useState(false);
  const { take } = useTurn();
  const last = lastStep(kind, draft, connected !== undefined);
  const step = allowedStep(wanted, last) ?? 'connection';
  const go = useCallback(
    (to: Step | undefined, replace = false): void =>
      void navigate({ to: '/pipes/new', search: { kind, step: to }, replace }),
    [kind, navigate],
  );
  useEffect(() => {
    if (step !== wanted) {
      go(step, true);
    }
  }, [step, wanted, go]);
  const discard = (): void => {
    wizard.discard();
    remember(() => noMemory);
    setTried(false);
  };
  const create = async (): Promise<void> => {
    setTried(true);
    const issues = wizard.issuesOf('create');
    const { made, wrongAt } =
      issues.length > 0
        ? { made: undefined, wrongAt: firstStep(kind, issues) }
        : await wizard.create();
    if (wrongAt) {
      go(wrongAt);
    }
    if (made) {
      toast(`“${made.name}” is created.`);
      await navigate({ to: '/pipes/$id', params: { id: made.id }, ignoreBlocker: true });
      // Not before: without its connection, the form would go back to that step.
      discard();
    }
  };
  return (
    <div className={styles.page}>
      <Head>
        <div className={styles.headButtons}>
          <span className={styles.state} role="status">
            {isChanged ? 'Not created. This browser keeps a draft without credentials.' : ''}
          </span>
          <Button disabled={!isChanged} onClick={discard}>
            Discard
          </Button>
        </div>
      </Head>
      <Progress kind={kind} step={step} last={last} />
      <StepForm
        key={step}
        wizard={wizard}
        step={step}
        isTried={isTried}
        onGo={go}
        onCreate={() => void take(create)}
      />
      <LeaveDialog isChanged={isChanged} isKept onDiscard={discard}>
        <p>
          The pipe is not created. If you keep the draft, this browser opens it here again, without
          its credentials.
        </p>
      </LeaveDialog>
    </div>
  );
}
