import { sql } from 'kysely';
import {
  calmRunMax,
  type StoredEvaluation,
  type CalmWindow,
} from '../../../ports/store/alert-store.ts';
import type { Session } from '../statements/session.ts';
import { statement, type Queries } from '../statements/statement.ts';

/**
 * Calm windows of alerts: many alerts a row, written at the end of their shard, searched for one
 * alert only where few rows can hold it.
 */
export async function writeCalm(session: Session, windows: readonly CalmWindow[]): Promise<void> {
  for (const window of windows) {
    // Ordered by id: `part` names the first and last id of a row, so that a search for one alert
    // reads no other row.
    const inOrder = [...window.alerts].sort(([a], [b]) => (a < b ? -1 : 1));
    for (let start = 0; start < inOrder.length; start += alertsPerRow) {
      const alerts = inOrder.slice(start, start + alertsPerRow);
      const [firstId = ''] = alerts[0] ?? [];
      const [lastId = firstId] = alerts.at(-1) ?? [];
      let text = '';
      for (const [id, value] of alerts) {
        text += value === null ? `${id}=;` : `${id}=${value};`;
      }
      const { shard, intervalMs, windowEndMs, evaluatedAtMs, durationMs, rowsRead } = window;
      await session.run(insertCalm, {
        shard,
        intervalMs,
        windowEndMs,
        part: `${firstId}-${lastId}`,
        evaluatedAtMs,
        durationMs,
        rowsRead,
        alerts: text,
      });
    }
  }
}

/**
 * The first and the last alert that a row can hold; rows of an earlier release name only one, and
 * are in no order.
 */
export function partOf(part: string | null): { first: string; last: string | undefined } {
  const [first = '', last] = (part ?? '').split('-');
  return { first, last };
}

/** The reading of an alert in a row that may hold it; undefined if the row does not. */
export function valueAfter(alerts: string, alertId: string): number | null | undefined {
  const position = alerts.indexOf(`${alertId}=`);
  return position < 0
    ? undefined
    : valueOf(
        alerts.slice(position + alertId.length + 1, position + alertId.length + 1 + valueLength),
      );
}

/** The reading of one alert in one calm window. */
export interface CalmReading {
  windowEndMs: number;
  evaluatedAtMs: number;
  durationMs: number;
  rowsRead: number;
  value: number | null;
}

/** Where calm windows of an alert can lie: after a line of its own, no more than a run of them. */
export interface CalmRun {
  shard: number;
  intervalMs: number;
  /** End of the line; later windows only. */
  afterMs: number;
  beforeMs: number;
}

/** Newest first. */
export async function readCalm(
  session: Session,
  alertId: string,
  run: CalmRun,
  limit: number,
): Promise<CalmReading[]> {
  const values = within(alertId, run, limit);
  return values ? (await session.all(selectCalm, values)).map(readingOf) : [];
}

/** The newest calm window. The first row read nearly always holds it. */
export async function readNewestCalm(
  session: Session,
  alertId: string,
  run: CalmRun,
): Promise<CalmReading | undefined> {
  const values = within(alertId, run, 1);
  if (!values) {
    return undefined;
  }
  const row = await session.first(selectNearest, { ...values, alertId });
  // Rows of an earlier release are in no order.
  return row ? readingOf(row) : (await readCalm(session, alertId, run, 1))[0];
}

/** Undefined if no window fits into the range. */
function within(alertId: string, { shard, intervalMs, afterMs, beforeMs }: CalmRun, limit: number) {
  const untilMs = Math.min(beforeMs, afterMs + calmRunMax * intervalMs + 1);
  if (limit <= 0 || intervalMs <= 0 || afterMs + intervalMs >= untilMs) {
    return undefined;
  }
  return {
    shard,
    intervalMs,
    afterMs,
    beforeMs: untilMs,
    key: `${alertId}=`,
    keyLength: alertId.length + 1,
    limit,
  };
}

