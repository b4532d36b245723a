import { Check, CircleAlert, CircleCheck, X } from 'lucide-react';
import { ErrorText } from '../../../kit/state.tsx';
import { reasonWords, stepWords } from '../model/check-words.ts';
import type { ConnectionCheck } from '../model/use-check.ts';
import type { Wizard } from '../model/use-wizard.ts';
import styles from '../pipe-new.module.css';

interface CheckResultProps {
  wizard: Wizard;
  check: ConnectionCheck;
}

/** What a check of the connection found, in plain words. */
export function CheckResult({ wizard, check }: CheckResultProps) {
  const { answer, isChecking, error, issues } = check;
  const withoutField = issues.filter(({ path }) => !(path in wizard.value));
  return (
    <div className={styles.result} role="status">
      <h3>Connection</h3>
      <Verdict wizard={wizard} check={check} />
      {answer && (
        <ul className={styles.marks}>
          {answer.steps.map(({ step, ok }) => (
            <li key={step} data-failed={!ok || undefined}>
              {ok ? (
                <Check size={14} role="img" aria-label="Works" />
              ) : (
                <X size={14} role="img" aria-label="Fails" />
              )}
              {stepWords[step]}
            </li>
          ))}
        </ul>
      )}
      {!isChecking &&
        withoutField.map(({ path, message }) => (
          <p key={path} className={styles.message}>
            {message}
          </p>
        ))}
      {withoutField.length < issues.length && (
        <p className={styles.quiet}>The field in question says what to do.</p>
      )}
      <ErrorText error={error} />
    </div>
  );
}

function Verdict({ wizard: { connected }, check }: CheckResultProps) {
  const { answer, isChecking, issues, error } = check;
  if (isChecking) {
    return <p>Checking. This takes some seconds at most.</p>;
  }
  const [issue] = answer?.issues ?? [];
  if (issue) {
    return (
      <p className={styles.verdict}>
        <CircleAlert size={16} aria-hidden />
        {reasonWords[issue.reason]}
      </p>
    );
  }
  if (connected) {
    return (
      <p className={styles.verdict} data-ok>
        <CircleCheck size={16} aria-hidden />
        The connection works
      </p>
    );
  }
  return issues.length > 0 || error ? null : (
    <p className={styles.quiet}>
      Not checked yet. The check reads a little, and creates nothing at the source.
    </p>
  );
}
