import { identifier, join, sql, type Sql } from '../../../sql/sql.ts';
import type { Aggregate, EventTime } from '../plan/plan.ts';
import type { Operand } from '../where/condition.ts';
import { emitExpression } from './emit-expression.ts';

/** The parts an aggregate is written from. */
interface Parts {
  value: Sql;
  /** Which rows count; undefined: all. */
  when: Sql | undefined;
  time: Sql;
  level: number;
  type: Operand['type'];
}

/**
 * Each aggregate over the rows that fulfil `condition`, as a Float64 or NULL where no row has a
 * value. Text that is not a number, missing map keys, NaN and infinities are no values.
 */
export function emitAggregate(
  { fn, operand, level }: Aggregate,
  condition: Sql | undefined,
  time: EventTime,
): Sql {
  const value =
    operand &&
    (fn === 'count' || fn === 'count_distinct'
      ? { value: emitExpression(operand.expression), present: presence(operand) }
      : numeric(operand));
  const when =
    value?.present && condition
      ? sql`${condition} AND ${value.present}`
      : (value?.present ?? condition);
  return aggregates[fn]({
    value: value?.value ?? sql`1`,
    when,
    time: emitExpression(time.exact.expression),
    level,
    type: operand?.type ?? { base: 'number', nullable: false, wide: false, float: false },
  });
}

const rows = ({ when }: Parts): Sql =>
  when ? sql`toFloat64(countIf(${when}))` : sql`toFloat64(count())`;

/**
 * An entry per aggregate. Without `when` every row of a group has a value. With it, avg and
 * quantile of nothing are NaN, which the engine's JSON writes as null; the others would be 0 and
 * are told apart by a count, which costs less than the engine's -OrNull.
 */
const aggregates: Record<Aggregate['fn'], (parts: Parts) => Sql> = {
  rows,
  count: rows,
  count_distinct: ({ value, when }) =>
    when ? sql`toFloat64(uniqExactIf(${value}, ${when}))` : sql`toFloat64(uniqExact(${value}))`,
  sum: ({ value, when, type }) => {
    const exact = type.wide ? sql`toInt128(${value})` : value;
    return when ? known(when, sql`sumIf(${exact}, ${when})`) : sql`toFloat64(sum(${exact}))`;
  },
  avg: ({ value, when, type }) => {
    const safe = type.wide ? sql`toFloat64(${value})` : value;
    return when ? sql`toFloat64(avgIf(${safe}, ${when}))` : sql`toFloat64(avg(${safe}))`;
  },
  min: ({ value, when }) =>
    when ? known(when, sql`minIf(${value}, ${when})`) : sql`toFloat64(min(${value}))`,
  max: ({ value, when }) =>
    when ? known(when, sql`maxIf(${value}, ${when})`) : sql`toFloat64(max(${value}))`,
  last_value: ({ value, when, time }) =>
    when
      ? known(when, sql`argMaxIf(${value}, ${time}, ${when})`)
      : sql`toFloat64(argMax(${value}, ${time}))`,
  quantile: ({ value, when, level }) =>
    when
      ? sql`toFloat64(quantileIf(${level})(${value}, ${when}))`
      : sql`toFloat64(quantile(${level})(${value}))`,
};

function known(when: Sql, aggregate: Sql): Sql {
  return sql`if(countIf(${when}) = 0, NULL, toFloat64(${aggregate}))`;
}

/** A missing map key reads as an empty text, which would pass for a value. */
function presence({ expression, type }: Operand): Sql | undefined {
  if (expression.kind === 'field' && expression.field.kind === 'map_key') {
    return sql`mapContains(${identifier(expression.field.column)}, ${expression.field.key})`;
  }
  return type.nullable && expression.kind === 'field'
    ? sql`${emitExpression(expression)} IS NOT NULL`
    : undefined;
}

/** The operand as a number, and when it is one. */
function numeric(operand: Operand): { value: Sql; present: Sql | undefined } {
  const { expression, type } = operand;
  const plain = emitExpression(expression);
  if (type.base === 'number' && expression.kind === 'field') {
    return { value: plain, present: presentNumber(plain, operand) };
  }
  if (type.base === 'boolean') {
    return { value: sql`toUInt8(${plain})`, present: presence(operand) };
  }
  if (type.base === 'time') {
    return {
      value:
        type.precision === -1
          ? sql`toUnixTimestamp(toDateTime(${plain}, 'UTC')) * 1000`
          : sql`toUnixTimestamp64Milli(toDateTime64(${plain}, 3))`,
      present: presence(operand),
    };
  }
  const value =
    type.base === 'number'
      ? sql`toFloat64(${plain})`
      : sql`toFloat64OrNull(${type.base === 'string' && !type.nullable ? plain : sql`toString(${plain})`})`;
  return { value, present: sql`ifNull(isFinite(${value}), false)` };
}

function presentNumber(value: Sql, { type }: Operand): Sql | undefined {
  const checks = [
    ...(type.float ? [sql`isFinite(${value})`] : []),
    ...(type.nullable ? [sql`${value} IS NOT NULL`] : []),
  ];
  return checks.length === 0 ? undefined : join(checks, ' AND ');
}
