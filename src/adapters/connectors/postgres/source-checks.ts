import type { Client } from 'pg';
import { SourceFailed, type ConnectorContext } from '../../../ports/connector.ts';
import { noLogicalDecoding } from './postgres-errors.ts';
import type { SourceSettings } from './source-settings.ts';
import { checkPublication } from './stream/publication.ts';
import { readSlot } from './stream/slot.ts';
import { Shapes } from './tables/shapes.ts';
import { readTables, type SourceTable } from './tables/tables.ts';
import { queryOf } from './wire/query-of.ts';

/** Checks that the server can serve the pipe as configured. @throws SourceFailed */
export async function checkSource(
  client: Client,
  source: ConnectorContext<'postgres'>['source'],
  settings: SourceSettings,
): Promise<void> {
  await checkServer(client, settings);
  const query = queryOf(client);
  const tables = await readTables(query, source.tableMappings);
  const shapes = new Shapes(query, tables, source.settings);
  for (const table of tables) {
    // Throws if updates and deletes of the table cannot be replicated.
    shapes.ofTable(table);
  }
  if (settings.mode !== 'snapshot') {
    await checkReplication(client, tables, settings);
  }
}

/** Checks the publication and the slot that the pipe did not create. @throws SourceFailed */
export async function checkReplication(
  client: Client,
  tables: readonly SourceTable[],
  { mode, ownName, publication, slot }: SourceSettings,
): Promise<void> {
  if (publication !== ownName) {
    await checkPublication(client, publication, tables, { copied: mode !== 'cdc_only' });
  }
  if (slot !== ownName && !(await readSlot(client, slot))) {
    throw new SourceFailed(
      `replication slot "${slot}" does not exist. Create it with ` +
        `pg_create_logical_replication_slot('${slot}', 'pgoutput'), or omit replicationSlotName.`,
      { problem: { reason: 'not_found', field: 'settings.replicationSlotName' } },
    );
  }
}

export async function checkServer(
  client: Client,
  { mode, failoverSlot }: Pick<SourceSettings, 'mode' | 'failoverSlot'>,
): Promise<void> {
  const { rows } = await client.query<{ version: number; level: string }>(
    "SELECT current_setting('server_version_num')::int AS version, current_setting('wal_level') AS level",
  );
  for (const { version, level } of rows) {
    const major = Math.floor(version / 10_000);
    if (major < 13) {
      throw new SourceFailed(
        `PostgreSQL ${major} is not supported. Upgrade the server to version 13 or newer.`,
        { problem: { reason: 'unsupported', field: 'host' } },
      );
    }
    if (mode === 'snapshot') {
      return;
    }
    if (level !== 'logical') {
      throw new SourceFailed(noLogicalDecoding, {
        problem: { reason: 'replication_refused', field: 'host' },
      });
    }
    if (failoverSlot && major < 17) {
      throw new SourceFailed(
        `enableFailoverSlots requires PostgreSQL 17 or newer, but the server runs ${major}. ` +
          'Set it to false, or upgrade the server.',
        { problem: { reason: 'unsupported', field: 'settings.enableFailoverSlots' } },
      );
    }
  }
}
