import { beyondQuota } from './quota.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const POINT = 0x2e;
const BACKSLASH = 0x5c;

/** OTLP has fewer than a hundred names. Objects with very many names are slow to parse. */
const maxNames = 500;

/** Integers of this many digits can exceed 2^53. */
const longDigits = 16;

/**
 * Counts objects, lists and members before JSON.parse makes objects of them, and returns the
 * positions of integers that JSON.parse would round: start and end, in pairs. One pass: its time
 * grows with the length of the text only.
 * @throws Fault `payload_too_large`.
 */
export function scanJson(text: Uint8Array, maxValues: number): number[] {
  const longIntegers: number[] = [];
  const names = new Set<number>();
  let values = 0;
  for (let index = 0; index < text.length; index++) {
    const byte = text[index]!;
    if (byte === QUOTE) {
      const end = endOfString(text, index);
      if (isName(text, end)) {
        names.add(hash(text, index, end));
        if (names.size > maxNames) {
          throw beyondQuota(
            `the request has more than ${maxNames} different names in JSON objects`,
          );
        }
      }
      index = end;
    } else if (byte === COMMA || (byte | 0x20) === 0x7b) {
      // `[` and `{` differ in one bit.
      if (++values > maxValues) {
        throw beyondQuota(`the request has more than ${maxValues} JSON values`);
      }
    } else if (isDigit(byte)) {
      const end = endOfNumber(text, index);
      if (end - index >= longDigits && isInteger(text, index, end)) {
        longIntegers.push(text[index - 1] === MINUS ? index - 1 : index, end);
      }
      index = end - 1;
    }
  }
  return longIntegers;
}

/** Position of the quote that ends the string; the end of the text if none does. */
function endOfString(text: Uint8Array, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const byte = text[index]!;
    if (byte === BACKSLASH) {
      index++;
    } else if (byte === QUOTE) {
      return index;
    }
  }
  return text.length;
}

/** Whether a colon follows the string that ends here. */
function isName(text: Uint8Array, end: number): boolean {
  let next = end + 1;
  while (next < text.length && text[next]! <= 0x20) {
    next++;
  }
  return text[next] === COLON;
}

function hash(text: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index++) {
    value = (Math.imul(value, 31) + text[index]!) | 0;
  }
  return value;
}

function endOfNumber(text: Uint8Array, start: number): number {
  let end = start + 1;
  while (end < text.length && isNumberByte(text[end]!)) {
    end++;
  }
  return end;
}

function isInteger(text: Uint8Array, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    if (!isDigit(text[index]!)) {
      return false;
    }
  }
  return true;
}

/** Digits, and what makes a number a fraction: a point, an exponent and its sign. */
function isNumberByte(byte: number): boolean {
  return (
    isDigit(byte) || byte === POINT || byte === MINUS || byte === 0x2b || (byte | 0x20) === 0x65
  );
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
