import { useId } from 'react';
import styles from './choices.module.css';

interface ChoicesProps<T extends string> {
  label: string;
  /** What the choice means, in a sentence. */
  hint?: string;
  value: T;
  choices: readonly { value: T; label: string }[];
  onChange(value: T): void;
}

/** One of a few values, all of them visible. */
export function Choices<T extends string>(props: ChoicesProps<T>) {
  const { label, hint, value, choices, onChange } = props;
  const id = useId();
  return (
    <fieldset
      className={styles.choices}
      aria-describedby={hint === undefined ? undefined : `${id}-hint`}
    >
      <legend>{label}</legend>
      <div className={styles.segments}>
        {choices.map((choice) => (
          <label key={choice.value} className={styles.segment}>
            <input
              type="radio"
              name={id}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            {choice.label}
          </label>
        ))}
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}

interface ToggleProps {
  label: string;
  hint: string;
  isOn: boolean;
  onChange(isOn: boolean): void;
}

/** A setting that is on or off. */
export function Toggle({ label, hint, isOn, onChange }: ToggleProps) {
  const id = useId();
  return (
    <div className={styles.toggle}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      </div>
    </div>
  );
}
