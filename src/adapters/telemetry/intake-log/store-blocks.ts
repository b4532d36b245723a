import { createHash } from 'node:crypto';
import { TelemetryError, type InsertOptions, type RowBlock } from '../../../ports/telemetry.ts';
import { bytesOf, type LoggedBlock } from './record.ts';

export type Insert = (
  database: string,
  table: string,
  block: RowBlock,
  options: InsertOptions,
) => Promise<void>;

/** One insert has at most one block more than this. */
const maxRows = 100_000;
const maxBytes = 16 * 1024 * 1024;
/** The engine refuses more than 100 partitions, and its days may begin at another hour. */
const maxDays = 90;
const timeoutMs = 30_000;
/** As many as the engine takes at a time. */
const parallelInserts = 2;

export interface Unstored {
  block: LoggedBlock;
  error: unknown;
}

/**
 * Stores blocks, those of a table in few inserts, and answers which could not be stored. The same
 * blocks make the same inserts with the same tokens, so that a repeat stores nothing twice.
 */
export async function storeBlocks(
  blocks: readonly LoggedBlock[],
  insert: Insert,
): Promise<Unstored[]> {
  const tables = new Map<string, LoggedBlock[]>();
  for (const block of blocks) {
    const { database, table, format, columns } = block;
    const key = JSON.stringify([database, table, format, columns]);
    tables.set(key, [...(tables.get(key) ?? []), block]);
  }
  const unstored: Unstored[] = [];
  const rest = tables.values();
  const work = async (): Promise<void> => {
    for (const ofTable of rest) {
      for (const chunk of chunks(ofTable)) {
        unstored.push(...(await storeChunk(chunk, insert)));
      }
    }
  };
  await Promise.all(Array.from({ length: parallelInserts }, work));
  // In their order in the file, so that the next attempt makes the same inserts.
  return blocks.flatMap((block) => unstored.find((each) => each.block === block) ?? []);
}

async function storeChunk(chunk: readonly LoggedBlock[], insert: Insert): Promise<Unstored[]> {
  const [first] = chunk;
  if (!first) {
    return [];
  }
  const { database, table, format, columns } = first;
  const row = {
    format,
    columns,
    data: chunk.flatMap(({ data }) => data),
    rows: chunk.reduce((sum, { rows }) => sum + rows, 0),
  };
  try {
    const deduplicationToken = tokenOf(chunk);
    await insert(database, table, row, { purpose: 'ingest', timeoutMs, deduplicationToken });
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
