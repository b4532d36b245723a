import type { Telemetry, TelemetryShard, TelemetryShards } from '../../../ports/telemetry.ts';

/** The shards of the engine. An engine that is no cluster is one shard. */
export function shardsOf(telemetry: Telemetry): TelemetryShards {
  return telemetry.shards ?? theOnly(onlyShard(telemetry));
}

/** An engine that is no cluster, as a shard: its tables have their known names. */
export function onlyShard(telemetry: Telemetry): TelemetryShard {
  return {
    name: null,
    stored: (table) => table,
    embedded: telemetry.embedded,
    query: (statement, options) => telemetry.query(statement, options),
    command: (statement, options) => telemetry.command(statement, options),
    insert: (database, table, block, options) => telemetry.insert(database, table, block, options),
    columns: (database, table, tenant) => telemetry.columns(database, table, tenant),
    forgetColumns: (database, table) => telemetry.forgetColumns(database, table),
  };
}

function theOnly(shard: TelemetryShard): TelemetryShards {
  return {
    present: () => [shard],
    all: () => [shard],
    named: () => shard,
    choose: () => shard,
    adopt: () => Promise.resolve(),
    share: () => Promise.resolve(),
  };
}
