import type { Params } from '../statements/statement.ts';

export type Row = Record<string, unknown>;

export interface RecentReadsOptions {
  /** Answers something else once another connection has committed. */
  storedVersion(): unknown;
  /** How long a commit of another process may go unseen. */
  pollMs?: number;
  entriesMax?: number;
}

/** Rows with more text than this are read again each time. */
const textMax = 16_384;

/**
 * What was read by its key and nothing can have changed since. The process that holds the file
 * makes nearly every commit itself and says so with `clear`, before it is acknowledged; a command
 * that works beside it is noticed within `pollMs`. To be used for reads outside of transactions
 * whose readers live with that; never for credentials. What it answers is shared, and frozen.
 */
export class RecentReads {
  readonly #options: Required<RecentReadsOptions>;
  #byStatement = new Map<object, Map<string, unknown>>();
  #size = 0;
  #version: unknown;
  #polledMs = -Infinity;

  constructor(options: RecentReadsOptions) {
    this.#options = { pollMs: 100, entriesMax: 1000, ...options };
  }

  /** What the statement found with these values, in that shape: remembered, or read. */
  first<T>(
    statement: object,
    values: Params,
    read: () => Row | undefined,
    shape: (row: Row) => T,
  ): T | undefined {
    this.#poll();
    const key = keyOf(values);
    const known = this.#byStatement.get(statement);
    const remembered = known?.get(key) as T | undefined;
    if (remembered !== undefined || known?.has(key)) {
      return remembered;
    }
    const row = read();
    const value = row && shape(row);
    if (!row || textOf(row) <= textMax) {
      this.#keep(statement, key, value);
    }
    return value;
  }

  clear(): void {
    if (this.#size === 0) {
      return;
    }
    this.#byStatement = new Map();
    this.#size = 0;
  }

  #poll(): void {
    const nowMs = performance.now();
    if (nowMs - this.#polledMs < this.#options.pollMs) {
      return;
    }
    const version = this.#options.storedVersion();
    if (version !== this.#version) {
      this.clear();
    }
    this.#version = version;
    this.#polledMs = nowMs;
  }

  #keep(statement: object, key: string, value: unknown): void {
    if (this.#size >= this.#options.entriesMax) {
      this.clear();
    }
    let ofStatement = this.#byStatement.get(statement);
    if (!ofStatement) {
      this.#byStatement.set(statement, (ofStatement = new Map()));
    }
    ofStatement.set(key, frozen(value));
    this.#size++;
  }
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  for (const inner of Object.values(value)) {
    frozen(inner);
  }
  return Object.freeze(value);
}

/**
 * A statement has the same values in the same order each time, and none contains the separator:
 * binding them would have refused it.
 */
function keyOf(values: Params): string {
  let key = '';
  for (const name in values) {
    key += `${values[name]}\0`;
  }
  return key;
}

function textOf(row: Row): number {
  let length = 0;
  for (const name in row) {
    if (typeof row[name] === 'string') {
      length += row[name].length;
    }
  }
  return length;
}
