import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { sessionQuery } from '../../api/queries/session.ts';
import { Empty } from '../../kit/state.tsx';
import { AskAdmin } from '../../pipes/rights-note.tsx';
import { missingReach, usePipeRights } from '../../pipes/rights.ts';
import type { PipeKind } from '../../pipes/kinds.ts';
import { useTitle } from '../../view/use-title.ts';
import { Head } from './head.tsx';
import { Making } from './making.tsx';
import { noMemory, type Memory } from './model/use-wizard.ts';
import { KindStep } from './steps/kind-step.tsx';
import styles from './pipe-new.module.css';

const route = getRouteApi('/inside/pipes/new');

/** Makes a pipe, step by step. The URL says the step. */
export function NewPipe() {
  useTitle('New pipe');
  const { data: session } = useQuery(sessionQuery);
  const { canChange } = usePipeRights();
  if (!session) {
    return null;
  }
  const missing = missingReach(session);
  if (missing === undefined && canChange) {
    return <Steps />;
  }
  return (
    <div className={styles.page}>
      <Head />
      <div className={styles.scroll}>
        {missing === undefined ? (
          <AskAdmin what="create pipes" />
        ) : (
          <Empty title="There is no way to pipes">{missing}</Empty>
        )}
      </div>
    </div>
  );
}

/** Credentials stay here while the page is open, so that Back and Forward keep them. */
function Steps() {
  const { kind, step } = route.useSearch();
  const [memories, setMemories] = useState<Partial<Record<PipeKind, Memory>>>({});
  const setMemory = useCallback(
    (of: PipeKind, change: (before: Memory) => Memory): void =>
      setMemories((before) => ({ ...before, [of]: change(before[of] ?? noMemory) })),
    [],
  );
  if (kind === undefined || step === undefined) {
    return <KindStep kind={kind} />;
  }
  return (
    <Making
      key={kind}
      kind={kind}
      wanted={step}
      memory={memories[kind] ?? noMemory}
      onMemory={setMemory}
    />
  );
}
