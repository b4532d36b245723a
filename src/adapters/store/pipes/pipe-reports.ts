import { sql } from 'kysely';
import {
  replayPartition,
  type Partition,
  type PipeReport,
  type PipeTotals,
} from '../../../ports/store/pipe-store.ts';
import type { PipeTables } from '../statements/schema.ts';
import type { Session } from '../statements/session.ts';
import { statement } from '../statements/statement.ts';

export const partitionColumns = [
  'source_partition',
  'epoch',
  'position',
  'intended',
  'intended_shard',
  'remaining',
  'oldest_at_ms',
  'stored_at_ms',
] as const;
export const totalsColumns = [
  'stored_rows',
  'stored_bytes',
  'refused_records',
  'batches',
  'last_error',
  'last_error_at_ms',
] as const;

const allTotals = statement<{ workspaceId: string }>()((queries, { workspaceId }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('pipe_statuses')
    .select(['pipe_id', ...totalsColumns]),
);

const allPartitions = statement<{ workspaceId: string }>()((queries, { workspaceId }) =>
  queries
    .ofWorkspace(workspaceId)
    .selectFrom('pipe_partitions')
    .select(['pipe_id', ...partitionColumns])
    .where('source_partition', '!=', sql.lit(replayPartition))
    .orderBy('source_partition'),
);

/** Totals and partitions of every pipe of a workspace, in two queries. */
export async function pipeReports(session: Session, workspaceId: string): Promise<PipeReport[]> {
  const [totals, partitions] = await Promise.all([
    session.all(allTotals, { workspaceId }),
    session.all(allPartitions, { workspaceId }),
  ]);
  const partitionsOf = new Map(totals.map((row) => [row.pipe_id, new Array<Partition>()]));
  for (const row of partitions) {
    partitionsOf.get(row.pipe_id)?.push(partitionOf(row));
  }
  return totals.map((row) => ({
    pipeId: row.pipe_id,
    totals: totalsOf(row),
    partitions: partitionsOf.get(row.pipe_id) ?? [],
  }));
}

export function partitionOf(
  row: Pick<PipeTables['pipe_partitions'], (typeof partitionColumns)[number]>,
): Partition {
  return {
    partition: row.source_partition,
    position: row.position,
    until: row.intended,
    shard: row.intended_shard,
    remaining: nullable(row.remaining),
    oldestAtMs: nullable(row.oldest_at_ms),
    storedAtMs: Number(row.stored_at_ms),
  };
}

const nullable = (value: number | null): number | null => (value === null ? null : Number(value));

export function totalsOf(
  row: Pick<PipeTables['pipe_statuses'], (typeof totalsColumns)[number]>,
): PipeTotals {
  return {
    rows: Number(row.stored_rows),
    bytes: Number(row.stored_bytes),
    errors: Number(row.refused_records),
    batches: Number(row.batches),
    lastError:
      row.last_error === null
        ? null
        : { message: row.last_error, atMs: Number(row.last_error_at_ms) },
  };
}
