import type { PackedRecords, SourceRecord } from '../../../../ports/batch.ts';
import type { Frame } from './frame-pool.ts';

/** Index of the records in `data`. Each array has one entry per record. */
export interface RecordTable {
  /** Values, keys and headers of all records, as the broker sent them. */
  data: Buffer;
  /** Offset that `offsets` are relative to. */
  base: bigint;
  offsets: Float64Array;
  timestamps: Float64Array;
  /** Where the length of the key is in `data`. */
  keys: Int32Array;
  /** Start and end of the value, two numbers per record; -1 if it has none. */
  spans: Int32Array;
}

/** Memory that the records occupy, to be reused after their release. */
export interface Memory {
  frame: Frame;
  /** Pieces of the pool outside the frame. */
  pieces: ArrayBufferLike[];
  /** `data` is part of the frame. */
  isInFrame: boolean;
}

/**
 * Records of one partition in one piece of memory. Objects are created on request only. `!` in this
 * file: a checked read costs time for each record or byte.
 */
export class KafkaRecords implements PackedRecords {
  readonly count: number;
  #table: RecordTable;
  #memory: Memory | undefined;
  /** Keys and headers were overwritten. */
  #bare = false;

  /** @param memory is given back on release. Omit it if somebody else owns the memory. */
  constructor(table: RecordTable, memory?: Memory) {
    this.#table = table;
    this.#memory = memory;
    if (memory?.isInFrame) {
      memory.frame.use();
    }
    this.count = table.offsets.length;
  }

  get data(): Buffer {
    return this.#table.data;
  }

  get spans(): Int32Array {
    return this.#table.spans;
  }

  /** Total size of the values. */
  get bytes(): number {
    const { spans } = this.#table;
    let bytes = 0;
    for (let index = 0; index < spans.length; index += 2) {
      bytes += spans[index + 1]! - spans[index]!;
    }
    return bytes;
  }

  offset(index: number): bigint {
    return this.#table.base + BigInt(this.#table.offsets[index]!);
  }

  /** Number of records before this offset. */
  countBefore(offset: bigint): number {
    const relative = Number(offset - this.#table.base);
    let [from, to] = [0, this.count];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#table.offsets[middle]! < relative) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  slice(from: number, to = this.count): KafkaRecords {
    if (from === 0 && to === this.count) {
      return this;
    }
    const { data, base, offsets, timestamps, keys, spans } = this.#table;
    // An empty slice must not keep the memory alive.
    return new KafkaRecords({
      data: from < to ? data : Buffer.alloc(0),
      base,
      offsets: offsets.subarray(from, to),
      timestamps: timestamps.subarray(from, to),
      keys: keys.subarray(from, to),
      spans: spans.subarray(2 * from, 2 * to),
    });
  }

  surrender(): void {
    this.#bare = true;
  }

  /**
   * The records are not used any more, so their memory may be overwritten. Does nothing for a
   * slice, because other slices may be in use.
   */
  release(): void {
    if (!this.#memory) {
      return;
    }
    const { frame, pieces, isInFrame } = this.#memory;
    this.#memory = undefined;
    this.#table = {
      data: Buffer.alloc(0),
      base: 0n,
      offsets: new Float64Array(),
      timestamps: new Float64Array(),
      keys: new Int32Array(),
      spans: new Int32Array(),
    };
    for (const piece of pieces) {
      frame.pool.giveBack(piece);
    }
    if (isInFrame) {
      frame.release();
    }
  }

  record(index: number): SourceRecord {
    const { data, timestamps, spans, keys } = this.#table;
    const value =
      spans[2 * index]! < 0 ? null : data.subarray(spans[2 * index], spans[2 * index + 1]);
    const record: SourceRecord = {
      position: String(this.offset(index)),
      data: value,
      timestampMs: timestamps[index]!,
      key: null,
    };
    if (this.#bare) {
      return record;
    }
    const reader = new VarintReader(data, keys[index]!);
    record.key = reader.bytes();
    reader.bytes();
    const count = reader.int();
    if (count > 0) {
      record.headers = headersOf(reader, count);
    }
    return record;
  }

  /** All records as objects. */
  records(): SourceRecord[] {
    return Array.from({ length: this.count }, (_, index) => this.record(index));
  }
}

/** Joins the values of a repeated name with commas. */
function headersOf(reader: VarintReader, count: number): Record<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    const name = String(reader.bytes() ?? '');
    const value = String(reader.bytes() ?? '');
    const previous = headers.get(name);
    headers.set(name, previous === undefined ? value : `${previous},${value}`);
  }
  return Object.fromEntries(headers);
}

/** Reads zigzag numbers of variable length: the lowest bit is the sign. */
export class VarintReader {
  readonly #data: Buffer;
  offset: number;

  constructor(data: Buffer, offset: number) {
    this.#data = data;
    this.offset = offset;
  }

  int(): number {
    const data = this.#data;
    let byte = data[this.offset++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f && shift < 35; shift += 7) {
      byte = data[this.offset++]!;
      value |= (byte & 0x7f) << shift;
    }
    return (value >>> 1) ^ -(value & 1);
  }

  /** Exact up to 53 bits. */
  long(): number {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 10; count++) {
      const byte = this.#data[this.offset++]!;
      value += (byte & 0x7f) * factor;
      if (byte <= 0x7f) {
        break;
      }
      factor *= 128;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  bytes(): Buffer | null {
    const length = this.int();
    if (length < 0) {
      return null;
    }
    this.offset += length;
    return this.#data.subarray(this.offset - length, this.offset);
  }
}
