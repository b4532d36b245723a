import type { Client } from 'pg';
import { SourceFailed } from '../../../ports/connector.ts';
import { quoteName } from './quote.ts';
import { nameOf, type SourceTable } from './tables.ts';

/** Makes the pipe's own publication hold just its tables. A table that a later snapshot reads must be in it before. */
export async function makePublication(client: Client, name: string, tables: readonly SourceTable[]): Promise<void> {
  const { rows } = await client.query<{ oid: string }>('SELECT oid::text AS oid FROM pg_catalog.pg_publication WHERE pubname = $1', [name]);
  if (rows[0] === undefined) {
    await client.query(`CREATE PUBLICATION ${quoteName(name)} FOR TABLE ${tables.map(tableClause).join(', ')} WITH (publish = 'insert, update, delete, truncate', publish_via_partition_root = true)`);
    return;
  }
  const held = new Set((await client.query<{ oid: string }>('SELECT prrelid::text AS oid FROM pg_catalog.pg_publication_rel WHERE prpubid = $1::oid', [rows[0].oid])).rows.map(({ oid }) => Number(oid)));
  const wanted = new Set(tables.map(({ oid }) => oid));
  if (tables.every(({ oid }) => held.has(oid)) && [...held].every((oid) => wanted.has(oid))) return;
  await client.query(`ALTER PUBLICATION ${quoteName(name)} SET TABLE ${tables.map(tableClause).join(', ')}`);
}

/** A parent of old-style inheritance is read without its children; a partitioned table is all its partitions. */
function tableClause({ mapping, partitioned }: SourceTable): string {
  return `${partitioned ? '' : 'ONLY '}${quoteName(mapping.sourceSchemaName)}.${quoteName(mapping.sourceTable)}`;
}

/** @throws SourceFailed where a table of the pipe is not in the publication, or its changes are not. */
export async function checkPublication(client: Client, name: string, tables: readonly SourceTable[]): Promise<void> {
  const { rows: [publication] } = await client.query<{ whole: boolean }>('SELECT pubinsert AND pubupdate AND pubdelete AS whole FROM pg_catalog.pg_publication WHERE pubname = $1', [name]);
  if (!publication) throw new SourceFailed(`the publication ${name} is not there: make it again, or take publicationName out; changes made without it are lost, so resync the pipe`);
  if (!publication.whole) throw new SourceFailed(`the publication ${name} leaves out inserts, updates or deletes: ALTER PUBLICATION … SET (publish = 'insert, update, delete, truncate')`);
  const { rows } = await client.query<{ place: number }>(absentQuery, [name, tables.map(({ oid }) => oid)]);
  if (rows.length === 0) return;
  const absent = rows.map(({ place }) => nameOf(tables[place - 1]!.mapping));
  throw new SourceFailed(`the publication ${name} does not hold ${absent.slice(0, 5).join(', ')}: ALTER PUBLICATION … ADD TABLE; changes made meanwhile are lost, so resync the pipe`);
}

// A partitioned table is in by itself or by its partitions.
const absentQuery = `
SELECT wanted.place::int AS place FROM unnest($2::oid[]) WITH ORDINALITY AS wanted(oid, place)
WHERE NOT EXISTS (
  SELECT 1 FROM pg_catalog.pg_get_publication_tables($1) p
  WHERE p.relid = wanted.oid OR p.relid IN (SELECT relid FROM pg_catalog.pg_partition_tree(wanted.oid)))`;

export async function dropPublication(client: Client, name: string): Promise<void> {
  await client.query(`DROP PUBLICATION IF EXISTS ${quoteName(name)}`);
}
