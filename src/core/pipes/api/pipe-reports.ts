import type { PageQuery } from '../../../contract/common.ts';
import type {
  ListedPipeMetrics,
  PipeError,
  PipeMetrics,
} from '../../../contract/pipe/pipe-reports.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { Partition, PipeTotals } from '../../../ports/store/pipe-store.ts';
import type { StoreReader } from '../../../ports/store/store-access.ts';
import { TelemetryError, type Telemetry } from '../../../ports/telemetry.ts';
import { join, qualified, sql } from '../../../sql/sql.ts';
import type { Outcome } from '../../verb/outcome.ts';
import { targetsOf } from '../definition.ts';
import { engineAway } from '../engine-away.ts';
import { sourceIn } from '../kinds/configured-source.ts';
import type { SourceKinds } from '../kinds/source-kind.ts';
import { errorTableName, lacksRecordColumns } from '../tables/destination-table.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

/** What a pipe has done since it was made, whoever ran it. */
export async function pipeMetrics(
  { store, kinds }: { store: Pick<StoreReader, 'pipes'>; kinds: SourceKinds },
  document: StoredDocument<'pipe'>,
): Promise<PipeMetrics> {
  const { workspaceId, id } = document;
  const [totals, partitions] = await Promise.all([
    store.pipes.totals(workspaceId, id),
    store.pipes.partitions(workspaceId, id),
  ]);
  return {
    ...metricsOf(kinds, document, totals, partitions),
    checkpoint: partitions.map(({ partition, position, storedAtMs }) => ({
      partition,
      position,
      storedAt: iso(storedAtMs),
    })),
  };
}

/** The same without the position of each partition. */
export function metricsOf(
  kinds: SourceKinds,
  document: StoredDocument<'pipe'>,
  totals: PipeTotals | undefined,
  partitions: readonly Partition[],
): ListedPipeMetrics {
  const countsRecords = sourceIn(kinds, document.body.source).rules.lag === 'records';
  const known = partitions.flatMap(({ remaining }) => (remaining === null ? [] : [remaining]));
  const behind = partitions
    .filter(({ remaining, until }) => until !== null || (countsRecords && (remaining ?? 0) > 0))
    .map(({ oldestAtMs, storedAtMs }) => oldestAtMs ?? storedAtMs);
  return {
    rows: totals?.rows ?? 0,
    bytes: totals?.bytes ?? 0,
    errors: totals?.errors ?? 0,
    batches: totals?.batches ?? 0,
    lag:
      countsRecords && known.length > 0
        ? known.reduce((sum, remaining) => sum + remaining, 0)
        : null,
    ...(countsRecords ? {} : { retainedBytes: known.length === 0 ? null : Math.max(...known) }),
    oldestUnprocessedAt: behind.length === 0 ? null : iso(Math.min(...behind)),
    lastError: totals?.lastError
      ? { message: totals.lastError.message, at: iso(totals.lastError.atMs) }
      : null,
  };
}

/** Records that could not be stored, newest first, from the error tables of the pipe. */
export async function pipeErrors(
  { telemetry, kinds }: { telemetry: Telemetry; kinds: SourceKinds },
  document: StoredDocument<'pipe'>,
  page: PageQuery,
  signal: AbortSignal | undefined,
): Promise<Outcome<PipeError[]>> {
  const { destination } = document.body;
  const targets = targetsOf(kinds, document.body);
  const { canReplay } = sourceIn(kinds, document.body.source).rules;
  const there = await Promise.all(
    targets.map(async (target) => {
      const table = errorTableName(target);
      const columns = await telemetry.columns(destination.database, table);
      const isReplayable = canReplay && !lacksRecordColumns(columns);
      return columns.length > 0 ? [{ table, isReplayable }] : [];
    }),
  );
  const tables = there.flat();
  if (tables.length === 0) {
    return { value: [], page: { total: 0, ...page } };
  }
  const from = join(
    tables.map(
      ({ table, isReplayable }) =>
        sql`SELECT time, partition, position, reason, raw,
            ${isReplayable ? sql`origin != ''` : sql`false`} AS replayable
          FROM ${qualified(destination.database, table)} WHERE pipe_id = ${document.id}`,
    ),
    ' UNION ALL ',
  );
  const options = { purpose: 'admin', timeoutMs: 30_000, signal } as const;
  try {
    const [counted, read] = await Promise.all([
      telemetry.query(sql`SELECT count() FROM (${from})`, options),
      telemetry.query(
        sql`SELECT toUnixTimestamp64Milli(time), partition, position, reason, toValidUTF8(raw),
            replayable
          FROM (${from}) ORDER BY time DESC, partition, position
          LIMIT ${page.limit} OFFSET ${page.offset}`,
        options,
      ),
    ]);
    const value = read.rows.map(([timeMs, partition, position, reason, raw, replayable]) => ({
      at: iso(Number(timeMs)),
      partition: String(partition),
      position: String(position),
      reason: String(reason),
      raw: String(raw),
      replayable: Boolean(replayable),
    }));
    return { value, page: { total: Number(counted.rows[0]?.[0] ?? 0), ...page } };
  } catch (error) {
    if (error instanceof TelemetryError) {
      throw engineAway(error);
    }
    throw error;
  }
}
