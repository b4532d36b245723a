import type { Client } from 'pg';
import { SourceFailed } from '../../../../ports/connector.ts';
import type { SourceSettings } from '../source-settings.ts';
import { nameOf, type SourceTable } from '../tables/tables.ts';

/**
 * Checks that the user may create the publication and the slot that the pipe creates itself, without
 * creating them. @throws SourceFailed
 */
export async function checkRights(
  client: Client,
  tables: readonly SourceTable[],
  { publication, slot, ownName }: SourceSettings,
): Promise<void> {
  if (publication === ownName) {
    await checkPublicationRights(client, tables);
  }
  if (slot === ownName) {
    await checkFreeSlot(client);
  }
}

async function checkPublicationRights(
  client: Client,
  tables: readonly SourceTable[],
): Promise<void> {
  const { rows } = await client.query<{ place: number | null }>(rightsQuery, [
    tables.map(({ oid }) => oid),
  ]);
  for (const { place } of rows) {
    const table = place === null ? undefined : tables[place - 1];
    throw new SourceFailed(
      table
        ? `the user does not own table ${nameOf(table.mapping)}, so the pipe cannot publish it. ` +
            'Make the user a member of its owner, or create a publication and set publicationName.'
        : 'the user lacks CREATE on the database, so the pipe cannot create its publication. ' +
            'Grant it, or create a publication and set publicationName.',
      { problem: { reason: 'replication_refused', field: 'settings.publicationName' } },
    );
  }
}

async function checkFreeSlot(client: Client): Promise<void> {
  const { rows } = await client.query<{ used: number; most: number }>(
    `SELECT (SELECT count(*)::int FROM pg_catalog.pg_replication_slots) AS used,
            current_setting('max_replication_slots')::int AS most`,
  );
  for (const { used, most } of rows) {
    if (used >= most) {
      throw new SourceFailed(
        `the server uses all of its ${most} replication slots. Increase max_replication_slots, ` +
          'or drop a slot that is not used.',
        { problem: { reason: 'replication_refused', field: 'settings.replicationSlotName' } },
      );
    }
  }
}

// A row for each missing right: without a place for the database, with one for a table.
const rightsQuery = `
SELECT NULL::int AS place
WHERE NOT pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')
UNION ALL
(SELECT wanted.place::int FROM unnest($1::oid[]) WITH ORDINALITY AS wanted(oid, place)
 JOIN pg_catalog.pg_class c ON c.oid = wanted.oid
 WHERE NOT pg_catalog.pg_has_role(c.relowner, 'USAGE') ORDER BY 1 LIMIT 1)
LIMIT 1`;
