import type { Migration } from './migration.ts';

/** Heartbeats of the processes that share the store. */
export const nodes: readonly Migration[] = [
  {
    name: 'nodes-1',
    kind: 'expand',
    up: ({ schema }) => [
      schema
        .createTable('nodes')
        .addColumn('id', 'text', (c) => c.primaryKey().notNull())
        .addColumn('roles', 'text', (c) => c.notNull())
        .addColumn('version', 'text', (c) => c.notNull())
        .addColumn('started_at_ms', 'bigint', (c) => c.notNull())
        .addColumn('seen_at_ms', 'bigint', (c) => c.notNull())
        .addColumn('report', 'text', (c) => c.notNull()),
    ],
  },
];
