import type { Migration } from './migration.ts';

/**
 * How each pipe stands, and where in each partition of its source. Both go with the pipe's
 * document.
 */
export const pipes: readonly Migration[] = [
  {
    name: 'pipes-1',
    kind: 'contract',
    up: ({ schema }) => [
      schema
        .createTable('pipe_statuses')
        .addColumn('workspace_id', 'text', (c) => c.notNull())
        .addColumn('pipe_id', 'text', (c) => c.notNull())
        .addColumn('wish', 'text', (c) => c.notNull())
        .addColumn('generation', 'integer', (c) => c.notNull())
        .addColumn('run', 'integer', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('message', 'text')
        .addColumn('changed_at_ms', 'bigint', (c) => c.notNull())
        .addColumn('stored_rows', 'bigint', (c) => c.notNull())
        .addColumn('stored_bytes', 'bigint', (c) => c.notNull())
        .addColumn('refused_records', 'bigint', (c) => c.notNull())
        .addColumn('batches', 'bigint', (c) => c.notNull())
        .addColumn('last_error', 'text')
        .addColumn('last_error_at_ms', 'bigint')
        .addColumn('parting', 'text')
        .addPrimaryKeyConstraint('pipe_statuses_pk', ['workspace_id', 'pipe_id']),
      schema
        .createTable('pipe_partitions')
        .addColumn('workspace_id', 'text', (c) => c.notNull())
        .addColumn('pipe_id', 'text', (c) => c.notNull())
        .addColumn('source_partition', 'text', (c) => c.notNull())
        .addColumn('epoch', 'integer', (c) => c.notNull())
        .addColumn('position', 'text')
        .addColumn('intended', 'text')
        .addColumn('remaining', 'bigint')
        .addColumn('stored_at_ms', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('pipe_partitions_pk', [
          'workspace_id',
          'pipe_id',
          'source_partition',
        ]),
    ],
  },
  {
    name: 'pipes-2',
    kind: 'expand',
    up: ({ schema }) => [schema.alterTable('pipe_partitions').addColumn('oldest_at_ms', 'bigint')],
  },
  {
    // Ranges that an older version began may have been inserted: they count as inserting.
    name: 'pipes-3',
    kind: 'contract',
    up: ({ schema, data }) => [
      schema
        .alterTable('pipe_partitions')
        .addColumn('inserting', 'integer', (c) => c.notNull().defaultTo(0)),
      data.updateTable('pipe_partitions').set({ inserting: 1 }).where('intended', 'is not', null),
    ],
  },
  {
    // Pipes of an older version may have created objects at their source.
    name: 'pipes-4',
    kind: 'contract',
    up: ({ schema }) => [
      schema
        .alterTable('pipe_statuses')
        .addColumn('source_opened', 'integer', (c) => c.notNull().defaultTo(1)),
    ],
  },
  {
    name: 'pipes-5',
    kind: 'contract',
    up: ({ schema }) => [schema.alterTable('pipe_partitions').addColumn('intended_shard', 'text')],
  },
  {
    name: 'pipes-6',
    kind: 'expand',
    up: ({ schema }) => [schema.alterTable('pipe_statuses').addColumn('replay', 'text')],
  },
];
