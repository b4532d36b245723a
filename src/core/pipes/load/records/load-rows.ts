import type { RecordBatch, RowsPart } from '../../../../ports/batch.ts';
import { TelemetryError } from '../../../../ports/telemetry.ts';
import { ErrorRows } from './error-rows.ts';
import { loadRecords, type Loaded, type RangeToken } from './load-records.ts';
import type { RowDestination } from './row-destination.ts';

const insertTimeoutMs = 60_000;

/**
 * Stores parts of one table and one format, which are in the engine's own form, as one block. If the
 * engine refuses it, the rows are taken as records, so that only those that it cannot read are left
 * out.
 * @throws TelemetryError for what is not the rows' fault.
 */
export async function loadRows(
  to: RowDestination,
  partition: string,
  parts: readonly RowsPart[],
  token: RangeToken,
  signal: AbortSignal,
): Promise<Loaded> {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const data = parts.flatMap((part) => part.data);
  const format = parts[0]?.format ?? 'TabSeparated';
  const isRefused =
    token.isRepeated && (await new ErrorRows(to, undefined, token.key, signal).earlier()).size > 0;
  if (isRefused) {
    return loadRecords(to, recordsOf(partition, parts), token, signal);
  }
  try {
    for (const { shard, database, table, slot } of to.tables) {
      await shard.insert(
        database,
        table,
        { format, columns: to.columns, data, rows },
        {
          deduplicationToken: token.key,
          purpose: 'pipe',
          ownNotation: true,
          // Blocks of columns come from a snapshot, which has each row once.
          distinct: format === 'Native',
          slot,
          timeoutMs: insertTimeoutMs,
          signal,
        },
      );
    }
    return { rows, bytes: sizeOf(data), errors: 0 };
  } catch (error) {
    if (!(error instanceof TelemetryError) || !['type', 'syntax', 'other'].includes(error.kind)) {
      throw error;
    }
  }
  return loadRecords(to, recordsOf(partition, parts), token, signal);
}

const recordsOf = (partition: string, parts: readonly RowsPart[]): RecordBatch[] =>
  parts.map((part) => ({
    kind: 'records',
    partition,
    records: part.records(),
    bytes: sizeOf(part.data),
    next: '',
  }));

const sizeOf = (data: readonly Buffer[]): number =>
  data.reduce((sum, { length }) => sum + length, 0);
