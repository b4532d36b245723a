import type { Telemetry } from '../../ports/telemetry.ts';
import { identifier, sql, type Sql } from '../../sql/sql.ts';
import { logs } from './tables/logs.ts';
import { metrics } from './tables/metrics.ts';
import { logsPerMinute, logsPerMinuteView, traceTimesView } from './tables/rollup.ts';
import { createTable, onCluster, type SchemaOptions } from './tables/schema.ts';
import { traces, traceTimes } from './tables/traces.ts';

/** Creates what is missing. */
export async function migrate(telemetry: Telemetry, database: string, options: SchemaOptions): Promise<void> {
  for (const statement of statements(database, options)) await telemetry.command(statement, { purpose: 'admin', timeoutMs: 60_000 });
}

function statements(database: string, options: SchemaOptions): Sql[] {
  return [
    sql`CREATE DATABASE IF NOT EXISTS ${identifier(database)}${onCluster(options)}`,
    ...[logs, logsPerMinute, traces, traceTimes, ...metrics].map((table) => createTable(database, table, options)),
    logsPerMinuteView(database, options),
    traceTimesView(database, options),
  ];
}
