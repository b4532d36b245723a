import { identifier, join, qualified, sql, type Sql } from '../../../sql/sql.ts';
import type { TimeRange } from '../plan/bucket.ts';
import type { MetricScan } from '../plan/plan.ts';
import { all } from '../where/condition.ts';
import { emitCondition } from './emit-condition.ts';
import type { MetricSql } from './emit-metric-columns.ts';
import { bucketColumn, groupColumn, groupKey } from './emit-rows.ts';
import { emitBucket, emitMoment, emitRange } from './emit-time.ts';

/** How far before the range the point is looked for that a cumulative value is compared with. */
const lookbackMs = 1_800_000;

export const seriesColumn = identifier('__series');
export const beforeTimeColumn = identifier('__before_time');

/** Every point with the previous point of its series, including the look-back. */
export function pointsWithBefore(
  scan: MetricScan,
  range: TimeRange,
  columns: MetricSql,
  before: Sql[],
): Sql {
  const groups = scan.groups.map(
    (group, index) => sql`toString(${groupKey(group)}) AS ${groupColumn(index)}`,
  );
  const select = [
    sql`${columns.series} AS ${seriesColumn}`,
    ...columns.kept,
    ...groups,
    sql`lagInFrame(${columns.time}) OVER w AS ${beforeTimeColumn}`,
    ...before,
  ];
  const wider = { fromMs: range.fromMs - lookbackMs, toMs: range.toMs };
  const condition = emitCondition(scan.measures[0]?.condition ?? all);
  const conditions = join([emitRange(scan.time, wider), columns.recorded, condition], ' AND ');
  const order = sql`PARTITION BY ${columns.series}, ${columns.finite} ORDER BY ${columns.time}`;
  const window = sql`WINDOW w AS (${order} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)`;
  return sql`SELECT ${join(select, ', ')} FROM ${from(scan)} WHERE ${conditions} ${window}`;
}

/**
 * A series that started within the range and its look-back started at zero. The first point of an
 * older series gives no increase.
 */
export function startedInView({ start }: MetricSql, range: TimeRange): Sql {
  return sql`(${start} >= ${emitMoment(Math.max(0, range.fromMs - lookbackMs))})`;
}

export const from = ({ table }: MetricScan): Sql => qualified(table.database, table.name);

export function bucketKey(scan: MetricScan, range: TimeRange): Sql[] {
  return scan.bucketMs === undefined
    ? []
    : [sql`${emitBucket(scan.time, scan.bucketMs, range)} AS ${bucketColumn}`];
}

export const groupNames = ({ groups }: MetricScan): Sql[] =>
  groups.map((_, index) => groupColumn(index));

export function names(scan: MetricScan): Sql[] {
  return [...(scan.bucketMs === undefined ? [] : [bucketColumn]), ...groupNames(scan)];
}
