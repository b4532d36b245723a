import { randomUUID } from 'node:crypto';
import { previewAlert } from '../../contract/alert-preview.ts';
import {
  getAlertHistory,
  silenceAlert,
  unsilenceAlert,
  type AlertEvaluation,
  type Silence,
} from '../../contract/alert-history.ts';
import { Fault, invalid, notFound, type Issue } from '../../contract/errors.ts';
import {
  sampleWebhookEvent,
  testWebhook,
  type WebhookEvent,
} from '../../contract/webhook-event.ts';
import type { AlertEvaluation as StoredEvaluation } from '../../ports/alert-store.ts';
import type { Clock, Vault } from '../../ports/ambient.ts';
import type { DocumentKind, JsonObject, Store, StoredDocument } from '../../ports/store.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import { stale } from '../crud.ts';
import { thresholdIssues } from '../threshold-issues.ts';
import type { Query } from '../query/index.ts';
import { verb } from '../verb.ts';
import { definitionOf } from './alert-definition.ts';
import { describe } from './delivery-verdict.ts';
import { destinationOf } from './destination.ts';
import { eventLinks } from './message/alert-event.ts';
import { preview } from './preview.ts';
import { InvalidAlert, question } from './question.ts';

export interface AlertingVerbDependencies {
  store: Store;
  telemetry: Telemetry;
  query: Query;
  sender: WebhookSender;
  vault: Vault;
  clock: Clock;
  ingestDelayMs: number;
  publicUrl?: string;
}

/** What can be asked of alerts besides their records. */
export function alertingVerbs(deps: AlertingVerbDependencies) {
  const { store, clock } = deps;

  return {
    getAlertHistory: verb(getAlertHistory, async ({ principal, params, query }) => {
      await found(store, principal.workspace.id, 'alert', params.id);
      const beforeMs =
        query.before === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(query.before);
      const rows = await store.alerts.history(principal.workspace.id, params.id, {
        limit: query.limit,
        beforeMs,
      });
      const total = await store.alerts.historyCount(principal.workspace.id, params.id);
      return { value: rows.map(evaluationRecord), page: { total, limit: query.limit, offset: 0 } };
    }),

    silenceAlert: verb(silenceAlert, async ({ principal, params, body: { until } }) => {
      if (until != null && Date.parse(until) <= clock.now()) {
        throw invalid([{ path: 'until', message: 'must be in the future' }]);
      }
      return {
        value: await setSilence(store, principal.workspace.id, params.id, {
          silenced: true,
          ...(until != null && { silencedUntil: until }),
        }),
      };
    }),

    unsilenceAlert: verb(unsilenceAlert, async ({ principal, params, ifMatch }) => ({
      value: await setSilence(
        store,
        principal.workspace.id,
        params.id,
        { silenced: false },
        ifMatch,
      ),
    })),

    previewAlert: verb(
      previewAlert,
      async ({ principal, body: { windows, ...fields }, signal }) => {
        const definition = definitionOf(fields, {
          id: '0'.repeat(24),
          workspaceId: principal.workspace.id,
          version: 0,
        });
        const documents = await referred(store, principal.workspace.id, definition);
        const issues = [...thresholdIssues(fields), ...missingIssues(definition, documents)];
        if (issues.length > 0) {
          throw invalid(issues);
        }
        const asked = await question(definition, {
          ...deps,
          find: (_, kind, id) => documents.get(`${kind}/${id}`),
        }).catch((error: unknown) => {
          throw error instanceof InvalidAlert
            ? new Fault('bad_request', error.message, {
                issues: [{ path: '', message: error.message }],
              })
            : error;
        });
        return {
          value: await preview(
            {
              definition,
              question: asked,
              count: windows,
              nowMs: clock.now(),
              ingestDelayMs: deps.ingestDelayMs,
              publicUrl: deps.publicUrl ?? '',
            },
            deps.query,
            signal,
          ),
        };
      },
    ),

    testWebhook: verb(testWebhook, async ({ principal, params, signal }) => {
      const target = destinationOf(
        await found(store, principal.workspace.id, 'webhook', params.id),
        deps.vault,
      );
      const event: WebhookEvent = {
        ...sampleWithLinks(deps.publicUrl ?? ''),
        id: `evt_test_${randomUUID()}`,
        timestamp: new Date(clock.now()).toISOString(),
      };
      const attempt = await deps.sender.send(
        target.toRequest(event.id, JSON.stringify(event), clock.now()),
        signal,
      );
      const delivered =
        attempt.kind === 'response' && attempt.status >= 200 && attempt.status < 300;
      return {
        value: {
          delivered,
          ...(attempt.kind === 'response' && { status: attempt.status, body: attempt.body }),
          ...(!delivered && { error: describe(attempt) }),
          elapsedMs: attempt.elapsedMs,
        },
      };
    }),
  };
}

