import { Fault } from '../../contract/errors.ts';
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
import type { Egress } from '../../ports/egress.ts';
import type { StoredDocument } from '../../ports/store/document-store.ts';
import { crudVerbs, type CrudDependencies, type Resource } from '../verb/crud.ts';
import type { Draft } from '../verb/draft.ts';
import {
  addressIssues,
  changedWebhook,
  readableWebhook,
  secretsOf,
} from '../webhook/webhook-change.ts';
import { maskedUrl, sealWebhookSecrets, type WebhookSecrets } from '../webhook/webhook-secrets.ts';
import { times } from '../verb/document.ts';

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
      const { fields, secrets } = changedWebhook(vault, stored, change);
      return draft(fields, sealWebhookSecrets(vault, stored, { url: fields.url, ...secrets }));
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

function webhookRecord(
  stored: StoredDocument<'webhook'>,
  vault: Vault,
  isEditor: boolean,
): Webhook {
  const opened = isEditor ? readableWebhook(vault, stored) : undefined;
  return {
    id: stored.id,
    ...stored.body,
    url: opened?.url ?? maskedUrl(stored.body.url),
    ...(opened && storedSecrets(opened.secrets)),
    ...times(stored),
  };
}

/** Which secrets are stored, without their values. */
function storedSecrets({
  headers,
  queryParams,
  secret,
}: WebhookSecrets): Pick<Webhook, 'headerNames' | 'queryParamNames' | 'hasSecret'> {
  return {
    ...(headers && { headerNames: Object.keys(headers) }),
    ...(queryParams && { queryParamNames: Object.keys(queryParams) }),
    ...(secret !== undefined && { hasSecret: true }),
  };
}