interface CalmColumns {
  window_end_ms: number;
  evaluated_ms: number;
  duration_ms: number;
  rows_read: number;
  rest: string;
}

function readingOf(row: CalmColumns): CalmReading {
  return {
    windowEndMs: Number(row.window_end_ms),
    evaluatedAtMs: Number(row.evaluated_ms),
    durationMs: Number(row.duration_ms),
    rowsRead: Number(row.rows_read),
    value: valueOf(row.rest),
  };
}

export function calmEvaluation(
  workspaceId: string,
  alertId: string,
  intervalMs: number,
  reading: CalmReading,
): StoredEvaluation {
  const { windowEndMs, evaluatedAtMs, durationMs, rowsRead, value } = reading;
  return {
    workspaceId,
    alertId,
    windowStartMs: windowEndMs - intervalMs,
    windowEndMs,
    evaluatedAtMs,
    state: 'inactive',
    value,
    durationMs,
    rowsRead,
    reason: null,
    groups: null,
    skipped: 0,
  };
}

/**
 * The newest calm window of every alert of a shard: what a process that takes the shard over has to
 * know. Not those that a fast clock left in the future.
 */
export async function newestCalm(
  session: Session,
  shard: number,
): Promise<Map<string, CalmReading>> {
  const newest = new Map<string, CalmReading>();
  for (const intervalMs of await intervalsOf(session, shard)) {
    const last = Number((await session.first(selectLastEnd, { shard, intervalMs }))?.last ?? 0);
    // Alerts that are evaluated are in the latest windows. Every other alert has a history line
    // for the time of its failure.
    for (const row of await session.all(selectRows, {
      shard,
      intervalMs,
      afterMs: last - 2 * calmRunMax * intervalMs,
    })) {
      const reading = {
        windowEndMs: Number(row.window_end_ms),
        evaluatedAtMs: Number(row.evaluated_ms),
        durationMs: Number(row.duration_ms),
        rowsRead: Number(row.rows_read),
      };
      for (const entry of row.alerts.split(';')) {
        const position = entry.indexOf('=');
        const id = entry.slice(0, position);
        if (position > 0 && (newest.get(id)?.windowEndMs ?? 0) < reading.windowEndMs) {
          newest.set(id, { ...reading, value: valueOf(entry.slice(position + 1)) });
        }
      }
    }
  }
  return newest;
}

export async function dropCalmBefore(
  session: Session,
  shard: number,
  endMs: number,
): Promise<void> {
  for (const intervalMs of await intervalsOf(session, shard)) {
    await session.run(deleteBefore, { shard, intervalMs, endMs });
  }
}

/** The intervals of a shard. Reads one index entry for each, whatever the size of the table. */
async function intervalsOf(session: Session, shard: number): Promise<number[]> {
  const intervals: number[] = [];
  for (;;) {
    const afterMs = intervals.at(-1) ?? 0;
    const next = (await session.first(selectNextInterval, { shard, afterMs }))?.next;
    if (next == null) {
      return intervals;
    }
    intervals.push(Number(next));
  }
}

/** Keeps a row within a few pages, because a search for one alert reads whole rows. */
const alertsPerRow = 256;

const valueOf = (rest: string): number | null => {
  const [text = ''] = rest.split(';', 1);
  return text === '' ? null : Number(text);
};

const insertCalm = statement<{
  shard: number;
  intervalMs: number;
  windowEndMs: number;
  part: string;
  evaluatedAtMs: number;
  durationMs: number;
  rowsRead: number;
  alerts: string;
}>()((queries, row) =>
  queries.global
    .insertInto('alert_calm_windows')
    .values({
      shard: row.shard,
      interval_ms: row.intervalMs,
      window_end_ms: row.windowEndMs,
      part: row.part,
      evaluated_ms: row.evaluatedAtMs,
      duration_ms: row.durationMs,
      rows_read: row.rowsRead,
      alerts: row.alerts,
    })
    .onConflict((conflict) =>
      conflict.columns(['shard', 'interval_ms', 'window_end_ms', 'part']).doUpdateSet({
        evaluated_ms: sql`excluded.evaluated_ms`,
        duration_ms: sql`excluded.duration_ms`,
        rows_read: sql`excluded.rows_read`,
        alerts: sql`excluded.alerts`,
      }),
    ),
);

