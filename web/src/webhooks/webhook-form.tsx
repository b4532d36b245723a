import type { ReactNode } from 'react';
import { ErrorText } from '../kit/state.tsx';
import { MessageFields } from './message-fields.tsx';
import { TestButton, TestOutcome } from './test-panel.tsx';
import type { WebhookFormModel } from './use-webhook-form.ts';
import { WebhookFields } from './webhook-fields.tsx';
import styles from './webhooks.module.css';

interface WebhookFormProps {
  model: WebhookFormModel;
  onSubmit(): void;
  /** The buttons below. */
  actions: ReactNode;
}

/** Everything of a webhook: where to, credentials, message and a test. */
export function WebhookForm({ model, onSubmit, actions }: WebhookFormProps) {
  const { host, form, error } = model;
  const others = form.otherIssues.map(({ path, message }) => `${path}: ${message}`);
  return (
    <form
      ref={host}
      className={styles.form}
      noValidate
      onBlur={(event) => {
        event.stopPropagation();
        form.onBlur(event);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        // A dialog within another form: the submit is of this form alone.
        event.stopPropagation();
        onSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
          event.preventDefault();
          event.stopPropagation();
          onSubmit();
        }
      }}
    >
      <WebhookFields model={model} />
      <MessageFields model={model} />
      <div className={styles.foot}>
        <TestOutcome model={model} />
        <ErrorText error={others.length > 0 ? new Error(others.join('; ')) : error} />
        <div className={styles.footButtons}>
          <TestButton model={model} />
          {actions}
        </div>
      </div>
    </form>
  );
}
