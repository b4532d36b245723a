import { Toggle } from '../../kit/choices.tsx';
import { ControlField, Field, TextArea } from '../../kit/field.tsx';
import { Listbox } from '../../kit/listbox.tsx';
import { textOf, type SourceField } from './model/fields.ts';
import type { StepProps } from './model/step-props.ts';

interface OneFieldProps extends StepProps {
  field: SourceField;
  /** Instead of that of the field. */
  placeholder?: string;
}

/** One field of a source or of a setting. */
export function OneField({ field, placeholder, wizard, form }: OneFieldProps) {
  const { name, label, hint, look, choices = [] } = field;
  const value = textOf(wizard.texts, name);
  const error = form.issueAt(name);
  const onChange = (text: string): void => wizard.setText(name, text);
  if (look === 'switch') {
    return (
      <Toggle
        label={label}
        hint={error ?? hint ?? ''}
        isOn={value === 'true'}
        onChange={(isOn) => onChange(isOn ? 'true' : '')}
      />
    );
  }
  if (look === 'choice') {
    return (
      <ControlField label={label} hint={hint} error={error}>
        <Listbox label={label} value={value} choices={choices} onChange={onChange} />
      </ControlField>
    );
  }
  const shared = {
    name,
    label,
    hint,
    error,
    value,
    placeholder: placeholder ?? field.placeholder,
    spellCheck: false,
  };
  if (look === 'lines' || look === 'secretLines') {
    return (
      <TextArea
        {...shared}
        autoComplete="off"
        rows={4}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  }
  return (
    <Field
      {...shared}
      autoComplete={look === 'secret' ? 'new-password' : 'off'}
      type={look === 'secret' ? 'password' : 'text'}
      inputMode={look === 'number' ? 'decimal' : undefined}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
