import { Choices } from '../kit/choices.tsx';
import { Field } from '../kit/field.tsx';
import { Credentials } from './credentials.tsx';
import { serviceChoices, services, type Service } from './services.ts';
import type { WebhookFormModel } from './use-webhook-form.ts';
import styles from './webhooks.module.css';

/** Service, name, address and credentials of a webhook. */
export function WebhookFields({ model }: { model: WebhookFormModel }) {
  const { draft, change, form } = model;
  const texts = services[draft.service];
  const setService = (service: Service): void => {
    // PagerDuty has one address for everybody.
    const isOwnUrl = draft.url !== '' && draft.url !== services.pagerduty.url;
    const url = service === 'pagerduty' ? services.pagerduty.url : '';
    change({ service, ...(!isOwnUrl && { url }) });
  };
  return (
    <div className={styles.columns}>
      <div className={styles.fields}>
        <Choices
          label="Service"
          hint={texts.about}
          value={draft.service}
          choices={serviceChoices}
          onChange={setService}
        />
        <Field
          label="Name"
          name="name"
          autoComplete="off"
          maxLength={255}
          value={draft.name}
          error={form.issueAt('name')}
          onChange={({ target }) => change({ name: target.value })}
        />
        <Field
          label="URL"
          name="url"
          type="url"
          autoComplete="off"
          spellCheck={false}
          placeholder={texts.url}
          hint={texts.urlHint}
          value={draft.url}
          error={form.issueAt('url')}
          onChange={({ target }) => change({ url: target.value })}
        />
        <Field
          label="Note (optional)"
          name="description"
          autoComplete="off"
          maxLength={1024}
          value={draft.description}
          error={form.issueAt('description')}
          onChange={({ target }) => change({ description: target.value })}
        />
      </div>
      <Credentials model={model} />
    </div>
  );
}
