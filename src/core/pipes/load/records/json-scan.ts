export const quote = 0x22;
export const backslash = 0x5c;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;

/**
 * Checks that the bytes are exactly one object by its outer shape: strings closed, brackets paired,
 * nothing after it. This keeps a bad record from swallowing a piece of the next one; the engine
 * checks the rest. Returns what is wrong, for the error table; undefined: nothing. `view` shows the
 * same bytes and only makes the check faster.
 */
export function objectFault(
  data: Uint8Array,
  from = 0,
  to = data.length,
  view?: DataView,
): string | undefined {
  let position = skipSpace(data, from, to);
  if (position === to) {
    return 'the record is empty';
  }
  if (data[position] !== openBrace) {
    return 'the record is not a JSON object';
  }
  let depth = 0;
  for (; position < to; position++) {
    const sign = signs[data[position] ?? 0];
    if (sign === 0) {
      continue;
    }
    if (sign === 1) {
      depth++;
    } else if (sign === 3) {
      position = stringEndBefore(data, view, position + 1, to);
      if (position >= to) {
        return 'not valid JSON: a string is not closed';
      }
    } else if (--depth === 0) {
      return followed(data, position + 1, from, to);
    }
  }
  return 'not valid JSON: the record ends inside an object or array';
}

/** Meaning of a byte outside strings: 1 opens, 2 closes, 3 begins a string, 0 none of these. */
const signs = new Uint8Array(256);
for (const byte of [openBrace, openBracket]) {
  signs[byte] = 1;
}
for (const byte of [closeBrace, closeBracket]) {
  signs[byte] = 2;
}
signs[quote] = 3;

const quotes = 0x22222222;
const backslashes = 0x5c5c5c5c;

/**
 * Position of the closing quote; `to` or more if there is none. With a view, four bytes are tested
 * together: XOR turns a wanted byte into zero, and subtracting one from a zero byte sets its highest
 * bit. Only the lowest set bit is reliable, and only that one is used.
 */
export function stringEndBefore(
  data: Uint8Array,
  view: DataView | undefined,
  from: number,
  to: number,
): number {
  let position = from;
  while (position < to) {
    if (view !== undefined && position + 4 <= to) {
      const four = view.getInt32(position, true);
      const noQuote = four ^ quotes;
      const noBackslash = four ^ backslashes;
      const matches =
        (((noQuote - 0x01010101) & ~noQuote) | ((noBackslash - 0x01010101) & ~noBackslash)) &
        0x80808080;
      if (matches === 0) {
        position += 4;
        continue;
      }
      position += (31 - Math.clz32(matches & -matches)) >> 3;
    }
    const byte = data[position];
    if (byte === quote) {
      return position;
    }
    position += byte === backslash ? 2 : 1;
  }
  return position;
}

function followed(data: Uint8Array, end: number, from: number, to: number): string | undefined {
  return skipSpace(data, end, to) === to
    ? undefined
    : `not valid JSON: unexpected text follows the object, at byte ${end - from}`;
}

export const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

export function skipSpace(data: Uint8Array, from: number, to: number): number {
  let index = from;
  while (index < to && isSpace(data[index])) {
    index++;
  }
  return index;
}
