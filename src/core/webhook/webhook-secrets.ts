import type { Vault } from '../../ports/ambient.ts';
import type { StoredDocument } from '../../ports/store/document-store.ts';

/** The write-only part of a webhook, as it is sealed. */
export interface WebhookSecrets {
  headers?: Record<string, string>;
  queryParams?: Record<string, string>;
  secret?: string;
}

type Row = Pick<StoredDocument, 'workspaceId' | 'id'>;

/** What the secrets of a webhook are sealed for. */
export const webhookContext = ({ workspaceId, id }: Row): string => `webhook:${workspaceId}:${id}`;

/** Vault text, or null when there is nothing to keep. */
export function sealWebhookSecrets(vault: Vault, row: Row, secrets: WebhookSecrets): string | null {
  return Object.keys(secrets).length === 0
    ? null
    : vault.seal(JSON.stringify(secrets), webhookContext(row));
}

export function openWebhookSecrets(
  vault: Vault,
  stored: Row & Pick<StoredDocument, 'sealed'>,
): WebhookSecrets {
  return stored.sealed === null
    ? {}
    : (JSON.parse(vault.open(stored.sealed, webhookContext(stored))) as WebhookSecrets);
}
