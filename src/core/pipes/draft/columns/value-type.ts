import { isNumber, isText, untagged, type Tagged } from './tagged-json.ts';

const arrayDepthMax = 4;

/** The ClickHouse type for values of one field; `String` if they have nothing narrower in common. */
export function typeOfValues(values: readonly Tagged[], depth = 0): string {
  if (values.length === 0) {
    return 'String';
  }
  if (values.every((value) => typeof value === 'boolean')) {
    return 'Bool';
  }
  if (values.every(isNumber)) {
    return typeOfNumbers(values.map(untagged));
  }
  if (values.every(isText)) {
    return typeOfTexts(values.map(untagged));
  }
  if (values.every(Array.isArray) && depth < arrayDepthMax) {
    return typeOfArrays(values as readonly Tagged[][], depth);
  }
  return 'String';
}

/** Objects inside arrays stay JSON text. */
function typeOfArrays(arrays: readonly Tagged[][], depth: number): string {
  const items = arrays.flat();
  const present = items.filter((item) => item !== null);
  const type = typeOfValues(present, depth + 1);
  const isNullable = present.length < items.length && !type.startsWith('Array(');
  return `Array(${isNullable ? `Nullable(${type})` : type})`;
}

const limit = (bits: number): bigint => 2n ** BigInt(bits);

function typeOfNumbers(texts: readonly string[]): string {
  if (texts.some((text) => /[.eE]/.test(text))) {
    return 'Float64';
  }
  const numbers = texts.map(BigInt);
  const fits = (from: bigint, to: bigint): boolean =>
    numbers.every((number) => number >= from && number < to);
  if (fits(-limit(63), limit(63))) {
    return 'Int64';
  }
  if (fits(0n, limit(64))) {
    return 'UInt64';
  }
  return fits(-limit(127), limit(127)) ? 'Int128' : 'String';
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const day = /^\d{4}-\d{2}-\d{2}$/;
const moment = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:Z|[+-]\d{2}:\d{2})?$/;
/** One digit after the point may as well be a version. */
const decimal = /^-?(?:0|[1-9]\d{0,17})\.(\d{2,18})$/;

/** The type for texts whose form is unambiguous, otherwise `String`. */
export function typeOfTexts(texts: readonly string[]): string {
  if (texts.length === 0) {
    return 'String';
  }
  if (texts.every((text) => uuid.test(text))) {
    return 'UUID';
  }
  if (texts.every((text) => day.test(text) && isReal(`${text}T00:00:00Z`))) {
    return 'Date32';
  }
  const moments = texts.map((text) => moment.exec(text));
  if (moments.every((found) => found !== null && isReal(`${found[1]}T${found[2]}Z`))) {
    return `DateTime64(${precisionOf(moments.map((found) => found?.[3]?.length ?? 0))}, 'UTC')`;
  }
  const scales = new Set(texts.map((text) => decimal.exec(text)?.[1]?.length));
  const [scale] = scales;
  return scales.size === 1 && scale !== undefined ? `Decimal(38, ${scale})` : 'String';
}

function precisionOf(digits: readonly number[]): number {
  return Math.max(3, 3 * Math.ceil(Math.max(...digits) / 3));
}

/** A moment that exists, in the years of the engine's types. */
function isReal(iso: string): boolean {
  const time = Date.parse(iso);
  const year = Number(iso.slice(0, 4));
  return (
    !Number.isNaN(time) &&
    new Date(time).toISOString().slice(0, 19) === iso.slice(0, 19) &&
    year >= 1900 &&
    year < 2262
  );
}
