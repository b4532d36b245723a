import type { StoredEvaluation } from '../../../ports/store/alert-store.ts';
import { calmEvaluation, readCalm } from './alert-calm.ts';
import type { Schema } from '../statements/schema.ts';
import type { Session } from '../statements/session.ts';
import { statement } from '../statements/statement.ts';

/** The history lines of an alert and the calm windows between them, newest first. */
export async function alertHistory(
  session: Session,
  workspaceId: string,
  alertId: string,
  { limit, beforeMs }: { limit: number; beforeMs: number },
): Promise<StoredEvaluation[]> {
  const lines = (await session.all(selectLines, { workspaceId, alertId, limit, beforeMs })).map(
    evaluationOf,
  );
  const shard = await shardOf(session, workspaceId, alertId);
  const evaluations: StoredEvaluation[] = [];
  let nextMs = beforeMs;
  for (const line of lines) {
    if (evaluations.length >= limit) {
      break;
    }
    if (shard !== undefined && line.skipped === 0) {
      const intervalMs = line.windowEndMs - line.windowStartMs;
      const calm = await readCalm(
        session,
        alertId,
        { shard, intervalMs, afterMs: line.windowEndMs, beforeMs: nextMs },
        limit - evaluations.length,
      );
      // After a clock was set back one window may have been recorded twice.
      const once = calm.filter(
        ({ windowEndMs }, index) => windowEndMs !== calm[index - 1]?.windowEndMs,
      );
      evaluations.push(
        ...once.map((reading) => calmEvaluation(workspaceId, alertId, intervalMs, reading)),
      );
    }
    evaluations.push(line);
    nextMs = line.windowEndMs;
  }
  return evaluations.slice(0, limit);
}

/**
 * Each line stores the number of calm windows before it, so only those after the last are read.
 */
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
  const row = await session.first(selectShard, { workspaceId, alertId });
  return row && Number(row.shard);
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
}>()((queries, page) =>
  queries
    .ofWorkspace(page.workspaceId)
    .selectFrom('alert_history')
    .selectAll()
    .where('alert_id', '=', page.alertId)
    .where('window_end_ms', '<', page.beforeMs)
    .orderBy('window_end_ms', 'desc')
    .limit(page.limit),
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

export function evaluationOf(row: Schema['alert_history']): StoredEvaluation {
  return {
    workspaceId: row.workspace_id,
    alertId: row.alert_id,
    windowStartMs: Number(row.window_start_ms),
    windowEndMs: Number(row.window_end_ms),
    evaluatedAtMs: Number(row.evaluated_ms),
    state: row.state as StoredEvaluation['state'],
    value: row.value === null ? null : Number(row.value),
    durationMs: Number(row.duration_ms),
    rowsRead: Number(row.rows_read),
    reason: row.reason,
    groups: row.groups,
    skipped: Number(row.skipped),
    ...(row.decision !== null && { decision: row.decision }),
  };
}
