import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './facts.module.css';

interface FactsProps {
  /** `wide`: for values that are sentences. */
  look?: 'normal' | 'wide';
  /** `Fact`s. */
  children: ReactNode;
}

/** Names with values, in columns. */
export const Facts = ({ look = 'normal', children }: FactsProps) => (
  <dl className={classNames(styles.facts, look === 'wide' && styles.wide)}>{children}</dl>
);

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
