import type { Migration } from './migration.ts';

/** What pipes have done with each object of their source. Goes with the pipe. */
export const objects: readonly Migration[] = [
  {
    name: 'objects-1',
    kind: 'contract',
    up: ({ schema }) => [
      schema
        .createTable('pipe_objects')
        .addColumn('workspace_id', 'text', (c) => c.notNull())
        .addColumn('pipe_id', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('source_partition', 'text', (c) => c.notNull())
        .addColumn('batch', 'text', (c) => c.notNull())
        .addColumn('etag', 'text', (c) => c.notNull())
        .addColumn('bytes', 'bigint', (c) => c.notNull())
        .addColumn('modified_at_ms', 'bigint', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('fingerprint', 'text', (c) => c.notNull())
        .addColumn('stored_rows', 'bigint', (c) => c.notNull())
        .addColumn('reason', 'text')
        .addColumn('tries', 'integer', (c) => c.notNull())
        .addColumn('changed_at_ms', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('pipe_objects_pk', ['workspace_id', 'pipe_id', 'name']),
      schema
        .createIndex('pipe_objects_batch')
        .on('pipe_objects')
        .columns(['workspace_id', 'pipe_id', 'source_partition', 'batch']),
      schema
        .createIndex('pipe_objects_state')
        .on('pipe_objects')
        .columns(['workspace_id', 'pipe_id', 'state']),
    ],
  },
];
