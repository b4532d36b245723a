import { useId, type ComponentProps, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';

interface FieldProps extends ComponentProps<'input'> {
  label: string;
  /** What to enter, in a sentence. */
  hint?: ReactNode;
  /** The API's or the schema's message for this field. */
  error?: string | undefined;
}

/** A labelled text input with its message. */
export function Field({ label, hint, error, className, ...props }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={id}>{label}</label>
      <input
        {...props}
        id={id}
        className={styles.input}
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
      />
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={error === undefined ? styles.hint : styles.error}
          role={error === undefined ? undefined : 'alert'}
        >
          {note}
        </p>
      )}
    </div>
  );
}

interface SmallInputProps extends ComponentProps<'input'> {
  label: string;
}

/** An input whose label only screen readers need, such as one to find in a list. */
export function BareInput({ label, className, ...props }: SmallInputProps) {
  return <input {...props} aria-label={label} className={classNames(styles.input, className)} />;
}
