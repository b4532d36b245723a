import { identifier, join, sql, type Sql } from '../../../sql/sql.ts';
import type { TimeRange } from '../plan/bucket.ts';
import type { MetricScan } from '../plan/plan.ts';
import { emitMetricColumns, type MetricSql } from './emit-metric-columns.ts';
import {
  beforeTimeColumn,
  bucketKey,
  groupNames,
  names,
  pointsWithBefore,
  seriesColumn,
  startedInView,
} from './emit-series-points.ts';
import { emitMoment } from './emit-time.ts';

const hasBefore = identifier('__has_before');
const fresh = identifier('__fresh');
const unseen = identifier('__unseen');
const newCount = identifier('__new_count');
const newSum = identifier('__new_sum');

const column = (name: string): Sql => identifier(name);
const before = (name: string): Sql => identifier(`__before_${name}`);

/** A column of the previous point. */
const lag = (name: string): Sql => sql`lagInFrame(${column(name)}) OVER w AS ${before(name)}`;

/**
 * Exponential histograms: new observations by scale. Rows are `bucket, groups, scale, positive,
 * negative, zeros, count, sum, min, max, unknown mins, unknown maxes, unrecorded extremes, points`. `positive`
 * and `negative` are lists of bucket indexes and of their counts.
 */
export function emitExponentialHistogram(scan: MetricScan, range: TimeRange, maxRows: number): Sql {
  const scale = identifier('__scale');
  const rows = sql`SELECT *, ${join(newObservations(scan, range, exponentialReset), ', ')},
    toInt32(if(${fresh}, ${column('Scale')}, least(${column('Scale')}, ${before('Scale')}))) AS ${scale},
    (${column('Min')} != 0 OR ${column('Max')} != 0 OR ${column('ZeroCount')} = ${column('Count')}) AS __recorded
    FROM (${exponentialPoints(scan, range)})`;
  const observed = sql`${newCount} > 0`;
  const zeros = sql`toFloat64(${column('ZeroCount')}) - if(${fresh}, 0., toFloat64(${before('ZeroCount')}))`;
  const knownMin = sql`__recorded AND (${fresh} OR ${column('Min')} < ${before('Min')})`;
  const knownMax = sql`__recorded AND (${fresh} OR ${column('Max')} > ${before('Max')})`;
  const selected = [
    ...bucketKey(scan, range),
    ...groupNames(scan),
    scale,
    newBuckets('Positive', scale),
    newBuckets('Negative', scale),
    sql`sum(${zeros})`,
    sql`sum(${newCount})`,
    sql`sum(${newSum})`,
    sql`minIf(${column('Min')}, ${observed} AND __recorded)`,
    sql`maxIf(${column('Max')}, ${observed} AND __recorded)`,
    sql`toFloat64(countIf(${observed} AND NOT (${knownMin})))`,
    sql`toFloat64(countIf(${observed} AND NOT (${knownMax})))`,
    sql`toFloat64(countIf(${observed} AND NOT __recorded))`,
    sql`toFloat64(count())`,
  ];
  const inRange = sql`${timeOf(scan)} >= ${emitMoment(range.fromMs)} AND NOT ${unseen}`;
  const groupBy = join([...names(scan), scale], ', ');
  return sql`SELECT ${join(selected, ', ')} FROM (${rows}) WHERE ${inRange} GROUP BY ${groupBy} LIMIT ${maxRows + 1}`;
}

/**
 * Summaries: rows are `bucket, groups, count, sum, min, max, distributions, points, known points`.
 * A distribution is the latest of a metric series: its weight, its quantile levels and their values.
 */
export function emitSummary(scan: MetricScan, range: TimeRange, maxRows: number): Sql {
  const levels = column('ValueAtQuantiles.Quantile');
  const values = column('ValueAtQuantiles.Value');
  const time = timeOf(scan);
  const points = pointsWithBefore(scan, range, emitMetricColumns(scan), [
    sql`lagInFrame(toNullable(${column('Count')})) OVER w AS ${hasBefore}`,
    ...['Count', 'Sum'].map(lag),
  ]);
  const rows = sql`SELECT *, ${join(newObservations(scan, range, []), ', ')} FROM (${points})`;
  const extreme = (level: number): Sql => sql`${values}[indexOf(${levels}, ${level})]`;
  const reported = (level: number): Sql =>
    sql`has(${levels}, ${level}) AND isFinite(${extreme(level)})`;
  const perSeries = [
    ...bucketKey(scan, range),
    ...groupNames(scan),
    seriesColumn,
    sql`sum(if(${unseen}, 0., ${newCount})) AS ${newCount}`,
    sql`sumOrNullIf(${newSum}, NOT ${unseen}) AS ${newSum}`,
    sql`minOrNullIf(${extreme(0)}, ${reported(0)}) AS __min`,
    sql`maxOrNullIf(${extreme(1)}, ${reported(1)}) AS __max`,
    sql`argMax(${levels}, ${time}) AS __levels`,
    sql`argMax(${values}, ${time}) AS __values`,
    sql`count() AS __points`,
    sql`countIf(NOT ${unseen}) AS __known`,
  ];
  const inRange = sql`${time} >= ${emitMoment(range.fromMs)}`;
  const seriesKeys = join([...names(scan), seriesColumn], ', ');
  const series = sql`SELECT ${join(perSeries, ', ')} FROM (${rows}) WHERE ${inRange} GROUP BY ${seriesKeys}`;
  const selected = [
    ...names(scan),
    sql`sum(${newCount})`,
    sql`sum(${newSum})`,
    sql`min(__min)`,
    sql`max(__max)`,
    sql`groupArray((greatest(${newCount}, 1.), __levels, __values))`,
    sql`toFloat64(sum(__points))`,
    sql`toFloat64(sum(__known))`,
  ];
  const keys = names(scan);
  const groupBy = keys.length === 0 ? sql`` : sql` GROUP BY ${join(keys, ', ')}`;
  return sql`SELECT ${join(selected, ', ')} FROM (${series})${groupBy} LIMIT ${maxRows + 1}`;
}

