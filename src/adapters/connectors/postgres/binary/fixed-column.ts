import { NullMap, viewOf, type FieldPlaces, type NativeColumn } from './native-column.ts';
import type { TableMemory } from './table-memory.ts';

/** Room for ranges with more rows than the statistics of the table let expect. */
const headroom = 1.125;
const rowsMin = 16;

/** How values of one size are converted. */
export interface FixedType {
  /** Size of a value in the Native format. */
  bytes: number;
  /** Writes the value at `start` to `to`. Returns false if it is to be stored as NULL. */
  decode(from: DataView, start: number, to: DataView, at: number): boolean;
  /** A decoded value, as a field of a TabSeparated line. */
  text(values: DataView, at: number): string;
}

/** Numbers, times and other values of a fixed size. */
export class FixedColumn implements NativeColumn {
  readonly type: string;
  readonly #fixed: FixedType;
  readonly #nulls: NullMap | undefined;
  readonly #memory: TableMemory;
  #buffer: Buffer;
  #view: DataView;
  #rows = 0;

  constructor(type: string, fixed: FixedType, rowsHint: number, memory: TableMemory) {
    this.type = type;
    this.#fixed = fixed;
    this.#nulls = type.startsWith('Nullable(') ? new NullMap() : undefined;
    this.#memory = memory;
    this.#buffer = memory.take(Math.ceil(Math.max(rowsHint, rowsMin) * headroom) * fixed.bytes);
    this.#view = viewOf(this.#buffer);
  }

  add({ view, starts, first, step, rows }: FieldPlaces): void {
    this.#reserve(rows);
    const { bytes, decode } = this.#fixed;
    const to = this.#view;
    let at = this.#rows * bytes;
    for (let row = 0, place = first; row < rows; row++, place += step, at += bytes) {
      const start = starts[place]!;
      if (start < 0 || !decode(view, start, to, at)) {
        this.#buffer.fill(0, at, at + bytes);
        this.#nulls?.set(this.#rows + row);
      }
    }
    this.#rows += rows;
  }

  pieces(): Buffer[] {
    const values = this.#buffer.subarray(0, this.#rows * this.#fixed.bytes);
    return this.#nulls ? [this.#nulls.take(this.#rows), values] : [values];
  }

  fields(): string[] {
    const { bytes, text } = this.#fixed;
    return Array.from({ length: this.#rows }, (_, row) =>
      this.#nulls?.has(row) === true ? '\\N' : text(this.#view, row * bytes),
    );
  }

  reset(): void {
    this.#rows = 0;
    this.#nulls?.reset();
  }

  #reserve(rows: number): void {
    const needed = (this.#rows + rows) * this.#fixed.bytes;
    if (needed > this.#buffer.length) {
      const grown = this.#memory.take(Math.max(needed, this.#buffer.length * 2));
      this.#buffer.copy(grown);
      this.#buffer = grown;
      this.#view = viewOf(grown);
    }
  }
}
