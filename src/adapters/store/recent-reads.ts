import type { Params } from './statement.ts';

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
 * Rows that were read by their key and that nothing can have changed since. The process that holds the file makes nearly every commit itself and
 * says so with `clear`, before it is acknowledged; a command that works beside it is noticed within `pollMs`. To be used for reads outside of
 * transactions whose readers live with that; never for credentials.
 */
export class RecentReads {
  readonly #options: Required<RecentReadsOptions>;
  #rows = new Map<object, Map<string, Row | undefined>>();
  #size = 0;
  #version: unknown;
  #polledMs = -Infinity;

  constructor(options: RecentReadsOptions) {
    this.#options = { pollMs: 100, entriesMax: 1000, ...options };
  }

  /** What the statement found with these values: remembered, or read. Rows are shared: nobody may change them. */
  first(statement: object, values: Params, read: () => Row | undefined): Row | undefined {
    this.#poll();
    const key = keyOf(values);
    const known = this.#rows.get(statement);
    const row = known?.get(key);
    if (row !== undefined || known?.has(key)) return row;
    const found = read();
    this.#keep(statement, key, found);
    return found;
  }

  clear(): void {
    if (this.#size === 0) return;
    this.#rows = new Map();
    this.#size = 0;
  }

  #poll(): void {
    const nowMs = performance.now();
    if (nowMs - this.#polledMs < this.#options.pollMs) return;
    const version = this.#options.storedVersion();
    if (version !== this.#version) this.clear();
    this.#version = version;
    this.#polledMs = nowMs;
  }

  #keep(statement: object, key: string, row: Row | undefined): void {
    if (row && textOf(row) > textMax) return;
    if (this.#size >= this.#options.entriesMax) this.clear();
    let rows = this.#rows.get(statement);
    if (!rows) this.#rows.set(statement, rows = new Map());
    rows.set(key, row);
    this.#size++;
  }
}

/** A statement has the same values in the same order each time, and none contains the separator: binding them would have refused it. */
function keyOf(values: Params): string {
  let key = '';
  for (const name in values) key += `${values[name]}\0`;
  return key;
}

function textOf(row: Row): number {
  let length = 0;
  for (const name in row) if (typeof row[name] === 'string') length += row[name].length;
  return length;
}