/** The sample as it would be sent from here. */
function sampleWithLinks(publicUrl: string): WebhookEvent {
  const { data } = sampleWebhookEvent;
  const window = { startMs: Date.parse(data.window.start), endMs: Date.parse(data.window.end) };
  return {
    ...sampleWebhookEvent,
    data: {
      ...data,
      links: eventLinks(
        { id: data.alert.id, dashboardId: null, savedSearchId: '65f0c1d2e3a4b5c6d7e8f902' },
        window,
        publicUrl,
      ),
    },
  };
}

export type AlertingVerbs = ReturnType<typeof alertingVerbs>;

async function found(
  store: Store,
  workspaceId: string,
  kind: DocumentKind,
  id: string,
): Promise<StoredDocument> {
  const stored = await store.documents.get(workspaceId, kind, id);
  if (!stored) {
    throw notFound(kind);
  }
  return stored;
}

/** A silence is part of the alert's record; nothing else of it changes. */
async function setSilence(
  store: Store,
  workspaceId: string,
  id: string,
  silence: Silence,
  ifMatch?: readonly number[],
): Promise<Silence> {
  for (;;) {
    const { body, version } = await found(store, workspaceId, 'alert', id);
    if (ifMatch && !ifMatch.includes(version)) {
      throw stale('alert');
    }
    const { silencedUntil: _until, ...rest } = body;
    if (
      await store.documents.update(workspaceId, 'alert', id, version, {
        body: { ...rest, ...silence } as JsonObject,
      })
    ) {
      return silence;
    }
  }
}

/** Everything a definition leads to, by kind and id. */
async function referred(
  store: Store,
  workspaceId: string,
  { dashboardId, tileId, savedSearchId }: ReturnType<typeof definitionOf>,
): Promise<Map<string, StoredDocument>> {
  const documents = new Map<string, StoredDocument>();
  const take = async (
    kind: DocumentKind,
    id: string | null | undefined,
  ): Promise<JsonObject | undefined> => {
    const stored = id == null ? undefined : await store.documents.get(workspaceId, kind, id);
    if (stored) {
      documents.set(`${kind}/${stored.id}`, stored);
    }
    return stored?.body;
  };
  const search = await take('savedSearch', savedSearchId);
  const dashboard = await take('dashboard', dashboardId);
  const tiles = (dashboard?.['tiles'] ?? []) as { id: string; config: { sourceId?: string } }[];
  await take('source', search?.['sourceId'] as string | undefined);
  await take('source', tiles.find(({ id }) => id === tileId)?.config.sourceId);
  return documents;
}

/** What it names and is not there. */
function missingIssues(
  { dashboardId, tileId, savedSearchId }: ReturnType<typeof definitionOf>,
  documents: ReadonlyMap<string, StoredDocument>,
): Issue[] {
  const dashboard = documents.get(`dashboard/${dashboardId}`);
  const tiles = (dashboard?.body['tiles'] ?? []) as { id: string }[];
  return [
    ...(savedSearchId !== null && !documents.has(`savedSearch/${savedSearchId}`)
      ? [{ path: 'savedSearchId', message: 'there is no such saved search' }]
      : []),
    ...(dashboardId !== null && !dashboard
      ? [{ path: 'dashboardId', message: 'there is no such dashboard' }]
      : []),
    ...(dashboard && tileId !== null && !tiles.some(({ id }) => id === tileId)
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
