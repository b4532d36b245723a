import { setImmediate as turn } from 'node:timers/promises';
import type {
  AlertProgress,
  StoredAlertStatus,
  StoredExecutionError,
} from '../../../ports/store/alert-store.ts';
import type { Schema } from '../statements/schema.ts';
import type { Session } from '../statements/session.ts';
import { statement } from '../statements/statement.ts';
import { newestCalm, readNewestCalm, type CalmReading, type CalmRun } from './alert-calm.ts';
import { chunks, pageRows } from './chunks.ts';
import { readNewestCalmOfMany, type CalmAlert } from './newest-calm.ts';

const statusColumns = [
  'alert_id',
  'state',
  'errors',
  'delivery_errors',
  'last_evaluated_ms',
  'last_value',
  'shard',
  'interval_ms',
  'last_end_ms',
] as const;

const selectStatus = statement<{ workspaceId: string; alertId: string }>()(
  (queries, { workspaceId, alertId }) =>
    queries
      .ofWorkspace(workspaceId)
      .selectFrom('alert_progress')
      .select(statusColumns)
      .where('alert_id', '=', alertId),
);

type StatusRow = Pick<Schema['alert_progress'], (typeof statusColumns)[number]>;

export async function alertStatus(
  session: Session,
  workspaceId: string,
  alertIds: readonly string[],
): Promise<Map<string, StoredAlertStatus>> {
  const [alertId, ...others] = alertIds;
  return alertId !== undefined && others.length === 0
    ? statusOfOne(session, workspaceId, alertId)
    : statusOfMany(session, workspaceId, alertIds);
}

async function statusOfOne(
  session: Session,
  workspaceId: string,
  alertId: string,
): Promise<Map<string, StoredAlertStatus>> {
  const stored = await session.recent(selectStatus, { workspaceId, alertId }, statusWithRun);
  if (!stored) {
    return new Map();
  }
  const newest = stored.run && (await readNewestCalm(session, alertId, stored.run));
  return new Map([[alertId, calmed(stored.status, newest)]]);
}

async function statusOfMany(
  session: Session,
  workspaceId: string,
  alertIds: readonly string[],
): Promise<Map<string, StoredAlertStatus>> {
  const statuses = new Map<string, StoredAlertStatus>();
  const calmAlerts: CalmAlert[] = [];
  for (const ids of chunks([...new Set(alertIds)])) {
    const { rows } = await session.execute(
      session.queries
        .ofWorkspace(workspaceId)
        .selectFrom('alert_progress')
        .select(statusColumns)
        .where('alert_id', 'in', ids),
    );
    for (const row of rows) {
      const { status, run } = statusWithRun(row);
      statuses.set(row.alert_id, status);
      if (run) {
        calmAlerts.push({ alertId: row.alert_id, run });
      }
    }
  }
  for (const [alertId, newest] of await readNewestCalmOfMany(session, calmAlerts)) {
    const status = statuses.get(alertId);
    if (status) {
      statuses.set(alertId, calmed(status, newest));
    }
  }
  return statuses;
}

export async function alertGroups(
  session: Session,
  workspaceId: string,
  alertIds: readonly string[],
): Promise<Map<string, string>> {
  const groups = new Map<string, string>();
  for (const ids of chunks([...new Set(alertIds)])) {
    const { rows } = await session.execute(
      session.queries
        .ofWorkspace(workspaceId)
        .selectFrom('alert_progress')
        .select(['alert_id', 'groups'])
        .where('alert_id', 'in', ids)
        .where('groups', '!=', '[]'),
    );
    for (const row of rows) {
      groups.set(row.alert_id, row.groups);
    }
  }
  return groups;
}

interface StatusWithRun {
  status: StoredAlertStatus;
  /** Where later calm windows can lie; undefined if there can be none. */
  run: CalmRun | undefined;
}

/** No calm window is recorded for an alert while it shows an evaluation error. */
function statusWithRun(row: StatusRow): StatusWithRun {
  const status = statusOf(row);
  const calm = status.state === 'inactive' && row.last_end_ms !== null && row.errors === '[]';
  return {
    status,
    run: calm
      ? {
          shard: Number(row.shard),
          intervalMs: Number(row.interval_ms),
          afterMs: Number(row.last_end_ms),
          beforeMs: Number.MAX_SAFE_INTEGER,
        }
      : undefined,
  };
}

/** Adds the reading of a calm window later than the stored progress. */
function calmed(status: StoredAlertStatus, newest: CalmReading | undefined): StoredAlertStatus {
  return newest
    ? { ...status, lastEvaluatedAtMs: newest.evaluatedAtMs, lastValue: newest.value }
    : status;
}

function statusOf(row: StatusRow): StoredAlertStatus {
  const errors = [
    ...(JSON.parse(row.errors) as StoredExecutionError[]),
    ...(JSON.parse(row.delivery_errors) as StoredExecutionError[]),
  ];
  return {
    state: row.state as StoredAlertStatus['state'],
    executionErrors: errors,
    lastEvaluatedAtMs: numberOrNull(row.last_evaluated_ms),
    lastValue: numberOrNull(row.last_value),
  };
}

export async function alertProgress(
  session: Session,
  shards: readonly number[],
): Promise<AlertProgress[]> {
  if (shards.length === 0) {
    return [];
  }
  const calm = new Map<number, Map<string, CalmReading>>();
  for (const shard of shards) {
    calm.set(shard, await newestCalm(session, shard));
    await turn();
  }
  const all: AlertProgress[] = [];
  for (let after = ''; ;) {
    const { rows } = await session.execute<Schema['alert_progress']>(
      session.queries
        .ofEveryWorkspace()
        .selectFrom('alert_progress')
        .selectAll()
        .where('shard', 'in', shards)
        .where('alert_id', '>', after)
        .orderBy('alert_id')
        .limit(pageRows),
    );
    for (const row of rows) {
      all.push(progressWith(calm.get(Number(row.shard))?.get(row.alert_id), row));
    }
    const last = rows.at(-1);
    if (!last || rows.length < pageRows) {
      return all;
    }
    after = last.alert_id;
    await turn();
  }
}

/** A calm window later than the row counts as progress. */
function progressWith(
  newest: CalmReading | undefined,
  row: Schema['alert_progress'],
): AlertProgress {
  const progress = progressOf(row);
  if (newest && progress.lastEndMs !== null && newest.windowEndMs > progress.lastEndMs) {
    Object.assign(progress, {
      lastEndMs: newest.windowEndMs,
      lastEvaluatedAtMs: newest.evaluatedAtMs,
      lastValue: newest.value,
    });
  }
  return progress;
}

function progressOf(row: Schema['alert_progress']): AlertProgress {
  return {
    ...statusOf(row),
    executionErrors: JSON.parse(row.errors) as StoredExecutionError[],
    deliveryErrors: JSON.parse(row.delivery_errors) as StoredExecutionError[],
    workspaceId: row.workspace_id,
    alertId: row.alert_id,
    shard: Number(row.shard),
    intervalMs: Number(row.interval_ms),
    lastEndMs: numberOrNull(row.last_end_ms),
    lineEndMs: numberOrNull(row.line_end_ms),
    groupBy: row.group_by,
    groups: row.groups,
  };
}

function numberOrNull(value: number | string | null): number | null {
  return value === null ? null : Number(value);
}
