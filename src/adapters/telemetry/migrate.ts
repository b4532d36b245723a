import { TelemetryError, type QueryOptions, type Telemetry } from '../../ports/telemetry.ts';
import { identifier, qualified, sql } from '../../sql/sql.ts';
import { migrations, tables } from './migrations.ts';
import { applyRetention } from './retention.ts';
import { applySync } from './sync-parts.ts';
import {
  columnDeclaration,
  createTable,
  onCluster,
  storedName,
  type SchemaOptions,
} from './tables/schema.ts';

const admin: QueryOptions = { purpose: 'admin', timeoutMs: 120_000 };
/** The table that lists the steps applied to a database. */
export const migrationTable = 'sightline_migrations';
/** What each step means for older versions. */
const kindColumn = ['Kind', 'LowCardinality(String)'] as const;

/**
 * Brings a database to this version: made by us, made by a collector, or not there yet. Returns the
 * names of the steps applied.
 * @throws TelemetryError if a newer version has applied a step that is not `expand`
 */
export async function migrate(
  telemetry: Telemetry,
  database: string,
  options: SchemaOptions,
): Promise<readonly string[]> {
  await telemetry.command(
    sql`CREATE DATABASE IF NOT EXISTS ${identifier(database)}${onCluster(options)}`,
    admin,
  );
  await telemetry.command(
    createTable(
      database,
      {
        name: migrationTable,
        signal: 'logs',
        columns: [
          ['Version', 'UInt32'],
          ['Name', 'String'],
          ['AppliedAt', 'DateTime', 'DEFAULT now()'],
          kindColumn,
        ],
        indexes: [],
        orderBy: 'Version',
      },
      options,
    ),
    admin,
  );
  const name = storedName(migrationTable, options);
  await addKinds(telemetry, database, name, options);
  const { done, refused } = await version(telemetry, database, name);
  if (refused > 0) {
    throw new TelemetryError(
      'other',
      `database ${database} has telemetry tables of version ${refused}, ` +
        `but this release supports only version ${migrations.length}. Run a newer release.`,
    );
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < done) {
      continue;
    }
    await migration.run(telemetry, database, options);
    await telemetry.command(
      sql`INSERT INTO ${qualified(database, name)} (Version, Name, Kind)
SELECT ${index + 1}, ${migration.name}, ${migration.kind}
WHERE ${index + 1} NOT IN (SELECT Version FROM ${qualified(database, name)})
SETTINGS insert_deduplicate = 1, insert_deduplication_token = ${`step ${index + 1}`}`,
      admin,
    );
  }
  for (const table of tables) {
    await applyRetention(telemetry, database, table, options);
    await applySync(telemetry, database, table, options);
  }
  return migrations.slice(done).map(({ name }) => name);
}

/** Versions before this column recorded no kind. They insert without it. */
async function addKinds(
  telemetry: Telemetry,
  database: string,
  name: string,
  options: SchemaOptions,
): Promise<void> {
  const { rows } = await telemetry.query(
    sql`SELECT 1 FROM system.columns
      WHERE database = ${database} AND table = ${name} AND name = ${kindColumn[0]}`,
    admin,
  );
  if (rows.length === 0) {
    await telemetry.command(
      sql`ALTER TABLE ${qualified(database, name)}${onCluster(options)}
        ADD COLUMN IF NOT EXISTS ${columnDeclaration(kindColumn)}`,
      admin,
    );
  }
}

/** The latest step applied, and the latest unknown one with which this version cannot work, or 0. */
async function version(
  telemetry: Telemetry,
  database: string,
  name: string,
): Promise<{ done: number; refused: number }> {
  const { rows } = await telemetry.query(
    sql`SELECT max(Version), maxIf(Version, Version > ${migrations.length} AND Kind != 'expand')
      FROM ${qualified(database, name)}`,
    admin,
  );
  const [done, refused] = rows[0] ?? [];
  return { done: Number(done ?? 0), refused: Number(refused ?? 0) };
}
