import type { Pipe } from '../../api/queries/pipes.ts';
import { Notice } from '../../kit/notice.tsx';
import { nextSteps } from '../../pipes/states.ts';
import styles from './pipe.module.css';

/** Why the pipe is in its state, and what to do next. */
export function Status({ pipe: { state, stateMessage } }: { pipe: Pipe }) {
  const next = nextSteps[state];
  if (stateMessage === undefined) {
    return <p className={styles.next}>{next}</p>;
  }
  const isBad = state === 'Failed' || state === 'Degraded' || state === 'Deleting';
  return (
    <Notice look={isBad ? 'warning' : 'note'}>
      <p>
        <b>{state}</b>: {stateMessage}
      </p>
      <p>{next}</p>
    </Notice>
  );
}
