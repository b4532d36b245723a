import type { Telemetry, TelemetryShard, TelemetryShards } from '../../../ports/telemetry.ts';
import { sql, trusted } from '../../../sql/sql.ts';
import { errorTableName, type TableDestination } from './destination-table.ts';
import { extendTable, prepareDatabase, prepareTable, refusable, run } from './prepare-table.ts';
import { placeRows, soleSlot, withoutSlot, type Placement } from './row-slots.ts';
import { shardsOf } from './shards.ts';
import { hasOwner, ownTables, type TableUser } from './table-owner.ts';

const admin = { purpose: 'admin', timeoutMs: 60_000 } as const;
const path = 'destination.table';

/** The table of a pipe, as it is prepared. */
export interface PreparedTable {
  /** Shards that have it. */
  shards: readonly TelemetryShard[];
  placement: Placement;
}

/**
 * Creates the table of a pipe and its error table on all shards, or checks the existing ones. A shard
 * that is new in the cluster gets a table like that of the others.
 * @throws Fault `bad_request`, naming what does not fit
 * @throws ShardAway if a table is missing, and not all shards respond
 */
export async function prepareTables(
  telemetry: Telemetry,
  destination: TableDestination,
  user: TableUser,
): Promise<PreparedTable> {
  const shards = shardsOf(telemetry);
  const { database, table } = destination;
  const names = [table, errorTableName(table)];
  await refusable(path, () => adoptTables(shards, database, names));
  const present = shards.present();
  // An engine alone has no other that could have the table.
  const holders = telemetry.shards ? await holdersOf(present, database, table) : present;
  const isMissing = holders.length < present.length || present.length === 0;
  const all = isMissing ? shards.all() : present;
  for (const shard of all) {
    const [model] = holders;
    if (model && !holders.includes(shard)) {
      await ownTables(model, destination, [table], user);
      await prepareDatabase([shard], database);
      await copyTable(model, shard, destination);
    }
    await prepareTable(shard, destination, user);
  }
  await refusable(path, () => shards.share(database, names));
  const placement = await refusable(path, () => placeRows(shards, database, () => table));
  return { shards: all, placement };
}

/** Adds the columns that a managed table lacks, on all shards. */
export async function extendTables(
  telemetry: Telemetry,
  destination: TableDestination,
  user: TableUser & { mayAlterAny: boolean },
): Promise<void> {
  const shards = shardsOf(telemetry);
  for (const shard of shards.all()) {
    await extendTable(shard, destination, user);
  }
  const { database, table } = destination;
  await refusable('destination.columns', () => shards.share(database, [table]));
}

/**
 * Gives tables of the time before the cluster had several shards the names of a shard's tables.
 * @throws TelemetryError `other` if a table was not made by a pipe
 */
export async function adoptTables(
  shards: TelemetryShards,
  database: string,
  tables: readonly string[],
): Promise<void> {
  for (const table of tables) {
    await shards.adopt(database, table, (comment) => {
      const isOurs =
        hasOwner(comment) ||
        comment.includes('sightline pipe ') ||
        tables.some((other) => table === errorTableName(other));
      return isOurs ? [withoutSlot(comment), soleSlot].join(' ').trim() : undefined;
    });
  }
}

async function holdersOf(
  shards: readonly TelemetryShard[],
  database: string,
  table: string,
): Promise<TelemetryShard[]> {
  const holders: TelemetryShard[] = [];
  for (const shard of shards) {
    const { rows } = await shard.query(
      sql`SELECT count() FROM system.tables
        WHERE database = ${database} AND name = ${shard.stored(table)}`,
      admin,
    );
    if (Number(rows[0]?.[0]) > 0) {
      holders.push(shard);
    }
  }
  return holders;
}

/** By the statement that the engine itself has written. */
async function copyTable(
  from: TelemetryShard,
  to: TelemetryShard,
  { database, table }: TableDestination,
): Promise<void> {
  const { rows } = await from.query(
    sql`SELECT create_table_query FROM system.tables
      WHERE database = ${database} AND name = ${from.stored(table)}
        AND (endsWith(engine, 'MergeTree') OR engine = 'Null')`,
    admin,
  );
  if (rows[0] !== undefined) {
    const statement = withoutSlot(String(rows[0][0]));
    const repeatable = statement.replace(/^CREATE TABLE /, 'CREATE TABLE IF NOT EXISTS ');
    await run(to, trusted(repeatable), path);
  }
}
