import type { Migration } from './migration.ts';

/** Roles, sessions and links of users. */
export const people: readonly Migration[] = [
  {
    // The oldest user of each organization becomes its admin; others had no more than members have.
    name: 'people-1',
    kind: 'contract',
    up: ({ schema, data }) => [
      schema.alterTable('users').addColumn('role', 'text', (c) => c.notNull().defaultTo('member')),
      data
        .updateTable('users')
        .set({ role: 'admin' })
        .where('id', 'in', (from) =>
          from
            .selectFrom('users as u')
            .innerJoin('workspaces as w', 'w.id', 'u.workspace_id')
            .select((eb) => eb.fn.min('u.id').as('id'))
            .groupBy('w.organization_id'),
        ),
      schema
        .createTable('sessions')
        .addColumn('id', 'text', (c) => c.primaryKey().notNull())
        .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
        .addColumn('hash', 'text', (c) => c.notNull().unique())
        .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
        .addColumn('used_at_ms', 'bigint', (c) => c.notNull())
        .addColumn('address', 'text')
        .addColumn('browser', 'text'),
      schema.createIndex('sessions_by_user').on('sessions').columns(['user_id', 'created_at_ms']),
    ],
  },
  {
    name: 'people-2',
    kind: 'expand',
    up: ({ schema }) => [
      schema
        .createTable('member_links')
        .addColumn('user_id', 'text', (c) =>
          c.primaryKey().notNull().references('users.id').onDelete('cascade'),
        )
        .addColumn('hash', 'text', (c) => c.notNull().unique())
        .addColumn('expires_at_ms', 'bigint', (c) => c.notNull()),
    ],
  },
];
