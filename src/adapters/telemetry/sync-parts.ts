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

const syncSettings = [
  'fsync_after_insert',
  'fsync_part_directory',
  'min_rows_to_fsync_after_merge',
] as const;

/**
 * Makes a table sync its parts to the disk before it answers an insert, or not, as configured. The
 * setting stays with the table, so it also holds on a server.
 */
export async function applySync(
  telemetry: Telemetry,
  database: string,
  table: TableDeclaration,
  options: SchemaOptions,
): Promise<void> {
  const { syncTelemetry } = options;
  if (syncTelemetry === undefined) {
    return;
  }
  const name = storedName(table.name, options);
  const { rows } = await telemetry.query(
    sql`SELECT engine_full FROM system.tables WHERE database = ${database} AND name = ${name}`,
    admin,
  );
  const definition = String(rows[0]?.[0] ?? '');
  const value = syncTelemetry ? 1 : 0;
  const defaults = await engineDefaults(telemetry);
  const isSet = (setting: string): boolean => {
    const own = new RegExp(`\\b${setting} = (\\w+)`).exec(definition)?.[1] ?? defaults.get(setting);
    return own === String(value) || own === String(syncTelemetry);
  };
  if (syncSettings.every(isSet)) {
    return;
  }
  const changes = syncSettings.map((setting) => `${setting} = ${value}`).join(', ');
  await telemetry.command(
    sql`ALTER TABLE ${qualified(database, name)}${onCluster(options)} MODIFY SETTING ${source(changes)}`,
    admin,
  );
}

/** What tables have that do not name a setting; the embedded engine syncs them. */
async function engineDefaults(telemetry: Telemetry): Promise<Map<string, string>> {
  const { rows } = await telemetry.query(
    sql`SELECT name, value FROM system.merge_tree_settings WHERE name LIKE '%fsync%'`,
    admin,
  );
  return new Map(rows.map(([name, value]) => [String(name), String(value)]));
}
