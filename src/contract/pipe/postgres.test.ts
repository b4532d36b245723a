import { describe, expect, it } from 'vitest';
import {
  postgres,
  table,
  refusedPaths,
  withSource,
  type AcceptedSource,
  type RefusedSource,
} from '../../../test/kit/pipe-bodies.ts';

const accepted: AcceptedSource[] = [
  ['postgres, least', postgres, {}],
  [
    'postgres settings',
    postgres,
    {
      port: 5433,
      settings: {
        syncIntervalSeconds: 1,
        pullBatchSize: 1,
        snapshotNumRowsPerPartition: 1000,
        replicationMode: 'cdc_only',
        enableFailoverSlots: true,
      },
    },
  ],
  [
    'postgres sorting keys',
    postgres,
    { tableMappings: [{ ...table, useCustomSortingKey: true, sortingKeys: ['id'] }] },
  ],
];

const refused: RefusedSource[] = [
  ['port 65536', postgres, { port: 65_536 }, 'port'],
  ['port 0', postgres, { port: 0 }, 'port'],
  ['no table', postgres, { tableMappings: [] }, 'tableMappings'],
  [
    'a target twice',
    postgres,
    { tableMappings: [table, { ...table, sourceTable: 'other' }] },
    'tableMappings.1.targetTable',
  ],
  [
    'custom sorting without keys',
    postgres,
    { tableMappings: [{ ...table, useCustomSortingKey: true }] },
    'tableMappings.0.sortingKeys',
  ],
  [
    'a sync interval of 0',
    postgres,
    { settings: { syncIntervalSeconds: 0 } },
    'settings.syncIntervalSeconds',
  ],
  [
    '999 rows a partition',
    postgres,
    { settings: { snapshotNumRowsPerPartition: 999 } },
    'settings.snapshotNumRowsPerPartition',
  ],
  [
    'failover with a slot name',
    postgres,
    { settings: { enableFailoverSlots: true, replicationSlotName: 'a' } },
    'settings.enableFailoverSlots',
  ],
];

describe('a pipe body with source.postgres', () => {
  it.each(accepted)('%s is accepted', (_title, settings, change) => {
    expect(refusedPaths(withSource('postgres', { ...settings, ...change }))).toEqual([]);
  });

  it.each(refused)('%s is refused, naming the field', (_title, settings, change, path) => {
    expect(refusedPaths(withSource('postgres', { ...settings, ...change }))).toContain(
      `source.postgres.${path}`,
    );
  });
});
