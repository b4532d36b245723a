import { createHash } from 'node:crypto';
import { TelemetryError, type InsertOptions, type RowBlock } from '../../../ports/telemetry.ts';
import { bytesOf, type LoggedBlock } from './record.ts';

export type Insert = (
  database: string,
  table: string,
  block: RowBlock,
  options: InsertOptions,
) => Promise<void>;

/**
 * Joins the blocks of a table into fewer that have memory of their own. Undefined: it is better to
 * store them as they are.
 * @param pieces one or several whole blocks each
 * @param rows of all blocks
 */
export type JoinBlocks = (
  table: string,
  pieces: readonly Buffer[],
  rows: number,
) => Promise<readonly Buffer[] | undefined>;

/** One insert has at most one block more than this. */
const maxRows = 100_000;
const maxBytes = 16 * 1024 * 1024;
/** The engine refuses more than 100 partitions, and its days may begin at another hour. */
const maxDays = 90;
const timeoutMs = 30_000;
export interface Unstored {
  block: LoggedBlock;
  error: unknown;
}

/**
 * Blocks of one table that are stored by one insert: those of a table in few chunks. The same blocks
 * make the same chunks, so that a repeat stores nothing twice.
 */
export function chunksOf(blocks: readonly LoggedBlock[]): LoggedBlock[][] {
  const tables = new Map<string, LoggedBlock[]>();
  for (const block of blocks) {
    const { database, table, format, columns } = block;
    const key = JSON.stringify([database, table, format, columns]);
    tables.set(key, [...(tables.get(key) ?? []), block]);
  }
  return [...tables.values()].flatMap((ofTable) => [...chunks(ofTable)]);
}

/** Stores a chunk. Resolves with the blocks that could not be stored. */
export async function storeChunk(
  chunk: readonly LoggedBlock[],
  insert: Insert,
  join?: JoinBlocks,
): Promise<Unstored[]> {
  const [first] = chunk;
  if (!first) {
    return [];
  }
  const { database, table, format, columns } = first;
  const pieces = chunk.flatMap(({ data }) => data);
  const rows = chunk.reduce((sum, block) => sum + block.rows, 0);
  try {
    const joined = format === 'Native' ? await join?.(table, pieces, rows) : undefined;
    const block = { format, columns, data: joined ?? adjoined(pieces), rows };
    await insert(database, table, block, {
      purpose: 'ingest',
      timeoutMs,
      deduplicationToken: tokenOf(chunk),
      givesMemory: joined !== undefined,
    });
    return [];
  } catch (error) {
    if (chunk.length === 1 || !isAboutTheRows(error)) {
      return chunk.map((block) => ({ block, error }));
    }
    const failed: Unstored[] = [];
    for (const block of chunk) {
      failed.push(...(await storeChunk([block], insert)));
    }
    return failed;
  }
}

function* chunks(blocks: readonly LoggedBlock[]): Generator<LoggedBlock[]> {
  let chunk: LoggedBlock[] = [];
  let rows = 0;
  let bytes = 0;
  let days = new Set<number>();
  for (const block of blocks) {
    const isFull = rows >= maxRows || bytes >= maxBytes;
    const together = new Set([...days, ...block.days]);
    if (chunk.length > 0 && (isFull || together.size > maxDays)) {
      yield chunk;
      [chunk, rows, bytes, days] = [[], 0, 0, new Set(block.days)];
    } else {
      days = together;
    }
    chunk.push(block);
    rows += block.rows;
    bytes += bytesOf(block.data);
  }
  yield chunk;
}

/** Few large pieces: those that follow one another in memory are one. Each costs a write. */
function adjoined(pieces: readonly Buffer[]): Buffer[] {
  const joined: Buffer[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last?.buffer === piece.buffer && last.byteOffset + last.length === piece.byteOffset) {
      const { buffer, byteOffset, length } = last;
      joined[joined.length - 1] = Buffer.from(buffer, byteOffset, length + piece.length);
    } else {
      joined.push(piece);
    }
  }
  return joined;
}

/** Names exactly these blocks, so that others are never taken for a repeat. */
function tokenOf(chunk: readonly LoggedBlock[]): string {
  const hash = createHash('sha256');
  for (const { origin } of chunk) {
    hash.update(`${origin}\n`);
  }
  return hash.digest('hex');
}

/** Whether the engine refused the rows, so that some of them alone may be stored. */
const isAboutTheRows = (error: unknown): boolean =>
  error instanceof TelemetryError &&
  (error.kind === 'other' || error.kind === 'memory' || error.kind === 'type');
