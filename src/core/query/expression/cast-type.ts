import { ExpressionError } from '../fields/expression-error.ts';
import type { TokenCursor } from './token-cursor.ts';

const plainTypes = [
  'UInt8',
  'UInt16',
  'UInt32',
  'UInt64',
  'UInt128',
  'UInt256',
  'Int8',
  'Int16',
  'Int32',
  'Int64',
  'Int128',
  'Int256',
  'Float32',
  'Float64',
  'String',
  'Bool',
  'Date',
  'Date32',
  'DateTime',
  'DateTime64',
  'UUID',
  'IPv4',
  'IPv6',
];
const wrappers: Record<string, [min: number, max: number]> = {
  Nullable: [1, 1],
  Array: [1, 1],
  LowCardinality: [1, 1],
  Map: [2, 2],
  Tuple: [1, 16],
};
const zone = /^[A-Za-z][A-Za-z0-9_+/-]{0,40}$/;

/** Parses a type that casts may use, and returns it in the engine's spelling. */
export function readCastType(cursor: TokenCursor, depth = 0): string {
  const { kind, text, position } = cursor.token;
  if (kind !== 'word') {
    throw cursor.unexpected('a type');
  }
  const name = [...plainTypes, ...Object.keys(wrappers), 'Decimal'].find(
    (candidate) => candidate.toLowerCase() === text.toLowerCase(),
  );
  if (name === undefined || depth > 5) {
    throw new ExpressionError(
      `"${text.slice(0, 40)}" is not a type that a value can be cast to`,
      position,
    );
  }
  cursor.advance();
  if (Object.hasOwn(wrappers, name)) {
    return wrapped(cursor, name, depth);
  }
  if (name === 'Decimal') {
    return `Decimal(${digits(cursor, '(', 76)}, ${digits(cursor, ',', 76, ')')})`;
  }
  if (!name.startsWith('DateTime') || !cursor.takeSign('(')) {
    return name;
  }
  return dateTime(cursor, name);
}

function wrapped(cursor: TokenCursor, name: string, depth: number): string {
  if (!cursor.takeSign('(')) {
    throw cursor.unexpected('"("');
  }
  const inner = [readCastType(cursor, depth + 1)];
  while (cursor.takeSign(',')) {
    inner.push(readCastType(cursor, depth + 1));
  }
  const [min, max] = wrappers[name] ?? [1, 1];
  if (inner.length < min || inner.length > max || !cursor.takeSign(')')) {
    throw cursor.unexpected('")"');
  }
  return `${name}(${inner.join(', ')})`;
}

function dateTime(cursor: TokenCursor, name: string): string {
  const precision = cursor.token.kind === 'number' ? String(wholeNumber(cursor, 9)) : undefined;
  if (name === 'DateTime' ? precision !== undefined : precision === undefined) {
    throw cursor.unexpected(name === 'DateTime' ? 'a time zone' : 'the number of digits');
  }
  const parts = precision === undefined ? [] : [precision];
  if (precision === undefined || cursor.takeSign(',')) {
    parts.push(timeZone(cursor));
  }
  if (!cursor.takeSign(')')) {
    throw cursor.unexpected('")"');
  }
  return `${name}(${parts.join(', ')})`;
}

function timeZone(cursor: TokenCursor): string {
  const { kind, text } = cursor.token;
  if (kind !== 'string' || !zone.test(text)) {
    throw cursor.unexpected("a time zone such as 'UTC'");
  }
  cursor.advance();
  return `'${text}'`;
}

function digits(cursor: TokenCursor, before: string, max: number, after?: string): number {
  if (!cursor.takeSign(before)) {
    throw cursor.unexpected(`"${before}"`);
  }
  const value = wholeNumber(cursor, max);
  if (after !== undefined && !cursor.takeSign(after)) {
    throw cursor.unexpected(`"${after}"`);
  }
  return value;
}

function wholeNumber(cursor: TokenCursor, max: number): number {
  const { kind, text } = cursor.token;
  if (kind !== 'number' || !/^\d{1,2}$/.test(text) || Number(text) > max) {
    throw cursor.unexpected(`a whole number up to ${max}`);
  }
  cursor.advance();
  return Number(text);
}
