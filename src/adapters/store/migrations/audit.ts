import { sql, type Compilable, type Kysely, type SchemaModule } from 'kysely';
import type { Schema } from '../statements/schema.ts';
import type { Migration } from './migration.ts';

/**
 * The audit trail. The database itself keeps it append-only: no line changes, and only refusals can
 * be deleted.
 */
export const audit: readonly Migration[] = [
  {
    name: 'audit-1',
    kind: 'contract',
    up: ({ schema, data, dialect }) => [
      ...table(schema),
      ...(dialect === 'sqlite' ? sqliteGuards : postgresGuards).map((text) => raw(data, text)),
    ],
  },
];

function table(schema: SchemaModule) {
  return [
    schema
      .createTable('audit')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('organization_id', 'text')
      .addColumn('service_id', 'text')
      .addColumn('actor_kind', 'text', (c) => c.notNull())
      .addColumn('actor_id', 'text')
      .addColumn('actor_name', 'text')
      .addColumn('operation', 'text', (c) => c.notNull())
      .addColumn('object_kind', 'text', (c) => c.notNull())
      .addColumn('object_id', 'text')
      .addColumn('address', 'text')
      .addColumn('request_id', 'text')
      .addColumn('outcome', 'text', (c) => c.notNull())
      .addColumn('code', 'text')
      .addColumn('count', 'integer', (c) => c.notNull()),
    schema
      .createIndex('audit_by_organization')
      .on('audit')
      .columns(['organization_id', 'at_ms', 'id']),
    schema.createIndex('audit_by_outcome').on('audit').columns(['outcome', 'at_ms', 'id']),
  ];
}

const sqliteGuards = [
  `create trigger audit_unchangeable before update on audit begin
     select raise(abort, 'the audit trail is append-only'); end`,
  `create trigger audit_undeletable before delete on audit when old.outcome = 'success' begin
     select raise(abort, 'the audit trail is append-only'); end`,
  // INSERT OR REPLACE deletes without telling the trigger above.
  `create trigger audit_unreplaceable before insert on audit
     when exists (select 1 from audit where id = new.id) begin
     select raise(abort, 'the audit trail is append-only'); end`,
];

const postgresGuards = [
  `create function audit_guard() returns trigger language plpgsql as $$ begin
     if tg_op = 'DELETE' and old.outcome <> 'success' then return old; end if;
     raise exception 'the audit trail is append-only';
   end $$`,
  'create trigger audit_guard before update or delete on audit for each row execute function audit_guard()',
  'create trigger audit_truncate_guard before truncate on audit for each statement execute function audit_guard()',
];

const raw = (data: Kysely<Schema>, text: string): Compilable<unknown> => ({
  compile: () => sql.raw(text).compile(data),
});
