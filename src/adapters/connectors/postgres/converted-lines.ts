import type { TsvColumn } from './tsv-column.ts';
import { TsvWriter } from './tsv-writer.ts';

const lineEnd = Buffer.from('\n');
const own: TsvColumn = {
  column: { name: '', type: '' },
  treatment: 'plain',
  zoned: false,
  convert: (text) => text,
};

/** Copied lines of which each has values that must be converted. */
export class ConvertedLines {
  readonly #writer: TsvWriter;
  readonly #suffix: Buffer;
  readonly #columns: readonly TsvColumn[];

  /** @param suffix fields and the line's end. */
  constructor(sizeHint: number, suffix: Buffer, columns: readonly TsvColumn[]) {
    this.#writer = new TsvWriter(sizeHint);
    this.#suffix = suffix;
    this.#columns = columns;
  }

  get rows(): number {
    return this.#writer.rows;
  }

  get length(): number {
    return this.#writer.length;
  }

  add(source: Buffer, start: number, end: number): void {
    this.#writer.copyLine(source, start, end, this.#columns, this.#suffix);
  }

  take(): Buffer {
    return this.#writer.take();
  }
}

/** Copied lines, with the version and the deletion mark behind them, where a value that the engine does not read as PostgreSQL writes it is converted. */
export function correctedLines(data: Buffer, columns: readonly TsvColumn[]): Buffer {
  const all = [...columns, own, own];
  const writer = new TsvWriter(data.length + 1024);
  for (let start = 0, end = 0; (end = data.indexOf(0x0a, start)) >= 0; start = end + 1) {
    writer.copyLine(data, start, end, all, lineEnd);
  }
  return writer.take();
}
