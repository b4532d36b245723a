import type { ReactNode } from 'react';
import { stateWords, type StateFilter } from './states.ts';
import styles from './alerting.module.css';

/** Each state has a shape of its own, for people who do not tell the colours apart. */
const shapes: Record<StateFilter, ReactNode> = {
  broken: (
    <>
      <path d="M6 .8 11.6 11H.4Z" fill="currentColor" />
      <path d="M6 4.2v3.2M6 8.6v1" stroke="var(--bg)" strokeWidth="1.4" fill="none" />
    </>
  ),
  firing: <circle cx="6" cy="6" r="5" fill="currentColor" />,
  pending: (
    <>
      <circle cx="6" cy="6" r="4.3" stroke="currentColor" strokeWidth="1.4" fill="none" />
      <path d="M6 1.7a4.3 4.3 0 0 0 0 8.6Z" fill="currentColor" />
    </>
  ),
  silenced: (
    <>
      <circle cx="6" cy="6" r="4.3" stroke="currentColor" strokeWidth="1.4" fill="none" />
      <path d="m3 9 6-6" stroke="currentColor" strokeWidth="1.4" />
    </>
  ),
  inactive: <circle cx="6" cy="6" r="4.3" stroke="currentColor" strokeWidth="1.4" fill="none" />,
};

interface StateMarkProps {
  state: StateFilter;
  /** Without the colour of the state, such as in a filter that finds nothing. */
  isQuiet?: boolean;
  /** The shape alone: what is around it says the word. */
  isShort?: boolean;
}

/** The shape and the word of a state. */
export function StateMark({ state, isQuiet, isShort }: StateMarkProps) {
  return (
    <span className={styles.mark} data-state={isQuiet ? 'inactive' : state}>
      <svg viewBox="0 0 12 12" width={12} height={12} aria-hidden>
        {shapes[state]}
      </svg>
      {!isShort && stateWords[state]}
    </span>
  );
}
