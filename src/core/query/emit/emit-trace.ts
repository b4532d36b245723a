import { identifier, join, qualified, sql, type Sql } from '../../../sql/sql.ts';
import type { TimeRange } from '../plan/bucket.ts';
import type { Table } from '../plan/plan.ts';
import type { TracePlan } from '../plan/plan-trace.ts';
import type { Operand } from '../where/condition.ts';
import { emitExpression } from './emit-expression.ts';
import { emitHash } from './emit-search.ts';
import { emitRange } from './emit-time.ts';

/** One row `first second, last second, number of entries` of the index from trace id to time. */
export function emitTraceTimes({ database, name }: Table, traceId: string): Sql {
  const [start, end] = [identifier('Start'), identifier('End')];
  return sql`SELECT toUnixTimestamp(min(${start})), toUnixTimestamp(max(${end})), count()
FROM ${qualified(database, name)} WHERE ${identifier('TraceId')} = ${traceId}`;
}

/**
 * Rows `nanoseconds of the start, duration in nanoseconds, number of events, hash, texts`, earliest
 * first.
 * @param range undefined: whenever the spans began
 */
export function emitSpans(
  plan: TracePlan,
  traceId: string,
  range: TimeRange | undefined,
  limit: number,
): Sql {
  const texts = plan.texts.map((operand) =>
    operand ? sql`ifNull(toString(${emitExpression(operand.expression)}), '')` : sql`''`,
  );
  const events = plan.eventNames
    ? sql`toUInt32(length(${emitExpression(plan.eventNames.expression)}))`
    : sql`0`;
  const columns = [
    sql`toString(${startNanos(plan)})`,
    durationNanos(plan),
    events,
    emitHash(plan),
    ...texts,
  ];
  return sql`SELECT ${join(columns, ', ')} ${spansOf(plan, traceId, range)}
ORDER BY ${emitExpression(plan.time.exact.expression)} LIMIT ${limit}`;
}

/** One row `number of spans, first nanosecond, last nanosecond`. */
export function emitTraceBounds(
  plan: TracePlan,
  traceId: string,
  range: TimeRange | undefined,
): Sql {
  const start = startNanos(plan);
  const end = sql`toInt128(${start}) + toInt128(${durationNanos(plan)})`;
  return sql`SELECT toUInt32(count()), toString(min(${start})), toString(max(${end}))
${spansOf(plan, traceId, range)}`;
}

function spansOf(plan: TracePlan, traceId: string, range: TimeRange | undefined): Sql {
  const { database, name } = plan.table;
  const isTrace = sql`${traceText(plan.traceId)} = ${traceId}`;
  const inRange = range ? sql` AND ${emitRange(plan.time, range)}` : sql``;
  return sql`FROM ${qualified(database, name)} WHERE ${isTrace}${inRange}`;
}

/** A text column stays bare, so that the engine can use its index. */
function traceText({ expression, type }: Operand): Sql {
  const value = emitExpression(expression);
  return type.base === 'string' && !type.nullable ? value : sql`ifNull(toString(${value}), '')`;
}

const startNanos = ({ time }: TracePlan): Sql =>
  sql`toUnixTimestamp64Nano(toDateTime64(${emitExpression(time.exact.expression)}, 9))`;

/** 292 years: times have no more nanoseconds. */
const longest = 9.2e18;

/** A duration that is no number is 0. */
export function durationNanos({
  duration,
  durationFactor,
}: Pick<TracePlan, 'duration' | 'durationFactor'>): Sql {
  if (!duration) {
    return sql`toFloat64(0)`;
  }
  const number = sql`toFloat64OrZero(toString(${emitExpression(duration.expression)}))`;
  const nanos = sql`least(${number} * ${durationFactor}, toFloat64(${longest}))`;
  return sql`ifNull(if(${nanos} > 0, ${nanos}, 0), 0)`;
}
