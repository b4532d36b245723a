import type { RecordBatch, RowsPart } from '../../ports/connector.ts';
import { TelemetryError, type Telemetry } from '../../ports/telemetry.ts';
import { loadRecords, type Loaded, type RowDestination } from './load-records.ts';

const insertTimeoutMs = 60_000;

/**
 * Stores parts of one table, which are in the engine's own form, as one block. Where the engine refuses it, the rows are taken as records: then
 * only those that it cannot read are left out.
 * @throws TelemetryError for what is not the rows' fault.
 */
export async function loadRows(telemetry: Telemetry, to: RowDestination, partition: string, parts: readonly RowsPart[], token: string, signal: AbortSignal): Promise<Loaded> {
  const data = parts.length === 1 ? parts[0]!.data : Buffer.concat(parts.map((part) => part.data));
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  try {
    await telemetry.insert(to.database, to.table, { format: 'TabSeparated', columns: to.columns, data, rows }, { deduplicationToken: token, purpose: 'pipe', foreign: true, timeoutMs: insertTimeoutMs, signal });
    return { rows, bytes: data.length, errors: 0 };
  } catch (error) {
    if (!(error instanceof TelemetryError) || !['type', 'syntax', 'other'].includes(error.kind)) throw error;
    const batches = parts.map((part): RecordBatch => ({ kind: 'records', partition, records: part.records(), bytes: part.data.length, next: '' }));
    return loadRecords(telemetry, to, batches, token, signal);
  }
}
