import { identifier, join, qualified, sql, type Sql } from '../../../sql/sql.ts';
import type { AggregateFunction } from '../../../contract/chart.ts';
import type { TimeRange } from '../bucket.ts';
import type { MetricScan } from '../plan.ts';
import { emitMetricColumns, type MetricSql } from './emit-metric-columns.ts';
import { emitConditions, bucketColumn, groupColumn, groupKey, valueColumn } from './emit-rows.ts';
import { emitCondition } from './emit-condition.ts';
import { emitExpression } from './emit-expression.ts';
import { emitBucket, emitMoment, emitRange } from './emit-time.ts';

/** How far before the range the point is looked for that a cumulative value is compared with. */
export const lookbackMs = 1_800_000;

const cell = (name: string, index: number): Sql => identifier(`__${name}_${index}`);
const seriesColumn = identifier('__series');
const beforeColumn = identifier('__before');
const beforeTimeColumn = identifier('__before_time');

/** Gauges: the last value of each metric series in each bucket, then the aggregates over the series. */
export function emitGauge(scan: MetricScan, range: TimeRange, maxRows: number): Sql {
  const { where, when } = emitConditions(scan.readings.map(({ condition }) => condition));
  const columns = emitMetricColumns(scan);
  const time = emitExpression(scan.time.exact.expression);
  const lasts = scan.readings.flatMap((_, index) => {
    const only = when[index] ?? sql`true`;
    return [
      sql`argMaxOrNullIf(${columns.value}, ${time}, ${only}) AS ${cell('last', index)}`,
      sql`maxIf(${time}, ${only}) AS ${cell('at', index)}`,
    ];
  });
  const keys = [
    ...bucketKey(scan, range),
    ...scan.groups.map(
      (group, index) => sql`toString(${groupKey(group)}) AS ${groupColumn(index)}`,
    ),
    sql`${columns.series} AS ${seriesColumn}`,
  ];
  const inner = sql`SELECT ${join([...keys, ...lasts], ', ')} FROM ${from(scan)} WHERE ${join([emitRange(scan.time, range), columns.recorded, ...where], ' AND ')} GROUP BY ${join([...names(scan), seriesColumn], ', ')}`;
  const values = scan.readings.map(
    ({ aggregate }, index) =>
      sql`${overSeries[aggregate.fn]({ value: cell('last', index), time: cell('at', index), level: aggregate.level })} AS ${valueColumn(index)}`,
  );
  return outer(scan, inner, values, maxRows);
}

/** Sums: what each metric series grew by in each bucket, then the aggregates over the series. */
export function emitSum(scan: MetricScan, range: TimeRange, maxRows: number): Sql {
  const columns = emitMetricColumns(scan);
  const increase = sql`multiIf(${columns.delta}, toNullable(${columns.value}), isNull(${beforeColumn}), if(${startedInView(columns, range)}, toNullable(${columns.value}), NULL), ${columns.start} >= ${beforeTimeColumn} OR (${columns.monotonic} AND ${columns.value} < ${beforeColumn}), toNullable(${columns.value}), ${columns.value} - ${beforeColumn})`;
  const points = pointsWithBefore(scan, range, columns, [
    sql`lagInFrame(toNullable(${columns.value})) OVER w AS ${beforeColumn}`,
  ]);
  const keys = [...bucketKey(scan, range), ...groupNames(scan), seriesColumn];
  const inner = sql`SELECT ${join([...keys, sql`sum(${increase}) AS ${cell('last', 0)}`, sql`max(${columns.time}) AS ${cell('at', 0)}`], ', ')} FROM (${points}) WHERE ${columns.time} >= ${emitMoment(range.fromMs)} GROUP BY ${join([...names(scan), seriesColumn], ', ')}`;
  const values = scan.readings.map(
    ({ aggregate }, index) =>
      sql`${overSeries[aggregate.fn]({ value: cell('last', 0), time: cell('at', 0), level: aggregate.level })} AS ${valueColumn(index)}`,
  );
  return outer(scan, inner, values, maxRows);
}

