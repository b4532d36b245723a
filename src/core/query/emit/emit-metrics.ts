import { identifier, join, sql, type Sql } from '../../../sql/sql.ts';
import type { TimeRange } from '../plan/bucket.ts';
import type { Aggregate, MetricScan } from '../plan/plan.ts';
import { emitMetricColumns } from './emit-metric-columns.ts';
import { emitConditions, groupColumn, groupKey, valueColumn } from './emit-rows.ts';
import { emitExpression } from './emit-expression.ts';
import {
  beforeTimeColumn,
  bucketKey,
  from,
  groupNames,
  names,
  pointsWithBefore,
  seriesColumn,
  startedInView,
} from './emit-series-points.ts';
import { emitMoment, emitRange } from './emit-time.ts';

const cell = (name: string, index: number): Sql => identifier(`__${name}_${index}`);
const beforeColumn = identifier('__before');

/**
 * Gauges: the last value of each metric series in each bucket, then the aggregates over the series.
 */
export function emitGauge(scan: MetricScan, range: TimeRange, maxRows: number): Sql {
  const { where, when } = emitConditions(scan.measures.map(({ condition }) => condition));
  const columns = emitMetricColumns(scan);
  const time = emitExpression(scan.time.exact.expression);
  const lasts = scan.measures.flatMap((_, index) => {
    const condition = when[index] ?? sql`true`;
    const only = sql`${condition} AND ${columns.finite}`;
    return [
      sql`countIf(${condition}) AS ${cell('rows', index)}`,
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
  const selected = join([...keys, ...lasts], ', ');
  const conditions = join([emitRange(scan.time, range), columns.recorded, ...where], ' AND ');
  const groupBy = join([...names(scan), seriesColumn], ', ');
  const inner = sql`SELECT ${selected} FROM ${from(scan)} WHERE ${conditions} GROUP BY ${groupBy}`;
  const values = scan.measures.map(({ aggregate: { fn, level } }, index) => {
    const value = overSeries[fn]({
      value: cell('last', index),
      time: cell('at', index),
      rows: cell('rows', index),
      level,
    });
    return sql`${value} AS ${valueColumn(index)}`;
  });
  return outer(scan, inner, values, maxRows);
}

/** Sums: the increase of each metric series in each bucket, then the aggregates over the series. */
export function emitSum(scan: MetricScan, range: TimeRange, maxRows: number): Sql {
  const columns = emitMetricColumns(scan);
  const value = sql`toNullable(${columns.value})`;
  const first = sql`if(${startedInView(columns, range)}, ${value}, NULL)`;
  const fell = sql`(${columns.monotonic} AND ${columns.value} < ${beforeColumn})`;
  const reset = sql`${columns.start} >= ${beforeTimeColumn} OR ${fell}`;
  const grown = sql`${columns.value} - ${beforeColumn}`;
  const cases = [
    [sql`NOT ${columns.finite}`, sql`NULL`],
    [columns.delta, value],
    [sql`isNull(${beforeColumn})`, first],
    [reset, value],
  ].flat();
  const increase = sql`multiIf(${join([...cases, grown], ', ')})`;
  const points = pointsWithBefore(scan, range, columns, [
    sql`lagInFrame(toNullable(${columns.value})) OVER w AS ${beforeColumn}`,
  ]);
  const keys = [...bucketKey(scan, range), ...groupNames(scan), seriesColumn];
  const sum = sql`sum(${increase}) AS ${cell('last', 0)}`;
  const latest = sql`max(${columns.time}) AS ${cell('at', 0)}`;
  const rows = sql`count() AS ${cell('rows', 0)}`;
  const selected = join([...keys, sum, latest, rows], ', ');
  const inRange = sql`${columns.time} >= ${emitMoment(range.fromMs)}`;
  const groupBy = join([...names(scan), seriesColumn], ', ');
  const inner = sql`SELECT ${selected} FROM (${points}) WHERE ${inRange} GROUP BY ${groupBy}`;
  const values = scan.measures.map(({ aggregate: { fn, level } }, index) => {
    const aggregated = overSeries[fn]({
      value: cell('last', 0),
      time: cell('at', 0),
      rows: cell('rows', 0),
      level,
    });
    return sql`${aggregated} AS ${valueColumn(index)}`;
  });
  return outer(scan, inner, values, maxRows);
}

/**
 * Histograms: new observations by bucket bounds; rows are `bucket, groups, bounds, counts, count,
 * points, known points`. The increase of a point without a predecessor is not known. A reset shows in
 * the start time, or in a bucket that counts less than before.
 */
export function emitHistogram(scan: MetricScan, range: TimeRange, maxRows: number): Sql {
  const columns = emitMetricColumns(scan);
  const bounds = identifier('ExplicitBounds');
  const count = identifier('Count');
  const bucketCounts = identifier('BucketCounts');
  const counts = sql`arrayMap(x -> toFloat64(x), ${bucketCounts})`;
  const before = identifier('__before_counts');
  const resets = [
    sql`${columns.start} >= ${beforeTimeColumn}`,
    sql`${count} < ${beforeColumn}`,
    sql`${bounds} != ${identifier('__before_bounds')}`,
    sql`length(${before}) != length(${bucketCounts})`,
    sql`arrayExists((a, b) -> a < b, ${bucketCounts}, arrayResize(${before}, length(${bucketCounts})))`,
  ];
  const reset = sql`(${join(resets, ' OR ')})`;
  const unseen = sql`(isNull(${beforeColumn}) AND NOT ${startedInView(columns, range)})`;
  const fresh = sql`(${columns.delta} OR isNull(${beforeColumn}) OR ${reset})`;
  const isFresh = sql`ifNull(${fresh}, true)`;
  const resized = sql`arrayResize(${before}, length(${bucketCounts}))`;
  const increase = sql`(a, b) -> greatest(toFloat64(a) - toFloat64(b), 0.)`;
  const difference = sql`arrayMap(${increase}, ${bucketCounts}, ${resized})`;
  const empty = sql`emptyArrayFloat64()`;
  const countCases = [columns.delta, counts, unseen, empty, isFresh, counts, difference];
  const grown = sql`multiIf(${join(countCases, ', ')})`;
  const total = sql`toFloat64(${count})`;
  const more = sql`${total} - toFloat64(assumeNotNull(${beforeColumn}))`;
  const totalCases = [columns.delta, total, unseen, sql`0.`, isFresh, total, more];
  const observed = sql`multiIf(${join(totalCases, ', ')})`;
  const points = pointsWithBefore(scan, range, columns, [
    sql`lagInFrame(toNullable(${count})) OVER w AS ${beforeColumn}`,
    sql`lagInFrame(${bucketCounts}) OVER w AS ${before}`,
    sql`lagInFrame(${bounds}) OVER w AS ${identifier('__before_bounds')}`,
  ]);
  const keys = [...bucketKey(scan, range), ...groupNames(scan), bounds];
  const sums = [
    sql`sumForEach(${grown}) AS ${identifier('__counts')}`,
    sql`sum(${observed}) AS ${identifier('__count')}`,
    sql`toFloat64(count()) AS ${identifier('__points')}`,
    sql`toFloat64(countIf(${columns.delta} OR NOT ${unseen})) AS ${identifier('__known')}`,
  ];
  const selected = join([...keys, ...sums], ', ');
  const inRange = sql`${columns.time} >= ${emitMoment(range.fromMs)}`;
  const groupBy = join([...names(scan), bounds], ', ');
  return sql`SELECT ${selected} FROM (${points}) WHERE ${inRange} GROUP BY ${groupBy} LIMIT ${maxRows + 1}`;
}

function outer(scan: MetricScan, inner: Sql, values: Sql[], maxRows: number): Sql {
  const keys = names(scan);
  const groupBy = keys.length === 0 ? sql`` : sql` GROUP BY ${join(keys, ', ')}`;
  return sql`SELECT ${join([...keys, ...values], ', ')} FROM (${inner})${groupBy} LIMIT ${maxRows + 1}`;
}

/** The aggregates over one number per metric series; NULL is a series without a value. */
const overSeries: Record<
  Aggregate['fn'],
  (parts: { value: Sql; time: Sql; rows: Sql; level: number }) => Sql
> = {
  rows: ({ rows }) => sql`toFloat64(sum(${rows}))`,
  count: ({ value }) => sql`toFloat64(count(${value}))`,
  count_distinct: ({ value }) => sql`toFloat64(uniqExact(${value}))`,
  sum: ({ value }) => sql`sum(${value})`,
  avg: ({ value }) => sql`avg(${value})`,
  min: ({ value }) => sql`min(${value})`,
  max: ({ value }) => sql`max(${value})`,
  last_value: ({ value, time }) => sql`argMax(${value}, ${time})`,
  quantile: ({ value, level }) => sql`quantile(${level})(${value})`,
};
