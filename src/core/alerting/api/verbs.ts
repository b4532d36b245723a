import { previewAlert } from '../../../contract/alert/alert-preview.ts';
import {
  getAlertHistory,
  silenceAlert,
  unsilenceAlert,
  type AlertEvaluation,
  type Silence,
} from '../../../contract/alert/alert-history.ts';
import { Fault, invalid, type Issue } from '../../../contract/errors.ts';
import type { StoredEvaluation } from '../../../ports/store/alert-store.ts';
import type { Ids, Vault } from '../../../ports/ambient.ts';
import type { Egress } from '../../../ports/egress.ts';
import type { DocumentKind, StoredDocument } from '../../../ports/store/document-store.ts';
import type { StoreReader } from '../../../ports/store/store-access.ts';
import type { WebhookSender } from '../../../ports/webhook-sender.ts';
import { stale } from '../../verb/crud.ts';
import { thresholdIssues } from '../../../contract/alert/alert-rules.ts';
import type { Query } from '../../query/index.ts';
import type { ChangeOutcome } from '../../verb/change.ts';
import { changeVerb, readVerb, type ChangeCall } from '../../verb/verb.ts';
import { definitionOf } from '../alert-definition.ts';
import { acknowledgeVerb, unacknowledgeVerb } from './acknowledge.ts';
import { alertDeliveriesVerb, webhookDeliveriesVerb } from './deliveries.ts';
import { explainVerb } from './explain.ts';
import { maintenanceVerbs } from './maintenance.ts';
import { preview } from './preview.ts';
import { requireDocument } from './require-document.ts';
import { testWebhookDraftVerb, testWebhookVerb } from './test-webhook.ts';
import { DocumentsByKind } from '../documents-by-kind.ts';
import { InvalidAlert, buildQuestion } from '../ask/question.ts';

export interface AlertingVerbDependencies {
  store: StoreReader;
  ids: Ids;
  query: Query;
  sender: WebhookSender;
  vault: Vault;
  egress: Pick<Egress, 'check'>;
  ingestDelayMs: number;
  publicUrl?: string;
}

/** The verbs of alerts and webhooks besides those of their records. */
export function alertingVerbs(deps: AlertingVerbDependencies) {
  return {
    getAlertHistory: historyVerb(deps),
    listAlertDeliveries: alertDeliveriesVerb(deps),
    listWebhookDeliveries: webhookDeliveriesVerb(deps),
    silenceAlert: silenceVerb(deps),
    unsilenceAlert: changeVerb(unsilenceAlert, (call) => setSilence(call, { silenced: false })),
    explainAlert: explainVerb(deps),
    acknowledgeAlert: acknowledgeVerb(deps),
    unacknowledgeAlert: unacknowledgeVerb(),
    ...maintenanceVerbs(deps),
    previewAlert: previewVerb(deps),
    testWebhook: testWebhookVerb(deps),
    testWebhookDraft: testWebhookDraftVerb(deps),
  };
}

export type AlertingVerbs = ReturnType<typeof alertingVerbs>;

function historyVerb({ store }: AlertingVerbDependencies) {
  return readVerb(getAlertHistory, async ({ principal, params, query }) => {
    const { id: workspaceId } = principal.workspace;
    await requireDocument(store, workspaceId, 'alert', params.id);
    const beforeMs =
      query.before === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(query.before);
    const rows = await store.alerts.history(workspaceId, params.id, {
      limit: query.limit,
      beforeMs,
    });
    const total = await store.alerts.historyCount(workspaceId, params.id);
    return { value: rows.map(evaluationRecord), page: { total, limit: query.limit, offset: 0 } };
  });
}

function silenceVerb({ store }: AlertingVerbDependencies) {
  return changeVerb(silenceAlert, async (call) => {
    const { until } = call.body;
    if (until != null && Date.parse(until) <= (await store.nowMs())) {
      throw invalid([{ path: 'until', message: 'must be in the future' }]);
    }
    return setSilence(
      { principal: call.principal, params: call.params, commit: call.commit },
      {
        silenced: true,
        ...(until != null && { silencedUntil: until }),
      },
    );
  });
}

