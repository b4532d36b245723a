import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { alertsQuery, type Alert } from '../../../api/queries/alerts.ts';
import { covers } from '../../../alerting/maintenance.ts';
import { nameOf } from '../../../alerting/states.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Choices } from '../../../kit/choices.tsx';
import { CommandList } from '../../../kit/command-list.tsx';
import { Popover } from '../../../kit/popover.tsx';
import { plural } from '../../../view/number-format.ts';
import type { WindowDraft } from './draft.ts';
import styles from './maintenance.module.css';

interface AlertsFieldsProps {
  draft: WindowDraft;
  error: string | undefined;
  onChange(part: Partial<WindowDraft>): void;
}

/** Which alerts a window covers. */
export function AlertsFields({ draft, error, onChange }: AlertsFieldsProps) {
  const { data: alerts = [] } = useQuery(alertsQuery);
  const { covers: which, ids, tags } = draft;
  const known = [...new Set(alerts.flatMap((alert) => alert.tags ?? []))].toSorted();
  const nameById = (id: string): string => {
    const alert = alerts.find((one) => one.id === id);
    return alert ? nameOf(alert) : 'A deleted alert';
  };
  return (
    <div className={styles.group}>
      <Choices
        label="Alerts"
        value={which}
        choices={[
          { value: 'all', label: 'All alerts' },
          { value: 'some', label: 'Some' },
        ]}
        onChange={(next) => onChange({ covers: next })}
      />
      {which === 'some' && (
        <>
          <div className={styles.pickers}>
            <Picker
              label="Add a tag"
              choices={known.map((tag) => ({ id: tag, label: tag }))}
              chosen={tags}
              onAdd={(tag) => onChange({ tags: [...tags, tag] })}
            />
            <Picker
              label="Add an alert"
              choices={alerts.map((alert) => ({ id: alert.id, label: nameOf(alert) }))}
              chosen={ids}
              onAdd={(id) => onChange({ ids: [...ids, id] })}
            />
          </div>
          <ul className={styles.chosen} aria-label="Covered alerts">
            {tags.map((tag) => (
              <Chosen
                key={`tag ${tag}`}
                text={`Tag ${tag}`}
                onRemove={() => onChange({ tags: tags.filter((one) => one !== tag) })}
              />
            ))}
            {ids.map((id) => (
              <Chosen
                key={id}
                text={nameById(id)}
                onRemove={() => onChange({ ids: ids.filter((one) => one !== id) })}
              />
            ))}
          </ul>
        </>
      )}
      {error === undefined ? (
        <p className={styles.about}>{coverText(draft, alerts)}</p>
      ) : (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** How many alerts that is today. */
function coverText({ covers: which, ids, tags }: WindowDraft, alerts: readonly Alert[]): string {
  if (which === 'all') {
    return 'Alerts that are made later are covered, too.';
  }
  const window = { alerts: { all: false, ids: [...ids], tags: [...tags] } };
  const count = alerts.filter((alert) => covers(window, alert)).length;
  const later = tags.length === 0 ? '' : ' Alerts that get one of the tags later are covered, too.';
  return `${plural(count, 'alert')} today.${later}`;
}

interface PickerProps {
  label: string;
  choices: readonly { id: string; label: string }[];
  chosen: readonly string[];
  onAdd(id: string): void;
}

function Picker({ label, choices, chosen, onAdd }: PickerProps) {
  const [isOpen, setOpen] = useState(false);
  const commands = choices
    .filter(({ id }) => !chosen.includes(id))
    .map((choice) => ({
      ...choice,
      run: () => {
        setOpen(false);
        onAdd(choice.id);
      },
    }));
  return (
    <Popover
      label={label}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<Button size="small">{label}</Button>}
    >
      <CommandList
        label={label}
        commands={commands}
        placeholder="Find"
        className={styles.picker}
        empty="There is nothing to add."
      />
    </Popover>
  );
}

function Chosen({ text, onRemove }: { text: string; onRemove(): void }) {
  return (
    <li className={styles.chip}>
      <span>{text}</span>
      <IconButton label={`Remove ${text}`} size="small" onClick={onRemove}>
        <X size={12} aria-hidden />
      </IconButton>
    </li>
  );
}
