import {
  hasPlainUrl,
  maskedUrl,
  openWebhookSecrets,
  sealWebhookSecrets,
} from '../core/webhook/webhook-secrets.ts';
import type { Log, Vault } from '../ports/ambient.ts';
import type { StoredDocument } from '../ports/store/document-store.ts';
import type { Store } from '../ports/store/store.ts';

/** Older versions stored the URLs of webhooks as they are. */
export async function sealWebhookUrls(store: Store, vault: Vault, log: Log): Promise<void> {
  const limit = 1000;
  let sealed = 0;
  for (const { id } of await store.identity.workspaces()) {
    for (let offset = 0; ; offset += limit) {
      const { items } = await store.documents.list(id, 'webhook', { limit, offset });
      for (const stored of items) {
        if (isPlain(stored, vault) && (await seal(store, vault, stored))) {
          sealed++;
        }
      }
      if (items.length < limit) {
        break;
      }
    }
  }
  if (sealed > 0) {
    log.info({ webhooks: sealed }, 'webhook URLs encrypted');
  }
}

/** False if the secret key is another one: then the deliveries of the webhook say so. */
function isPlain(stored: StoredDocument<'webhook'>, vault: Vault): boolean {
  try {
    return hasPlainUrl(vault, stored);
  } catch {
    return false;
  }
}

function seal(store: Store, vault: Vault, stored: StoredDocument<'webhook'>): Promise<boolean> {
  const { url } = stored.body;
  return store.secrets.sealDocument(stored, {
    body: { ...stored.body, url: maskedUrl(url) },
    sealed: sealWebhookSecrets(vault, stored, { ...openWebhookSecrets(vault, stored), url }),
  });
}
