const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

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
function stringEndBefore(
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

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

function skipSpace(data: Uint8Array, from: number, to = data.length): number {
  let index = from;
  while (index < to && isSpace(data[index])) {
    index++;
  }
  return index;
}

const unclosedString = -1;
const unclosedBracket = -2;

/** Position after the value that begins at `position`; negative if it does not end. */
function valueEnd(data: Uint8Array, position: number): number {
  const first = data[position];
  if (first === quote) {
    return stringEnd(data, position);
  }
  if (first !== openBrace && first !== openBracket) {
    return bareEnd(data, position);
  }
  let depth = 0;
  for (let index = position; index < data.length; index++) {
    const byte = data[index];
    if (byte === quote) {
      index = stringEnd(data, index) - 1;
      if (index < 0) {
        return unclosedString;
      }
    } else if (byte === openBrace || byte === openBracket) {
      depth++;
    } else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) {
      return index + 1;
    }
  }
  return unclosedBracket;
}

function stringEnd(data: Uint8Array, position: number): number {
  for (let index = position + 1; index < data.length; index++) {
    const byte = data[index];
    if (byte === quote) {
      return index + 1;
    }
    if (byte === backslash) {
      index++;
    }
  }
  return unclosedString;
}

/** A number, true, false, null, or anything else: the engine checks it. */
function bareEnd(data: Uint8Array, position: number): number {
  let index = position;
  while (index < data.length && !isDelimiter(data[index])) {
    index++;
  }
  return index;
}

function isDelimiter(byte: number | undefined): boolean {
  return byte === 0x2c || byte === closeBrace || byte === closeBracket || isSpace(byte);
}

/** Wanted fields by name. */
export interface FieldTree {
  /** Slots that take the value. */
  slots: number[];
  /** Wanted fields of the value itself. */
  inside: Map<string, FieldTree>;
}

/**
 * Makes a tree of paths. A dotted path matches inside objects, and as a name with dots at the top
 * level.
 */
export function fieldTree(paths: readonly (string | undefined)[]): FieldTree {
  const root: FieldTree = { slots: [], inside: new Map() };
  for (const [slot, path] of paths.entries()) {
    if (path === undefined) {
      continue;
    }
    branch(root, [path]).slots.push(slot);
    const parts = path.split('.');
    if (parts.length > 1) {
      branch(root, parts).slots.push(slot);
    }
  }
  return root;
}

function branch(root: FieldTree, parts: readonly string[]): FieldTree {
  let node = root;
  for (const part of parts) {
    let next = node.inside.get(part);
    if (!next) {
      node.inside.set(part, (next = { slots: [], inside: new Map() }));
    }
    node = next;
  }
  return node;
}

/**
 * Finds the raw bytes of the wanted fields: [start, end) pairs in `slots`, two numbers a slot, -1 if
 * the field is missing. `data` has passed `objectFault`. Values are not parsed, so every digit of a
 * number arrives as it was sent.
 */
export function findFields(data: Buffer, tree: FieldTree, slots: Int32Array): void {
  slots.fill(-1);
  walkObject(data, skipSpace(data, 0), tree, slots);
}

/** Position after the object, or where reading it had to end. */
function walkObject(data: Buffer, position: number, tree: FieldTree, slots: Int32Array): number {
  let index = skipSpace(data, position + 1);
  while (index < data.length && data[index] !== closeBrace) {
    if (data[index] !== quote) {
      return index;
    }
    const keyEnd = stringEnd(data, index);
    if (keyEnd < 0) {
      return data.length;
    }
    const node = tree.inside.get(keyText(data, index, keyEnd));
    index = skipSpace(data, keyEnd);
    if (data[index] !== 0x3a) {
      return index;
    }
    index = skipSpace(data, index + 1);
    const end = index < data.length ? valueEnd(data, index) : -1;
    if (end < 0) {
      return data.length;
    }
    if (node) {
      take(data, index, end, node, slots);
    }
    index = skipSpace(data, end);
    if (data[index] === 0x2c) {
      index = skipSpace(data, index + 1);
    } else if (data[index] !== closeBrace) {
      return index;
    }
  }
  return index + 1;
}

function take(data: Buffer, start: number, end: number, node: FieldTree, slots: Int32Array): void {
  for (const slot of node.slots) {
    slots[slot * 2] = start;
    slots[slot * 2 + 1] = end;
  }
  if (node.inside.size > 0 && data[start] === openBrace) {
    walkObject(data, start, node, slots);
  }
}

function keyText(data: Buffer, start: number, end: number): string {
  const text = data.toString('utf8', start + 1, end - 1);
  if (!text.includes('\\')) {
    return text;
  }
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
