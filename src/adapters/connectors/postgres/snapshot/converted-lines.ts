import type { TsvColumn } from '../rows/tsv-column.ts';
import { TsvWriter } from '../rows/tsv-writer.ts';

const lineEnd = Buffer.from('\n');
/** A column that we appended ourselves: the version or the deletion mark. */
const appended: TsvColumn = {
  column: { name: '', type: '' },
  treatment: 'plain',
  zoned: false,
  convert: (text) => text,
};

/** Collects lines of COPY's text format in which every line has values to convert. */
export class ConvertedLines {
  readonly #writer: TsvWriter;
  readonly #suffix: Buffer;
  readonly #columns: readonly TsvColumn[];

  /** @param suffix fields to append to each line, and the line end. */
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

/**
 * Converts the values that the engine does not read as PostgreSQL writes them. `data` holds copied
 * lines that already end with the version and the deletion mark.
 */
export function correctedLines(data: Buffer, columns: readonly TsvColumn[]): Buffer {
  const all = [...columns, appended, appended];
  const writer = new TsvWriter(data.length + 1024);
  for (let start = 0, end = 0; (end = data.indexOf(0x0a, start)) >= 0; start = end + 1) {
    writer.copyLine(data, start, end, all, lineEnd);
  }
  return writer.take();
}
