import type { Client } from 'pg';
import { SourceFailed } from '../../../ports/connector.ts';
import { quoteName } from './quote.ts';
import { nameOf, type SourceTable } from './tables.ts';

/** Makes the pipe's own publication hold just its tables. A table that a later snapshot reads must be in it before. */
export async function makePublication(
  client: Client,
  name: string,
  tables: readonly SourceTable[],
): Promise<void> {
  const { rows } = await client.query<{ oid: string }>(
    'SELECT oid::text AS oid FROM pg_catalog.pg_publication WHERE pubname = $1',
    [name],
  );
  if (rows[0] === undefined) {
    await client.query(
      `CREATE PUBLICATION ${quoteName(name)} FOR TABLE ${tables.map(tableClause).join(', ')} WITH (publish = 'insert, update, delete, truncate', publish_via_partition_root = true)`,
    );
    return;
  }
  const held = new Set(
    (
      await client.query<{ oid: string }>(
        'SELECT prrelid::text AS oid FROM pg_catalog.pg_publication_rel WHERE prpubid = $1::oid',
        [rows[0].oid],
      )
    ).rows.map(({ oid }) => Number(oid)),
  );
  const wanted = new Set(tables.map(({ oid }) => oid));
  if (tables.every(({ oid }) => held.has(oid)) && [...held].every((oid) => wanted.has(oid))) {
    return;
  }
  await client.query(
    `ALTER PUBLICATION ${quoteName(name)} SET TABLE ${tables.map(tableClause).join(', ')}`,
  );
}

/** A parent of old-style inheritance is read without its children; a partitioned table is all its partitions. */
function tableClause({ mapping, partitioned }: SourceTable): string {
  return `${partitioned ? '' : 'ONLY '}${quoteName(mapping.sourceSchemaName)}.${quoteName(mapping.sourceTable)}`;
}

/**
 * `whole`: the table was copied too, so that rows which the publication leaves out would stay in the target as they were.
 * @throws SourceFailed where a table of the pipe is not in the publication, or not all its changes are.
 */
export async function checkPublication(
  client: Client,
  name: string,
  tables: readonly SourceTable[],
  { whole }: { whole: boolean },
): Promise<void> {
  const {
    rows: [publication],
  } = await client.query<{ whole: boolean }>(
    'SELECT pubinsert AND pubupdate AND pubdelete AS whole FROM pg_catalog.pg_publication WHERE pubname = $1',
    [name],
  );
  if (!publication) {
    throw new SourceFailed(
      `the publication ${name} is not there: make it again, or take publicationName out; changes made without it are lost, so resync the pipe`,
    );
  }
  if (!publication.whole) {
    throw new SourceFailed(
      `the publication ${name} leaves out inserts, updates or deletes: ALTER PUBLICATION … SET (publish = 'insert, update, delete, truncate')`,
    );
  }
  const oids = tables.map(({ oid }) => oid);
  const { rows: absent } = await client.query<{ place: number; dropped: boolean }>(absentQuery, [
    name,
    oids,
  ]);
  const dropped = absent.find((one) => one.dropped);
  if (dropped) {
    throw new SourceFailed(
      `${nameOf(tables[dropped.place - 1]!.mapping)} is not there any more: take it out with tableMappingsToRemove`,
    );
  }
  const named = absent.map(({ place }) => nameOf(tables[place - 1]!.mapping));
  if (named.length > 0) {
    throw new SourceFailed(
      `the publication ${name} does not hold ${named.slice(0, 5).join(', ')}: ALTER PUBLICATION … ADD TABLE; changes made meanwhile are lost, so resync the pipe`,
    );
  }
  const { rows: parts } = await client.query<{ place: number; filtered: boolean; missing: string }>(
    partsQuery,
    [name, oids],
  );
  for (const { place, filtered, missing } of parts) {
    const { mapping, columns } = tables[place - 1]!;
    if (filtered && whole) {
      throw new SourceFailed(
        `the publication ${name} leaves out rows of ${nameOf(mapping)} by a WHERE of its own: take that away and resync the pipe, or give replicationMode cdc_only`,
      );
    }
    const lost = (JSON.parse(missing) as string[]).find((column) =>
      columns.some((one) => one.name === column),
    );
    if (lost !== undefined) {
      throw new SourceFailed(
        `the publication ${name} leaves out the column ${lost} of ${nameOf(mapping)}: publish it and resync the pipe, or name it in excludedColumns`,
      );
    }
  }
}

// A partitioned table is in by itself or by its partitions.
const absentQuery = `
SELECT wanted.place::int AS place, NOT EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.oid = wanted.oid) AS dropped FROM unnest($2::oid[]) WITH ORDINALITY AS wanted(oid, place)
WHERE NOT EXISTS (
  SELECT 1 FROM pg_catalog.pg_get_publication_tables($1) p
  WHERE p.relid = wanted.oid OR p.relid IN (SELECT relid FROM pg_catalog.pg_partition_tree(wanted.oid)))`;

// Servers before 15 have neither lists of columns nor conditions; their view has no such columns.
const partsQuery = `
SELECT wanted.place::int AS place, to_jsonb(p) ->> 'rowfilter' IS NOT NULL AS filtered,
       coalesce((SELECT json_agg(a.attname) FROM pg_catalog.pg_attribute a
         WHERE a.attrelid = wanted.oid AND a.attnum > 0 AND NOT a.attisdropped AND NOT (to_jsonb(p) -> 'attnames') ? a.attname), '[]')::text AS missing
FROM unnest($2::oid[]) WITH ORDINALITY AS wanted(oid, place)
JOIN pg_catalog.pg_publication_tables p ON p.pubname = $1
JOIN pg_catalog.pg_namespace n ON n.nspname = p.schemaname
JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = p.tablename
WHERE c.oid = wanted.oid OR c.oid IN (SELECT relid FROM pg_catalog.pg_partition_tree(wanted.oid))`;

export async function dropPublication(client: Client, name: string): Promise<void> {
  await client.query(`DROP PUBLICATION IF EXISTS ${quoteName(name)}`);
}
