import {
  lateAfterMs,
  listedMax,
  type AlertsStatus,
  type OutboxStatus,
} from '../../../contract/status.ts';
import type { StoredAlertStatus } from '../../../ports/store/alert-store.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { StoreReader } from '../../../ports/store/store-access.ts';
import { alertDefinition } from '../alert-definition.ts';
import { nextDueMs } from '../decide/schedule.ts';

type Store = Pick<StoreReader, 'alerts' | 'documents' | 'nowMs'>;

const pageSize = 1000;

/** Whether the alerts of a workspace are evaluated, and in time. */
export async function alertsHealth(
  store: Store,
  workspaceId: string,
  ingestDelayMs: number,
): Promise<AlertsStatus> {
  const nowMs = await store.nowMs();
  const late: AlertsStatus['late'] = [];
  const broken: AlertsStatus['broken'] = [];
  let total = 0;
  let offset = 0;
  do {
    const page = await store.documents.list(workspaceId, 'alert', { limit: pageSize, offset });
    const ids = page.items.map(({ id }) => id);
    const statuses = await store.alerts.status(workspaceId, ids);
    for (const alert of page.items) {
      const { id, body } = alert;
      const status = statuses.get(id);
      const name = body.name ?? '';
      const error = status?.executionErrors[0];
      const lateMs = nowMs - dueMs(alert, status, ingestDelayMs);
      if (error) {
        const { type, message, sinceMs } = error;
        broken.push({ id, name, type, message, since: iso(sinceMs) });
      } else if (lateMs > lateAfterMs) {
        late.push({ id, name, lateSeconds: Math.round(lateMs / 1000) });
      }
    }
    total = page.total;
    offset += pageSize;
  } while (offset < total);
  return {
    total,
    lateCount: late.length,
    late: late.toSorted((a, b) => b.lateSeconds - a.lateSeconds).slice(0, listedMax),
    brokenCount: broken.length,
    broken: broken.toSorted((a, b) => (a.since < b.since ? -1 : 1)).slice(0, listedMax),
  };
}

/** When the next evaluation was or is due. A new or changed alert is due at once. */
function dueMs(
  alert: StoredDocument<'alert'>,
  status: StoredAlertStatus | undefined,
  ingestDelayMs: number,
): number {
  const lastMs = status?.lastEvaluatedAtMs ?? null;
  return lastMs === null
    ? alert.updatedAtMs
    : Math.max(
        alert.updatedAtMs,
        nextDueMs(lastMs, alertDefinition(alert).intervalMs, ingestDelayMs),
      );
}

/** The notifications of a workspace that wait. */
export async function outboxHealth(store: Store, workspaceId: string): Promise<OutboxStatus> {
  const waiting = await store.alerts.waiting(workspaceId);
  const listed = waiting.slice(0, listedMax);
  const documents = await store.documents.getMany(
    workspaceId,
    'webhook',
    listed.map(({ webhookId }) => webhookId),
  );
  const names = new Map(documents.map(({ id, body }) => [id, body.name]));
  const [oldest] = waiting;
  return {
    waiting: waiting.reduce((sum, { count }) => sum + count, 0),
    ...(oldest && { oldestAt: iso(oldest.oldestMs) }),
    webhooks: listed.map(({ webhookId, count, oldestMs }) => ({
      id: webhookId,
      name: names.get(webhookId) ?? '',
      waiting: count,
      oldestAt: iso(oldestMs),
    })),
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
