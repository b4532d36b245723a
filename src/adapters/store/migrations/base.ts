import { sql, type Kysely, type SchemaModule } from 'kysely';
import type { Schema } from '../statements/schema.ts';
import type { DialectName } from '../statements/statement.ts';
import type { Migration } from './migration.ts';

/** Documents, identity, leases, idempotency keys. */
export const base: readonly Migration[] = [
  {
    name: 'base-1',
    kind: 'contract',
    up: ({ schema, data }) => [
      ...documents(schema),
      ...organizations(schema),
      ...credentials(schema),
      ...work(schema),
      data.insertInto('revisions').values({ name: 'identity', value: 1 }),
    ],
  },
  {
    name: 'base-2',
    kind: 'contract',
    up: ({ schema, data, dialect }) => [
      schema
        .alterTable('workspaces')
        .addColumn('listed_databases', 'text', (c) => c.notNull().defaultTo('[]')),
      listDatabasesOfPipes(data, dialect),
    ],
  },
];

/**
 * Earlier versions let a pipe write to any database without a workspace. Those that pipes write to
 * are listed now, so that the pipes can still be changed.
 */
function listDatabasesOfPipes(data: Kysely<Schema>, dialect: DialectName) {
  const [name, list] =
    dialect === 'sqlite'
      ? [sql`json_extract(d.body, '$.destination.database')`, sql`json_group_array(name)`]
      : [sql`d.body::json #>> '{destination,database}'`, sql`coalesce(json_agg(name), '[]')::text`];
  const statement = sql`update workspaces set listed_databases = (
    select ${list} from (
      select distinct ${name} as name from documents as d
      where d.kind = 'pipe' and d.workspace_id = workspaces.id
    ) as written where name not in (select w.database_name from workspaces as w)
  )`;
  return { compile: () => statement.compile(data) };
}

function documents(schema: SchemaModule) {
  return [
    schema
      .createTable('documents')
      .addColumn('workspace_id', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('body', 'text', (c) => c.notNull())
      .addColumn('sealed', 'text')
      .addColumn('unique_key', 'text')
      .addPrimaryKeyConstraint('documents_pk', ['workspace_id', 'kind', 'id'])
      .addUniqueConstraint('documents_unique_key', ['workspace_id', 'kind', 'unique_key']),
    schema
      .createIndex('documents_by_creation')
      .on('documents')
      .columns(['workspace_id', 'kind', 'created_at_ms', 'id']),
    schema
      .createTable('document_references')
      .addColumn('workspace_id', 'text', (c) => c.notNull())
      .addColumn('owner_kind', 'text', (c) => c.notNull())
      .addColumn('owner_id', 'text', (c) => c.notNull())
      .addColumn('target_kind', 'text', (c) => c.notNull())
      .addColumn('target_id', 'text', (c) => c.notNull())
      .addColumn('part', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('document_references_pk', [
        'workspace_id',
        'owner_kind',
        'owner_id',
        'target_kind',
        'target_id',
        'part',
      ])
      .addForeignKeyConstraint(
        'document_references_owner',
        ['workspace_id', 'owner_kind', 'owner_id'],
        'documents',
        ['workspace_id', 'kind', 'id'],
        (c) => c.onDelete('cascade'),
      ),
    schema
      .createIndex('document_references_by_target')
      .on('document_references')
      .columns(['workspace_id', 'target_kind', 'target_id']),
  ];
}

function organizations(schema: SchemaModule) {
  return [
    schema
      .createTable('organizations')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull()),
    schema
      .createTable('workspaces')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
      .addColumn('service_id', 'text', (c) => c.notNull().unique())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('database_name', 'text', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull()),
    schema
      .createIndex('workspaces_by_organization')
      .on('workspaces')
      .columns(['organization_id', 'created_at_ms', 'id']),
    schema
      .createTable('users')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.id'))
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('email_key', 'text', (c) => c.notNull().unique())
      .addColumn('name', 'text')
      .addColumn('password_hash', 'text')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull()),
    schema
      .createIndex('users_by_workspace')
      .on('users')
      .columns(['workspace_id', 'created_at_ms', 'id']),
  ];
}

function credentials(schema: SchemaModule) {
  return [
    schema
      .createTable('access_keys')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.id'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('suffix', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull().unique())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('used_at_ms', 'bigint'),
    schema.createIndex('access_keys_by_user').on('access_keys').columns(['user_id']),
    schema
      .createIndex('access_keys_by_workspace')
      .on('access_keys')
      .columns(['workspace_id', 'created_at_ms', 'id']),
    schema
      .createTable('ingestion_keys')
      .addColumn('workspace_id', 'text', (c) =>
        c.primaryKey().notNull().references('workspaces.id'),
      )
      .addColumn('hash', 'text', (c) => c.notNull().unique())
      .addColumn('sealed', 'text', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull()),
    schema
      .createTable('organization_keys')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('key_id_hash', 'text', (c) => c.notNull().unique())
      .addColumn('key_secret_hash', 'text', (c) => c.notNull())
      .addColumn('key_suffix', 'text', (c) => c.notNull())
      .addColumn('roles', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('expire_at_ms', 'bigint')
      .addColumn('used_at_ms', 'bigint')
      .addColumn('ip_access_list', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull()),
    schema
      .createIndex('organization_keys_by_creation')
      .on('organization_keys')
      .columns(['organization_id', 'created_at_ms', 'id']),
  ];
}

function work(schema: SchemaModule) {
  return [
    schema
      .createTable('revisions')
      .addColumn('name', 'text', (c) => c.primaryKey().notNull())
      .addColumn('value', 'bigint', (c) => c.notNull()),
    schema
      .createTable('leases')
      .addColumn('name', 'text', (c) => c.primaryKey().notNull())
      .addColumn('holder', 'text', (c) => c.notNull())
      .addColumn('epoch', 'bigint', (c) => c.notNull())
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull()),
    schema
      .createTable('idempotency_keys')
      .addColumn('credential', 'text', (c) => c.notNull())
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('body_hash', 'text', (c) => c.notNull())
      .addColumn('status', 'integer')
      .addColumn('headers', 'text')
      .addColumn('body', 'text')
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('idempotency_keys_pk', ['credential', 'key']),
    schema
      .createIndex('idempotency_keys_by_expiry')
      .on('idempotency_keys')
      .columns(['expires_at_ms']),
  ];
}
