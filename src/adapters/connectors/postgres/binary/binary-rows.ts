import type { Position, RowsPart, SourceRecord, TargetTable } from '../../../../ports/batch.ts';
import { recordsOf } from '../rows/row-block.ts';
import type { BinaryColumn } from './binary-column.ts';
import type { ConstantColumns } from './constant-columns.ts';
import { viewOf, type NativeColumn } from './native-column.ts';
import type { TableMemory } from './table-memory.ts';

/** Rows whose fields are located before their values are read, column by column. */
const locatedRowsMax = 1024;
/** Signature and flags, before the length of an extension. */
const headerBytes = 15;

export interface BinaryRowsOptions {
  target: TargetTable;
  columns: readonly BinaryColumn[];
  /** The target's version column, and its mark of deletion. */
  constants: ConstantColumns;
  /** Expected number of rows. */
  rowsHint: number;
  memory: TableMemory;
}

/** Reads rows of COPY's binary format into one block of the engine's Native format. */
export class BinaryRows {
  readonly #options: BinaryRowsOptions;
  readonly #columns: readonly NativeColumn[];
  readonly #starts: Int32Array;
  #source: Buffer = Buffer.alloc(0);
  #view = viewOf(this.#source);
  #started = false;
  #located = 0;
  #decoded = 0;

  constructor(options: BinaryRowsOptions) {
    this.#options = options;
    const { columns, rowsHint, memory } = options;
    this.#columns = columns.map((column) => column.create(rowsHint, memory));
    this.#starts = new Int32Array(columns.length * locatedRowsMax);
  }

  get rows(): number {
    return this.#decoded + this.#located;
  }

  /**
   * Adds the whole rows in `source[start, end)`. The bytes must stay until another buffer is given,
   * or `keep`, or `take`.
   */
  add(source: Buffer, start: number, end: number): void {
    if (source !== this.#source) {
      this.#decode();
      this.#source = source;
      this.#view = viewOf(source);
    }
    const view = this.#view;
    let offset = this.#started ? start : start + headerBytes;
    if (!this.#started) {
      offset += 4 + view.getInt32(offset);
      this.#started = true;
    }
    const starts = this.#starts;
    const width = this.#columns.length;
    // A negative number of fields ends the data.
    while (offset < end && view.getInt16(offset) >= 0) {
      offset += 2;
      for (let place = this.#located * width, last = place + width; place < last; place++) {
        const length = view.getInt32(offset);
        offset += 4;
        starts[place] = length < 0 ? -1 : offset;
        offset += Math.max(length, 0);
      }
      if (++this.#located === locatedRowsMax) {
        this.#decode();
      }
    }
  }

  /** Reads the values of the rows so far: their bytes may change. */
  keep(): void {
    this.#decode();
  }

  /** The rows so far. Do not add rows before `reset`. */
  take(position: Position): RowsPart {
    this.#decode();
    const { target, constants } = this.#options;
    const rows = this.#decoded;
    const pieces = [
      ...this.#columns.map((column) => column.pieces()),
      ...constants.take(rows).map((values) => [values]),
    ];
    const types = [...this.#columns.map(({ type }) => type), 'UInt64', 'UInt8'];
    const data = target.columns.flatMap(({ name }, index) => [
      Buffer.concat([
        ...(index === 0 ? [size(types.length), size(rows)] : []),
        ...[name, types[index]!].flatMap((text) => [
          size(Buffer.byteLength(text)),
          Buffer.from(text),
        ]),
      ]),
      ...pieces[index]!,
    ]);
    const records = (): SourceRecord[] =>
      recordsOf(target, linesOf(this.#columns, rows, constants.version), position);
    return { target, format: 'Native', data, rows, records };
  }

  /** Starts another COPY with the same memory: what `take` returned is not read any more. */
  reset(): void {
    this.#started = false;
    this.#decoded = 0;
    for (const column of this.#columns) {
      column.reset();
    }
  }

  #decode(): void {
    const [source, view, starts, step, rows] = [
      this.#source,
      this.#view,
      this.#starts,
      this.#columns.length,
      this.#located,
    ];
    for (const [first, column] of this.#columns.entries()) {
      column.add({ source, view, starts, first, step, rows });
    }
    this.#decoded += rows;
    this.#located = 0;
  }
}

function linesOf(columns: readonly NativeColumn[], rows: number, version: bigint): Buffer {
  const fields = columns.map((column) => column.fields());
  return Buffer.from(
    Array.from(
      { length: rows },
      (_, row) => `${fields.map((values) => values[row]!).join('\t')}\t${version}\t0\n`,
    ).join(''),
  );
}

/** A size as the Native format writes it. */
function size(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) {
    bytes.push((rest & 0x7f) | 0x80);
  }
  return Buffer.from([...bytes, rest]);
}
