import type { Frame } from './frame-pool.ts';
import { KafkaRecords, VarintReader, type Memory, type RecordTable } from './kafka-records.ts';

/** An aborted transaction. Its records from this offset on must be skipped. */
export interface AbortedTransaction {
  producerId: bigint;
  firstOffset: bigint;
}

export interface RecordSet {
  records: KafkaRecords;
  /** Offset of the last record the broker sent, even if that record is skipped. */
  lastOffset: bigint;
}

/** Decompresses a block. @throws Error if the codec is unknown */
export type Decompress = (codec: number, data: Buffer) => Promise<Buffer>;

/** A block of records in the log (format 2, since Kafka 0.11). */
interface Block {
  baseOffset: bigint;
  lastOffset: bigint;
  codec: number;
  isControl: boolean;
  /** A control block that ends an aborted transaction. */
  isAbort: boolean;
  /**
   * The broker's time for all records, if the topic is configured so. Otherwise each record has a
   * time relative to `baseTimestampMs`.
   */
  logTimeMs: number | undefined;
  baseTimestampMs: number;
  producerId: bigint;
  isTransactional: boolean;
  count: number;
  start: number;
  end: number;
}

const headerBytes = 61;
/** Size of the shortest record: length, attributes, two deltas and three empty parts. */
const recordBytesMin = 7;

/** The records are in a format older than format 2, which is not supported. */
export class OldFormat extends Error {}

/**
 * Reads the records of one partition from a response, starting at offset `from`. Skips control
 * records and aborted transactions (read committed). Uncompressed blocks stay in place; others are
 * decompressed one after the other into new memory. A block that is truncated at the end comes
 * again with the next response. Returns undefined if no block is complete. `frame` is the response
 * that contains `set`.
 * @throws OldFormat, or Error if the bytes are not a valid record set
 */
export async function readRecordSet(
  set: Buffer,
  from: bigint,
  aborted: readonly AbortedTransaction[],
  decompress: Decompress,
  frame: Frame,
): Promise<RecordSet | undefined> {
  const blocks = blocksOf(set);
  const last = blocks.at(-1);
  if (!last) {
    return undefined;
  }
  const shown = committed(blocks, aborted).filter(
    (block) => block.lastOffset >= from && block.count > 0,
  );
  const isPlain = shown.every(({ codec }) => codec === 0);
  // Copy a small part of a response: it may stay in memory long after the other parts are stored,
  // and would keep the whole response alive.
  const isInFrame = isPlain && set.length * wholeShare >= frame.byteLength;
  const memory: Memory = { frame, pieces: [], isInFrame };
  const parts = isPlain ? [set] : await unpack(set, shown, decompress);
  return {
    records: readRecords(isInFrame ? set : joined(parts, memory), shown, from, memory),
    lastOffset: last.lastOffset,
  };
}

function joined(parts: readonly Buffer[], memory: Memory): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const data = Buffer.from(piece(memory, length), 0, length);
  let copied = 0;
  for (const part of parts) {
    copied += part.copy(data, copied);
  }
  return data;
}

function piece({ frame, pieces }: Memory, bytes: number): ArrayBufferLike {
  const memory = frame.pool.take(bytes);
  pieces.push(memory);
  return memory;
}

/** A part smaller than a tenth of its response is copied. */
const wholeShare = 10;

function blocksOf(set: Buffer): Block[] {
  const blocks: Block[] = [];
  for (let start = 0; start + headerBytes <= set.length;) {
    const end = start + 12 + set.readInt32BE(start + 8);
    if (set.readUInt8(start + 16) < 2) {
      throw new OldFormat('the records have a format older than Kafka 0.11');
    }
    if (end > set.length) {
      break;
    }
    if (end < start + headerBytes) {
      throw new Error('a block of records is shorter than its header');
    }
    blocks.push(blockAt(set, start, end));
    start = end;
  }
  return blocks;
}

function blockAt(set: Buffer, start: number, end: number): Block {
  const baseOffset = set.readBigInt64BE(start);
  const attributes = set.readInt16BE(start + 21);
  const count = set.readInt32BE(start + 57);
  if (count < 0) {
    throw new Error('a block of records has a negative count');
  }
  const isControl = (attributes & 0x20) !== 0;
  return {
    baseOffset,
    lastOffset: baseOffset + BigInt(set.readInt32BE(start + 23)),
    codec: attributes & 7,
    isControl,
    isAbort: isControl && isAbortMarker(set, start + headerBytes),
    isTransactional: (attributes & 0x10) !== 0,
    logTimeMs: (attributes & 8) === 0 ? undefined : Number(set.readBigInt64BE(start + 35)),
    baseTimestampMs: Number(set.readBigInt64BE(start + 27)),
    producerId: set.readBigInt64BE(start + 43),
    count: isControl ? 0 : count,
    start: start + headerBytes,
    end,
  };
}

