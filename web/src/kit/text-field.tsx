import { useEffect, useState, type KeyboardEvent } from 'react';
import { Field } from './field.tsx';

interface TextFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  value: string;
  placeholder?: string;
  /** Texts that the browser offers. */
  list?: string | undefined;
  inputMode?: 'numeric' | 'decimal';
  autoFocus?: boolean;
  /** Called with Enter and when the field is left, not at each key. */
  onCommit(value: string): void;
}

/** A text that counts once it is complete. */
export function TextField({ value, onCommit, ...props }: TextFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = (): void => {
    if (text !== value) {
      onCommit(text);
    }
  };
  return (
    <Field
      {...props}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          commit();
        }
      }}
    />
  );
}
