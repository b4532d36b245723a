import type { ComponentProps } from 'react';
import styles from './check-box.module.css';

interface CheckBoxProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  /** What it selects: the accessible name. */
  label: string;
  /** Some of what it stands for is selected. */
  isMixed?: boolean;
}

/** A box to select a row, as large as a finger needs on touch screens. */
export function CheckBox({ label, isMixed = false, ...props }: CheckBoxProps) {
  return (
    <input
      {...props}
      type="checkbox"
      className={styles.box}
      aria-label={label}
      ref={(box) => {
        if (box) {
          box.indeterminate = isMixed;
        }
      }}
    />
  );
}
