import { sql } from 'kysely';
import type { StoredEvaluation } from '../../../ports/store/alert-store.ts';
import { calmRunMax } from '../../../ports/store/alert-store.ts';
import type { Schema } from '../statements/schema.ts';
import type { Session } from '../statements/session.ts';
import { statement } from '../statements/statement.ts';
import { calmEvaluation, partOf, valueAfter, type CalmReading } from './alert-calm.ts';
import { evaluationOf } from './alert-history.ts';

/**
 * The last `limit` evaluations of each of many alerts, newest first, without their groups: the
 * beginning of their histories. Two statements, however many alerts: their lines, and the calm
 * windows between them.
 */
export async function recentEvaluations(
  session: Session,
  workspaceId: string,
  alertIds: readonly string[],
  limit: number,
): Promise<Map<string, StoredEvaluation[]>> {
  if (alertIds.length === 0 || limit <= 0) {
    return new Map();
  }
  const histories = historiesOf(
    await session.all(selectRecentLines, {
      workspaceId,
      given: JSON.stringify([...new Set(alertIds)]),
      limit,
    }),
    limit,
  );
  const windows = await calmWindows(session, spansOf(histories));
  return new Map(
    histories.map((history) => [
      history.alertId,
      evaluations(history, windows, workspaceId, limit),
    ]),
  );
}

interface Line {
  evaluation: StoredEvaluation;
  /** Where calm windows after this line can lie; undefined if there are none. */
  run: Span | undefined;
}

interface History {
  alertId: string;
  /** Newest first. */
  lines: Line[];
}

/** Calm windows of a shard and interval that end after `afterMs` and before `beforeMs`. */
interface Span {
  shard: number;
  intervalMs: number;
  afterMs: number;
  beforeMs: number;
}

type LineRow = Schema['alert_history'] & { shard: number };

/** Each line tells the number of calm windows before it, so that only those needed are read. */
function historiesOf(rows: readonly LineRow[], limit: number): History[] {
  const histories = new Map<
    string,
    History & { known: number; calmAfter: number; nextMs: number }
  >();
  for (const row of rows) {
    const evaluation = evaluationOf({ ...row, groups: null, decision: null });
    let history = histories.get(evaluation.alertId);
    if (!history) {
      history = {
        alertId: evaluation.alertId,
        lines: [],
        known: 0,
        calmAfter: calmRunMax,
        nextMs: Number.MAX_SAFE_INTEGER,
      };
      histories.set(evaluation.alertId, history);
    }
    if (history.known >= limit) {
      continue;
    }
    const { windowStartMs, windowEndMs, skipped } = evaluation;
    const intervalMs = windowEndMs - windowStartMs;
    const beforeMs = Math.min(history.nextMs, windowEndMs + calmRunMax * intervalMs + 1);
    const hasRoom = skipped === 0 && history.calmAfter > 0 && windowEndMs + intervalMs < beforeMs;
    history.lines.push({
      evaluation,
      run: hasRoom
        ? { shard: Number(row.shard), intervalMs, afterMs: windowEndMs, beforeMs }
        : undefined,
    });
    // The number of calm windows after the newest line is not known.
    history.known += 1 + (history.lines.length === 1 ? 0 : history.calmAfter);
    history.calmAfter = Number(row.calm_before);
    history.nextMs = windowEndMs;
  }
  return [...histories.values()];
}

/** The spans to read, none of which overlap. */
function spansOf(histories: readonly History[]): Span[] {
  const byInterval = new Map<string, Span[]>();
  for (const { run } of histories.flatMap(({ lines }) => lines)) {
    if (run) {
      const key = keyOf(run);
      byInterval.set(key, [...(byInterval.get(key) ?? []), run]);
    }
  }
  return [...byInterval.values()].flatMap((spans) => {
    const merged: Span[] = [];
    for (const span of spans.toSorted((a, b) => a.afterMs - b.afterMs)) {
      const last = merged.at(-1);
      if (last && span.afterMs < last.beforeMs) {
        last.beforeMs = Math.max(last.beforeMs, span.beforeMs);
      } else {
        merged.push({ ...span });
      }
    }
    return merged;
  });
}

const keyOf = ({ shard, intervalMs }: Pick<Span, 'shard' | 'intervalMs'>): string =>
  `${shard}/${intervalMs}`;

interface CalmRow {
  endMs: number;
  first: string;
  /** Undefined in rows of an earlier release, which are in no order. */
  last: string | undefined;
  reading: Omit<CalmReading, 'value'>;
  alerts: string;
}

