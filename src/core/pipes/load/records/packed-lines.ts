import type { PackedRecords, SourceRecord } from '../../../../ports/batch.ts';
import { objectFault } from './json-scan.ts';
import type { RowLines } from './json-row-writer.ts';
import { RowPlaces } from './row-places.ts';

/** A wider gap between values splits the output instead of being blanked. */
const gapMax = 256;

/**
 * Packed records as rows, in place: the bytes between the values are overwritten with white space,
 * and nothing is copied.
 */
export class PackedLines implements RowLines {
  readonly refused: { record: SourceRecord; reason: string }[] = [];
  readonly #pieces: Buffer[] = [];
  readonly #places = new RowPlaces<PackedRecords>();
  #length = 0;

  get rows(): number {
    return this.#places.rows;
  }

  get length(): number {
    return this.#length;
  }

  pieces(): Buffer[] {
    return this.#pieces;
  }

  row(row: number): Buffer {
    const { records, index } = this.#places.find(row);
    const { data, spans } = records;
    return data.subarray(spans[2 * index], spans[2 * index + 1]);
  }

  /** The record that a row was made of. */
  record(row: number): SourceRecord {
    const { records, index } = this.#places.find(row);
    return records.record(index);
  }

  /** Adds records. Their memory is changed, and belongs to the rows from now on. */
  add(pack: PackedRecords): void {
    const { data, spans, count } = pack;
    const bad = this.#examine(pack);
    pack.surrender();
    const indexes = bad === undefined ? undefined : new Int32Array(count - bad.size);
    let [begin, end, rows] = [-1, -1, 0];
    for (let index = 0; index < count; index++) {
      if (bad?.has(index)) {
        continue;
      }
      if (indexes) {
        indexes[rows] = index;
      }
      rows++;
      const start = spans[2 * index] ?? -1;
      // The bytes of a record that makes no row stay unchanged: the error table shows its text.
      const joined = begin >= 0 && start - end <= gapMax && !bad?.has(index - 1);
      if (joined) {
        blank(data, end, start);
      } else {
        this.#cut(data, begin, end);
        begin = start;
      }
      end = spans[2 * index + 1] ?? -1;
    }
    this.#cut(data, begin, end);
    this.#places.add(pack, rows, indexes);
  }

  /** Ends a piece with the line end of its last row. */
  #cut(data: Buffer, begin: number, end: number): void {
    if (begin < 0) {
      return;
    }
    data[end] = 0x0a;
    this.#pieces.push(data.subarray(begin, end + 1));
    this.#length += end + 1 - begin;
  }

  /** Finds the records that make no row: tombstones, and those that are no object. */
  #examine(pack: PackedRecords): Set<number> | undefined {
    const { data, spans, count } = pack;
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    let bad: Set<number> | undefined;
    for (let index = 0; index < count; index++) {
      const start = spans[2 * index] ?? -1;
      const reason = start < 0 ? undefined : objectFault(data, start, spans[2 * index + 1], view);
      if (start >= 0 && reason === undefined) {
        continue;
      }
      (bad ??= new Set()).add(index);
      if (reason !== undefined) {
        this.refused.push({ record: pack.record(index), reason });
      }
    }
    return bad;
  }
}

/** Makes one line end and white space of the bytes between two values. */
function blank(data: Buffer, from: number, to: number): void {
  for (let index = from + 1; index < to; index++) {
    data[index] = 0x20;
  }
  data[from] = 0x0a;
}
