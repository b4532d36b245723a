import type { Webhook } from '../../contract/webhook.ts';
import type { Vault } from '../../ports/ambient.ts';
import type { StoredDocument } from '../../ports/store.ts';
import { openWebhookSecrets } from '../webhook-secrets.ts';
import type { Catalog } from './catalog.ts';
import type { Destination } from './courier.ts';
import { webhookRequests, type ToRequest } from './message/request.ts';

/** Webhooks by id, their secrets opened once for each version. */
export function destination(
  catalog: Catalog,
  vault: Vault,
): (workspaceId: string, webhookId: string) => Destination | undefined {
  const opened = new WeakMap<StoredDocument, Destination>();
  return (workspaceId, webhookId) => {
    const stored = catalog.get(workspaceId, 'webhook', webhookId);
    if (!stored) {
      return undefined;
    }
    let found = opened.get(stored);
    if (!found) {
      opened.set(stored, (found = destinationOf(stored, vault)));
    }
    return found;
  };
}

/** Secrets are opened when they are first needed: where that fails, it fails for this webhook only. */
export function destinationOf(stored: StoredDocument, vault: Vault): Destination {
  const { name, service, url, body } = stored.body as unknown as Webhook;
  let made: ToRequest | undefined;
  const toRequest: ToRequest = (...event) => {
    made ??= webhookRequests({
      service,
      url,
      template: body ?? null,
      secrets: openWebhookSecrets(vault, stored),
    });
    return made(...event);
  };
  return { id: stored.id, version: stored.version, name, host: new URL(url).host, toRequest };
}
