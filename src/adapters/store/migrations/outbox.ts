import { sql, type Kysely, type RawBuilder, type SchemaModule } from 'kysely';
import type { Schema } from '../statements/schema.ts';
import type { Migration } from './migration.ts';

/** Layout, attempts and lists of the outbox of alerts. */
export const outbox: readonly Migration[] = [
  {
    name: 'outbox-1',
    kind: 'contract',
    up: ({ schema, data, dialect }) => (dialect === 'sqlite' ? inOrderOfWriting(schema, data) : []),
  },
  {
    name: 'outbox-2',
    kind: 'contract',
    up: ({ schema }) => [
      schema.alterTable('alert_outbox').addColumn('attempt_log', 'text'),
      schema.dropIndex('alert_outbox_by_alert'),
      schema
        .createIndex('alert_outbox_by_alert')
        .on('alert_outbox')
        .columns(['alert_id', 'created_ms']),
      schema
        .createIndex('alert_outbox_by_webhook')
        .on('alert_outbox')
        .columns(['webhook_id', 'created_ms']),
    ],
  },
];

/**
 * Rows in the order in which they were written. In the order of their key, which is a hash, every
 * event of a kilobyte was put on a page of its own and spilled over it: writing and settling one
 * cost six times as much.
 */
function inOrderOfWriting(schema: SchemaModule, data: Kysely<Schema>) {
  const run = (statement: RawBuilder<unknown>) => ({ compile: () => statement.compile(data) });
  return [
    schema
      .createTable('alert_outbox_in_order')
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
      .addPrimaryKeyConstraint('alert_outbox_pk', ['event_id', 'webhook_id']),
    run(
      sql`insert into alert_outbox_in_order
        select workspace_id, alert_id, shard, event_id, webhook_id, window_end_ms, event,
          created_ms, status, attempts, next_attempt_ms, error, settled_ms
        from alert_outbox order by created_ms, window_end_ms`,
    ),
    schema.dropTable('alert_outbox'),
    schema.alterTable('alert_outbox_in_order').renameTo('alert_outbox'),
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
