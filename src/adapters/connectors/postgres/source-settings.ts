import { postgresObjectName } from '../../../contract/pipe/postgres.ts';
import type { ConnectorContext } from '../../../ports/connector.ts';

/** A pipe's settings with their defaults, and the names of its objects at the server. */
export interface SourceSettings {
  mode: 'cdc' | 'snapshot' | 'cdc_only';
  /** Name of the slot and of the publication if the pipe creates and drops them itself. */
  ownName: string;
  slot: string;
  publication: string;
  failoverSlot: boolean;
  /** Maximum number of readers of one table's snapshot. */
  parallelism: number;
  /** Number of tables whose snapshots are read at the same time. */
  parallelTables: number;
  rowsPerPartition: number;
}

export function sourceSettings({
  source: { settings = {} },
  pipeId,
}: Pick<ConnectorContext<'postgres'>, 'source' | 'pipeId'>): SourceSettings {
  const ownName = postgresObjectName(pipeId);
  return {
    mode: settings.replicationMode ?? 'cdc',
    ownName,
    slot: settings.replicationSlotName ?? ownName,
    publication: settings.publicationName ?? ownName,
    failoverSlot: settings.enableFailoverSlots === true,
    parallelism: settings.initialLoadParallelism ?? 4,
    parallelTables: Math.max(1, settings.snapshotNumberOfParallelTables ?? 1),
    rowsPerPartition: settings.snapshotNumRowsPerPartition ?? 100_000,
  };
}
