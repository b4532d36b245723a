import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { LastEvaluation, StoredExecutionError } from '../../../ports/store/alert-store.ts';
import type { Session } from '../statements/session.ts';
import { statement } from '../statements/statement.ts';
import { pageRows } from './chunks.ts';
import { readNewestCalmOfMany, type CalmAlert } from './newest-calm.ts';

/**
 * The last evaluation of every alert of a workspace. Reads one page at a time, because the embedded
 * store reads on the thread that also answers requests.
 */
export async function lastEvaluations(
  session: Session,
  workspaceId: string,
): Promise<LastEvaluation[]> {
  const evaluations = new Map<string, LastEvaluation>();
  const calmByShard = new Map<number, CalmAlert[]>();
  for (let after = ''; ;) {
    const rows = await session.all(selectPage, { workspaceId, after });
    for (const row of rows) {
      evaluations.set(row.id, evaluationOf(row));
      if (row.calm_after_ms !== null) {
        const shard = Number(row.shard);
        const calm = calmByShard.get(shard) ?? [];
        calmByShard.set(shard, calm);
        calm.push(calmAlertOf(row, Number(row.calm_after_ms)));
      }
    }
    await turn();
    const last = rows.at(-1);
    if (!last || rows.length < pageRows) {
      break;
    }
    after = last.id;
  }
  for (const alerts of calmByShard.values()) {
    for (const [alertId, { evaluatedAtMs }] of await readNewestCalmOfMany(session, alerts)) {
      const evaluation = evaluations.get(alertId);
      if (evaluation) {
        evaluation.evaluatedAtMs = evaluatedAtMs;
      }
    }
    await turn();
  }
  return [...evaluations.values()];
}

interface Row {
  id: string;
  updated_at_ms: number;
  changed: string | null;
  shard: number | null;
  interval_ms: number | null;
  last_evaluated_ms: number | null;
  calm_after_ms: number | null;
  first_errors: string | null;
}

function evaluationOf(row: Row): LastEvaluation {
  const [error] =
    row.first_errors === null ? [] : (JSON.parse(row.first_errors) as StoredExecutionError[]);
  return {
    id: row.id,
    updatedAtMs: Number(row.updated_at_ms),
    intervalMs: numberOrNull(row.interval_ms),
    evaluatedAtMs: numberOrNull(row.last_evaluated_ms),
    error: error ?? null,
    changed: row.changed === null ? null : (JSON.parse(row.changed) as LastEvaluation['changed']),
  };
}

const numberOrNull = (value: number | null): number | null =>
  value === null ? null : Number(value);

const calmAlertOf = ({ id, shard, interval_ms }: Row, afterMs: number): CalmAlert => ({
  alertId: id,
  run: {
    shard: Number(shard),
    intervalMs: Number(interval_ms),
    afterMs,
    beforeMs: Number.MAX_SAFE_INTEGER,
  },
});

/** Few and short columns: a row of each alert is read. */
const selectPage = statement<{ workspaceId: string; after: string }>()(
  (queries, { workspaceId, after }) =>
    queries
      .ofWorkspace(workspaceId)
      .selectFrom('documents')
      .leftJoin('alert_progress as p', (join) =>
        join.onRef('p.alert_id', '=', 'documents.id').on('p.workspace_id', '=', workspaceId),
      )
      .select([
        'documents.id',
        'documents.updated_at_ms',
        'p.shard',
        'p.interval_ms',
        'p.last_evaluated_ms',
      ])
      .select([
        // The bodies of others are neither read nor parsed.
        sql<string | null>`case when p.last_evaluated_ms is null
          or documents.updated_at_ms > p.last_evaluated_ms then documents.body end`.as('changed'),
        sql<number | null>`case when p.state = 'inactive' and p.errors = '[]'
          then p.last_end_ms end`.as('calm_after_ms'),
        sql<string | null>`case when p.errors <> '[]' then p.errors
          when p.delivery_errors <> '[]' then p.delivery_errors end`.as('first_errors'),
      ])
      .where('documents.kind', '=', 'alert')
      .where('documents.id', '>', after)
      .orderBy('documents.id')
      .limit(sql.lit(pageRows)),
);