/** The position of `key` in the alerts of a row, from 1; 0 if absent. */
function place(queries: Queries, key: string) {
  return queries.dialect === 'sqlite'
    ? sql<number>`instr(alerts, ${key})`
    : sql<number>`strpos(alerts, ${key})`;
}

/** A number as text is shorter than this. */
const valueLength = 32;

type CalmSearch = {
  shard: number;
  intervalMs: number;
  afterMs: number;
  beforeMs: number;
  key: string;
  keyLength: number;
  limit: number;
};

function calmRows(queries: Queries, search: CalmSearch) {
  const valueStart = sql`${place(queries, search.key)} + cast(${search.keyLength} as integer)`;
  return queries.global
    .selectFrom('alert_calm_windows')
    .select([
      'window_end_ms',
      'evaluated_ms',
      'duration_ms',
      'rows_read',
      sql<string>`substr(alerts, ${valueStart}, ${sql.lit(valueLength)})`.as('rest'),
    ])
    .where('shard', '=', search.shard)
    .where('interval_ms', '=', search.intervalMs)
    .where('window_end_ms', '>', search.afterMs)
    .where('window_end_ms', '<', search.beforeMs)
    .orderBy('window_end_ms', 'desc');
}

const selectCalm = statement<CalmSearch>()((queries, search) =>
  calmRows(queries, search)
    .where(sql<boolean>`${place(queries, search.key)} > 0`)
    .limit(search.limit),
);
/**
 * The part is compared first: it stands in the key, the alerts behind it. `g` comes after every
 * digit of an id, in whatever collation.
 */
const selectNearest = statement<CalmSearch & { alertId: string }>()((queries, search) =>
  calmRows(queries, search)
    .where(sql<boolean>`part <= ${search.alertId} || 'g'`)
    .where(sql<boolean>`(length(part) <= 24 or substr(part, 26) >= ${search.alertId})`)
    .where(sql<boolean>`${place(queries, search.key)} > 0`)
    .orderBy('part', 'desc')
    .limit(search.limit),
);

const selectRows = statement<{ shard: number; intervalMs: number; afterMs: number }>()(
  (queries, { shard, intervalMs, afterMs }) =>
    queries.global
      .selectFrom('alert_calm_windows')
      .selectAll()
      .where('shard', '=', shard)
      .where('interval_ms', '=', intervalMs)
      .where('window_end_ms', '>', afterMs)
      .where('window_end_ms', '<=', queries.now),
);

const selectLastEnd = statement<{ shard: number; intervalMs: number }>()(
  (queries, { shard, intervalMs }) =>
    queries.global
      .selectFrom('alert_calm_windows')
      .select((eb) => eb.fn.max<number | null>('window_end_ms').as('last'))
      .where('shard', '=', shard)
      .where('interval_ms', '=', intervalMs)
      .where('window_end_ms', '<=', queries.now),
);

const selectNextInterval = statement<{ shard: number; afterMs: number }>()(
  (queries, { shard, afterMs }) =>
    queries.global
      .selectFrom('alert_calm_windows')
      .select((eb) => eb.fn.min<number | null>('interval_ms').as('next'))
      .where('shard', '=', shard)
      .where('interval_ms', '>', afterMs),
);

const deleteBefore = statement<{ shard: number; intervalMs: number; endMs: number }>()(
  (queries, { shard, intervalMs, endMs }) =>
    queries.global
      .deleteFrom('alert_calm_windows')
      .where('shard', '=', shard)
      .where('interval_ms', '=', intervalMs)
      .where('window_end_ms', '<', endMs),
);