const timeOf = (scan: MetricScan): Sql => emitMetricColumns(scan).time;

const exponentialColumns = [
  'Count',
  'Sum',
  'Scale',
  'ZeroCount',
  'PositiveOffset',
  'PositiveBucketCounts',
  'NegativeOffset',
  'NegativeBucketCounts',
  'Min',
  'Max',
];

function exponentialPoints(scan: MetricScan, range: TimeRange): Sql {
  return pointsWithBefore(scan, range, emitMetricColumns(scan), [
    sql`lagInFrame(toNullable(${column('Count')})) OVER w AS ${hasBefore}`,
    ...exponentialColumns.map(lag),
  ]);
}

/** A scale only shrinks, and a count never does, until the series begins again. */
const exponentialReset: Sql[] = [
  sql`${column('Scale')} > ${before('Scale')}`,
  sql`${column('ZeroCount')} < ${before('ZeroCount')}`,
  fell('Positive'),
  fell('Negative'),
];

/** Whether a bucket has a smaller count than before. Compared at one scale only. */
function fell(side: 'Positive' | 'Negative'): Sql {
  const counts = column(`${side}BucketCounts`);
  const index = sql`(i + ${before(`${side}Offset`)} - ${column(`${side}Offset`)})`;
  const current = sql`if(${index} < 1 OR ${index} > length(${counts}), 0, ${counts}[${index}])`;
  const old = before(`${side}BucketCounts`);
  const smaller = sql`arrayExists((c, i) -> c > ${current}, ${old}, arrayEnumerate(${old}))`;
  return sql`(${column('Scale')} = ${before('Scale')} AND ${smaller})`;
}

/**
 * What a point adds to the previous one. `fresh`: it counts from zero. `unseen`: what it adds is not
 * known, because the point before the first is out of view.
 */
function newObservations(scan: MetricScan, range: TimeRange, resets: Sql[]): Sql[] {
  const columns: MetricSql = emitMetricColumns(scan);
  const started = startedInView(columns, range);
  const restarted = join(
    [
      sql`${columns.start} >= ${beforeTimeColumn}`,
      sql`${column('Count')} < ${before('Count')}`,
      ...resets,
    ],
    ' OR ',
  );
  const isFirst = sql`isNull(${hasBefore})`;
  const more = (name: string): Sql =>
    sql`toFloat64(${column(name)}) - if(${fresh}, 0., toFloat64(${before(name)}))`;
  return [
    sql`(${columns.delta} OR ${isFirst} OR ${restarted}) AS ${fresh}`,
    sql`(NOT ${columns.delta} AND ${isFirst} AND NOT ${started}) AS ${unseen}`,
    sql`${more('Count')} AS ${newCount}`,
    sql`${more('Sum')} AS ${newSum}`,
  ];
}

/** The sum of what the points add to the buckets of one side, at the scale of the row. */
function newBuckets(side: 'Positive' | 'Negative', scale: Sql): Sql {
  const keys = (offset: Sql, counts: Sql, from: Sql): Sql =>
    sql`arrayMap(i -> toInt32(floor((i - 1 + ${offset}) / exp2(${from} - ${scale}))), arrayEnumerate(${counts}))`;
  const offset = column(`${side}Offset`);
  const counts = column(`${side}BucketCounts`);
  const oldCounts = before(`${side}BucketCounts`);
  const currentKeys = keys(offset, counts, column('Scale'));
  const oldKeys = keys(before(`${side}Offset`), oldCounts, before('Scale'));
  const currentValues = sql`arrayMap(c -> toFloat64(c), ${counts})`;
  const oldValues = sql`arrayMap(c -> -toFloat64(c), ${oldCounts})`;
  const both = (first: Sql, second: Sql, empty: Sql): Sql =>
    sql`arrayConcat(${first}, if(${fresh}, ${empty}, ${second}))`;
  const allKeys = both(currentKeys, oldKeys, sql`emptyArrayInt32()`);
  const allValues = both(currentValues, oldValues, sql`emptyArrayFloat64()`);
  return sql`sumMap(${allKeys}, ${allValues})`;
}
