import { useId, type ComponentProps, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';

interface Labels {
  label: string;
  /** What to enter, in a sentence. */
  hint?: ReactNode;
  /** The API's or the schema's message for this field. */
  error?: string | undefined;
}

type FieldProps = Labels & ComponentProps<'input'>;

/** A labelled text input with its message. */
export function Field({ label, hint, error, className, ...props }: FieldProps) {
  const id = useId();
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={id}>{label}</label>
      <input
        {...props}
        id={id}
        className={styles.input}
        aria-invalid={error !== undefined}
        aria-describedby={noteId(id, hint, error)}
      />
      <FieldNote id={id} hint={hint} error={error} />
    </div>
  );
}

type TextAreaProps = Labels & ComponentProps<'textarea'>;

/** A labelled text of several lines with its message. */
export function TextArea({ label, hint, error, className, ...props }: TextAreaProps) {
  const id = useId();
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={id}>{label}</label>
      <textarea
        {...props}
        id={id}
        className={classNames(styles.input, styles.lines)}
        aria-invalid={error !== undefined}
        aria-describedby={noteId(id, hint, error)}
      />
      <FieldNote id={id} hint={hint} error={error} />
    </div>
  );
}

interface ControlFieldProps extends Labels {
  /** A control with an accessible name of its own. */
  children: ReactNode;
  className?: string | undefined;
}

/** A label and a message around a control that is no text input. */
export function ControlField({ label, hint, error, className, children }: ControlFieldProps) {
  const id = useId();
  return (
    <div
      className={classNames(styles.field, className)}
      data-invalid={error === undefined ? undefined : true}
    >
      <span className={styles.label} aria-hidden>
        {label}
      </span>
      {children}
      <FieldNote id={id} hint={hint} error={error} />
    </div>
  );
}

const noteId = (id: string, hint: ReactNode, error: string | undefined): string | undefined =>
  (error ?? hint) === undefined ? undefined : `${id}-note`;

function FieldNote({ id, hint, error }: Omit<Labels, 'label'> & { id: string }) {
  const note = error ?? hint;
  return note === undefined ? null : (
    <p
      id={`${id}-note`}
      className={error === undefined ? styles.hint : styles.error}
      role={error === undefined ? undefined : 'alert'}
    >
      {note}
    </p>
  );
}

interface SmallInputProps extends ComponentProps<'input'> {
  label: string;
}

/** An input whose label only screen readers need, such as one to find in a list. */
export function BareInput({ label, className, ...props }: SmallInputProps) {
  return <input {...props} aria-label={label} className={classNames(styles.input, className)} />;
}
