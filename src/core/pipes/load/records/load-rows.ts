import type { RecordBatch, RowsPart } from '../../../../ports/batch.ts';
import { TelemetryError, type Telemetry } from '../../../../ports/telemetry.ts';
import { loadRecords, type Loaded } from './load-records.ts';
import type { RowDestination } from './row-destination.ts';

const insertTimeoutMs = 60_000;

/**
 * Stores parts of one table, which are in the engine's own form, as one block. Where the engine
 * refuses it, values are written in another way, where they can be; then the rows are taken as
 * records, so that only those that it cannot read are left out.
 * @throws TelemetryError for what is not the rows' fault.
 */
export async function loadRows(
  telemetry: Telemetry,
  to: RowDestination,
  partition: string,
  parts: readonly RowsPart[],
  token: string,
  signal: AbortSignal,
): Promise<Loaded> {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const insert = async (data: readonly Buffer[]): Promise<Loaded | undefined> => {
    try {
      await telemetry.insert(
        to.database,
        to.table,
        { format: 'TabSeparated', columns: to.columns, data, rows },
        {
          deduplicationToken: token,
          purpose: 'pipe',
          ownNotation: true,
          timeoutMs: insertTimeoutMs,
          signal,
        },
      );
      return { rows, bytes: data.reduce((sum, { length }) => sum + length, 0), errors: 0 };
    } catch (error) {
      if (!(error instanceof TelemetryError) || !['type', 'syntax', 'other'].includes(error.kind)) {
        throw error;
      }
      return undefined;
    }
  };
  const loaded =
    (await insert(parts.map(({ data }) => data))) ??
    (parts.some(({ corrected }) => corrected)
      ? await insert(parts.map((part) => part.corrected?.() ?? part.data))
      : undefined);
  return (
    loaded ??
    loadRecords(
      telemetry,
      to,
      parts.map((part): RecordBatch => ({
        kind: 'records',
        partition,
        records: part.records(),
        bytes: part.data.length,
        next: '',
      })),
      token,
      signal,
    )
  );
}
