import type { Vault } from '../../../ports/ambient.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import { openWebhookSecrets, openWebhookUrl } from '../../webhook/webhook-secrets.ts';
import type { Catalog } from '../catalog.ts';
import { bodyKeeper } from './redaction.ts';
import { webhookRequests, type ToRequest } from './message/request.ts';

/** One version of a webhook, ready for sending. */
export interface Destination {
  id: string;
  version: number;
  name: string;
  /** Host and port of its address. */
  host: string;
  toRequest: ToRequest;
  /** The beginning of a response, without the webhook's secrets. */
  keptBody(body: string): string;
}

/** Looks up webhooks by id. Secrets are opened once for each version of a webhook. */
export function destinations(
  catalog: Catalog,
  vault: Vault,
): (workspaceId: string, webhookId: string) => Destination | undefined {
  const destinationByDocument = new WeakMap<StoredDocument<'webhook'>, Destination>();
  return (workspaceId, webhookId) => {
    const stored = catalog.get(workspaceId, 'webhook', webhookId);
    if (!stored) {
      return undefined;
    }
    let destination = destinationByDocument.get(stored);
    if (!destination) {
      destination = destinationOf(stored, vault);
      destinationByDocument.set(stored, destination);
    }
    return destination;
  };
}

/** Opens the secrets when they are first needed, so that a failure affects this webhook only. */
export function destinationOf(stored: StoredDocument<'webhook'>, vault: Vault): Destination {
  const { name, service, url, body } = stored.body;
  let request: ToRequest | undefined;
  let keep: ((text: string) => string) | undefined;
  const toRequest: ToRequest = (...event) => {
    request ??= webhookRequests({
      service,
      url: openWebhookUrl(vault, stored),
      template: body ?? null,
      secrets: openWebhookSecrets(vault, stored),
    });
    return request(...event);
  };
  const keptBody = (text: string): string => {
    keep ??= bodyKeeper(openWebhookUrl(vault, stored), openWebhookSecrets(vault, stored));
    return keep(text);
  };
  const { id, version } = stored;
  return { id, version, name, host: new URL(url).host, toRequest, keptBody };
}
