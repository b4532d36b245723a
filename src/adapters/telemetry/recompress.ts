import type { QueryOptions, Telemetry } from '../../ports/telemetry.ts';
import { identifier, join, qualified, sql } from '../../sql/sql.ts';
import {
  attributesCodec,
  defaultCodec,
  onCluster,
  source,
  storedName,
  type SchemaOptions,
  type TableDeclaration,
} from './tables/schema.ts';

const admin: QueryOptions = { purpose: 'admin', timeoutMs: 120_000 };

/**
 * Gives attributes of a table that was made before the codec of new tables. Rows are compressed so
 * when they are merged. A codec that somebody else chose stays.
 */
export async function recompressAttributes(
  telemetry: Telemetry,
  database: string,
  table: TableDeclaration,
  options: SchemaOptions,
): Promise<void> {
  const name = storedName(table.name, options);
  const { rows } = await telemetry.query(
    sql`SELECT name FROM system.columns
WHERE database = ${database} AND table = ${name} AND compression_codec = ${defaultCodec}`,
    admin,
  );
  const unchanged = new Set(rows.map(([column]) => String(column)));
  const changes = table.columns
    .filter(([column, , codec]) => codec === attributesCodec && unchanged.has(column))
    .map(([column]) => sql`MODIFY COLUMN ${identifier(column)} ${source(attributesCodec)}`);
  if (changes.length > 0) {
    await telemetry.command(
      sql`ALTER TABLE ${qualified(database, name)}${onCluster(options)} ${join(changes, ', ')}`,
      admin,
    );
  }
}
