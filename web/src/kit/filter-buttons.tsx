import type { ReactNode } from 'react';
import styles from './filter-buttons.module.css';

interface FilterButtonsProps<T extends string> {
  label: string;
  choices: readonly { value: T; content: ReactNode }[];
  value: T | undefined;
  /** Undefined: the chosen one was pressed again. */
  onChange(value: T | undefined): void;
}

/** Buttons of which one or none narrows a list. */
export function FilterButtons<T extends string>(props: FilterButtonsProps<T>) {
  const { label, choices, value, onChange } = props;
  return (
    <ul className={styles.list} aria-label={label}>
      {choices.map((one) => (
        <li key={one.value}>
          <button
            type="button"
            className={styles.button}
            aria-pressed={one.value === value}
            onClick={() => onChange(one.value === value ? undefined : one.value)}
          >
            {one.content}
          </button>
        </li>
      ))}
    </ul>
  );
}
