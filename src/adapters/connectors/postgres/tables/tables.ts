import type { PostgresTableMapping } from '../../../../contract/pipe/postgres.ts';
import { SourceFailed } from '../../../../ports/connector.ts';
import type { PgColumn } from '../types/pg-column.ts';
import { readColumns } from '../types/read-columns.ts';
import type { Query } from '../wire/query-of.ts';

/** A mapped table as it currently is at the server. */
export interface SourceTable {
  mapping: PostgresTableMapping;
  oid: number;
  partitioned: boolean;
  /** The server writes its changes to the WAL, which it does not do for an unlogged table. */
  logged: boolean;
  /** Columns that a publication carries and that are not excluded. */
  columns: PgColumn[];
  /**
   * Values, by column name, of rows that are older than the column. Each is text of the column's
   * type.
   */
  missing: ReadonlyMap<string, string>;
  primaryKey: string[];
  /**
   * Columns that identify an old row: the primary key (`default`), those of a unique index
   * (`index`), all (`full`) or none (`nothing`).
   */
  identity: 'default' | 'index' | 'full' | 'nothing';
  identityColumns: string[];
}

/** @throws SourceFailed if a table or an excluded column does not exist */
export async function readTables(
  query: Query,
  mappings: readonly PostgresTableMapping[],
): Promise<SourceTable[]> {
  const result = await query(tablesQuery, [
    mappings.map(({ sourceSchemaName }) => sourceSchemaName),
    mappings.map(({ sourceTable }) => sourceTable),
  ]);
  const rows = new Map(result.map((row) => [Number(row['place']) - 1, row]));
  const absent = mappings.filter((_, index) => !rows.has(index)).map(nameOf);
  if (absent.length > 0) {
    throw new SourceFailed(
      `cannot find ${absent.slice(0, 5).join(', ')}. ` +
        'Check tableMappings, and that the user has USAGE on the schema.',
      { problem: { reason: 'not_found', field: 'tableMappings' } },
    );
  }
  const oids = [...rows.values()].map((row) => Number(row['oid']));
  const columns = await readColumns(query, oids);
  // After the columns: one that is added in between would come without its value of earlier rows.
  const missing = await readMissing(query, oids);
  return mappings.flatMap((mapping, index) => {
    const row = rows.get(index);
    return row ? [sourceTable(mapping, row, columns, missing)] : [];
  });
}

/** Values of rows that are older than their column, by table and column name. */
async function readMissing(
  query: Query,
  oids: readonly number[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, string>>> {
  const tables = await query(missingQuery, [oids]);
  return new Map(
    tables.map(({ oid, missing }) => [
      Number(oid),
      new Map(Object.entries(JSON.parse(String(missing)) as Record<string, string>)),
    ]),
  );
}

const identities = { d: 'default', i: 'index', f: 'full', n: 'nothing' } as const;

function sourceTable(
  mapping: PostgresTableMapping,
  row: Record<string, unknown>,
  columns: ReadonlyMap<number, PgColumn[]>,
  missing: ReadonlyMap<number, ReadonlyMap<string, string>>,
): SourceTable {
  const kind = String(row['kind']);
  if (kind !== 'r' && kind !== 'p') {
    throw new SourceFailed(
      `${nameOf(mapping)} is not a table. A pipe cannot read views and foreign tables.`,
    );
  }
  const oid = Number(row['oid']);
  const all = (columns.get(oid) ?? []).filter(({ generated }) => !generated);
  const excluded = new Set(mapping.excludedColumns);
  const unknown = [...excluded].filter(
    (name) => !(columns.get(oid) ?? []).some((column) => column.name === name),
  );
  if (unknown.length > 0) {
    throw new SourceFailed(
      `table ${nameOf(mapping)} has no column "${unknown[0]}". Remove it from excludedColumns.`,
    );
  }
  const primaryKey = names(row['primary_key']);
  const identity = identities[String(row['identity']) as keyof typeof identities];
  const identityColumns = {
    default: primaryKey,
    index: names(row['identity_index']),
    full: all.map(({ name }) => name),
    nothing: [],
  }[identity];
  return {
    mapping,
    oid,
    partitioned: kind === 'p',
    logged: row['persistence'] === 'p',
    columns: all.filter(({ name }) => !excluded.has(name)),
    missing: missing.get(oid) ?? new Map(),
    primaryKey,
    identity,
    identityColumns,
  };
}

const names = (json: unknown): string[] => JSON.parse(String(json)) as string[];

export const nameOf = ({
  sourceSchemaName,
  sourceTable,
}: Pick<PostgresTableMapping, 'sourceSchemaName' | 'sourceTable'>): string =>
  `${sourceSchemaName}.${sourceTable}`;

// Arrays and objects are JSON text, which reads the same with every value parser of the client.
const tablesQuery = `
SELECT wanted.place::int AS place, c.oid::int8 AS oid, c.relkind::text AS kind,
       c.relpersistence::text AS persistence, c.relreplident::text AS identity,
       ${indexColumns('i.indisprimary')} AS primary_key,
       ${indexColumns('i.indisreplident')} AS identity_index
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted(schema_name, table_name, place)
JOIN pg_catalog.pg_namespace n ON n.nspname = wanted.schema_name
JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.table_name`;

const missingQuery = `
SELECT a.attrelid::int8 AS oid,
       json_object_agg(a.attname, (a.attmissingval::text::text[])[1])::text AS missing
FROM pg_catalog.pg_attribute a
WHERE a.attrelid = ANY($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
  AND a.atthasmissing AND a.attmissingval IS NOT NULL
GROUP BY a.attrelid`;

function indexColumns(condition: string): string {
  return `coalesce((SELECT json_agg(a.attname ORDER BY k.place) FROM pg_catalog.pg_index i
    CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
    WHERE i.indrelid = c.oid AND ${condition} AND k.place <= i.indnkeyatts), '[]')::text`;
}
