import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { servicesQuery } from '../../../api/queries/organization.ts';
import { Button } from '../../../kit/button.tsx';
import { BareInput } from '../../../kit/field.tsx';
import { Listbox } from '../../../kit/listbox.tsx';
import { actorKinds, outcomes, type AuditParams } from '../params.ts';
import styles from '../organization.module.css';

interface FiltersProps {
  params: AuditParams;
  onAsk(changes: Partial<AuditParams>): void;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const choicesOf = <T extends string>(values: readonly T[]): { value: T; label: string }[] =>
  values.map((value) => ({ value, label: capital(value) }));

/** What of the audit trail is shown. */
export function Filters({ params, onAsk }: FiltersProps) {
  const { data: services = [] } = useQuery(servicesQuery);
  return (
    <div className={styles.filters} role="group" aria-label="Filters">
      <Choice
        label="Outcome"
        value={params.outcome}
        choices={choicesOf(outcomes)}
        onChange={(outcome) => onAsk({ outcome })}
      />
      <Choice
        label="Actor"
        value={params.actor}
        choices={choicesOf(actorKinds)}
        onChange={(actor) => onAsk({ actor })}
      />
      {(services.length > 1 || params.service !== undefined) && (
        <Choice
          label="Service"
          value={params.service}
          choices={services.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(service) => onAsk({ service })}
        />
      )}
      <Text
        label="Operation"
        value={params.operation}
        onChange={(operation) => onAsk({ operation })}
      />
      <Text label="Kind of object" value={params.object} onChange={(object) => onAsk({ object })} />
      <Chosen
        label="Actor id"
        value={params.actorId}
        onDrop={() => onAsk({ actorId: undefined })}
      />
      <Chosen
        label="Object id"
        value={params.objectId}
        onDrop={() => onAsk({ objectId: undefined })}
      />
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T | undefined;
  choices: readonly { value: T; label: string }[];
  onChange(value: T | undefined): void;
}

/** One value, or any. */
function Choice<T extends string>({ label, value, choices, onChange }: ChoiceProps<T>) {
  return (
    <Listbox<T | 'any'>
      label={label}
      value={value ?? 'any'}
      choices={[{ value: 'any', label: `Any ${label.toLowerCase()}` }, ...choices]}
      onChange={(next) => onChange(next === 'any' ? undefined : next)}
    />
  );
}

interface TextProps {
  label: string;
  value: string | undefined;
  onChange(value: string | undefined): void;
}

/** An exact value, which is asked for by Enter or when the field is left. */
function Text({ label, value, onChange }: TextProps) {
  const [typed, setTyped] = useState<string>();
  const send = (): void => {
    const next = typed?.trim();
    setTyped(undefined);
    if (next !== undefined && next !== (value ?? '')) {
      onChange(next === '' ? undefined : next);
    }
  };
  return (
    <BareInput
      label={label}
      placeholder={label}
      autoComplete="off"
      spellCheck={false}
      maxLength={255}
      value={typed ?? value ?? ''}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={send}
      onKeyDown={({ key }) => key === 'Enter' && send()}
    />
  );
}

interface ChosenProps {
  label: string;
  value: string | undefined;
  onDrop(): void;
}

/** An id that was chosen in the table. */
function Chosen({ label, value, onDrop }: ChosenProps) {
  return value === undefined ? null : (
    <Button
      icon={<X size={14} aria-hidden />}
      aria-label={`Drop ${label.toLowerCase()} ${value}`}
      onClick={onDrop}
    >
      <span className={styles.cut}>
        {label} {value}
      </span>
    </Button>
  );
}
