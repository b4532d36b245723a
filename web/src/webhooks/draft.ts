import type { Schemas } from '../api/client.ts';
import type { Webhook } from '../api/queries/webhooks.ts';
import type { Service } from './services.ts';

export interface Pair {
  name: string;
  value: string;
}

/** A webhook as the person edits it. Of secrets: undefined keeps the stored one, null removes it. */
export interface WebhookDraft {
  service: Service;
  name: string;
  url: string;
  description: string;
  /** Null: the format of the service. */
  body: string | null;
  secret: string | null | undefined;
  headers: readonly Pair[] | null | undefined;
  queryParams: readonly Pair[] | null | undefined;
}

export const newDraft = (service: Service = 'generic'): WebhookDraft => ({
  service,
  name: '',
  url: '',
  description: '',
  body: null,
  ...noSecrets,
});

const noSecrets = { secret: undefined, headers: undefined, queryParams: undefined };

export const draftOf = ({ service, name, url, description, body }: Webhook): WebhookDraft => ({
  service,
  name,
  url,
  description: description ?? '',
  body: body ?? null,
  ...noSecrets,
});

/** The draft as the API takes it: a new webhook, or all fields of a stored one. */
export function bodyOf({
  service,
  name,
  url,
  description,
  body,
  ...secrets
}: WebhookDraft): Schemas['WebhookInput'] {
  return {
    service,
    name: name.trim(),
    url: url.trim(),
    description: description === '' ? null : description,
    body,
    ...secretsOf(secrets),
  };
}

function secretsOf({
  secret,
  headers,
  queryParams,
}: Pick<WebhookDraft, 'secret' | 'headers' | 'queryParams'>) {
  const headerRecord = recordOf(headers);
  const paramRecord = recordOf(queryParams);
  return {
    ...(secret !== undefined && secret !== '' && { secret }),
    ...(headerRecord !== undefined && { headers: headerRecord }),
    ...(paramRecord !== undefined && { queryParams: paramRecord }),
  };
}

/** Undefined if nothing is entered. */
function recordOf(
  pairs: readonly Pair[] | null | undefined,
): Record<string, string> | null | undefined {
  const given = pairs?.filter(({ name, value }) => name !== '' || value !== '');
  if (given === undefined || given.length === 0) {
    return pairs === null ? null : undefined;
  }
  return Object.fromEntries(given.map(({ name, value }) => [name.trim(), value]));
}

/** Whether the person has entered anything that is not stored. */
export const isChanged = (draft: WebhookDraft, from: WebhookDraft): boolean =>
  JSON.stringify(bodyOf(draft)) !== JSON.stringify(bodyOf(from));
