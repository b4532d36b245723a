import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { useForm } from '../../kit/use-form.ts';
import { useKeys } from '../../view/keys.ts';
import { useCheck, type ConnectionCheck } from './model/use-check.ts';
import type { StepProps } from './model/step-props.ts';
import { stepOf } from './model/draft.ts';
import { stepAfter, stepBefore, stepTitle } from './model/steps.ts';
import type { Connected, Wizard } from './model/use-wizard.ts';
import type { Step } from './params.ts';
import { ColumnsStep } from './steps/columns-step.tsx';
import { ConnectionStep } from './steps/connection-step.tsx';
import { CreateStep } from './steps/create-step.tsx';
import { ItemStep } from './steps/item-step.tsx';
import { SettingsStep } from './steps/settings-step.tsx';
import { TablesStep } from './steps/tables-step.tsx';
import { TargetsStep } from './steps/targets-step.tsx';
import styles from './pipe-new.module.css';

interface StepFormProps {
  wizard: Wizard;
  step: Step;
  /** The person has tried to create the pipe: every mistake shows. */
  isTried: boolean;
  onGo(step: Step | undefined): void;
  onCreate(): void;
}

/** What every step has: its heading, its fields and the way to the next one. */
export function StepForm({ wizard, step, isTried, onGo, onCreate }: StepFormProps) {
  const { kind, rules, value, connected, isCreating } = wizard;
  const host = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const check = useCheck(wizard);
  // The wizard is another object at each render; its mistakes follow from the value and the rules.
  const issues = useMemo(() => wizard.issuesOf(step), [rules, value, step]);
  const checked = useCallback(() => issues, [issues]);
  const found = [
    ...wizard.refused.filter(({ path }) => stepOf(kind, path) === step),
    ...(step === 'connection' ? check.issues : []),
    ...(isTried ? issues : []),
  ];
  const form = useForm(value, checked, host, found);
  const [isArriving] = useState(found.length > 0);
  useEffect(() => {
    const invalid = host.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (isArriving && invalid ? invalid : heading.current)?.focus();
  }, [isArriving]);

  const forward = (): void => {
    if (step === 'create') {
      onCreate();
    } else if (form.check()) {
      if (step === 'connection' && !connected) {
        check.run();
      } else {
        onGo(stepAfter(step));
      }
    }
  };
  useKeys({ 'mod+Enter': forward });
  return (
    <form
      ref={host}
      className={styles.form}
      noValidate
      onBlur={form.onBlur}
      onSubmit={(event) => {
        event.preventDefault();
        forward();
      }}
    >
      <div className={styles.scroll}>
        <h2 ref={heading} tabIndex={-1}>
          {stepTitle(step, kind)}
        </h2>
        <StepBody wizard={wizard} step={step} form={form} check={check} onGo={onGo} />
      </div>
      <div className={styles.foot}>
        <Button onClick={() => onGo(stepBefore(step))}>Back</Button>
        {step === 'connection' && (
          <CheckButton
            check={check}
            isOff={!rules}
            isDone={connected !== undefined}
            onAgain={() => form.check() && check.run()}
          />
        )}
        <Forward step={step} isOff={!rules || isCreating} connected={connected} />
      </div>
    </form>
  );
}

interface CheckButtonProps {
  check: ConnectionCheck;
  isOff: boolean;
  /** The connection works as it is: the form goes on. */
  isDone: boolean;
  onAgain(): void;
}

function CheckButton({ check: { isChecking }, isOff, isDone, onAgain }: CheckButtonProps) {
  const label = isDone ? 'Check again' : 'Check connection';
  return (
    <Button
      type={isDone ? 'button' : 'submit'}
      look={isDone ? 'normal' : 'primary'}
      disabled={isOff}
      aria-disabled={isChecking}
      onClick={isDone ? onAgain : undefined}
    >
      {isChecking ? 'Checking…' : label}
    </Button>
  );
}

interface ForwardProps {
  step: Step;
  isOff: boolean;
  connected: Connected | undefined;
}

function Forward({ step, isOff, connected }: ForwardProps) {
  const isLocked = step === 'connection' && !connected;
  return (
    <>
      <Button
        type={isLocked ? 'button' : 'submit'}
        look={isLocked ? 'normal' : 'primary'}
        disabled={isOff || isLocked}
      >
        {step === 'create' ? 'Create pipe' : 'Next'}
      </Button>
      {isLocked && (
        <span className={styles.state}>The next steps open once the connection works.</span>
      )}
    </>
  );
}

interface StepBodyProps extends StepProps {
  step: Step;
  check: ConnectionCheck;
  onGo(step: Step): void;
}

function StepBody({ step, check, onGo, ...props }: StepBodyProps) {
  const { kind, connected } = props.wizard;
  if (step === 'connection' || !connected) {
    return <ConnectionStep {...props} check={check} />;
  }
  switch (step) {
    case 'data':
      return kind === 'postgres' ? (
        <TablesStep {...props} connected={connected} />
      ) : (
        <ItemStep {...props} connected={connected} />
      );
    case 'columns':
      return kind === 'postgres' ? (
        <TargetsStep {...props} />
      ) : (
        <ColumnsStep {...props} connected={connected} />
      );
    case 'settings':
      return <SettingsStep {...props} />;
    default:
      return <CreateStep {...props} connected={connected} onGo={onGo} />;
  }
}
