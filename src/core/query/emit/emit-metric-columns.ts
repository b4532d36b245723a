import { identifier, join, sql, type Sql } from '../../../sql/sql.ts';
import type { Field } from '../expression/expression.ts';
import type { MetricScan } from '../plan/plan.ts';
import { emitExpression, emitField } from './emit-expression.ts';

/** The columns of a metric table as SQL, with what stands in for those that a table lacks. */
export interface MetricSql {
  /** A number that is the same for all points of one metric series. */
  series: Sql;
  value: Sql;
  time: Sql;
  start: Sql;
  /** Whether a point carries its own increase. */
  delta: Sql;
  monotonic: Sql;
  /** Whether a point was recorded, with whatever value. */
  recorded: Sql;
  /** Whether its value is a finite number: NaN is data, but no value. */
  finite: Sql;
  /** Columns an outer query still needs. */
  kept: Sql[];
}

export function emitMetricColumns({ kind, columns, time }: MetricScan): MetricSql {
  const { identity, value, start, temporality, monotonic, flags } = columns;
  const exact = emitExpression(time.exact.expression);
  return {
    series: sql`cityHash64(${join(identity.map(hashed), ', ')})`,
    value: value ? emitField(value) : sql`0`,
    time: exact,
    start: start ? emitField(start) : sql`toDateTime64(0, 9)`,
    delta: temporality ? sql`${emitField(temporality)} = 1` : sql`false`,
    monotonic: monotonic ? emitField(monotonic) : sql`true`,
    recorded: flags ? sql`bitAnd(${emitField(flags)}, 1) = 0` : sql`true`,
    finite: value ? sql`isFinite(${emitField(value)})` : sql`true`,
    kept: [
      exact,
      ...[value, start, temporality, monotonic]
        .filter((field) => field !== undefined)
        .map(emitField),
      ...distributionColumns[kind].map((name) => identifier(name)),
    ],
  };
}

/** Columns of the tables whose points are distributions. */
const distributionColumns: Record<MetricScan['kind'], readonly string[]> = {
  gauge: [],
  sum: [],
  histogram: ['Count', 'BucketCounts', 'ExplicitBounds'],
  'exponential histogram': [
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
  ],
  summary: ['Count', 'Sum', 'ValueAtQuantiles.Quantile', 'ValueAtQuantiles.Value'],
};

/** Attributes come in any order; in the key they have one. */
function hashed(field: Field): Sql {
  return field.type.base === 'map' ? sql`mapSort(${emitField(field)})` : emitField(field);
}
