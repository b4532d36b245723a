import type { Client } from 'pg';
import { SourceFailed } from '../../../../ports/connector.ts';
import { quoteName } from '../wire/quote.ts';
import { nameOf, type SourceTable } from '../tables/tables.ts';

/**
 * Creates the pipe's own publication, or changes it to contain exactly the pipe's tables. A table
 * must be in it before its snapshot is taken.
 */
export async function makePublication(
  client: Client,
  name: string,
  tables: readonly SourceTable[],
): Promise<void> {
  const { rows } = await client.query<{ oid: string }>(
    'SELECT oid::text AS oid FROM pg_catalog.pg_publication WHERE pubname = $1',
    [name],
  );
  const clauses = tables.map(tableClause).join(', ');
  if (rows[0] === undefined) {
    await client.query(
      `CREATE PUBLICATION ${quoteName(name)} FOR TABLE ${clauses}
       WITH (publish = 'insert, update, delete, truncate', publish_via_partition_root = true)`,
    );
    return;
  }
  const members = await client.query<{ oid: string }>(
    'SELECT prrelid::text AS oid FROM pg_catalog.pg_publication_rel WHERE prpubid = $1::oid',
    [rows[0].oid],
  );
  const published = new Set(members.rows.map(({ oid }) => Number(oid)));
  const mapped = new Set(tables.map(({ oid }) => oid));
  if (mapped.size === published.size && [...mapped].every((oid) => published.has(oid))) {
    return;
  }
  await client.query(`ALTER PUBLICATION ${quoteName(name)} SET TABLE ${clauses}`);
}

/**
 * ONLY reads the parent of an old-style inheritance without its children. A partitioned table
 * includes all its partitions.
 */
function tableClause({ mapping, partitioned }: SourceTable): string {
  return `${partitioned ? '' : 'ONLY '}${quoteName(mapping.sourceSchemaName)}.${quoteName(mapping.sourceTable)}`;
}

/**
 * Checks that the publication contains every table of the pipe and all its changes. `copied`: the
 * tables were copied as well, so rows that the publication filters out would never change again in
 * the target.
 * @throws SourceFailed
 */
export async function checkPublication(
  client: Client,
  name: string,
  tables: readonly SourceTable[],
  { copied }: { copied: boolean },
): Promise<void> {
  await checkOperations(client, name);
  await checkTables(client, name, tables);
  await checkFilters(client, name, tables, copied);
}

async function checkOperations(client: Client, name: string): Promise<void> {
  const {
    rows: [publication],
  } = await client.query<{ complete: boolean }>(
    `SELECT pubinsert AND pubupdate AND pubdelete AS complete
     FROM pg_catalog.pg_publication WHERE pubname = $1`,
    [name],
  );
  if (!publication) {
    throw new SourceFailed(
      `publication "${name}" does not exist, and changes made without it are lost. ` +
        'Create it again or omit publicationName, then resync the pipe.',
      { problem: { reason: 'not_found', field: 'settings.publicationName' } },
    );
  }
  if (!publication.complete) {
    throw new SourceFailed(
      `publication "${name}" does not publish all of insert, update and delete. ` +
        "Run ALTER PUBLICATION … SET (publish = 'insert, update, delete, truncate').",
    );
  }
}

async function checkTables(
  client: Client,
  name: string,
  tables: readonly SourceTable[],
): Promise<void> {
  const { rows } = await client.query<{ place: number; dropped: boolean }>(absentQuery, [
    name,
    tables.map(({ oid }) => oid),
  ]);
  const droppedPlace = rows.find(({ dropped }) => dropped)?.place;
  const dropped = droppedPlace === undefined ? undefined : tables[droppedPlace - 1];
  if (dropped) {
    throw new SourceFailed(
      `table ${nameOf(dropped.mapping)} no longer exists. ` +
        'Remove it from the pipe with tableMappingsToRemove.',
    );
  }
  const absent = new Set(rows.map(({ place }) => place - 1));
  const names = tables
    .filter((_, index) => absent.has(index))
    .map(({ mapping }) => nameOf(mapping));
  if (names.length > 0) {
    throw new SourceFailed(
      `publication "${name}" does not contain ${names.slice(0, 5).join(', ')}, and changes made meanwhile are lost. ` +
        'Run ALTER PUBLICATION … ADD TABLE, then resync the pipe.',
    );
  }
}

async function checkFilters(
  client: Client,
  name: string,
  tables: readonly SourceTable[],
  copied: boolean,
): Promise<void> {
  const { rows } = await client.query<{ place: number; filtered: boolean; missing: string }>(
    filtersQuery,
    [name, tables.map(({ oid }) => oid)],
  );
  for (const { place, filtered, missing } of rows) {
    const table = tables[place - 1];
    if (!table) {
      continue;
    }
    const { mapping, columns } = table;
    if (filtered && copied) {
      throw new SourceFailed(
        `publication "${name}" filters rows of ${nameOf(mapping)} with a WHERE clause. ` +
          'Remove the clause and resync the pipe, or set replicationMode to cdc_only.',
      );
    }
    const unpublished = new Set(JSON.parse(missing) as string[]);
    const column = columns.find((candidate) => unpublished.has(candidate.name));
    if (column) {
      throw new SourceFailed(
        `publication "${name}" does not publish column "${column.name}" of ${nameOf(mapping)}. ` +
          'Publish it and resync the pipe, or add it to excludedColumns.',
      );
    }
  }
}

// The publication contains a partitioned table itself, or its partitions.
const absentQuery = `
SELECT wanted.place::int AS place,
       NOT EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.oid = wanted.oid) AS dropped
FROM unnest($2::oid[]) WITH ORDINALITY AS wanted(oid, place)
WHERE NOT EXISTS (
  SELECT 1 FROM pg_catalog.pg_get_publication_tables($1) p
  WHERE p.relid = wanted.oid OR p.relid IN (SELECT relid FROM pg_catalog.pg_partition_tree(wanted.oid)))`;

// Servers before 15 have neither column lists nor row filters, and the view lacks both columns.
const filtersQuery = `
SELECT wanted.place::int AS place, to_jsonb(p) ->> 'rowfilter' IS NOT NULL AS filtered,
       coalesce((SELECT json_agg(a.attname) FROM pg_catalog.pg_attribute a
         WHERE a.attrelid = wanted.oid AND a.attnum > 0 AND NOT a.attisdropped
           AND NOT (to_jsonb(p) -> 'attnames') ? a.attname), '[]')::text AS missing
FROM unnest($2::oid[]) WITH ORDINALITY AS wanted(oid, place)
JOIN pg_catalog.pg_publication_tables p ON p.pubname = $1
JOIN pg_catalog.pg_namespace n ON n.nspname = p.schemaname
JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = p.tablename
WHERE c.oid = wanted.oid OR c.oid IN (SELECT relid FROM pg_catalog.pg_partition_tree(wanted.oid))`;

export async function dropPublication(client: Client, name: string): Promise<void> {
  await client.query(`DROP PUBLICATION IF EXISTS ${quoteName(name)}`);
}
