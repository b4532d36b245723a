import { migrations as present } from '../../../src/adapters/store/migrations/index.ts';
import type { Migration } from '../../../src/adapters/store/migrations/migration.ts';
import { backupTables } from '../../../src/adapters/store/statements/schema.ts';

/** Every table gets a column, as if a version had changed all parts of the store. */
export const migrations: readonly Migration[] = [
  ...present,
  {
    name: 'next-1',
    kind: 'expand',
    up: ({ schema }) => [
      schema.createTable('next_notes').addColumn('id', 'text', (c) => c.primaryKey().notNull()),
      ...[...backupTables, 'nodes'].map((table) =>
        schema
          .alterTable(table)
          .addColumn('next_note', 'text', (c) => c.notNull().defaultTo('unknown')),
      ),
    ],
  },
];
