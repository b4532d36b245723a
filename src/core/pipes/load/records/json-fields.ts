import {
  backslash,
  closeBrace,
  closeBracket,
  isSpace,
  openBrace,
  openBracket,
  quote,
  skipSpace,
  stringEndBefore,
} from './json-scan.ts';

const colon = 0x3a;
const comma = 0x2c;
const nothing = new Uint8Array();

/** Wanted fields of an object. */
interface FieldTree {
  /** Slots that take the value. */
  slots: number[];
  /** Wanted fields of the value itself, by name. */
  inside: Map<string, FieldTree>;
  /**
   * The same by the length of their names in bytes, so that no text is made of a key. Names with a
   * backslash are left out: a key that has one is an escaped text.
   */
  byLength: ({ name: Buffer; field: FieldTree }[] | undefined)[];
}

/**
 * Finds the raw bytes of wanted fields in JSON objects. Values are not parsed, so every digit of a
 * number arrives as it was sent.
 */
export class FieldFinder {
  /** What was found: begin and end for each path; -1 and -1 if the field is missing. */
  readonly slots: Int32Array;
  readonly #root = emptyTree();
  #data: Uint8Array = nothing;
  #to = 0;
  #view: DataView | undefined;

  /**
   * @param paths A dotted path matches inside objects, and as a name with dots at the top level.
   * Undefined: nothing is looked for.
   */
  constructor(paths: readonly (string | undefined)[]) {
    this.slots = new Int32Array(paths.length * 2);
    for (const [slot, path] of paths.entries()) {
      if (path === undefined) {
        continue;
      }
      branch(this.#root, [path]).slots.push(slot);
      const parts = path.split('.');
      if (parts.length > 1) {
        branch(this.#root, parts).slots.push(slot);
      }
    }
  }

  /**
   * Looks at the object in `data` between `from` and `to`, which has passed `objectFault`. `view`
   * shows the same bytes and only makes it faster.
   */
  find(data: Uint8Array, from = 0, to = data.length, view?: DataView): void {
    this.clear();
    this.#data = data;
    this.#to = to;
    this.#view = view;
    this.#walkObject(skipSpace(data, from, to), this.#root);
    // An idle pipe keeps no memory of its records.
    this.#data = nothing;
    this.#view = undefined;
  }

  /** Forgets what was found. */
  clear(): void {
    const { slots } = this;
    for (let slot = 0; slot < slots.length; slot++) {
      slots[slot] = -1;
    }
  }

  /** Returns the position after the object, or where reading it had to end. */
  #walkObject(position: number, tree: FieldTree): number {
    const data = this.#data;
    const to = this.#to;
    let index = skipSpace(data, position + 1, to);
    while (index < to && data[index] !== closeBrace) {
      if (data[index] !== quote) {
        return index;
      }
      const keyEnd = stringEndBefore(data, this.#view, index + 1, to);
      const field = keyEnd < to ? this.#fieldNamed(tree, index + 1, keyEnd) : undefined;
      index = skipSpace(data, keyEnd + 1, to);
      if (index >= to || data[index] !== colon) {
        return index;
      }
      index = skipSpace(data, index + 1, to);
      const end = this.#valueEnd(index);
      if (end > to) {
        return to;
      }
      if (field) {
        this.#take(index, end, field);
      }
      index = skipSpace(data, end, to);
      if (index < to && data[index] === comma) {
        index = skipSpace(data, index + 1, to);
      } else if (data[index] !== closeBrace) {
        return index;
      }
    }
    return index + 1;
  }

  #take(start: number, end: number, field: FieldTree): void {
    for (const slot of field.slots) {
      this.slots[slot * 2] = start;
      this.slots[slot * 2 + 1] = end;
    }
    if (field.inside.size > 0 && this.#data[start] === openBrace) {
      this.#walkObject(start, field);
    }
  }

  #fieldNamed(tree: FieldTree, start: number, end: number): FieldTree | undefined {
    for (const { name, field } of tree.byLength[end - start] ?? []) {
      if (this.#isNamed(name, start)) {
        return field;
      }
    }
    return this.#hasBackslash(start, end) ? tree.inside.get(this.#keyText(start, end)) : undefined;
  }

  #isNamed(name: Buffer, start: number): boolean {
    const data = this.#data;
    for (let index = 0; index < name.length; index++) {
      if (data[start + index] !== name[index]) {
        return false;
      }
    }
    return true;
  }

  #hasBackslash(start: number, end: number): boolean {
    const data = this.#data;
    for (let index = start; index < end; index++) {
      if (data[index] === backslash) {
        return true;
      }
    }
    return false;
  }

  #keyText(start: number, end: number): string {
    const text = Buffer.from(this.#data.subarray(start, end)).toString('utf8');
    try {
      return JSON.parse(`"${text}"`) as string;
    } catch {
      return text;
    }
  }

  /** Position after the value that begins at `position`; beyond the end if it does not end. */
  #valueEnd(position: number): number {
    const data = this.#data;
    const to = this.#to;
    const first = data[position];
    if (first === quote) {
      return stringEndBefore(data, this.#view, position + 1, to) + 1;
    }
    if (first !== openBrace && first !== openBracket) {
      return this.#bareEnd(position);
    }
    let depth = 0;
    for (let index = position; index < to; index++) {
      const byte = data[index];
      if (byte === quote) {
        index = stringEndBefore(data, this.#view, index + 1, to);
      } else if (byte === openBrace || byte === openBracket) {
        depth++;
      } else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) {
        return index + 1;
      }
    }
    return to + 1;
  }

  /** A number, true, false, null, or anything else: the engine checks it. */
  #bareEnd(position: number): number {
    let index = position;
    while (index < this.#to && !isDelimiter(this.#data[index])) {
      index++;
    }
    return index;
  }
}

const emptyTree = (): FieldTree => ({ slots: [], inside: new Map(), byLength: [] });

function branch(root: FieldTree, parts: readonly string[]): FieldTree {
  let tree = root;
  for (const part of parts) {
    let next = tree.inside.get(part);
    if (!next) {
      next = emptyTree();
      tree.inside.set(part, next);
      if (!part.includes('\\')) {
        const name = Buffer.from(part);
        (tree.byLength[name.length] ??= []).push({ name, field: next });
      }
    }
    tree = next;
  }
  return tree;
}

function isDelimiter(byte: number | undefined): boolean {
  return byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte);
}
