import type { Webhook } from '../../api/queries/webhooks.ts';
import type { Difference } from '../../kit/conflict.tsx';
import { draftOf, type WebhookDraft } from '../../webhooks/draft.ts';
import { services } from '../../webhooks/services.ts';

/** Fields in which the form differs from what is stored now. Secrets only say that they change. */
export function differences(theirs: Webhook, mine: WebhookDraft): Difference[] {
  const stored = draftOf(theirs);
  const fields: [name: string, text: (draft: WebhookDraft) => string][] = [
    ['Service', ({ service }) => services[service].label],
    ['Name', ({ name }) => name],
    ['URL', ({ url }) => url],
    ['Note', ({ description }) => description],
    ['Template', ({ body }) => body ?? 'Default'],
    [services[mine.service].secret, ({ secret }) => change(secret)],
    ['Headers', ({ headers }) => change(headers)],
    ['Query parameters', ({ queryParams }) => change(queryParams)],
  ];
  return fields
    .map(([name, text]) => ({ name, theirs: text(stored), mine: text(mine) }))
    .filter((one) => one.theirs !== one.mine);
}

function change(secret: unknown): string {
  if (secret === undefined) {
    return 'As stored';
  }
  return secret === null ? 'Removed' : 'Replaced';
}
