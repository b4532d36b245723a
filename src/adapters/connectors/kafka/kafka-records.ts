import type { PackedRecords, SourceRecord } from '../../../ports/connector.ts';
import type { Frame } from './frame-pool.ts';

/** What is known of each record besides the bytes. One entry a record. */
export interface RecordTable {
  /** Values, keys and headers lie in here, each record as the broker sent it. */
  data: Buffer;
  /** Offset of the first record; `offsets` count from it. */
  base: bigint;
  offsets: Float64Array;
  timestamps: Float64Array;
  /** Where the key's length stands in `data`. */
  keys: Int32Array;
  /** Two numbers a record: begin and end of its value; -1 where it has none. */
  spans: Int32Array;
}

/** What records lie in and is used again after them. */
export interface Memory {
  frame: Frame;
  /** Their own, beside the frame's. */
  pieces: ArrayBuffer[];
  /** `data` lies in the frame. */
  isInFrame: boolean;
}

/** Records of one partition in one piece of memory. Objects are made only of those that somebody asks for. */
export class KafkaRecords implements PackedRecords {
  readonly count: number;
  #table: RecordTable;
  #memory: Memory | undefined;
  /** Keys and headers are overwritten. */
  #bare = false;

  /** @param memory absent: what they lie in is somebody else's to give back, or nobody's. */
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

  /** Of the values. */
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

  /** How many records lie before this offset. */
  countBefore(offset: bigint): number {
    const wanted = Number(offset - this.#table.base);
    let [from, to] = [0, this.count];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#table.offsets[middle]! < wanted) {
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
    // An empty one holds no memory.
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

  /** Nobody looks at them any more: what they lie in may be written over. Of parts (`slice`) it does nothing: another part may be in use. */
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

  /** All of them as objects. */
  records(): SourceRecord[] {
    return Array.from({ length: this.count }, (_, index) => this.record(index));
  }
}

/** A name that comes more than once has its values with commas between. */
function headersOf(reader: VarintReader, count: number): Record<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    const name = String(reader.bytes() ?? '');
    const value = String(reader.bytes() ?? '');
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(headers);
}

/** Numbers of variable length, zigzag: the lowest bit is the sign. */
export class VarintReader {
  readonly #data: Buffer;
  at: number;

  constructor(data: Buffer, at: number) {
    this.#data = data;
    this.at = at;
  }

  int(): number {
    const data = this.#data;
    let byte = data[this.at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f && shift < 35; shift += 7) {
      byte = data[this.at++]!;
      value |= (byte & 0x7f) << shift;
    }
    return (value >>> 1) ^ -(value & 1);
  }

  /** Up to 53 bits of it are exact. */
  long(): number {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 10; count++) {
      const byte = this.#data[this.at++]!;
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
    this.at += length;
    return this.#data.subarray(this.at - length, this.at);
  }
}
