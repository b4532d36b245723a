import { Link } from '@tanstack/react-router';
import { Check, Lock } from 'lucide-react';
import type { PipeKind } from '../../pipes/kinds.ts';
import { stepTitle } from './model/steps.ts';
import { steps, type Step } from './params.ts';
import styles from './pipe-new.module.css';

interface ProgressProps {
  kind: PipeKind | undefined;
  step: Step | undefined;
  /** The last step that may be opened; undefined: only the choice of a kind. */
  last: Step | undefined;
}

const all: readonly (Step | undefined)[] = [undefined, ...steps];

/** All steps in order: those that may be opened are links. */
export function Progress({ kind, step, last }: ProgressProps) {
  const lastIndex = all.indexOf(last);
  const current = all.indexOf(step);
  return (
    <nav aria-label="Steps">
      <ol className={styles.progress}>
        {all.map((one, index) => (
          <li key={one ?? 'kind'} aria-current={index === current ? 'step' : undefined}>
            {index <= lastIndex ? (
              <Link to="/pipes/new" search={{ kind, step: one }} className={styles.stepName}>
                <Mark index={index} isDone={index < current} />
                <span className={styles.stepText}>{stepTitle(one, kind)}</span>
              </Link>
            ) : (
              <span className={styles.stepName} data-locked>
                <Mark index={index} isDone={false} isLocked />
                <span className={styles.stepText}>{stepTitle(one, kind)}</span>
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface MarkProps {
  index: number;
  isDone: boolean;
  isLocked?: boolean;
}

function Mark({ index, isDone, isLocked = false }: MarkProps) {
  if (isLocked) {
    return (
      <span className={styles.stepMark}>
        <Lock size={11} role="img" aria-label="Locked" />
      </span>
    );
  }
  return (
    <span className={styles.stepMark} data-done={isDone || undefined}>
      {isDone ? <Check size={12} role="img" aria-label="Done" /> : index + 1}
    </span>
  );
}
