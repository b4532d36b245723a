import { sql } from 'kysely';
import { calmRunMax } from '../../../ports/store/alert-store.ts';
import {
  partOf,
  readNewestCalm,
  valueAfter,
  type CalmReading,
  type CalmRun,
} from './alert-calm.ts';
import type { Session } from '../statements/session.ts';
import { statement } from '../statements/statement.ts';

/** An alert, and the range in which its calm windows can lie. */
export interface CalmAlert {
  alertId: string;
  run: CalmRun;
}

/**
 * The newest calm window of each of many alerts, by id. One statement reads the latest window of
 * every shard, which nearly always holds all of them. The next statement searches the window before
 * for the alerts that it does not hold.
 */
export async function readNewestCalmOfMany(
  session: Session,
  alerts: readonly CalmAlert[],
): Promise<Map<string, CalmReading>> {
  const readings = new Map<string, CalmReading>();
  let remaining = alerts.map(within).filter(hasRoom);
  for (let round = 0; round <= calmRunMax && remaining.length > singleReadsMax; round++) {
    remaining = await searchLatest(session, remaining, readings);
  }
  for (const { alertId, run } of remaining) {
    const reading = await readNewestCalm(session, alertId, run);
    if (reading) {
      readings.set(alertId, reading);
    }
  }
  return readings;
}

/** Up to this number of alerts, a statement for each is cheaper than one for all. */
const singleReadsMax = 4;

const within = ({ alertId, run }: CalmAlert): CalmAlert => ({
  alertId,
  run: { ...run, beforeMs: Math.min(run.beforeMs, run.afterMs + calmRunMax * run.intervalMs + 1) },
});
const hasRoom = ({ run: { intervalMs, afterMs, beforeMs } }: CalmAlert): boolean =>
  intervalMs > 0 && afterMs + intervalMs < beforeMs;

/** Alerts of one shard and interval, and the range of all their calm windows. */
interface Group {
  shard: number;
  intervalMs: number;
  afterMs: number;
  beforeMs: number;
  firstId: string;
  lastId: string;
}

interface LatestWindow {
  endMs: number;
  rows: Row[];
}

const groupKey = (shard: number, intervalMs: number) => `${shard}/${intervalMs}`;

/**
 * Searches the latest window of each group, and adds what it has to `readings`. Returns the alerts
 * that an earlier window may hold.
 */
async function searchLatest(
  session: Session,
  alerts: readonly CalmAlert[],
  readings: Map<string, CalmReading>,
): Promise<CalmAlert[]> {
  const windows = await latestWindows(session, groupsOf(alerts));
  const remaining: CalmAlert[] = [];
  for (const { alertId, run } of alerts) {
    const window = windows.get(groupKey(run.shard, run.intervalMs));
    if (!window) {
      continue;
    }
    const reading =
      run.afterMs < window.endMs && window.endMs < run.beforeMs
        ? readingIn(window.rows, alertId)
        : undefined;
    const earlier = { alertId, run: { ...run, beforeMs: Math.min(run.beforeMs, window.endMs) } };
    if (reading) {
      readings.set(alertId, reading);
    } else if (hasRoom(earlier)) {
      remaining.push(earlier);
    }
  }
  return remaining;
}

function groupsOf(alerts: readonly CalmAlert[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { alertId, run } of alerts) {
    const key = groupKey(run.shard, run.intervalMs);
    const group = groups.get(key);
    if (!group) {
      groups.set(key, { ...run, firstId: alertId, lastId: alertId });
      continue;
    }
    group.afterMs = Math.min(group.afterMs, run.afterMs);
    group.beforeMs = Math.max(group.beforeMs, run.beforeMs);
    if (alertId < group.firstId) {
      group.firstId = alertId;
    }
    if (alertId > group.lastId) {
      group.lastId = alertId;
    }
  }
  return [...groups.values()];
}

/** The latest window of each group that has one, by the group's key. */
async function latestWindows(
  session: Session,
  groups: readonly Group[],
): Promise<Map<string, LatestWindow>> {
  const given = JSON.stringify(
    groups.map(({ shard, intervalMs, afterMs, beforeMs, firstId, lastId }) => [
      shard,
      intervalMs,
      afterMs,
      beforeMs,
      firstId,
      lastId,
    ]),
  );
  const windows = new Map<string, LatestWindow>();
  for (const row of await session.all(selectLatest, { given })) {
    const key = groupKey(Number(row.given_shard), Number(row.given_interval_ms));
    const window = windows.get(key) ?? { endMs: Number(row.latest_ms), rows: [] };
    windows.set(key, window);
    if (row.alerts !== null) {
      window.rows.push({
        ...partOf(row.part),
        reading: {
          windowEndMs: window.endMs,
          evaluatedAtMs: Number(row.evaluated_ms),
          durationMs: Number(row.duration_ms),
          rowsRead: Number(row.rows_read),
        },
        alerts: row.alerts,
      });
    }
  }
  return windows;
}

interface Row {
  first: string;
  /** Undefined in rows of an earlier release, which are in no order. */
  last: string | undefined;
  reading: Omit<CalmReading, 'value'>;
  alerts: string;
}

function readingIn(rows: readonly Row[], alertId: string): CalmReading | undefined {
  for (const { first, last, reading, alerts } of rows) {
    if (last !== undefined && (alertId < first || alertId > last)) {
      continue;
    }
    const value = valueAfter(alerts, alertId);
    if (value !== undefined) {
      return { ...reading, value };
    }
  }
  return undefined;
}

/** A group is an array, read by position. */
const selectLatest = statement<{ given: string }>()((queries, { given }) => {
  const groups = (
    queries.dialect === 'sqlite'
      ? sql<{ value: string }>`json_each(${given})`
      : sql<{ value: string }>`jsonb_array_elements(cast(${given} as jsonb))`
  ).as('given');
  const text = (position: number) =>
    sql<string>`${sql.ref('given.value')} ->> ${sql.lit(position)}`;
  const whole = (position: number) => sql<number>`cast(${text(position)} as bigint)`;
  return queries.global
    .with('latest', (db) =>
      db.selectFrom(groups).select([
        whole(0).as('given_shard'),
        whole(1).as('given_interval_ms'),
        text(4).as('first_id'),
        text(5).as('last_id'),
        (eb) =>
          eb
            .selectFrom('alert_calm_windows')
            .select((inner) => inner.fn.max<number | null>('window_end_ms').as('ends'))
            .where('shard', '=', whole(0))
            .where('interval_ms', '=', whole(1))
            .where('window_end_ms', '>', whole(2))
            .where('window_end_ms', '<', whole(3))
            .as('latest_ms'),
      ]),
    )
    .selectFrom('latest')
    .leftJoin('alert_calm_windows as calm', (join) =>
      join
        .onRef('calm.shard', '=', 'given_shard')
        .onRef('calm.interval_ms', '=', 'given_interval_ms')
        .onRef('calm.window_end_ms', '=', 'latest_ms')
        .on(sql<boolean>`calm.part <= last_id || 'g'`)
        .on(sql<boolean>`(length(calm.part) <= 24 or substr(calm.part, 26) >= first_id)`),
    )
    .where('latest_ms', 'is not', null)
    .select([
      'given_shard',
      'given_interval_ms',
      'latest_ms',
      'part',
      'evaluated_ms',
      'duration_ms',
      'rows_read',
      'alerts',
    ]);
});
