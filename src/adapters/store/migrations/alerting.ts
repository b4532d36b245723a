import { sql, type Kysely, type RawBuilder, type SchemaModule } from 'kysely';
import type { DialectName } from '../statements/statement.ts';
import type { Schema } from '../statements/schema.ts';
import type { Migration } from './migration.ts';

/** Progress, history and outbox of alerts. */
export const alerting: readonly Migration[] = [
  {
    name: 'alerting-1',
    kind: 'contract',
    up: ({ schema, dialect }) => [
      progress(schema, dialect),
      ...history(schema, dialect),
      ...outbox(schema, dialect),
      evaluators(schema),
      disabledWebhooks(schema),
      documentsByChange(schema),
    ],
  },
  {
    name: 'alerting-2',
    kind: 'contract',
    up: ({ schema, dialect }) => [
      schema.alterTable('alert_progress').addColumn('line_end_ms', 'bigint'),
      schema
        .alterTable('alert_history')
        .addColumn('calm_before', 'integer', (c) => c.notNull().defaultTo(0)),
      calmWindows(schema, dialect),
      schema.dropIndex('documents_by_change'),
      schema
        .createIndex('documents_by_change')
        .on('documents')
        .columns(['kind', 'updated_at_ms', 'version']),
    ],
  },
  {
    name: 'alerting-3',
    kind: 'contract',
    up: ({ schema, data, dialect }) => (dialect === 'sqlite' ? documentTotals(schema, data) : []),
  },
  {
    // Documents of kinds that are new have no rows to add to the totals.
    name: 'alerting-4',
    kind: 'contract',
    up: ({ data, dialect }) =>
      dialect === 'sqlite'
        ? [
            ...['documents_inserted', 'documents_updated', 'documents_deleted'].map((name) =>
              runner(data)(sql`drop trigger ${sql.ref(name)}`),
            ),
            ...documentTriggers(data, [...watchedKinds, 'maintenanceWindow']),
          ]
        : [],
  },
  {
    name: 'alerting-5',
    kind: 'expand',
    up: ({ schema }) => [schema.alterTable('alert_history').addColumn('decision', 'text')],
  },
];

const watchedKinds = ['alert', 'dashboard', 'savedSearch', 'source', 'webhook'] as const;

const real = sql`double precision`;

/** Rows in the order of their key: what is written together lies together. */
function ending(dialect: DialectName) {
  return dialect === 'sqlite' ? sql`without rowid` : sql``;
}

