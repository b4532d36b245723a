import type { RecordBatch, SourceRecord } from '../../../../ports/batch.ts';
import { TelemetryError } from '../../../../ports/telemetry.ts';
import { errorColumns } from '../../tables/destination-table.ts';
import { findBadRows } from './find-bad-rows.ts';
import { passThrough, skipped, type RowMapper } from './mapping.ts';
import { PackedLines } from './packed-lines.ts';
import type { RowDestination, RowTable } from './row-destination.ts';
import { JsonRowWriter, type RowLines } from './json-row-writer.ts';

export interface Loaded {
  rows: number;
  bytes: number;
  errors: number;
}

interface Refused {
  record: SourceRecord;
  reason: string;
}

const insertTimeoutMs = 60_000;

/**
 * Stores a range of records completely or not at all. Repeating it with the same token changes
 * nothing. A record that cannot be read goes to the error table, and only that one.
 * @throws TelemetryError for what is not the records' fault
 */
export async function loadRecords(
  to: RowDestination,
  batches: readonly RecordBatch[],
  token: string,
  signal: AbortSignal,
): Promise<Loaded> {
  const bytes = batches.reduce((sum, batch) => sum + batch.bytes, 0);
  const { rows, refused, record } = asLines(to.mapper, batches, bytes);
  const bad = await insertAll(to, rows, token, signal);
  for (const { row, reason } of bad) {
    const refusedRecord = record(row);
    if (refusedRecord) {
      refused.push({ record: refusedRecord, reason });
    }
  }
  if (refused.length > 0) {
    const partition = batches[0]?.partition ?? '';
    await insertErrors(to, partition, refused, token, signal);
  }
  return { rows: rows.rows - bad.length, bytes, errors: refused.length };
}

interface Lines {
  rows: RowLines;
  refused: Refused[];
  /** The record that a row was made of. */
  record(row: number): SourceRecord | undefined;
}

/** Records as rows: in place if nothing is mapped, otherwise written again. */
function asLines(mapper: RowMapper, batches: readonly RecordBatch[], bytes: number): Lines {
  const packs = mapper === passThrough ? batches.flatMap(({ packed }) => packed ?? []) : [];
  if (packs.length < batches.length) {
    return mapAll(mapper, batches, bytes);
  }
  const rows = new PackedLines(packs);
  return { rows, refused: rows.refused, record: (row) => rows.record(row) };
}

function mapAll(mapper: RowMapper, batches: readonly RecordBatch[], bytes: number): Lines {
  const rows = new JsonRowWriter(bytes + 1024);
  const records: SourceRecord[] = [];
  const refused: Refused[] = [];
  for (const { records: read, constants = {} } of batches) {
    for (const record of read) {
      const fault = mapper(record, constants, rows);
      if (fault === undefined) {
        records.push(record);
      } else if (fault !== skipped) {
        refused.push({ record, reason: fault });
      }
    }
  }
  return { rows, refused, record: (row) => records[row] };
}

interface BadRow {
  row: number;
  reason: string;
}

/** Inserts the good rows into each table and returns the others. Every shard has tokens of its own. */
async function insertAll(
  { tables, columns }: RowDestination,
  rows: RowLines,
  token: string,
  signal: AbortSignal,
): Promise<readonly BadRow[]> {
  const bad = new Map<number, BadRow>();
  for (const table of tables) {
    for (const one of await insertRows(table, columns, rows, token, signal)) {
      bad.set(one.row, one);
    }
  }
  return [...bad.values()].sort((a, b) => a.row - b.row);
}

async function insertRows(
  to: RowTable,
  columns: readonly string[],
  rows: RowLines,
  token: string,
  signal: AbortSignal,
): Promise<BadRow[]> {
  if (rows.rows === 0) {
    return [];
  }
  const insert = (data: readonly Buffer[], count: number): Promise<void> =>
    to.shard.insert(
      to.database,
      to.table,
      { format: 'JSONEachRow', columns, data, rows: count },
      {
        deduplicationToken: token,
        purpose: 'pipe',
        foreign: true,
        slot: to.slot,
        timeoutMs: insertTimeoutMs,
        signal,
      },
    );
  try {
    await insert(rows.pieces(), rows.rows);
    return [];
  } catch (error) {
    if (!mayBeTheRows(error)) {
      throw error;
    }
    const bad = await findBadRows(to, columns, rows, token, signal);
    // The rows are not at fault.
    if (bad.length === 0) {
      throw error;
    }
    const isBad = new Set(bad.map(({ row }) => row));
    const good = Array.from({ length: rows.rows }, (_, row) => row)
      .filter((row) => !isBad.has(row))
      .flatMap((row) => [rows.row(row), lineEnd]);
    if (good.length > 0) {
      await insert([Buffer.concat(good)], good.length / 2);
    }
    return bad;
  }
}

const lineEnd = Buffer.from('\n');

function mayBeTheRows(error: unknown): boolean {
  return (
    error instanceof TelemetryError &&
    (error.kind === 'type' || error.kind === 'syntax' || error.kind === 'other')
  );
}

async function insertErrors(
  to: RowDestination,
  partition: string,
  refused: readonly Refused[],
  token: string,
  signal: AbortSignal,
): Promise<void> {
  const rows = new JsonRowWriter(refused.length * 256);
  for (const { record, reason } of refused) {
    const fixed = {
      pipe_id: to.pipeId,
      time: new Date().toISOString(),
      partition,
      position: record.position,
      record_time:
        record.timestampMs === undefined ? null : new Date(record.timestampMs).toISOString(),
      reason,
    };
    rows.text(`${JSON.stringify(fixed).slice(0, -1)},"raw":`);
    rows.jsonString(record.raw ?? record.data ?? Buffer.alloc(0));
    rows.text('}');
    rows.endRow();
  }
  await to.errors.shard.insert(
    to.errors.database,
    to.errors.table,
    { format: 'JSONEachRow', columns: errorColumns, data: rows.take(), rows: rows.rows },
    {
      deduplicationToken: `${token}:errors`,
      purpose: 'pipe',
      foreign: true,
      timeoutMs: insertTimeoutMs,
      signal,
    },
  );
}
