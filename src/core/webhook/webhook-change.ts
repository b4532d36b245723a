import type { WebhookChange, WebhookInput } from '../../contract/webhook/webhook.ts';
import type { Vault } from '../../ports/ambient.ts';
import { EgressRefused, type Egress } from '../../ports/egress.ts';
import type { Issue } from '../../contract/errors.ts';
import type { StoredDocument } from '../../ports/store/document-store.ts';
import { given } from '../verb/document.ts';
import {
  maskedUrl,
  openWebhookSecrets,
  openWebhookUrl,
  type WebhookSecrets,
} from './webhook-secrets.ts';

export interface ChangedWebhook {
  /** The fields after the change, with the whole URL. */
  fields: WebhookInput;
  secrets: WebhookSecrets;
}

/**
 * A stored webhook with a change. Omitted fields stay, but a new URL drops the stored secrets:
 * otherwise a change could send them to a receiver of the caller's choice.
 */
export function changedWebhook(
  vault: Vault,
  stored: StoredDocument<'webhook'>,
  change: WebhookChange,
): ChangedWebhook {
  const before = stored.body;
  // Secrets that cannot be read any more can be replaced together with the URL.
  const urlBefore =
    change.url === undefined ? openWebhookUrl(vault, stored) : readableWebhook(vault, stored)?.url;
  // Callers who got the URL masked may send the mask back.
  const isKept = change.url === undefined || change.url === maskedUrl(urlBefore ?? change.url);
  const url = isKept && urlBefore !== undefined ? urlBefore : (change.url ?? before.url);
  const moved = url !== urlBefore;
  return {
    fields: { ...before, ...given(change), url } as WebhookInput,
    secrets: secretsOf({
      ...(moved ? {} : openWebhookSecrets(vault, stored)),
      ...given(change),
    }),
  };
}

/** Undefined if the secret key is another one: the webhook can still be listed and changed. */
export function readableWebhook(
  vault: Vault,
  stored: StoredDocument<'webhook'>,
): { url: string; secrets: WebhookSecrets } | undefined {
  try {
    return { url: openWebhookUrl(vault, stored), secrets: openWebhookSecrets(vault, stored) };
  } catch {
    return undefined;
  }
}

/** The secrets that are set. Null and empty count as absent. */
export function secretsOf({
  headers,
  queryParams,
  secret,
}: { [K in keyof WebhookSecrets]?: WebhookSecrets[K] | null | undefined }): WebhookSecrets {
  return {
    ...(headers && Object.keys(headers).length > 0 && { headers }),
    ...(queryParams && Object.keys(queryParams).length > 0 && { queryParams }),
    ...(secret && { secret }),
  };
}

/** The issue of a URL that webhooks may not reach. */
export async function addressIssues(egress: Pick<Egress, 'check'>, url: string): Promise<Issue[]> {
  try {
    await egress.check(new URL(url));
    return [];
  } catch (error) {
    if (error instanceof EgressRefused) {
      return [{ path: 'url', message: error.message }];
    }
    throw error;
  }
}
