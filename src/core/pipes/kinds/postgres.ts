import {
  postgresContract,
  postgresObjectName,
  sameTable,
  type PostgresSourceUpdate,
  type PostgresTableMapping,
} from '../../../contract/pipe/postgres.ts';
import type { Mistake } from '../../../contract/pipe/source-contract.ts';
import { sentFields } from './sent-fields.ts';
import type { SourceKind } from './source-kind.ts';

/**
 * So many times `pullBatchSize` rows are stored at once where more wait. That spares the engine small
 * parts and their merges.
 */
const waitingBatchesMax = 4;

export const postgresKind: SourceKind<typeof postgresContract> = {
  contract: postgresContract,
  sealedNames: {},
  defaults: (source) => ({ ...source, port: source.port ?? 5432 }),
  addresses: ({ host }) => [{ path: ['host'], host: host.includes(':') ? `[${host}]` : host }],
  certificates: ({ caCertificate }) => [{ path: ['caCertificate'], certificate: caCertificate }],
  servers: ({ host, port = 5432 }) => [`${host}:${port}`],
  fieldConflict: () => undefined,
  merge(stored, { settings, tableMappingsToAdd, tableMappingsToRemove, ...fields }) {
    const { tableMappings, mistakes } = mergeTables(stored.tableMappings, {
      tableMappingsToAdd,
      tableMappingsToRemove,
    });
    return {
      source: {
        ...stored,
        ...sentFields(fields),
        ...(settings !== undefined && { settings: { ...stored.settings, ...settings } }),
        tableMappings,
      },
      mistakes,
    };
  },
  limits({ settings: { syncIntervalSeconds = 60, pullBatchSize = 100_000 } = {} }) {
    return {
      waitMs: syncIntervalSeconds * 1000,
      rowsMax: pullBatchSize,
      rangeRowsMax: waitingBatchesMax * pullBatchSize,
    };
  },
  readsWithCluster: () => false,
  assumed: () => ({
    type: 'postgres',
    authentication: 'basic',
    settings: {
      replicationMode: 'cdc',
      initialLoadParallelism: 4,
      snapshotNumRowsPerPartition: 100_000,
      snapshotNumberOfParallelTables: 1,
    },
  }),
  createsAtSource({ settings = {} }, pipeId) {
    const name = postgresObjectName(pipeId);
    if (settings.replicationMode === 'snapshot') {
      return [];
    }
    return [
      ...(settings.replicationSlotName === undefined ? [`replication slot "${name}"`] : []),
      ...(settings.publicationName === undefined ? [`publication "${name}"`] : []),
    ];
  },
  states: { opened: 'Setup', resting: 'Paused' },
  lag: 'retained bytes',
  canResync: true,
  canReplay: false,
  targets: ({ tableMappings }) => tableMappings.map(({ targetTable }) => targetTable),
  virtualFields: {},
};

type TableChange = Pick<PostgresSourceUpdate, 'tableMappingsToAdd' | 'tableMappingsToRemove'>;

function mergeTables(
  stored: readonly PostgresTableMapping[],
  { tableMappingsToAdd: add = [], tableMappingsToRemove: remove = [] }: TableChange,
): { tableMappings: PostgresTableMapping[]; mistakes: Mistake[] } {
  const mistakes: Mistake[] = [];
  for (const [index, reference] of remove.entries()) {
    if (!stored.some((mapping) => sameTable(mapping, reference))) {
      mistakes.push([['tableMappingsToRemove', index], 'is not a table mapping of this pipe']);
    }
  }
  const kept = stored.filter(
    (mapping) => !remove.some((reference) => sameTable(mapping, reference)),
  );
  for (const [index, { targetTable }] of add.entries()) {
    if (kept.some((mapping) => mapping.targetTable === targetTable)) {
      mistakes.push([
        ['tableMappingsToAdd', index, 'targetTable'],
        'is already the target of another table mapping',
      ]);
    }
  }
  const tableMappings = [...kept, ...add];
  if (tableMappings.length === 0) {
    mistakes.push([['tableMappingsToRemove'], 'would leave the pipe without a table']);
  }
  return { tableMappings, mistakes };
}
