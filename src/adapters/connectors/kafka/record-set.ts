import type { Frame } from './frame-pool.ts';
import { KafkaRecords, VarintReader, type Memory, type RecordTable } from './kafka-records.ts';

/** A transaction that was taken back: its records, from this offset on, are nobody's business. */
export interface AbortedTransaction {
  producerId: bigint;
  firstOffset: bigint;
}

export interface RecordSet {
  records: KafkaRecords;
  /** Of the last record the broker sent, whether it is shown or not. */
  lastOffset: bigint;
}

/** Takes a compressed block apart. @throws Error where the codec is not known. */
export type Decompress = (codec: number, data: Buffer) => Promise<Buffer>;

/** A block of records as it stands in the log (format 2, since Kafka 0.11). */
interface Block {
  baseOffset: bigint;
  lastOffset: bigint;
  codec: number;
  isControl: boolean;
  /** The log's own time for all of them, where the topic says so; else the producers' times count from `baseTimestamp`. */
  logTimeMs: number | undefined;
  baseTimestampMs: number;
  producerId: bigint;
  isTransactional: boolean;
  count: number;
  start: number;
  end: number;
}

const headerBytes = 61;
/** Length, attributes, two deltas, three empty parts: no record is shorter. */
const recordBytesMin = 7;

/** A set from before format 2: no part of this reader's business. */
export class OldFormat extends Error {}

/**
 * What a broker sent of one partition, from `from` on. Read committed: control records and transactions that were taken back are left out.
 * Blocks that are not compressed stay where they are; the others are put behind each other. A block that is cut off at the end comes again with
 * the next answer. Undefined: nothing complete. `frame` is what `set` lies in.
 * @throws OldFormat, or Error where the bytes are no such set.
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
  // A small part of an answer is copied: it may be held long after the others are stored, and would hold all of the answer.
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
  let at = 0;
  for (const part of parts) {
    at += part.copy(data, at);
  }
  return data;
}

function piece({ frame, pieces }: Memory, bytes: number): ArrayBuffer {
  const taken = frame.pool.take(bytes);
  pieces.push(taken);
  return taken;
}

const wholeShare = 10;

function blocksOf(set: Buffer): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at + headerBytes <= set.length;) {
    const end = at + 12 + set.readInt32BE(at + 8);
    const magic = set[at + 16]!;
    if (magic < 2) {
      throw new OldFormat('records in a format from before Kafka 0.11');
    }
    if (end > set.length) {
      break;
    }
    if (end < at + headerBytes) {
      throw new Error('a block of records is shorter than its header');
    }
    const baseOffset = set.readBigInt64BE(at);
    const attributes = set.readInt16BE(at + 21);
    const count = set.readInt32BE(at + 57);
    if (count < 0) {
      throw new Error('a block of records has a negative count');
    }
    blocks.push({
      baseOffset,
      lastOffset: baseOffset + BigInt(set.readInt32BE(at + 23)),
      codec: attributes & 7,
      isControl: (attributes & 0x20) !== 0,
      isTransactional: (attributes & 0x10) !== 0,
      logTimeMs: (attributes & 8) === 0 ? undefined : Number(set.readBigInt64BE(at + 35)),
      baseTimestampMs: Number(set.readBigInt64BE(at + 27)),
      producerId: set.readBigInt64BE(at + 43),
      count,
      start: at + headerBytes,
      end,
    });
    // An abort marker is read here, where its key lies open: control blocks are never compressed.
    if ((attributes & 0x20) !== 0) {
      blocks.at(-1)!.count = isAbortMarker(set, at + headerBytes) ? -1 : 0;
    }
    at = end;
  }
  return blocks;
}

/** A control record's key is a version and a type, 16 bits each; type 0 ends a transaction that is taken back. */
function isAbortMarker(set: Buffer, at: number): boolean {
  const reader = new VarintReader(set, at);
  reader.int();
  reader.at++;
  reader.long();
  reader.int();
  const key = reader.bytes();
  return key !== null && key.length >= 4 && key.readInt16BE(2) === 0;
}

function committed(blocks: readonly Block[], aborted: readonly AbortedTransaction[]): Block[] {
  const coming = [...aborted].sort((a, b) => (a.firstOffset < b.firstOffset ? -1 : 1));
  const takenBack = new Set<bigint>();
  return blocks.filter((block) => {
    while (coming.length > 0 && coming[0]!.firstOffset <= block.lastOffset) {
      takenBack.add(coming.shift()!.producerId);
    }
    if (!block.isControl) {
      return !block.isTransactional || !takenBack.has(block.producerId);
    }
    if (block.count < 0) {
      takenBack.delete(block.producerId);
    }
    return false;
  });
}

/** All blocks without compression; they are told where they lie when one is put behind the other. */
async function unpack(set: Buffer, blocks: Block[], decompress: Decompress): Promise<Buffer[]> {
  const parts = await Promise.all(
    blocks.map(({ codec, start, end }) =>
      codec === 0
        ? Promise.resolve(set.subarray(start, end))
        : decompress(codec, set.subarray(start, end)),
    ),
  );
  let at = 0;
  for (const [index, part] of parts.entries()) {
    blocks[index]!.start = at;
    at += part.length;
    blocks[index]!.end = at;
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
  const most = blocks.reduce(
    (sum, { count, start, end }) =>
      sum + Math.min(count, Math.ceil((end - start) / recordBytesMin)),
    0,
  );
  const numbers = piece(memory, 28 * most);
  const table = {
    data,
    base,
    offsets: new Float64Array(numbers, 0, most),
    timestamps: new Float64Array(numbers, 8 * most, most),
    spans: new Int32Array(numbers, 16 * most, 2 * most),
    keys: new Int32Array(numbers, 24 * most, most),
  };
  const first = Number(from - base);
  let rows = 0;
  for (const block of blocks) {
    rows = readBlock(table, block, first, rows);
  }
  return new KafkaRecords(
    rows === most
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

/** Adds the records of a block from offset `first` on (counted from the table's base); answers how many rows there are now. */
function readBlock(
  { data, base, offsets, timestamps, keys, spans }: RecordTable,
  block: Block,
  first: number,
  before: number,
): number {
  const reader = new VarintReader(data, block.start);
  const delta = Number(block.baseOffset - base);
  const { baseTimestampMs, logTimeMs, end } = block;
  let rows = before;
  for (let index = 0; index < block.count; index++) {
    const next = reader.int() + reader.at;
    if (next > end || next < reader.at + recordBytesMin - 1) {
      throw new Error('a record does not end inside its block');
    }
    reader.at++;
    const time = reader.long();
    const offset = delta + reader.int();
    const key = reader.at;
    const keyLength = reader.int();
    if (keyLength > 0) {
      reader.at += keyLength;
    }
    const length = reader.int();
    if (reader.at + Math.max(length, 0) > next) {
      throw new Error('a value does not end inside its record');
    }
    if (offset >= first) {
      offsets[rows] = offset;
      timestamps[rows] = logTimeMs ?? baseTimestampMs + time;
      keys[rows] = key;
      spans[2 * rows] = length < 0 ? -1 : reader.at;
      spans[2 * rows + 1] = length < 0 ? -1 : reader.at + length;
      rows++;
    }
    reader.at = next;
  }
  return rows;
}
