import type { QueryOptions, Telemetry } from '../../ports/telemetry.ts';
import { qualified, sql } from '../../sql/sql.ts';
import {
  onCluster,
  source,
  storedName,
  type SchemaOptions,
  type TableDeclaration,
} from './tables/schema.ts';

const admin: QueryOptions = { purpose: 'admin', timeoutMs: 120_000 };

/**
 * Makes a table's TTL what is configured; a signal without a figure keeps the TTL it has, and 0
 * takes it away.
 */
export async function applyRetention(
  telemetry: Telemetry,
  database: string,
  table: TableDeclaration,
  options: SchemaOptions,
): Promise<void> {
  const days = options.retentionDays?.[table.signal];
  if (days === undefined || table.ageBy === undefined) {
    return;
  }
  const name = storedName(table.name, options);
  const { rows } = await telemetry.query(
    sql`SELECT extract(engine_full, ' TTL (.*?)(?: SETTINGS |$)')
FROM system.tables WHERE database = ${database} AND name = ${name}`,
    admin,
  );
  const present = String(rows[0]?.[0] ?? '');
  const wanted = days === 0 ? '' : `${table.ageBy} + toIntervalDay(${days})`;
  if (present === wanted) {
    return;
  }
  const change =
    days === 0 ? sql`REMOVE TTL` : sql`MODIFY TTL ${source(table.ageBy)} + toIntervalDay(${days})`;
  await telemetry.command(
    sql`ALTER TABLE ${qualified(database, name)}${onCluster(options)} ${change}`,
    admin,
  );
}
