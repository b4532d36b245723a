import { z } from 'zod';
import { createOnly } from './create-only.ts';
import { alwaysEmpty, alwaysOff, EngineName, PemCertificates, UserCredentials } from './fields.ts';
import type { SourceContract } from './source-contract.ts';

const PostgresName = z
  .string()
  .min(1, 'must not be empty')
  .max(63, 'must have at most 63 characters')
  .refine((text) => !text.includes('\0'), 'must not contain a null character');
const PostgresHost = z
  .string()
  .regex(
    /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?|[0-9A-Fa-f:]{2,45})$/,
    'must be a host name or IP address',
  );
const Port = z
  .number()
  .int('must be a whole number from 1 to 65535')
  .min(1, 'must be a whole number from 1 to 65535')
  .max(65_535, 'must be a whole number from 1 to 65535');
const atLeast = (min: number) =>
  z
    .number(`must be a whole number of at least ${min}`)
    .refine(Number.isSafeInteger, `must be a whole number of at least ${min}`)
    .min(min, `must be a whole number of at least ${min}`);

export const PostgresTableMapping = z
  .object({
    sourceSchemaName: PostgresName.meta({ description: 'Schema of the source table.' }),
    sourceTable: PostgresName.meta({ description: 'Name of the source table.' }),
    targetTable: EngineName.meta({ description: 'Name of the target table.' }),
    excludedColumns: z
      .array(PostgresName)
      .max(1600)
      .optional()
      .meta({ description: 'Columns that are not replicated (at most 1600).' }),
    useCustomSortingKey: z
      .boolean()
      .optional()
      .meta({ description: 'If true, sort the target table by `sortingKeys` (default false).' }),
    sortingKeys: z.array(PostgresName).max(64).optional().meta({
      description:
        'Columns to sort by (at most 64). They must include the key of the replica identity.',
    }),
    tableEngine: z
      .enum(['MergeTree', 'ReplacingMergeTree', 'Null'])
      .optional()
      .meta({ description: 'Engine of the target table (default ReplacingMergeTree).' }),
    partitionKey: alwaysEmpty,
    partitionByExpr: alwaysEmpty,
  })
  .superRefine((mapping, context) => {
    const issue = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    const keys = mapping.sortingKeys ?? [];
    if (mapping.useCustomSortingKey === true && keys.length === 0) {
      issue('sortingKeys', 'is required with useCustomSortingKey');
    }
    if (new Set(keys).size !== keys.length) {
      issue('sortingKeys', 'lists a column twice');
    }
    for (const key of keys) {
      if (mapping.excludedColumns?.includes(key) === true) {
        issue('sortingKeys', `names ${key}, which is excluded`);
      }
    }
  })
  .meta({ id: 'PipePostgresTableMapping' });
export type PostgresTableMapping = z.output<typeof PostgresTableMapping>;

const ignored = { description: 'Ignored. Clients send the whole table mapping.' };

export const PostgresTableReference = z
  .object({
    sourceSchemaName: PostgresName.meta({ description: 'Schema of the source table.' }),
    sourceTable: PostgresName.meta({ description: 'Name of the source table.' }),
    targetTable: EngineName.meta({ description: 'Name of the target table.' }),
    excludedColumns: PostgresTableMapping.shape.excludedColumns.meta(ignored),
    useCustomSortingKey: PostgresTableMapping.shape.useCustomSortingKey.meta(ignored),
    sortingKeys: PostgresTableMapping.shape.sortingKeys.meta(ignored),
    tableEngine: PostgresTableMapping.shape.tableEngine.meta(ignored),
    partitionKey: PostgresTableMapping.shape.partitionKey.meta(ignored),
    partitionByExpr: PostgresTableMapping.shape.partitionByExpr.meta(ignored),
  })
  .meta({ id: 'PipePostgresTableReference' });
export type PostgresTableReference = z.output<typeof PostgresTableReference>;

const settingFields = {
  syncIntervalSeconds: atLeast(1).optional().meta({
    description:
      'Maximum time between two inserts of changes, in seconds (at least 1, default 60).',
  }),
  pullBatchSize: atLeast(1).optional().meta({
    description: 'Number of rows after which changes are inserted (at least 1, default 100000).',
  }),
  publicationName: PostgresName.optional().meta({
    description: 'Existing publication to use. If absent, the pipe creates one.',
  }),
  replicationSlotName: z
    .string()
    .regex(/^[a-z0-9_]{1,63}$/, 'must be lower-case letters, digits and "_", at most 63')
    .optional()
    .meta({ description: 'Existing replication slot to use. If absent, the pipe creates one.' }),
  allowNullableColumns: z.boolean().optional().meta({
    description:
      "If true, columns that can be NULL are Nullable. If false (default), NULL becomes the type's default.",
  }),
  initialLoadParallelism: atLeast(1).optional().meta({
    description:
      'Number of sections of a table that the snapshot reads in parallel (at least 1, default 4).',
  }),
  snapshotNumRowsPerPartition: atLeast(1000).optional().meta({
    description:
      'Maximum number of rows in one range of the snapshot (at least 1000, default 100000).',
  }),
  snapshotNumberOfParallelTables: atLeast(1).optional().meta({
    description: 'Number of tables that the snapshot reads in parallel (at least 1, default 1).',
  }),
  enableFailoverSlots: z.boolean().optional().meta({
    description: 'Create a failover slot, which requires PostgreSQL 17 or later (default false).',
  }),
  replicationMode: z.enum(['cdc', 'snapshot', 'cdc_only']).optional().meta({
    description:
      '`cdc` (default): snapshot and changes. `snapshot`: current rows only. `cdc_only`: changes only.',
  }),
  deleteOnMerge: alwaysOff(
    'the target keeps deleted rows until they are merged, marked as deleted',
  ),
};

