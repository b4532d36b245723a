import type { Query } from '../wire/query-of.ts';
import type { TableName } from './table-id.ts';

/** A table of the server, as a listing shows it. */
export interface ListedTable extends TableName {
  /** The user may read it. */
  isReadable: boolean;
}

/** Tables that a pipe could replicate, by name. At most `limit`. */
export async function listTables(query: Query, limit: number): Promise<ListedTable[]> {
  const rows = await query(tablesQuery, [limit]);
  return rows.map((row) => ({
    schema: String(row['schema']),
    table: String(row['name']),
    isReadable: row['readable'] === 1,
  }));
}

// A partition is replicated with the table that it belongs to.
const tablesQuery = `
SELECT n.nspname AS schema, c.relname AS name,
       (pg_catalog.has_schema_privilege(n.oid, 'USAGE')
         AND pg_catalog.has_table_privilege(c.oid, 'SELECT'))::int AS readable
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't'
  AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
ORDER BY 1, 2 LIMIT $1`;
