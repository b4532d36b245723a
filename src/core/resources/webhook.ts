import { Fault, type Issue } from '../../contract/errors.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
  type Webhook,
  type WebhookChange,
  type WebhookInput,
} from '../../contract/webhook/webhook.ts';
import type { Vault } from '../../ports/ambient.ts';
import { EgressRefused, type Egress } from '../../ports/egress.ts';
import type { StoredDocument } from '../../ports/store/document-store.ts';
import { crudVerbs, type CrudDependencies, type Resource } from '../verb/crud.ts';
import type { Draft } from '../verb/draft.ts';
import {
  maskedUrl,
  openWebhookSecrets,
  openWebhookUrl,
  sealWebhookSecrets,
  type WebhookSecrets,
} from '../webhook/webhook-secrets.ts';
import { given, times } from '../verb/document.ts';

export interface WebhookDependencies extends CrudDependencies {
  vault: Vault;
  egress: Pick<Egress, 'check'>;
}

export function webhookVerbs(deps: WebhookDependencies) {
  const verbs = crudVerbs(
    {
      list: listWebhooks,
      create: createWebhook,
      get: getWebhook,
      update: updateWebhook,
      remove: deleteWebhook,
    },
    webhookResource(deps),
    deps,
  );
  return {
    listWebhooks: verbs.list,
    createWebhook: verbs.create,
    getWebhook: verbs.get,
    updateWebhook: verbs.update,
    deleteWebhook: verbs.remove,
  };
}

function webhookResource({
  vault,
  egress,
}: WebhookDependencies): Resource<'webhook', WebhookInput, WebhookChange, Webhook> {
  return {
    kind: 'webhook',
    noun: 'webhook',
    present: (stored, { scopes }) =>
      stored.map((document) => webhookRecord(document, vault, scopes.has('webhooks:write'))),

    async inputIssues({ url }) {
      return url === undefined ? [] : addressIssues(egress, url);
    },

    compose(input, { principal, id }) {
      return draft(
        input,
        sealWebhookSecrets(
          vault,
          { workspaceId: principal.workspace.id, id },
          { url: input.url, ...secretsOf(input) },
        ),
      );
    },

    amend(change, stored) {
      const before = stored.body;
      // Secrets that cannot be read any more can be replaced together with the URL.
      const urlBefore =
        change.url === undefined ? openWebhookUrl(vault, stored) : readableUrl(stored, vault);
      // Callers who got the URL masked may send the mask back.
      const isKept = change.url === undefined || change.url === maskedUrl(urlBefore ?? change.url);
      const url = isKept && urlBefore !== undefined ? urlBefore : (change.url ?? before.url);
      const moved = url !== urlBefore;
      const secrets = secretsOf({
        ...(moved ? {} : openWebhookSecrets(vault, stored)),
        ...given(change),
      });
      return draft(
        { ...before, ...given(change), url } as WebhookInput,
        sealWebhookSecrets(vault, stored, { url, ...secrets }),
      );
    },

    async release(stored, { parts }) {
      const users = await parts.documents.referrers(stored.workspaceId, 'webhook', stored.id);
      if (users.length === 0) {
        return;
      }
      const ids = users.slice(0, 5).map(({ id }) => id);
      const shown = `${ids.join(', ')}${users.length > 5 ? ', …' : ''}`;
      throw new Fault(
        'conflict',
        users.length === 1
          ? `the webhook is used by an alert (${shown}): change or delete it first`
          : `the webhook is used by ${users.length} alerts (${shown}): change or delete them first`,
      );
    },
  };
}

function draft(
  { name, service, url, description, body }: WebhookInput,
  sealed: string | null,
): Draft<'webhook'> {
  return {
    body: {
      name,
      service,
      url: maskedUrl(url),
      ...(description != null && { description }),
      ...(body != null && { body }),
    },
    sealed,
    uniqueKey: `${service}/${name}`,
  };
}

function webhookRecord(stored: StoredDocument<'webhook'>, vault: Vault, seesUrl: boolean): Webhook {
  return {
    id: stored.id,
    ...stored.body,
    url: (seesUrl ? readableUrl(stored, vault) : undefined) ?? maskedUrl(stored.body.url),
    ...times(stored),
  };
}

/** Undefined if the secret key is another one: the webhook can still be listed and changed. */
function readableUrl(stored: StoredDocument<'webhook'>, vault: Vault): string | undefined {
  try {
    return openWebhookUrl(vault, stored);
  } catch {
    return undefined;
  }
}

/** The secrets that are set. Null and empty count as absent. */
function secretsOf({
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

async function addressIssues(egress: WebhookDependencies['egress'], url: string): Promise<Issue[]> {
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
