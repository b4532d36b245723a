import { TelemetryError, type QueryOptions, type Telemetry } from '../../ports/telemetry.ts';
import { identifier, qualified, sql } from '../../sql/sql.ts';
import { adoptTable } from './adopt-table.ts';
import { applyRetention } from './retention.ts';
import { applySync } from './sync-parts.ts';
import { logs } from './tables/logs.ts';
import { metrics } from './tables/metrics.ts';
import {
  logsPerMinute,
  logsPerMinuteView,
  recordExactFrom,
  traceTimesView,
} from './tables/rollup.ts';
import { createTable, onCluster, storedName, type SchemaOptions } from './tables/schema.ts';
import { traces, traceTimes } from './tables/traces.ts';

const admin: QueryOptions = { purpose: 'admin', timeoutMs: 120_000 };
export const tables = [logs, logsPerMinute, traces, traceTimes, ...metrics];
/** The table that lists the steps applied to a database. */
export const migrationTable = 'sightline_migrations';

interface Migration {
  name: string;
  /**
   * Done again without harm: two processes may start at the same time, and one may be killed
   * half-way.
   */
  run(telemetry: Telemetry, database: string, options: SchemaOptions): Promise<void>;
}

/** Forward only: what has been released is never changed, only followed. */
const migrations: readonly Migration[] = [
  {
    name: 'OpenTelemetry tables, trace times, log counts by minute',
    async run(telemetry, database, options) {
      for (const table of tables) {
        await telemetry.command(createTable(database, table, options), admin);
        await adoptTable(telemetry, database, table, options);
      }
      await createViews(telemetry, database, options);
      await recordExactFrom(telemetry, database, options);
    },
  },
];

/** Creates the views that feed the trace times and the rollup, where they are missing. */
export async function createViews(
  telemetry: Pick<Telemetry, 'command'>,
  database: string,
  options: SchemaOptions,
): Promise<void> {
  await telemetry.command(traceTimesView(database, options), admin);
  await telemetry.command(logsPerMinuteView(database, options), admin);
}

/**
 * Brings a database to this version: made by us, made by a collector, or not there yet. @throws
 * TelemetryError when a newer version has been here. Returns the names of the steps applied.
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
        ],
        indexes: [],
        orderBy: 'Version',
      },
      options,
    ),
    admin,
  );
  const name = storedName(migrationTable, options);
  const done = await version(telemetry, database, name);
  if (done > migrations.length) {
    throw new TelemetryError(
      'other',
      `database ${database} has telemetry tables of version ${done}, ` +
        `but this release supports only version ${migrations.length}. Run a newer release.`,
    );
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < done) {
      continue;
    }
    await migration.run(telemetry, database, options);
    await telemetry.command(
      sql`INSERT INTO ${qualified(database, name)} (Version, Name)
SELECT ${index + 1}, ${migration.name}
WHERE ${index + 1} NOT IN (SELECT Version FROM ${qualified(database, name)})`,
      admin,
    );
  }
  for (const table of tables) {
    await applyRetention(telemetry, database, table, options);
    await applySync(telemetry, database, table, options);
  }
  return migrations.slice(done).map(({ name }) => name);
}

async function version(telemetry: Telemetry, database: string, name: string): Promise<number> {
  const { rows } = await telemetry.query(
    sql`SELECT max(Version) FROM ${qualified(database, name)}`,
    admin,
  );
  return Number(rows[0]?.[0] ?? 0);
}
