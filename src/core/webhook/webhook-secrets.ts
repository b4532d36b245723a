import type { Vault } from '../../ports/ambient.ts';
import type { StoredDocument } from '../../ports/store/document-store.ts';

/** The write-only part of a webhook. */
export interface WebhookSecrets {
  headers?: Record<string, string>;
  queryParams?: Record<string, string>;
  secret?: string;
}

/** As it is sealed. Webhooks of older versions have the whole URL in their body instead. */
type SealedPart = WebhookSecrets & { url?: string };

type Row = Pick<StoredDocument, 'workspaceId' | 'id'>;
type StoredWebhook = Row & Pick<StoredDocument<'webhook'>, 'sealed' | 'body'>;

/** What the secrets of a webhook are sealed for. */
export const webhookContext = ({ workspaceId, id }: Row): string => `webhook:${workspaceId}:${id}`;

/** Vault text, or null when there is nothing to keep. */
export function sealWebhookSecrets(vault: Vault, row: Row, secrets: SealedPart): string | null {
  return Object.keys(secrets).length === 0
    ? null
    : vault.seal(JSON.stringify(secrets), webhookContext(row));
}

export function openWebhookSecrets(
  vault: Vault,
  stored: Row & Pick<StoredDocument, 'sealed'>,
): WebhookSecrets {
  const { url: _, ...secrets } = openPart(vault, stored);
  return secrets;
}

/** The whole URL. */
export function openWebhookUrl(vault: Vault, stored: StoredWebhook): string {
  return openPart(vault, stored).url ?? stored.body.url;
}

/** Whether the body still has the whole URL. */
export const hasPlainUrl = (vault: Vault, stored: StoredWebhook): boolean =>
  openPart(vault, stored).url === undefined;

/** For callers who may not see the URL, which is often a credential: scheme, host and port. */
export function maskedUrl(url: string): string {
  return `${new URL(url).origin}/***`;
}

function openPart(vault: Vault, stored: Row & Pick<StoredDocument, 'sealed'>): SealedPart {
  return stored.sealed === null
    ? {}
    : (JSON.parse(vault.open(stored.sealed, webhookContext(stored))) as SealedPart);
}
