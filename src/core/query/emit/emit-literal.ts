import { literal, sql, type Sql } from '../../../sql/sql.ts';
import type { ValueType } from '../fields/value-type.ts';
import { isInteger, type NumberLiteral, type TimeLiteral } from '../where/literal.ts';

/** A number to compare a column of this type with. No digit is lost unless the column is a float. */
export function emitNumber(number: NumberLiteral, { float, decimal }: ValueType): Sql {
  if (float) {
    return literal(Number(number.text));
  }
  if (decimal === true) {
    return emitDecimal(number);
  }
  return isInteger(number) ? emitInteger(number) : literal(Number(number.text));
}

const least = -(2n ** 63n);
const greatest = 2n ** 64n - 1n;

/** Plain digits beyond 64 bits would be a float for the engine. */
export function emitInteger({ text }: NumberLiteral): Sql {
  const value = BigInt(text);
  return value >= least && value <= greatest ? literal(value) : sql`toInt256(${text})`;
}

/** Beyond this many decimals the engine could overflow when it brings both sides to one scale. */
const scaleMax = 20;

function emitDecimal({ text }: NumberLiteral): Sql {
  const scale = text.split('.')[1]?.length ?? 0;
  return scale > scaleMax || text.includes('e')
    ? literal(Number(text))
    : sql`toDecimal256(${text}, ${scale})`;
}

/** Integers beyond this lose digits as a double. */
const exactMax = 2n ** 53n;

/** Whether a text that is a number has to be compared as an integer, because a double is too coarse. */
export function exceedsDouble(number: NumberLiteral): boolean {
  if (!isInteger(number)) {
    return false;
  }
  const value = BigInt(number.text);
  return value >= exactMax || value <= -exactMax;
}

/** The engine holds nanoseconds in 64 bits: no row has a time beyond. */
const clamp = (nanos: bigint): bigint => {
  const latest = -least - 1n;
  const notAfter = nanos > latest ? latest : nanos;
  return notAfter < least ? least : notAfter;
};

/** A time to compare a column of this type with. */
export function emitTime({ nanos }: TimeLiteral, { precision }: ValueType): Sql {
  const value = clamp(BigInt(nanos));
  if (precision === -1) {
    return sql`fromUnixTimestamp64Nano(toInt64(${value}), 'UTC')`;
  }
  return value % 1_000_000n === 0n
    ? sql`fromUnixTimestamp64Milli(toInt64(${value / 1_000_000n}))`
    : sql`fromUnixTimestamp64Nano(toInt64(${value}))`;
}
