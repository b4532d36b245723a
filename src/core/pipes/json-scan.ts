const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * Whether the bytes are exactly one object as far as its outer shape goes: strings closed, brackets paired off, nothing after it. That is
 * what keeps a bad record from swallowing a piece of its neighbour; whether the inside is right JSON, the engine finds out. Undefined:
 * all well; else what is wrong, for the error table. `view` is of the same
 * bytes, and only makes it faster: whoever asks for many records makes it once.
 */
export function objectFault(
  data: Uint8Array,
  from = 0,
  to = data.length,
  view?: DataView,
): string | undefined {
  let at = from;
  while (at < to && isSpace(data[at]!)) {
    at++;
  }
  if (at === to) {
    return 'the record is empty';
  }
  if (data[at] !== openBrace) {
    return 'the record is not a JSON object';
  }
  let depth = 0;
  for (; at < to; at++) {
    const sign = signs[data[at]!]!;
    if (sign === 0) {
      continue;
    }
    if (sign === 1) {
      depth++;
    } else if (sign === 3) {
      at = stringEndBefore(data, view, at + 1, to);
      if (at >= to) {
        return 'not valid JSON: a string is not closed';
      }
    } else if (--depth === 0) {
      return followed(data, at + 1, from, to);
    }
  }
  return 'not valid JSON: the record ends inside an object or array';
}

/** What a byte outside strings means for the shape: 1 opens, 2 closes, 3 begins a string. */
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
 * Where the closing quote stands; `to` or more where there is none. With a view four bytes are looked at together: XOR makes a byte that is looked for zero, and
 * taking one from a zero byte sets its highest bit. A bit above the lowest one that is set may be wrong; the lowest is right.
 */
function stringEndBefore(
  data: Uint8Array,
  view: DataView | undefined,
  from: number,
  to: number,
): number {
  let at = from;
  while (at < to) {
    if (view !== undefined && at + 4 <= to) {
      const four = view.getInt32(at, true);
      const noQuote = four ^ quotes;
      const noBackslash = four ^ backslashes;
      const found =
        (((noQuote - 0x01010101) & ~noQuote) | ((noBackslash - 0x01010101) & ~noBackslash)) &
        0x80808080;
      if (found === 0) {
        at += 4;
        continue;
      }
      at += (31 - Math.clz32(found & -found)) >> 3;
    }
    const byte = data[at]!;
    if (byte === quote) {
      return at;
    }
    at += byte === backslash ? 2 : 1;
  }
  return at;
}

function followed(data: Uint8Array, end: number, from: number, to: number): string | undefined {
  let at = end;
  while (at < to && isSpace(data[at]!)) {
    at++;
  }
  return at === to
    ? undefined
    : `not valid JSON: something follows the object, at byte ${end - from}`;
}

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const unclosedString = -1;
const unclosedBracket = -2;

/** Just after the value that begins at `at`; negative where it does not end. */
function valueEnd(data: Uint8Array, at: number): number {
  const first = data[at]!;
  if (first === quote) {
    return stringEnd(data, at);
  }
  if (first !== openBrace && first !== openBracket) {
    return bareEnd(data, at);
  }
  let depth = 0;
  for (let index = at; index < data.length; index++) {
    const byte = data[index]!;
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

function stringEnd(data: Uint8Array, at: number): number {
  for (let index = at + 1; index < data.length; index++) {
    const byte = data[index]!;
    if (byte === quote) {
      return index + 1;
    }
    if (byte === backslash) {
      index++;
    }
  }
  return unclosedString;
}

/** A number, true, false, null, or anything that is none of them: the engine will say so. */
function bareEnd(data: Uint8Array, at: number): number {
  let index = at;
  while (index < data.length && !isDelimiter(data[index]!)) {
    index++;
  }
  return index;
}

function isDelimiter(byte: number): boolean {
  return (
    byte === 0x2c ||
    byte === closeBrace ||
    byte === closeBracket ||
    byte === 0x20 ||
    byte === 0x0a ||
    byte === 0x0d ||
    byte === 0x09
  );
}

function skipSpace(data: Uint8Array, from: number): number {
  let index = from;
  while (
    index < data.length &&
    (data[index] === 0x20 || data[index] === 0x0a || data[index] === 0x0d || data[index] === 0x09)
  ) {
    index++;
  }
  return index;
}

/** Wanted fields by name; `slots` are where the value goes, `inside` what is wanted of it. */
export interface FieldTree {
  slots: number[];
  inside: Map<string, FieldTree>;
}

/** Paths as a tree. A dotted path is looked for inside objects, and as a name with dots in it at the top. */
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
 * The raw bytes of the wanted fields, as [start, end) pairs in `slots` (two numbers a slot; -1 where it is missing). `data` has passed
 * `objectFault`. Values are not looked into, so that every digit of a number arrives as it was sent.
 */
export function findFields(data: Buffer, tree: FieldTree, slots: Int32Array): void {
  slots.fill(-1);
  walkObject(data, skipSpace(data, 0), tree, slots);
}

/** Just after the object, or as far as it could be read. */
function walkObject(data: Buffer, at: number, tree: FieldTree, slots: Int32Array): number {
  let index = skipSpace(data, at + 1);
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
