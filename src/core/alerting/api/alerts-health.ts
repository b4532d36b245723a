import { incompleteAlert } from '../../../contract/alert/alert-rules.ts';
import {
  lateAfterMs,
  listedMax,
  type AlertsStatus,
  type OutboxStatus,
} from '../../../contract/status.ts';
import type { LastEvaluation, StoredExecutionError } from '../../../ports/store/alert-store.ts';
import type { StoreReader } from '../../../ports/store/store-access.ts';
import { intervalMsOf } from '../alert-definition.ts';
import { nextDueMs } from '../decide/schedule.ts';

type Store = Pick<StoreReader, 'alerts' | 'documents'>;

/** Whether the alerts of a workspace are evaluated, and in time. */
export async function alertsHealth(
  store: Store,
  workspaceId: string,
  { nowMs, ingestDelayMs }: { nowMs: number; ingestDelayMs: number },
): Promise<AlertsStatus> {
  const all = await store.alerts.evaluations(workspaceId);
  const broken: ({ id: string } & StoredExecutionError)[] = [];
  const late: { id: string; lateMs: number }[] = [];
  for (const alert of all) {
    const { id } = alert;
    const error = incomplete(alert) ?? alert.error;
    const lateMs = nowMs - dueMs(alert, ingestDelayMs);
    if (error) {
      broken.push({ id, ...error });
    } else if (lateMs > lateAfterMs) {
      late.push({ id, lateMs });
    }
  }
  const oldest = broken.toSorted((a, b) => a.sinceMs - b.sinceMs).slice(0, listedMax);
  const latest = late.toSorted((a, b) => b.lateMs - a.lateMs).slice(0, listedMax);
  const nameOf = await namesOf(store, workspaceId, 'alert', [...oldest, ...latest]);
  return {
    total: all.length,
    lateCount: late.length,
    late: latest.map(({ id, lateMs }) => ({
      id,
      name: nameOf(id),
      lateSeconds: Math.round(lateMs / 1000),
    })),
    brokenCount: broken.length,
    broken: oldest.map(({ id, type, message, sinceMs }) => ({
      id,
      name: nameOf(id),
      type,
      message,
      since: iso(sinceMs),
    })),
  };
}

/** An alert without a query is never evaluated. Its record has the same error. */
function incomplete({ changed, updatedAtMs }: LastEvaluation): StoredExecutionError | undefined {
  const message = changed ? incompleteAlert(changed) : undefined;
  return message === undefined
    ? undefined
    : { type: 'INVALID_ALERT', message, sinceMs: updatedAtMs };
}

/** When the next evaluation was or is due. A new or changed alert is due at once. */
function dueMs(alert: LastEvaluation, ingestDelayMs: number): number {
  const { changed, evaluatedAtMs, updatedAtMs } = alert;
  const intervalMs = changed ? intervalMsOf(changed) : alert.intervalMs;
  return evaluatedAtMs === null || intervalMs === null
    ? updatedAtMs
    : Math.max(updatedAtMs, nextDueMs(evaluatedAtMs, intervalMs, ingestDelayMs));
}

/** The notifications of a workspace that wait. */
export async function outboxHealth(store: Store, workspaceId: string): Promise<OutboxStatus> {
  const waiting = await store.alerts.waiting(workspaceId);
  const listed = waiting.slice(0, listedMax);
  const nameOf = await namesOf(
    store,
    workspaceId,
    'webhook',
    listed.map(({ webhookId }) => ({ id: webhookId })),
  );
  const [oldest] = waiting;
  return {
    waiting: waiting.reduce((sum, { count }) => sum + count, 0),
    ...(oldest && { oldestAt: iso(oldest.oldestMs) }),
    webhooks: listed.map(({ webhookId, count, oldestMs }) => ({
      id: webhookId,
      name: nameOf(webhookId),
      waiting: count,
      oldestAt: iso(oldestMs),
    })),
  };
}

/** The names of objects; empty for one without a name, or deleted meanwhile. */
async function namesOf(
  store: Pick<Store, 'documents'>,
  workspaceId: string,
  kind: 'alert' | 'webhook',
  objects: readonly { id: string }[],
): Promise<(id: string) => string> {
  const documents = await store.documents.getMany(
    workspaceId,
    kind,
    objects.map(({ id }) => id),
  );
  const names = new Map(documents.map(({ id, body }) => [id, body.name]));
  return (id) => names.get(id) ?? '';
}

const iso = (ms: number): string => new Date(ms).toISOString();
