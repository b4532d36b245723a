import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

interface TabsProps<T extends string> {
  label: string;
  value: T;
  tabs: readonly { value: T; label: string; count?: number }[];
  onChange(value: T): void;
  /** The panel of the present tab. */
  children: ReactNode;
}

/** Views of one thing. Only the present one is rendered. */
export function Tabs<T extends string>({ label, value, tabs, onChange, children }: TabsProps<T>) {
  return (
    <Radix.Root className={styles.root} value={value} onValueChange={(next) => onChange(next as T)}>
      <Radix.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} value={tab.value} className={styles.tab}>
            {tab.label}
            {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content value={value} className={styles.content}>
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}