/** Histograms: new observations by bucket bounds; rows are `bucket, groups, bounds, counts, count`. */
export function emitHistogram(scan: MetricScan, range: TimeRange, maxRows: number): Sql {
  const columns = emitMetricColumns(scan);
  const bounds = identifier('ExplicitBounds');
  const count = identifier('Count');
  const counts = sql`arrayMap(x -> toFloat64(x), ${identifier('BucketCounts')})`;
  const before = identifier('__before_counts');
  const reset = sql`(${columns.start} >= ${beforeTimeColumn} OR ${count} < ${beforeColumn} OR ${bounds} != ${identifier('__before_bounds')} OR length(${before}) != length(${identifier('BucketCounts')}))`;
  const unseen = sql`(isNull(${beforeColumn}) AND NOT ${startedInView(columns, range)})`;
  const fresh = sql`(${columns.delta} OR isNull(${beforeColumn}) OR ${reset})`;
  const grown = sql`multiIf(${columns.delta}, ${counts}, ${unseen}, emptyArrayFloat64(), ifNull(${fresh}, true), ${counts}, arrayMap((a, b) -> greatest(toFloat64(a) - toFloat64(b), 0.), ${identifier('BucketCounts')}, arrayResize(${before}, length(${identifier('BucketCounts')}))))`;
  const observed = sql`multiIf(${columns.delta}, toFloat64(${count}), ${unseen}, 0., ifNull(${fresh}, true), toFloat64(${count}), toFloat64(${count}) - toFloat64(assumeNotNull(${beforeColumn})))`;
  const points = pointsWithBefore(scan, range, columns, [
    sql`lagInFrame(toNullable(${count})) OVER w AS ${beforeColumn}`,
    sql`lagInFrame(${identifier('BucketCounts')}) OVER w AS ${before}`,
    sql`lagInFrame(${bounds}) OVER w AS ${identifier('__before_bounds')}`,
  ]);
  const keys = [...bucketKey(scan, range), ...groupNames(scan), bounds];
  return sql`SELECT ${join([...keys, sql`sumForEach(${grown}) AS ${identifier('__counts')}`, sql`sum(${observed}) AS ${identifier('__count')}`], ', ')} FROM (${points}) WHERE ${columns.time} >= ${emitMoment(range.fromMs)} GROUP BY ${join([...names(scan), bounds], ', ')} LIMIT ${maxRows + 1}`;
}

/** Every point with the one before it in its series, the look-back included. */
function pointsWithBefore(
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
  const condition = emitCondition(scan.readings[0]!.condition);
  return sql`SELECT ${join(select, ', ')} FROM ${from(scan)} WHERE ${join([emitRange(scan.time, wider), columns.recorded, condition], ' AND ')} WINDOW w AS (PARTITION BY ${columns.series} ORDER BY ${columns.time} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)`;
}

/** A series that began within what we look at began at zero; of an older one the first point tells nothing. */
function startedInView({ start }: MetricSql, range: TimeRange): Sql {
  return sql`(${start} >= ${emitMoment(Math.max(0, range.fromMs - lookbackMs))})`;
}

const from = ({ table }: MetricScan): Sql => qualified(table.database, table.name);

function bucketKey(scan: MetricScan, range: TimeRange): Sql[] {
  return scan.bucketMs === undefined
    ? []
    : [sql`${emitBucket(scan.time, scan.bucketMs, range)} AS ${bucketColumn}`];
}

const groupNames = ({ groups }: MetricScan): Sql[] => groups.map((_, index) => groupColumn(index));

function names(scan: MetricScan): Sql[] {
  return [...(scan.bucketMs === undefined ? [] : [bucketColumn]), ...groupNames(scan)];
}

function outer(scan: MetricScan, inner: Sql, values: Sql[], maxRows: number): Sql {
  const keys = names(scan);
  return sql`SELECT ${join([...keys, ...values], ', ')} FROM (${inner})${keys.length === 0 ? sql`` : sql` GROUP BY ${join(keys, ', ')}`} LIMIT ${maxRows + 1}`;
}

/** The aggregates over one number per metric series; NULL is a series without a value. */
const overSeries: Record<
  AggregateFunction,
  (parts: { value: Sql; time: Sql; level: number }) => Sql
> = {
  count: ({ value }) => sql`toFloat64(count(${value}))`,
  count_distinct: ({ value }) => sql`toFloat64(uniqExact(${value}))`,
  sum: ({ value }) => sql`sum(${value})`,
  avg: ({ value }) => sql`avg(${value})`,
  min: ({ value }) => sql`min(${value})`,
  max: ({ value }) => sql`max(${value})`,
  last_value: ({ value, time }) => sql`argMax(${value}, ${time})`,
  quantile: ({ value, level }) => sql`quantile(${level})(${value})`,
};
