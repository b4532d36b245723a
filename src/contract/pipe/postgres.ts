import { z } from 'zod';
import { EngineName, PemCertificates, UserCredentials } from './fields.ts';

const PostgresName = z
  .string()
  .min(1, 'must not be empty')
  .max(63, 'must have at most 63 characters')
  .refine((text) => !text.includes('\0'), 'must not contain a null character');
const PostgresHost = z
  .string()
  .regex(
    /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?|[0-9A-Fa-f:]{2,45})$/,
    'must be a host name or address',
  );
const Port = z
  .number()
  .int('must be a whole number from 1 to 65535')
  .min(1, 'must be a whole number from 1 to 65535')
  .max(65_535, 'must be a whole number from 1 to 65535');
const atLeast = (min: number) =>
  z
    .number(`must be a whole number, at least ${min}`)
    .refine(Number.isSafeInteger, `must be a whole number, at least ${min}`)
    .min(min, `must be a whole number, at least ${min}`);

export const PostgresTableMapping = z
  .object({
    sourceSchemaName: PostgresName,
    sourceTable: PostgresName,
    targetTable: EngineName,
    excludedColumns: z.array(PostgresName).max(1600).optional(),
    useCustomSortingKey: z.boolean().optional(),
    sortingKeys: z.array(PostgresName).max(64).optional(),
    tableEngine: z
      .enum(['MergeTree', 'ReplacingMergeTree', 'Null'])
      .optional()
      .meta({ description: 'ReplacingMergeTree where absent' }),
  })
  .superRefine((mapping, context) => {
    const issue = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    const keys = mapping.sortingKeys ?? [];
    if (mapping.useCustomSortingKey === true && keys.length === 0) {
      issue('sortingKeys', 'is required with useCustomSortingKey');
    }
    if (new Set(keys).size !== keys.length) {
      issue('sortingKeys', 'names a column twice');
    }
    for (const key of keys) {
      if (mapping.excludedColumns?.includes(key) === true) {
        issue('sortingKeys', `names ${key}, which is excluded`);
      }
    }
  })
  .meta({ id: 'PipePostgresTableMapping' });
export type PostgresTableMapping = z.output<typeof PostgresTableMapping>;

export const PostgresTableReference = z
  .object({ sourceSchemaName: PostgresName, sourceTable: PostgresName, targetTable: EngineName })
  .meta({ id: 'PipePostgresTableReference' });
export type PostgresTableReference = z.output<typeof PostgresTableReference>;

const settingFields = {
  syncIntervalSeconds: atLeast(1).optional(),
  pullBatchSize: atLeast(1).optional(),
  publicationName: PostgresName.optional(),
  replicationSlotName: z
    .string()
    .regex(/^[a-z0-9_]{1,63}$/, 'must be lower-case letters, digits and "_", at most 63')
    .optional(),
  allowNullableColumns: z.boolean().optional(),
  initialLoadParallelism: atLeast(1).optional(),
  snapshotNumRowsPerPartition: atLeast(1000).optional(),
  snapshotNumberOfParallelTables: atLeast(1).optional(),
  enableFailoverSlots: z.boolean().optional().meta({ description: 'Needs PostgreSQL 17' }),
  replicationMode: z.enum(['cdc', 'snapshot', 'cdc_only']).optional(),
};

export const PostgresSettings = z
  .object(settingFields)
  .superRefine((settings, context) => {
    if (settings.enableFailoverSlots === true && settings.replicationSlotName !== undefined) {
      context.addIssue({
        code: 'custom',
        path: ['enableFailoverSlots'],
        message: 'does not go with replicationSlotName',
      });
    }
  })
  .meta({ id: 'PipePostgresSettings' });
export type PostgresSettings = z.output<typeof PostgresSettings>;

const visible = {
  type: z
    .enum([
      'postgres',
      'supabase',
      'neon',
      'alloydb',
      'planetscale',
      'rdspostgres',
      'aurorapostgres',
      'cloudsqlpostgres',
      'azurepostgres',
      'crunchybridge',
      'tigerdata',
    ])
    .optional(),
  host: PostgresHost,
  port: Port.optional(),
  database: PostgresName,
  caCertificate: PemCertificates.optional(),
  settings: PostgresSettings.optional(),
  tableMappings: z
    .array(PostgresTableMapping)
    .min(1, 'must have at least one table')
    .max(10_000)
    .superRefine((mappings, context) => {
      for (const [index, message] of duplicateTargets(mappings)) {
        context.addIssue({ code: 'custom', path: [index, 'targetTable'], message });
      }
    }),
};

function duplicateTargets(
  mappings: readonly { targetTable: string }[],
): [index: number, message: string][] {
  const seen = new Set<string>();
  const all = new Set(mappings.map(({ targetTable }) => targetTable));
  return mappings.flatMap(({ targetTable }, index) => {
    if (seen.has(targetTable)) {
      return [[index, `is the target of another table mapping already`] as [number, string]];
    }
    const beside = /^(.+)_pipe_(?:next|errors)$/s.exec(targetTable)?.[1];
    if (beside !== undefined && all.has(beside)) {
      return [
        [index, `is the name of a table that the pipe makes beside ${beside}`] as [number, string],
      ];
    }
    seen.add(targetTable);
    return [];
  });
}

export const PostgresSourceInput = z
  .object({ ...visible, credentials: UserCredentials.optional() })
  .meta({ id: 'PipePostgresSourceInput' });
export type PostgresSourceInput = z.output<typeof PostgresSourceInput>;

export const PostgresSource = z
  .object({ ...visible, port: Port })
  .meta({ id: 'PipePostgresSource' });
export type PostgresSource = z.output<typeof PostgresSource>;

export const PostgresSourceUpdate = z
  .object({
    host: PostgresHost.optional(),
    port: visible.port,
    database: PostgresName.optional(),
    credentials: UserCredentials.optional(),
    settings: z
      .object({
        syncIntervalSeconds: settingFields.syncIntervalSeconds,
        pullBatchSize: settingFields.pullBatchSize,
      })
      .optional(),
    tableMappingsToAdd: z.array(PostgresTableMapping).max(10_000).optional(),
    tableMappingsToRemove: z.array(PostgresTableReference).max(10_000).optional(),
  })
  .superRefine(({ tableMappingsToAdd = [], tableMappingsToRemove = [] }, context) => {
    for (const [index, message] of duplicateTargets(tableMappingsToAdd)) {
      context.addIssue({
        code: 'custom',
        path: ['tableMappingsToAdd', index, 'targetTable'],
        message,
      });
    }
    for (const [index, added] of tableMappingsToAdd.entries()) {
      if (tableMappingsToRemove.some((removed) => sameTable(added, removed))) {
        context.addIssue({
          code: 'custom',
          path: ['tableMappingsToAdd', index],
          message: 'is also in tableMappingsToRemove: do one, then the other',
        });
      }
    }
  })
  .meta({ id: 'PipePostgresSourceUpdate' });
export type PostgresSourceUpdate = z.output<typeof PostgresSourceUpdate>;

export function sameTable(one: PostgresTableReference, other: PostgresTableReference): boolean {
  return (
    one.sourceSchemaName === other.sourceSchemaName &&
    one.sourceTable === other.sourceTable &&
    one.targetTable === other.targetTable
  );
}