/**
 * Whether a control record ends an aborted transaction. Control blocks are never compressed. The
 * record's key is a version and a type, 16 bits each; type 0 is an abort.
 */
function isAbortMarker(set: Buffer, start: number): boolean {
  const reader = new VarintReader(set, start);
  reader.int();
  reader.offset++;
  reader.long();
  reader.int();
  const key = reader.bytes();
  return key !== null && key.length >= 4 && key.readInt16BE(2) === 0;
}

function committed(blocks: readonly Block[], aborted: readonly AbortedTransaction[]): Block[] {
  const pending = [...aborted].sort((a, b) => (a.firstOffset < b.firstOffset ? -1 : 1));
  const abortedProducers = new Set<bigint>();
  return blocks.filter((block) => {
    for (let [next] = pending; next && next.firstOffset <= block.lastOffset; [next] = pending) {
      abortedProducers.add(next.producerId);
      pending.shift();
    }
    if (!block.isControl) {
      return !block.isTransactional || !abortedProducers.has(block.producerId);
    }
    if (block.isAbort) {
      abortedProducers.delete(block.producerId);
    }
    return false;
  });
}

/** Decompresses all blocks, and sets their places for when the parts are concatenated. */
async function unpack(set: Buffer, blocks: Block[], decompress: Decompress): Promise<Buffer[]> {
  const parts = await Promise.all(
    blocks.map(({ codec, start, end }) =>
      codec === 0
        ? Promise.resolve(set.subarray(start, end))
        : decompress(codec, set.subarray(start, end)),
    ),
  );
  let length = 0;
  for (const [index, block] of blocks.entries()) {
    block.start = length;
    length += parts[index]?.length ?? 0;
    block.end = length;
  }
  return parts;
}

function readRecords(
  data: Buffer,
  blocks: readonly Block[],
  from: bigint,
  memory: Memory,
): KafkaRecords {
  const base = blocks[0]?.baseOffset ?? from;
  const rowsMax = blocks.reduce(
    (sum, { count, start, end }) =>
      sum + Math.min(count, Math.ceil((end - start) / recordBytesMin)),
    0,
  );
  const numbers = piece(memory, 28 * rowsMax);
  const table = {
    data,
    base,
    offsets: new Float64Array(numbers, 0, rowsMax),
    timestamps: new Float64Array(numbers, 8 * rowsMax, rowsMax),
    spans: new Int32Array(numbers, 16 * rowsMax, 2 * rowsMax),
    keys: new Int32Array(numbers, 24 * rowsMax, rowsMax),
  };
  const first = Number(from - base);
  let rows = 0;
  for (const block of blocks) {
    rows = readBlock(table, block, first, rows);
  }
  return new KafkaRecords(
    rows === rowsMax
      ? table
      : {
          data,
          base,
          offsets: table.offsets.subarray(0, rows),
          timestamps: table.timestamps.subarray(0, rows),
          keys: table.keys.subarray(0, rows),
          spans: table.spans.subarray(0, 2 * rows),
        },
    memory,
  );
}

/**
 * Adds the records of a block from offset `first` on (relative to the table's base). Returns the
 * new number of rows.
 */
function readBlock(
  { data, base, offsets, timestamps, keys, spans }: RecordTable,
  block: Block,
  first: number,
  rowsBefore: number,
): number {
  const reader = new VarintReader(data, block.start);
  const delta = Number(block.baseOffset - base);
  const { baseTimestampMs, logTimeMs, end } = block;
  let rows = rowsBefore;
  for (let index = 0; index < block.count; index++) {
    const next = reader.int() + reader.offset;
    if (next > end || next < reader.offset + recordBytesMin - 1) {
      throw new Error('a record does not end inside its block');
    }
    reader.offset++;
    const time = reader.long();
    const offset = delta + reader.int();
    const key = reader.offset;
    const keyLength = reader.int();
    if (keyLength > 0) {
      reader.offset += keyLength;
    }
    const length = reader.int();
    if (reader.offset + Math.max(length, 0) > next) {
      throw new Error('a value does not end inside its record');
    }
    if (offset >= first) {
      offsets[rows] = offset;
      timestamps[rows] = logTimeMs ?? baseTimestampMs + time;
      keys[rows] = key;
      spans[2 * rows] = length < 0 ? -1 : reader.offset;
      spans[2 * rows + 1] = length < 0 ? -1 : reader.offset + length;
      rows++;
    }
    reader.offset = next;
  }
  return rows;
}