function previewVerb(deps: AlertingVerbDependencies) {
  return readVerb(previewAlert, async ({ principal, body: { windows, ...fields }, signal }) => {
    const definition = definitionOf(fields, {
      id: '0'.repeat(24),
      workspaceId: principal.workspace.id,
      version: 0,
    });
    const documents = await referredDocuments(deps.store, principal.workspace.id, definition);
    const issues = [...thresholdIssues(fields), ...missingIssues(definition, documents)];
    if (issues.length > 0) {
      throw invalid(issues);
    }
    const question = await buildQuestion(definition, {
      ...deps,
      find: (_, kind, id) => documents.get(kind, id),
    }).catch((error: unknown) => {
      throw error instanceof InvalidAlert ? badRequest(error.message) : error;
    });
    return {
      value: await preview(
        {
          definition,
          question,
          count: windows,
          nowMs: await deps.store.nowMs(),
          ingestDelayMs: deps.ingestDelayMs,
          publicUrl: deps.publicUrl ?? '',
        },
        deps.query,
        signal,
      ),
    };
  });
}

function badRequest(message: string): Fault {
  return new Fault('bad_request', message, { issues: [{ path: '', message }] });
}

/** Changes the silence in the alert's record, and nothing else of it. */
async function setSilence(
  {
    principal,
    params: { id },
    ifMatch,
    commit,
  }: Pick<ChangeCall<typeof unsilenceAlert>, 'principal' | 'params' | 'ifMatch' | 'commit'>,
  silence: { silenced: boolean; silencedUntil?: string },
): Promise<ChangeOutcome<Silence>> {
  const workspaceId = principal.workspace.id;
  return commit(id, async ({ documents }) => {
    for (;;) {
      const { body, version } = await requireDocument({ documents }, workspaceId, 'alert', id);
      if (ifMatch && !ifMatch.includes(version)) {
        throw stale('alert');
      }
      const { silencedUntil: _until, ...rest } = body;
      const changed = { body: { ...rest, ...silence } };
      if (await documents.update(workspaceId, 'alert', id, version, changed)) {
        return { value: silence };
      }
    }
  });
}

/** Everything a definition refers to, directly or through its saved search or tile. */
async function referredDocuments(
  store: Pick<StoreReader, 'documents'>,
  workspaceId: string,
  { dashboardId, tileId, savedSearchId }: ReturnType<typeof definitionOf>,
): Promise<DocumentsByKind> {
  const documents = new DocumentsByKind();
  const read = async <K extends DocumentKind>(
    kind: K,
    id: string | null | undefined,
  ): Promise<StoredDocument<K> | undefined> => {
    const stored = id == null ? undefined : await store.documents.get(workspaceId, kind, id);
    if (stored) {
      documents.put(stored);
    }
    return stored;
  };
  const search = await read('savedSearch', savedSearchId);
  const dashboard = await read('dashboard', dashboardId);
  await read('source', search?.body.sourceId);
  const config = dashboard?.body.tiles.find(({ id }) => id === tileId)?.config;
  await read('source', config && 'sourceId' in config ? config.sourceId : undefined);
  return documents;
}

/** References to documents or tiles that do not exist. */
function missingIssues(
  { dashboardId, tileId, savedSearchId }: ReturnType<typeof definitionOf>,
  documents: DocumentsByKind,
): Issue[] {
  const dashboard = dashboardId === null ? undefined : documents.get('dashboard', dashboardId);
  return [
    ...(savedSearchId !== null && !documents.get('savedSearch', savedSearchId)
      ? [{ path: 'savedSearchId', message: 'the saved search does not exist' }]
      : []),
    ...(dashboardId !== null && !dashboard
      ? [{ path: 'dashboardId', message: 'the dashboard does not exist' }]
      : []),
    ...(dashboard && tileId !== null && !dashboard.body.tiles.some(({ id }) => id === tileId)
      ? [{ path: 'tileId', message: 'is not a tile of this dashboard' }]
      : []),
  ];
}

function evaluationRecord(row: StoredEvaluation): AlertEvaluation {
  return {
    windowStart: iso(row.windowStartMs),
    windowEnd: iso(row.windowEndMs),
    evaluatedAt: iso(row.evaluatedAtMs),
    state: row.state,
    value: row.value,
    reason: row.reason,
    durationMs: row.durationMs,
    rowsRead: row.rowsRead,
    ...(row.groups !== null && { groups: JSON.parse(row.groups) as AlertEvaluation['groups'] }),
    ...(row.skipped > 0 && { skipped: row.skipped }),
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