function progress(schema: SchemaModule, dialect: DialectName) {
  return schema
    .createTable('alert_progress')
    .addColumn('workspace_id', 'text', (c) => c.notNull())
    .addColumn('alert_id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('shard', 'integer', (c) => c.notNull())
    .addColumn('interval_ms', 'bigint', (c) => c.notNull())
    .addColumn('last_end_ms', 'bigint')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('last_value', real)
    .addColumn('last_evaluated_ms', 'bigint')
    .addColumn('group_by', 'text', (c) => c.notNull())
    .addColumn('groups', 'text', (c) => c.notNull())
    .addColumn('errors', 'text', (c) => c.notNull())
    .addColumn('delivery_errors', 'text', (c) => c.notNull())
    .modifyEnd(ending(dialect));
}

function history(schema: SchemaModule, dialect: DialectName) {
  return [
    schema
      .createTable('alert_history')
      .addColumn('workspace_id', 'text', (c) => c.notNull())
      .addColumn('alert_id', 'text', (c) => c.notNull())
      .addColumn('window_start_ms', 'bigint', (c) => c.notNull())
      .addColumn('window_end_ms', 'bigint', (c) => c.notNull())
      .addColumn('evaluated_ms', 'bigint', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('value', real)
      .addColumn('duration_ms', real, (c) => c.notNull())
      .addColumn('rows_read', 'bigint', (c) => c.notNull())
      .addColumn('reason', 'text')
      .addColumn('groups', 'text')
      .addColumn('skipped', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('alert_history_pk', ['alert_id', 'window_end_ms'])
      .modifyEnd(ending(dialect)),
  ];
}

/** What was recorded together lies together, and a tick goes to the end of each shard. */
function calmWindows(schema: SchemaModule, dialect: DialectName) {
  return schema
    .createTable('alert_calm_windows')
    .addColumn('shard', 'integer', (c) => c.notNull())
    .addColumn('interval_ms', 'bigint', (c) => c.notNull())
    .addColumn('window_end_ms', 'bigint', (c) => c.notNull())
    .addColumn('part', 'text', (c) => c.notNull())
    .addColumn('evaluated_ms', 'bigint', (c) => c.notNull())
    .addColumn('duration_ms', real, (c) => c.notNull())
    .addColumn('rows_read', 'bigint', (c) => c.notNull())
    .addColumn('alerts', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('alert_calm_windows_pk', [
      'shard',
      'interval_ms',
      'window_end_ms',
      'part',
    ])
    .modifyEnd(ending(dialect));
}

function outbox(schema: SchemaModule, dialect: DialectName) {
  return [
    schema
      .createTable('alert_outbox')
      .addColumn('workspace_id', 'text', (c) => c.notNull())
      .addColumn('alert_id', 'text', (c) => c.notNull())
      .addColumn('shard', 'integer', (c) => c.notNull())
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('webhook_id', 'text', (c) => c.notNull())
      .addColumn('window_end_ms', 'bigint', (c) => c.notNull())
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('created_ms', 'bigint', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('next_attempt_ms', 'bigint', (c) => c.notNull())
      .addColumn('error', 'text')
      .addColumn('settled_ms', 'bigint')
      .addPrimaryKeyConstraint('alert_outbox_pk', ['event_id', 'webhook_id'])
      .modifyEnd(ending(dialect)),
    schema
      .createIndex('alert_outbox_pending')
      .on('alert_outbox')
      .columns(['shard', 'window_end_ms'])
      .where(sql.ref('status'), '=', sql.lit('pending')),
    schema.createIndex('alert_outbox_by_alert').on('alert_outbox').column('alert_id'),
    schema
      .createIndex('alert_outbox_settled')
      .on('alert_outbox')
      .column('settled_ms')
      .where(sql.ref('settled_ms'), 'is not', null),
  ];
}

function evaluators(schema: SchemaModule) {
  return schema
    .createTable('alert_evaluators')
    .addColumn('holder', 'text', (c) => c.primaryKey().notNull())
    .addColumn('seen_ms', 'bigint', (c) => c.notNull());
}

function disabledWebhooks(schema: SchemaModule) {
  return schema
    .createTable('alert_disabled_webhooks')
    .addColumn('webhook_id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('version', 'integer', (c) => c.notNull());
}

/** What tells, without reading documents, whether any of them changed. */
function documentsByChange(schema: SchemaModule) {
  return schema
    .createIndex('documents_by_change')
    .on('documents')
    .columns(['kind', 'updated_at_ms']);
}

/**
 * The totals of what alerts are made from, kept by triggers: a look reads one row however many
 * documents there are. Not on PostgreSQL, where a row that every writer changes would make them
 * wait for each other, and where the index is read on another thread than ours.
 */
function documentTotals(schema: SchemaModule, data: Kysely<Schema>) {
  return [
    schema
      .createTable('document_totals')
      .addColumn('count', 'integer', (c) => c.notNull())
      .addColumn('versions', 'integer', (c) => c.notNull())
      .addColumn('latest_ms', 'bigint', (c) => c.notNull()),
    runner(data)(
      sql`insert into document_totals
        select count(*), coalesce(sum(new.version), 0), coalesce(max(new.updated_at_ms), 0)
        from documents as new where ${watched('new', watchedKinds)}`,
    ),
    ...documentTriggers(data, watchedKinds),
  ];
}

const runner = (data: Kysely<Schema>) => (statement: RawBuilder<unknown>) => ({
  compile: () => statement.compile(data),
});

const watched = (row: 'new' | 'old', kinds: readonly string[]) =>
  sql.raw(`${row}.kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})`);

/** Keep the totals of documents of these kinds. */
function documentTriggers(data: Kysely<Schema>, kinds: readonly string[]) {
  const run = runner(data);
  const changed = watched('new', kinds);
  return [
    run(sql`create trigger documents_inserted after insert on documents when ${changed} begin
      update document_totals set count = count + 1, versions = versions + new.version,
        latest_ms = max(latest_ms, new.updated_at_ms); end`),
    run(sql`create trigger documents_updated after update of version, updated_at_ms on documents
      when ${changed} begin
      update document_totals set versions = versions + new.version - old.version,
        latest_ms = max(latest_ms, new.updated_at_ms); end`),
    run(sql`create trigger documents_deleted after delete on documents when ${watched('old', kinds)} begin
      update document_totals set count = count - 1, versions = versions - old.version; end`),
  ];
}
