import { crc32 } from 'node:zlib';
import type { RowBlock } from '../../../ports/telemetry.ts';

/** Rows of one table that were acknowledged and wait to be stored. */
export interface LoggedBlock {
  /** Where the block was appended first. No other block has the same. */
  origin: string;
  database: string;
  table: string;
  format: RowBlock['format'];
  columns: readonly string[];
  rows: number;
  /** Days its rows fall on: each is a partition of the table. */
  days: readonly number[];
  data: readonly Buffer[];
}

type Header = Omit<LoggedBlock, 'data'>;

/**
 * Begins each record of a file. Each file has another one, which no sender can guess: after damage,
 * records are searched for in bytes that senders have chosen.
 */
export const markBytes = 8;
/** Mark, size of the header, size of the data, checksum of both sizes and the header, and of the data. */
const fixedBytes = markBytes + 16;

/** The pieces of a record, to be written one after another. */
export function encodeRecord({ data, ...header }: LoggedBlock, mark: Buffer): Buffer[] {
  const text = Buffer.from(JSON.stringify(header));
  const fixed = Buffer.alloc(fixedBytes);
  mark.copy(fixed);
  fixed.writeUInt32LE(text.length, 8);
  fixed.writeUInt32LE(bytesOf(data), 12);
  fixed.writeUInt32LE(headerChecksum(fixed, text), 16);
  fixed.writeUInt32LE(dataChecksum(data), 20);
  return [fixed, text, ...data];
}

export interface ReadRecords {
  blocks: LoggedBlock[];
  /** Positions and lengths of bytes between records that are none. */
  damaged: { offset: number; bytes: number }[];
  /** Bytes after the last record, if they begin as one does: an append that was cut short. */
  tornBytes: number;
}

/** Reads the records of a file. What is damaged is left out. */
export function readRecords(file: Buffer, mark: Buffer): ReadRecords {
  const blocks: LoggedBlock[] = [];
  const damaged: ReadRecords['damaged'] = [];
  let end = 0;
  for (let offset = 0; offset !== -1;) {
    const record = readRecord(file, mark, offset);
    if (record === undefined) {
      offset = file.indexOf(mark, offset + 1);
      continue;
    }
    if (offset > end) {
      damaged.push({ offset: end, bytes: offset - end });
    }
    blocks.push(record.block);
    end = offset + record.bytes;
    offset = end;
  }
  return { blocks, damaged, tornBytes: startsLike(file, end, mark) ? file.length - end : 0 };
}

/** Whether a record may begin there, as far as the file goes. Else the space is not used yet. */
function startsLike(file: Buffer, offset: number, mark: Buffer): boolean {
  const bytes = file.subarray(offset, offset + mark.length);
  return bytes.length > 0 && bytes.equals(mark.subarray(0, bytes.length));
}

function readRecord(
  file: Buffer,
  mark: Buffer,
  offset: number,
): { block: LoggedBlock; bytes: number } | undefined {
  if (
    offset + fixedBytes > file.length ||
    file.compare(mark, 0, mark.length, offset, offset + mark.length) !== 0
  ) {
    return undefined;
  }
  const fixed = file.subarray(offset, offset + fixedBytes);
  const dataStart = offset + fixedBytes + fixed.readUInt32LE(8);
  const end = dataStart + fixed.readUInt32LE(12);
  if (end > file.length) {
    return undefined;
  }
  const text = file.subarray(offset + fixedBytes, dataStart);
  const data = file.subarray(dataStart, end);
  const isWhole =
    headerChecksum(fixed, text) === fixed.readUInt32LE(16) &&
    dataChecksum([data]) === fixed.readUInt32LE(20);
  if (!isWhole) {
    return undefined;
  }
  const header = JSON.parse(text.toString()) as Header;
  return { block: { ...header, data: [data] }, bytes: end - offset };
}

export const bytesOf = (data: readonly Buffer[]): number =>
  data.reduce((sum, { length }) => sum + length, 0);

const headerChecksum = (fixed: Buffer, text: Buffer): number =>
  crc32(text, crc32(fixed.subarray(8, 16)));

const dataChecksum = (data: readonly Buffer[]): number =>
  data.reduce((checksum, piece) => crc32(piece, checksum), 0);
