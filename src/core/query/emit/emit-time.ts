import { join, sql, type Sql } from '../../../sql/sql.ts';
import type { TimeRange } from '../plan/bucket.ts';
import type { EventTime } from '../plan/plan.ts';
import type { Operand } from '../where/condition.ts';
import { emitExpression } from './emit-expression.ts';

/** The engine's DateTime ends in 2106; nothing is stored beyond. */
const lastSecond = 0xffffffff;
const clampMs = (ms: number): number => Math.min(Math.max(ms, 0), lastSecond * 1000);

/**
 * Rows of `[fromMs, toMs)`. The column of whole seconds leads (it is in the sorting key and four
 * bytes wide); the exact one is asked only where the range cuts through a second.
 */
export function emitRange({ exact, seconds }: EventTime, range: TimeRange): Sql {
  const fromMs = clampMs(range.fromMs);
  const toMs = clampMs(range.toMs);
  const coarse = seconds ?? (exact.type.precision === 0 ? exact : undefined);
  const conditions: Sql[] = [];
  if (coarse) {
    const from = sql`toDateTime(${Math.floor(fromMs / 1000)})`;
    const to = sql`toDateTime(${Math.ceil(toMs / 1000)})`;
    conditions.push(sql`${column(coarse)} >= ${from} AND ${column(coarse)} < ${to}`);
  }
  if (coarse === exact && fromMs % 1000 !== 0) {
    conditions.push(sql`${column(exact)} >= toDateTime(${Math.ceil(fromMs / 1000)})`);
  }
  if (coarse !== exact && (!coarse || fromMs % 1000 !== 0)) {
    conditions.push(sql`${column(exact)} >= ${emitMoment(fromMs)}`);
  }
  if (coarse !== exact && (!coarse || toMs % 1000 !== 0)) {
    conditions.push(sql`${column(exact)} < ${emitMoment(toMs)}`);
  }
  return join(conditions, ' AND ');
}

export function emitMoment(ms: number): Sql {
  return sql`fromUnixTimestamp64Milli(toInt64(${Math.round(ms)}))`;
}

/** Rows of exactly this time, in nanoseconds. */
export function emitInstant(time: EventTime, nanos: string): Sql {
  return sql`${secondsOf(time, nanos, sql`=`)}${column(time.exact)} = ${emitNanos(nanos)}`;
}

/** Rows before this time, in nanoseconds. */
export function emitUntil(time: EventTime, nanos: string): Sql {
  return sql`${secondsOf(time, nanos, sql`<=`)}${column(time.exact)} < ${emitNanos(nanos)}`;
}

/**
 * Rows from this second on, by both columns: a row in between belongs to the rest. Our tables are
 * ordered by the hour first, which the engine does not conclude from the second.
 */
export function emitSince({ exact, seconds }: EventTime, second: number): Sql {
  const since = sql`${column(exact)} >= ${emitMoment(second * 1000)}`;
  if (!seconds) {
    return since;
  }
  const from = sql`toDateTime(${second})`;
  const hour = sql`toStartOfHour(${column(seconds)}) >= toStartOfHour(${from})`;
  return sql`indexHint(${hour}) AND ${column(seconds)} >= ${from} AND ${since}`;
}

/** The column of whole seconds is in the sorting key, so that the engine skips most rows by it. */
function secondsOf({ seconds }: EventTime, nanos: string, sign: Sql): Sql {
  const second = BigInt(nanos) / 1_000_000_000n;
  return seconds && second >= 0n && second <= BigInt(lastSecond)
    ? sql`${column(seconds)} ${sign} toDateTime(${second}) AND `
    : sql``;
}

export function emitNanos(nanos: string): Sql {
  return sql`fromUnixTimestamp64Nano(toInt64(${nanos}))`;
}

/**
 * Number of the bucket, counted from the one that holds `fromMs`. Up to 65,536 buckets the key has
 * two bytes, for which the engine aggregates by direct look-up instead of hashing.
 */
export function emitBucket(time: EventTime, bucketMs: number, range: TimeRange): Sql {
  const first = Math.floor(clampMs(range.fromMs) / bucketMs);
  const count = Math.floor(clampMs(range.toMs) / bucketMs) - first + 1;
  const number =
    bucketMs % 1000 === 0
      ? sql`intDiv(${epochSeconds(time)}, ${bucketMs / 1000}) - ${first}`
      : sql`intDiv(toUnixTimestamp64Milli(toDateTime64(${column(time.exact)}, 3)), ${bucketMs}) - ${first}`;
  return count <= 65_536 ? sql`toUInt16(${number})` : sql`toUInt32(${number})`;
}

export function firstBucketMs(bucketMs: number, range: TimeRange): number {
  return Math.floor(clampMs(range.fromMs) / bucketMs) * bucketMs;
}

function epochSeconds({ exact, seconds }: EventTime): Sql {
  const coarse = seconds ?? exact;
  return coarse.type.precision === 0
    ? sql`toUInt32(${column(coarse)})`
    : sql`toUInt32(toDateTime(${column(coarse)}))`;
}

const column = (operand: Operand): Sql => emitExpression(operand.expression);
