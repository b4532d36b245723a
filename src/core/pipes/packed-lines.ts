import type { PackedRecords, SourceRecord } from '../../ports/connector.ts';
import { objectFault } from './json-scan.ts';
import type { RowLines } from './row-writer.ts';

/** A gap wider than this is left out of what is written, instead of being made blank. */
const gapMax = 256;

/** Packed records as rows, where they lie: what stands between the values is overwritten with white space, and nothing is copied. */
export class PackedLines implements RowLines {
  readonly refused: { record: SourceRecord; reason: string }[] = [];
  readonly #packs: readonly PackedRecords[];
  readonly #pieces: Buffer[] = [];
  /** For each pack: rows before it, and, where not every record makes a row, those that do. */
  readonly #places: { before: number; indexes: Int32Array | undefined }[] = [];
  #rows = 0;
  #length = 0;

  constructor(packs: readonly PackedRecords[]) {
    this.#packs = packs;
    for (const pack of packs) {
      this.#add(pack);
    }
  }

  get rows(): number {
    return this.#rows;
  }

  get length(): number {
    return this.#length;
  }

  pieces(): Buffer[] {
    return this.#pieces;
  }

  row(index: number): Buffer {
    const { pack, at } = this.#find(index);
    return pack.data.subarray(pack.spans[2 * at], pack.spans[2 * at + 1]);
  }

  /** The record that a row was made of. */
  record(index: number): SourceRecord {
    const { pack, at } = this.#find(index);
    return pack.record(at);
  }

  #find(index: number): { pack: PackedRecords; at: number } {
    let [from, to] = [0, this.#packs.length];
    while (to - from > 1) {
      const middle = (from + to) >>> 1;
      if (this.#places[middle]!.before <= index) {
        from = middle;
      } else {
        to = middle;
      }
    }
    const { before, indexes } = this.#places[from]!;
    return { pack: this.#packs[from]!, at: indexes ? indexes[index - before]! : index - before };
  }

  #add(pack: PackedRecords): void {
    const { data, spans, count } = pack;
    const bad = this.#examine(pack);
    pack.surrender();
    const indexes = bad === undefined ? undefined : new Int32Array(count - bad.size);
    this.#places.push({ before: this.#rows, indexes });
    let [begin, end, rows] = [-1, -1, 0];
    for (let index = 0; index < count; index++) {
      if (bad?.has(index)) {
        continue;
      }
      if (indexes) {
        indexes[rows] = index;
      }
      rows++;
      const start = spans[2 * index]!;
      // The bytes of a record that makes no row stay as they are: its own text is still wanted.
      const joined = begin >= 0 && start - end <= gapMax && !bad?.has(index - 1);
      if (joined) {
        blank(data, end, start);
      } else {
        this.#cut(data, begin, end);
        begin = start;
      }
      end = spans[2 * index + 1]!;
    }
    this.#cut(data, begin, end);
    this.#rows += rows;
  }

  /** Finishes a piece with the end of its last line. */
  #cut(data: Buffer, begin: number, end: number): void {
    if (begin < 0) {
      return;
    }
    data[end] = 0x0a;
    this.#pieces.push(data.subarray(begin, end + 1));
    this.#length += end + 1 - begin;
  }

  /** The records that make no row: tombstones, and those that are no object. Undefined: none. */
  #examine(pack: PackedRecords): Set<number> | undefined {
    const { data, spans, count } = pack;
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    let bad: Set<number> | undefined;
    for (let index = 0; index < count; index++) {
      const start = spans[2 * index]!;
      const reason = start < 0 ? undefined : objectFault(data, start, spans[2 * index + 1]!, view);
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

function blank(data: Buffer, from: number, to: number): void {
  for (let at = from + 1; at < to; at++) {
    data[at] = 0x20;
  }
  data[from] = 0x0a;
}