/** Newest first, by shard and interval. */
async function calmWindows(
  session: Session,
  spans: readonly Span[],
): Promise<Map<string, CalmRow[]>> {
  const windows = new Map<string, CalmRow[]>();
  if (spans.length === 0) {
    return windows;
  }
  const given = JSON.stringify(
    spans.map(({ shard, intervalMs, afterMs, beforeMs }) => [shard, intervalMs, afterMs, beforeMs]),
  );
  for (const row of await session.all(selectCalmSpans, { given })) {
    const key = keyOf({ shard: Number(row.shard), intervalMs: Number(row.interval_ms) });
    const rows = windows.get(key);
    const windowEndMs = Number(row.window_end_ms);
    const window: CalmRow = {
      ...partOf(row.part),
      endMs: windowEndMs,
      reading: {
        windowEndMs,
        evaluatedAtMs: Number(row.evaluated_ms),
        durationMs: Number(row.duration_ms),
        rowsRead: Number(row.rows_read),
      },
      alerts: row.alerts,
    };
    if (rows) {
      rows.push(window);
    } else {
      windows.set(key, [window]);
    }
  }
  return windows;
}

function evaluations(
  { alertId, lines }: History,
  windows: ReadonlyMap<string, readonly CalmRow[]>,
  workspaceId: string,
  limit: number,
): StoredEvaluation[] {
  const result: StoredEvaluation[] = [];
  for (const { evaluation, run } of lines) {
    if (run) {
      let lastEndMs: number | undefined;
      for (const row of windows.get(keyOf(run)) ?? []) {
        if (result.length >= limit) {
          break;
        }
        const reading = row.endMs === lastEndMs ? undefined : readingOf(row, run, alertId);
        if (reading) {
          result.push(calmEvaluation(workspaceId, alertId, run.intervalMs, reading));
          lastEndMs = row.endMs;
        }
      }
    }
    result.push(evaluation);
  }
  return result.slice(0, limit);
}

function readingOf(
  { endMs, first, last, reading, alerts }: CalmRow,
  { afterMs, beforeMs }: Span,
  alertId: string,
): CalmReading | undefined {
  if (endMs <= afterMs || endMs >= beforeMs) {
    return undefined;
  }
  if (last !== undefined && (alertId < first || alertId > last)) {
    return undefined;
  }
  const value = valueAfter(alerts, alertId);
  return value === undefined ? undefined : { ...reading, value };
}

/**
 * The end of the oldest line to read is looked up for each alert in the key of the table, so that
 * no older line is read.
 */
const selectRecentLines = statement<{ workspaceId: string; given: string; limit: number }>()((
  queries,
  { workspaceId, given, limit },
) => {
  const ids =
    queries.dialect === 'sqlite'
      ? sql<{ value: string }>`json_each(${given})`
      : sql<{ value: string }>`jsonb_array_elements_text(cast(${given} as jsonb))`;
  return queries
    .ofWorkspace(workspaceId)
    .selectFrom('alert_history')
    .innerJoin('alert_progress', (join) =>
      join
        .onRef('alert_progress.alert_id', '=', 'alert_history.alert_id')
        .onRef('alert_progress.workspace_id', '=', 'alert_history.workspace_id'),
    )
    .selectAll('alert_history')
    .select('alert_progress.shard as shard')
    .where(sql<boolean>`alert_history.alert_id in (select value from ${ids.as('ids')})`)
    .where(sql<boolean>`alert_history.window_end_ms >= coalesce((
        select older.window_end_ms from alert_history as older
        where older.alert_id = alert_progress.alert_id
        order by older.window_end_ms desc limit 1 offset ${limit} - 1), 0)`)
    .orderBy('alert_history.alert_id')
    .orderBy('alert_history.window_end_ms', 'desc');
});

/** A span is an array, read by position. */
const selectCalmSpans = statement<{ given: string }>()((queries, { given }) => {
  const spans =
    queries.dialect === 'sqlite'
      ? sql<{ value: string }>`json_each(${given})`
      : sql<{ value: string }>`jsonb_array_elements(cast(${given} as jsonb))`;
  const whole = (position: number) =>
    sql<number>`cast(given.value ->> ${sql.lit(position)} as bigint)`;
  return queries.global
    .selectFrom(spans.as('given'))
    .innerJoin('alert_calm_windows as calm', (join) =>
      join
        .on('calm.shard', '=', whole(0))
        .on('calm.interval_ms', '=', whole(1))
        .on('calm.window_end_ms', '>', whole(2))
        .on('calm.window_end_ms', '<', whole(3)),
    )
    .selectAll('calm')
    .orderBy('calm.window_end_ms', 'desc')
    .orderBy('calm.part');
});
