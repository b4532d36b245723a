import type { ReactNode } from 'react';
import type { PipeState } from '../api/queries/pipes.ts';
import styles from './pipes.module.css';

type Look = 'broken' | 'trouble' | 'busy' | 'running' | 'resting' | 'done';

const looks: Record<PipeState, Look> = {
  Failed: 'broken',
  Degraded: 'trouble',
  Deleting: 'busy',
  Provisioning: 'busy',
  Setup: 'busy',
  Snapshot: 'busy',
  Stopping: 'busy',
  Pausing: 'busy',
  Running: 'running',
  Stopped: 'resting',
  Paused: 'resting',
  Completed: 'done',
};

/** Each look has a shape of its own, for people who do not tell the colours apart. */
const shapes: Record<Look, ReactNode> = {
  broken: (
    <>
      <path d="M6 .8 11.6 11H.4Z" fill="currentColor" />
      <path d="M6 4.2v3.2M6 8.6v1" stroke="var(--bg)" strokeWidth="1.4" fill="none" />
    </>
  ),
  trouble: (
    <>
      <circle cx="6" cy="6" r="4.3" stroke="currentColor" strokeWidth="1.4" fill="none" />
      <path d="M6 1.7a4.3 4.3 0 0 0 0 8.6Z" fill="currentColor" />
    </>
  ),
  busy: (
    <circle
      cx="6"
      cy="6"
      r="4.3"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeDasharray="2.4 2.1"
      fill="none"
    />
  ),
  running: <path d="M2.5 1.2 10.5 6l-8 4.8Z" fill="currentColor" />,
  resting: <path d="M3.6 2v8M8.4 2v8" stroke="currentColor" strokeWidth="1.8" />,
  done: <path d="m1.8 6.4 2.7 2.7 5.7-6" stroke="currentColor" strokeWidth="1.8" fill="none" />,
};

interface StateMarkProps {
  state: PipeState;
  /** Without the colour of the state, such as in a filter that finds nothing. */
  isQuiet?: boolean;
}

/** The shape and the word of a state. */
export function StateMark({ state, isQuiet }: StateMarkProps) {
  const look = looks[state];
  return (
    <span className={styles.mark} data-look={isQuiet ? 'resting' : look}>
      <svg viewBox="0 0 12 12" width={12} height={12} aria-hidden>
        {shapes[look]}
      </svg>
      {state}
    </span>
  );
}
