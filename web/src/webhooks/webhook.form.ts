import { schemaIssues } from '../../../src/contract/schema-issues.ts';
import { sampleWebhookEvent } from '../../../src/contract/webhook/webhook-event.ts';
import { messageBody } from '../../../src/contract/webhook/webhook-message.ts';
import {
  templateProblem,
  templateVariables,
} from '../../../src/contract/webhook/webhook-template.ts';
import { WebhookDraft as TestedDraft } from '../../../src/contract/webhook/webhook-test.ts';
import { WebhookInput } from '../../../src/contract/webhook/webhook.ts';
import type { FormIssue } from '../kit/use-form.ts';
import { bodyOf, type WebhookDraft } from './draft.ts';

/** The rules and messages of the API, in the browser. Loaded after the first paint. */

/** Mistakes that the API would find in a webhook. */
export function webhookIssues(draft: WebhookDraft): FormIssue[] {
  const { error } = WebhookInput.safeParse(bodyOf(draft));
  return [
    ...schemaIssues(error?.issues ?? []),
    ...twins(draft, 'headers'),
    ...twins(draft, 'queryParams'),
  ];
}

/** Mistakes that matter for a test: it needs no name. */
export function testIssues(draft: WebhookDraft): FormIssue[] {
  const { name: _, ...body } = bodyOf(draft);
  const { error } = TestedDraft.safeParse(body);
  return schemaIssues(error?.issues ?? []);
}

/** A name that stands there twice would be sent once. */
function twins(draft: WebhookDraft, field: 'headers' | 'queryParams'): FormIssue[] {
  const names = (draft[field] ?? []).map(({ name }) =>
    field === 'headers' ? name.trim().toLowerCase() : name.trim(),
  );
  const twin = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  return twin === undefined ? [] : [{ path: field, message: `names ${twin} twice` }];
}

/** An event as receivers get it, with links into this interface. */
const sampleEvent = () => {
  const { origin } = location;
  const { data } = sampleWebhookEvent;
  const alert = `${origin}/alerts/${data.alert.id}`;
  return { ...sampleWebhookEvent, data: { ...data, links: { alert, data: `${origin}/search` } } };
};

/** Variables of templates, with a sample of each value. */
export const variables: readonly { name: string; sample: string }[] = [
  ...templateVariables(sampleWebhookEvent),
].map(([name, value]) => ({
  name,
  sample: Array.isArray(value) ? value.join(', ') : String(value ?? 'null'),
}));

/** The message of a sample event, or what is wrong with the template. */
export function sampleMessage({
  service,
  body,
}: Pick<WebhookDraft, 'service' | 'body'>): { text: string } | { problem: string } {
  const problem = body === null ? undefined : templateProblem(body);
  if (problem !== undefined) {
    return { problem };
  }
  const secrets = service === 'pagerduty' ? { secret: '***' } : {};
  const text = messageBody({ service, template: body, secrets }, sampleEvent());
  return { text: JSON.stringify(JSON.parse(text), null, 2) };
}
