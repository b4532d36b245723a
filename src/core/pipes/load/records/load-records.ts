import type { RecordBatch } from '../../../../ports/batch.ts';
import { TelemetryError } from '../../../../ports/telemetry.ts';
import { ErrorRows } from './error-rows.ts';
import { findBadRows } from './find-bad-rows.ts';
import { recordLines, type RecordLines } from './record-lines.ts';
import type { RowDestination, RowTable } from './row-destination.ts';
import type { RowLines } from './json-row-writer.ts';

export interface Loaded {
  rows: number;
  bytes: number;
  errors: number;
}

export interface RangeToken {
  /** The deduplication token of the insert. */
  key: string;
  /** An earlier attempt may have stored rows or errors of the range. */
  isRepeated: boolean;
}

const insertTimeoutMs = 60_000;

/**
 * Stores a range of records completely or not at all. Repeating it with the same key changes
 * nothing. A record that cannot be read goes to the error table, and only that one.
 * @throws TelemetryError for what is not the records' fault
 */
export async function loadRecords(
  to: RowDestination,
  batches: readonly RecordBatch[],
  { key, isRepeated }: RangeToken,
  signal: AbortSignal,
): Promise<Loaded> {
  const bytes = batches.reduce((sum, batch) => sum + batch.bytes, 0);
  const errors = new ErrorRows(to, batches[0], key, signal);
  const earlier = isRepeated ? await errors.earlier() : undefined;
  const lines = await recordLines(
    to.mapper,
    earlier?.size ? without(batches, earlier) : batches,
    bytes,
  );
  await errors.add(lines.refused);
  const rows = await insertAll(to, lines, errors, key, signal);
  return { rows, bytes, errors: errors.count };
}

/** The batches without the records at these positions. */
function without(
  batches: readonly RecordBatch[],
  positions: ReadonlySet<string>,
): readonly RecordBatch[] {
  return batches.map(({ partition, bytes, next, constants = {}, records }) => ({
    kind: 'records',
    partition,
    bytes,
    next,
    constants,
    records: records.filter(({ position }) => !positions.has(position)),
  }));
}

/**
 * Inserts the good rows into each table, after it has recorded the others. Every shard has tokens of
 * its own.
 * @returns the number of good rows
 */
async function insertAll(
  { tables, columns }: RowDestination,
  { rows, record }: RecordLines,
  errors: ErrorRows,
  key: string,
  signal: AbortSignal,
): Promise<number> {
  const bad = new Set<number>();
  for (const table of tables) {
    const insert = (): Promise<void> =>
      insertRows(table, columns, bad.size === 0 ? whole(rows) : others(rows, bad), key, signal);
    try {
      await insert();
      continue;
    } catch (error) {
      if (!mayBeTheRows(error)) {
        throw error;
      }
      const found = await findBadRows(table, columns, rows, key, signal);
      const fresh = found.filter(({ row }) => !bad.has(row));
      // The rows are not at fault.
      if (fresh.length === 0) {
        throw error;
      }
      await errors.add(fresh.map(({ row, reason }) => ({ record: record(row), reason })));
      for (const { row } of fresh) {
        bad.add(row);
      }
    }
    await insert();
  }
  return rows.rows - bad.size;
}

interface Rows {
  data: readonly Buffer[];
  count: number;
}

const whole = (rows: RowLines): Rows => ({ data: rows.pieces(), count: rows.rows });

function others(rows: RowLines, bad: ReadonlySet<number>): Rows {
  const good = Array.from({ length: rows.rows }, (_, row) => row).filter((row) => !bad.has(row));
  const data = Buffer.concat(good.flatMap((row) => [rows.row(row), lineEnd]));
  return { data: [data], count: good.length };
}

async function insertRows(
  { shard, database, table, slot }: RowTable,
  columns: readonly string[],
  { data, count }: Rows,
  key: string,
  signal: AbortSignal,
): Promise<void> {
  if (count === 0) {
    return;
  }
  await shard.insert(
    database,
    table,
    { format: 'JSONEachRow', columns, data, rows: count },
    {
      deduplicationToken: key,
      purpose: 'pipe',
      foreign: true,
      slot,
      timeoutMs: insertTimeoutMs,
      signal,
    },
  );
}

const lineEnd = Buffer.from('\n');

function mayBeTheRows(error: unknown): boolean {
  return (
    error instanceof TelemetryError &&
    (error.kind === 'type' || error.kind === 'syntax' || error.kind === 'other')
  );
}
