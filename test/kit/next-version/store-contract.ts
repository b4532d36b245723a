import type { Migration } from '../../../src/adapters/store/migrations/migration.ts';
import { migrations as expanded } from './store-expand.ts';

export const migrations: readonly Migration[] = [
  ...expanded,
  {
    name: 'next-2',
    kind: 'contract',
    up: ({ schema }) => [schema.dropIndex('alert_outbox_by_webhook')],
  },
];