export const PostgresSettings = z
  .object(settingFields)
  .superRefine((settings, context) => {
    if (settings.enableFailoverSlots === true && settings.replicationSlotName !== undefined) {
      context.addIssue({
        code: 'custom',
        path: ['enableFailoverSlots'],
        message: 'cannot be combined with replicationSlotName',
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
    .optional()
    .meta({ description: 'Provider of the PostgreSQL service. For information only.' }),
  host: PostgresHost.meta({ description: 'Host name or IP address of the server.' }),
  port: Port.optional().meta({ description: 'Port of the server (1–65535, default 5432).' }),
  database: PostgresName.meta({ description: 'Database to replicate.' }),
  authentication: z
    .enum(['basic'], 'must be basic: pipes connect with a user name and a password')
    .optional()
    .meta({ description: 'Authentication method: user name and password.' }),
  disableTls: alwaysOff('the connection uses TLS if the server offers it'),
  skipCertVerification: alwaysOff(
    'a certificate is verified if caCertificate is set, and otherwise not',
  ),
  caCertificate: PemCertificates.optional().meta({
    description: "PEM certificates of the server's certificate authority. Makes TLS required.",
  }),
  settings: PostgresSettings.optional(),
  tableMappings: z
    .array(PostgresTableMapping)
    .min(1, 'must have at least one table')
    .max(10_000)
    .superRefine((mappings, context) => {
      for (const [index, message] of duplicateTargets(mappings)) {
        context.addIssue({ code: 'custom', path: [index, 'targetTable'], message });
      }
    })
    .meta({ description: 'Tables to replicate (1–10000).' }),
};

function duplicateTargets(
  mappings: readonly { targetTable: string }[],
): [index: number, message: string][] {
  const seen = new Set<string>();
  const all = new Set(mappings.map(({ targetTable }) => targetTable));
  return mappings.flatMap(({ targetTable }, index) => {
    if (seen.has(targetTable)) {
      return [[index, 'is already the target of another table mapping'] as [number, string]];
    }
    const beside = /^(.+)_pipe_(?:next|errors)$/s.exec(targetTable)?.[1];
    if (beside !== undefined && all.has(beside)) {
      return [
        [index, `is the name of a table that the pipe creates for ${beside}`] as [number, string],
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

const PostgresSourceDraft = z
  .object({
    ...PostgresSourceInput.shape,
    tableMappings: visible.tableMappings
      .optional()
      .transform((tableMappings = []) => tableMappings)
      .meta({ description: 'Tables to check (1–10000). If absent, no table is checked.' }),
  })
  .meta({ id: 'PipePostgresSourceDraft' });

export const PostgresSource = z
  .object({ ...visible, port: Port.meta({ description: 'Port of the server.' }) })
  .meta({ id: 'PipePostgresSource' });
export type PostgresSource = z.output<typeof PostgresSource>;

export const PostgresSourceUpdate = z
  .object({
    host: PostgresHost.optional().meta({ description: 'Host name or IP address of the server.' }),
    port: visible.port,
    database: PostgresName.optional().meta({ description: 'Database to replicate.' }),
    credentials: UserCredentials.optional(),
    settings: z
      .object({
        syncIntervalSeconds: settingFields.syncIntervalSeconds,
        pullBatchSize: settingFields.pullBatchSize,
        ...createOnly(settingFields, ['syncIntervalSeconds', 'pullBatchSize']),
      })
      .optional()
      .meta({ description: 'Settings to change.' }),
    tableMappingsToAdd: z
      .array(PostgresTableMapping)
      .max(10_000)
      .optional()
      .meta({ description: 'Tables to add (at most 10000).' }),
    tableMappingsToRemove: z
      .array(PostgresTableReference)
      .max(10_000)
      .optional()
      .meta({ description: 'Tables to remove (at most 10000).' }),
    ...createOnly(visible, ['host', 'port', 'database', 'settings']),
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
          message:
            'is also in tableMappingsToRemove. Send two requests: first remove the table, then add it.',
        });
      }
    }
  })
  .meta({ id: 'PipePostgresSourceUpdate' });
export type PostgresSourceUpdate = z.output<typeof PostgresSourceUpdate>;

/** Name of the slot and of the publication that a pipe creates at its server. */
export const postgresObjectName = (pipeId: string): string =>
  `sightline_${pipeId.replaceAll('-', '')}`;

export function sameTable(one: PostgresTableReference, other: PostgresTableReference): boolean {
  return (
    one.sourceSchemaName === other.sourceSchemaName &&
    one.sourceTable === other.sourceTable &&
    one.targetTable === other.targetTable
  );
}

export const postgresContract = {
  input: PostgresSourceInput,
  draft: PostgresSourceDraft,
  record: PostgresSource,
  masks: {},
  update: PostgresSourceUpdate,
  virtualFields: [],
  tablesField: 'tableMappings',
  mistakes: () => [],
} as const satisfies SourceContract<PostgresSourceInput>;
