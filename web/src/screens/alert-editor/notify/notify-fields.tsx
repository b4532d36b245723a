import { Plus, Send, X } from 'lucide-react';
import { useState } from 'react';
import { testWebhook, type Webhook } from '../../../api/queries/webhooks.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { ControlField, Field } from '../../../kit/field.tsx';
import { Listbox } from '../../../kit/listbox.tsx';
import { services } from '../../../webhooks/services.ts';
import { testText } from '../../../webhooks/test-text.ts';
import type { EditorModel } from '../model/use-editor.ts';
import { NewWebhookDialog } from './new-webhook-dialog.tsx';
import styles from '../alert-editor.module.css';

const webhooksMax = 11;

/** The webhooks of the alert, stored or new, and its reminders. */
export function NotifyFields({ model }: { model: EditorModel }) {
  const { draft, change, form, lists } = model;
  const [isNew, setNew] = useState(false);
  const { webhookIds } = draft;
  const others = lists.webhooks.filter(({ id }) => !webhookIds.includes(id));
  const isFull = webhookIds.length >= webhooksMax;
  const add = (id: string): void => change({ webhookIds: [...webhookIds, id] });
  return (
    <section className={styles.section} aria-label="Notifications">
      <h2>Notifications</h2>
      <ControlField label="Webhooks" error={form.issueAt('webhookIds')}>
        <ul className={styles.webhooks}>
          {webhookIds.map((id) => (
            <ChosenWebhook
              key={id}
              id={id}
              webhook={lists.webhooks.find((one) => one.id === id)}
              onRemove={() => change({ webhookIds: webhookIds.filter((one) => one !== id) })}
            />
          ))}
        </ul>
        <div className={styles.buttons}>
          {others.length > 0 && !isFull && (
            <Listbox
              label="Add a webhook"
              placeholder="Add a webhook"
              value={undefined}
              choices={others.map(({ id, name, service }) => ({
                value: id,
                label: name,
                hint: services[service].label,
              }))}
              onChange={add}
            />
          )}
          {!isFull && (
            <Button icon={<Plus size={14} aria-hidden />} onClick={() => setNew(true)}>
              New webhook…
            </Button>
          )}
        </div>
      </ControlField>
      <Field
        label="Reminders (optional)"
        name="renotifyInterval"
        className={styles.short}
        autoComplete="off"
        placeholder="1h"
        hint="Interval between reminders while the alert fires: 1m to 7d. Leave empty for none."
        value={draft.renotifyInterval}
        error={form.issueAt('renotifyInterval')}
        onChange={({ target }) => change({ renotifyInterval: target.value })}
      />
      {isNew && <NewWebhookDialog onMade={add} onClose={() => setNew(false)} />}
    </section>
  );
}

interface ChosenWebhookProps {
  id: string;
  webhook: Webhook | undefined;
  onRemove(): void;
}

function ChosenWebhook({ id, webhook, onRemove }: ChosenWebhookProps) {
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<string>();
  const name = webhook?.name ?? id;
  const test = async (): Promise<void> => {
    setBusy(true);
    setOutcome(undefined);
    try {
      setOutcome(testText(await testWebhook(id)));
    } catch (error) {
      setOutcome(error instanceof Error ? error.message : 'The test was not sent.');
    } finally {
      setBusy(false);
    }
  };
  return (
    <li className={styles.webhook}>
      <span className={styles.webhookName}>
        {name}
        {webhook ? (
          <span className={styles.note}>{services[webhook.service].label}</span>
        ) : (
          <span className={styles.missing}>deleted</span>
        )}
      </span>
      {webhook && (
        <Button
          size="small"
          icon={<Send size={12} aria-hidden />}
          aria-label={`Send a test to ${name}`}
          disabled={isBusy}
          onClick={() => void test()}
        >
          Test
        </Button>
      )}
      <IconButton size="small" label={`Remove webhook ${name}`} onClick={onRemove}>
        <X size={14} aria-hidden />
      </IconButton>
      <span role="status" className={styles.outcome}>
        {outcome}
      </span>
    </li>
  );
}
