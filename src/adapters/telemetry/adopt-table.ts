import type { QueryOptions, Telemetry } from '../../ports/telemetry.ts';
import { identifier, qualified, sql } from '../../sql/sql.ts';
import {
  columnDeclaration,
  deduplicationWindow,
  onCluster,
  source,
  storedName,
  windowSetting,
  type SchemaOptions,
  type TableDeclaration,
} from './tables/schema.ts';

const admin: QueryOptions = { purpose: 'admin', timeoutMs: 120_000 };

/**
 * Gives a table that somebody else made, such as a collector of any age, what it lacks of ours:
 * columns, indexes (for new parts), the deduplication window. Its order and its column types stay:
 * they work, at their own speed.
 */
export async function adoptTable(
  telemetry: Telemetry,
  database: string,
  table: TableDeclaration,
  options: SchemaOptions,
): Promise<void> {
  const name = storedName(table.name, options);
  const alter = sql`ALTER TABLE ${qualified(database, name)}${onCluster(options)}`;
  const present = await names(telemetry, database, name, 'columns');
  for (const column of table.columns) {
    if (!present.has(column[0])) {
      await telemetry.command(
        sql`${alter} ADD COLUMN IF NOT EXISTS ${columnDeclaration(column)}`,
        admin,
      );
    }
  }
  const indexes = await names(telemetry, database, name, 'data_skipping_indices');
  for (const index of table.indexes) {
    const [indexName = ''] = index.split(' ');
    if (!indexes.has(indexName)) {
      await telemetry.command(sql`${alter} ADD INDEX IF NOT EXISTS ${source(index)}`, admin);
    }
  }
  const definition = await telemetry.query(
    sql`SELECT engine_full FROM system.tables WHERE database = ${database} AND name = ${name}`,
    admin,
  );
  const setting = windowSetting(options);
  if (!String(definition.rows[0]?.[0]).includes(`${setting} = `)) {
    await telemetry.command(
      sql`${alter} MODIFY SETTING ${source(setting)} = ${deduplicationWindow}`,
      admin,
    );
  }
}

async function names(
  telemetry: Telemetry,
  database: string,
  table: string,
  from: 'columns' | 'data_skipping_indices',
): Promise<Set<string>> {
  const { rows } = await telemetry.query(
    sql`SELECT name FROM system.${identifier(from)} WHERE database = ${database} AND table = ${table}`,
    admin,
  );
  return new Set(rows.map(([name]) => String(name)));
}
