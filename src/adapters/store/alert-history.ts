import type { AlertEvaluation } from '../../ports/alert-store.ts';
import { calmEvaluation, readCalm } from './alert-calm.ts';
import type { Schema } from './schema.ts';
import type { Session } from './session.ts';
import { statement } from './statement.ts';

/** Lines of an alert's own, and the calm windows after each: newest first. */
export async function alertHistory(
  session: Session,
  workspaceId: string,
  alertId: string,
  { limit, beforeMs }: { limit: number; beforeMs: number },
): Promise<AlertEvaluation[]> {
  const lines = (await session.all(selectLines, { workspaceId, alertId, limit, beforeMs })).map(
    evaluationOf,
  );
  const shard = await shardOf(session, workspaceId, alertId);
  const found: AlertEvaluation[] = [];
  let nextMs = beforeMs;
  for (const line of lines) {
    if (found.length >= limit) {
      break;
    }
    if (shard !== undefined && line.skipped === 0) {
      const intervalMs = line.windowEndMs - line.windowStartMs;
      const calm = await readCalm(
        session,
        alertId,
        { shard, intervalMs, afterMs: line.windowEndMs, beforeMs: nextMs },
        limit - found.length,
      );
      // After a clock was set back one window may have been recorded twice.
      const once = calm.filter(
        ({ windowEndMs }, index) => windowEndMs !== calm[index - 1]?.windowEndMs,
      );
      found.push(
        ...once.map((reading) => calmEvaluation(workspaceId, alertId, intervalMs, reading)),
      );
    }
    found.push(line);
    nextMs = line.windowEndMs;
  }
  return found.slice(0, limit);
}

/** Each line knows how many calm windows lie before it; only those after the last are looked for. */
export async function alertHistoryCount(
  session: Session,
  workspaceId: string,
  alertId: string,
): Promise<number> {
  const counted = await session.first(countLines, { workspaceId, alertId });
  const [last] = await session.all(selectLines, {
    workspaceId,
    alertId,
    limit: 1,
    beforeMs: Number.MAX_SAFE_INTEGER,
  });
  const shard = await shardOf(session, workspaceId, alertId);
  if (!last || shard === undefined) {
    return Number(counted?.total ?? 0);
  }
  const run = {
    shard,
    intervalMs: Number(last.window_end_ms) - Number(last.window_start_ms),
    afterMs: Number(last.window_end_ms),
    beforeMs: Number.MAX_SAFE_INTEGER,
  };
  return (
    Number(counted?.total ?? 0) +
    (await readCalm(session, alertId, run, Number.MAX_SAFE_INTEGER)).length
  );
}

async function shardOf(
  session: Session,
  workspaceId: string,
  alertId: string,
): Promise<number | undefined> {
  const found = await session.first(selectShard, { workspaceId, alertId });
  return found && Number(found.shard);
}

const selectShard = statement<{ workspaceId: string; alertId: string }>()(
  (queries, { workspaceId, alertId }) =>
    queries
      .ofWorkspace(workspaceId)
      .selectFrom('alert_progress')
      .select('shard')
      .where('alert_id', '=', alertId),
);

const selectLines = statement<{
  workspaceId: string;
  alertId: string;
  limit: number;
  beforeMs: number;
}>()((queries, given) =>
  queries
    .ofWorkspace(given.workspaceId)
    .selectFrom('alert_history')
    .selectAll()
    .where('alert_id', '=', given.alertId)
    .where('window_end_ms', '<', given.beforeMs)
    .orderBy('window_end_ms', 'desc')
    .limit(given.limit),
);

const countLines = statement<{ workspaceId: string; alertId: string }>()(
  (queries, { workspaceId, alertId }) =>
    queries
      .ofWorkspace(workspaceId)
      .selectFrom('alert_history')
      .select((eb) =>
        eb(
          eb.fn.countAll<number>(),
          '+',
          eb.fn.coalesce(eb.fn.sum<number>('calm_before'), eb.lit(0)),
        ).as('total'),
      )
      .where('alert_id', '=', alertId),
);

function evaluationOf(row: Schema['alert_history']): AlertEvaluation {
  return {
    workspaceId: row.workspace_id,
    alertId: row.alert_id,
    windowStartMs: Number(row.window_start_ms),
    windowEndMs: Number(row.window_end_ms),
    evaluatedAtMs: Number(row.evaluated_ms),
    state: row.state as AlertEvaluation['state'],
    value: row.value === null ? null : Number(row.value),
    durationMs: Number(row.duration_ms),
    rowsRead: Number(row.rows_read),
    reason: row.reason,
    groups: row.groups,
    skipped: Number(row.skipped),
  };
}
