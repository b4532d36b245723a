import { TelemetryError, type QueryOptions, type Telemetry } from '../../../ports/telemetry.ts';
import { identifier, join, literal, qualified, sql, type Sql } from '../../../sql/sql.ts';
import { migrationTable } from '../migrate.ts';
import { createViews, tables } from '../migrations.ts';
import { exactFrom, limitIfInexact, viewNames } from '../tables/rollup.ts';
import {
  createDistributed,
  prepareReplacement,
  shardSchema,
  stored,
} from './distributed-tables.ts';
import type { PresentShard } from './shards.ts';

const admin: QueryOptions = { purpose: 'admin', timeoutMs: 120_000 };
/** Tables that queries read from all shards. */
const shared = [...tables, exactFrom].map(({ name }) => name);
/**
 * In the order in which they get their new names. The logs come first: from then on no row comes that
 * the rollup would have to count. The last one shows that all is done.
 */
const holdingRows = [...shared, migrationTable];

interface PlacedTable {
  name: string;
  engine: string;
}

/**
 * Makes the tables of a database on shards, and those that query all shards. Every step may be
 * repeated, and several processes may do it at the same time.
 * @param all the shards whose columns must be equal
 * @returns the names of the steps applied
 */
export async function prepareShards(
  shards: readonly PresentShard[],
  { database, cluster, all }: { database: string; cluster: string; all: readonly PresentShard[] },
): Promise<readonly string[]> {
  const steps = new Set<string>();
  const unsharded: PresentShard[] = [];
  for (const shard of shards) {
    const { telemetry } = shard.server;
    await telemetry.command(sql`CREATE DATABASE IF NOT EXISTS ${identifier(database)}`, admin);
    if ((await unshardedTables(shard, database)).length > 0) {
      unsharded.push(shard);
    } else {
      (await telemetry.migrate(database)).forEach((step) => steps.add(step));
    }
  }
  // A table that queries all shards needs its rows' tables everywhere, so these come second.
  for (const shard of unsharded) {
    const { telemetry } = shard.server;
    await shareTables(shard, database, cluster);
    (await telemetry.migrate(database)).forEach((step) => steps.add(step));
    steps.add(`tables shared with all shards on shard ${shard.number}`);
  }
  await requireEqualColumns(all, database);
  for (const { server } of shards) {
    for (const name of shared) {
      await createDistributed(server.telemetry, { database, name, cluster });
    }
  }
  return [...steps];
}

/** Our tables that hold rows under the known name: made before the cluster had shards. */
async function unshardedTables(shard: PresentShard, database: string): Promise<string[]> {
  const placed = await placedTables(shard.server.telemetry, database);
  const engines = new Map(placed.map(({ name, engine }) => [name, engine]));
  return holdingRows.filter((name) => {
    const engine = engines.get(name);
    const isUnsharded = engine !== undefined && engine !== 'Distributed';
    if (isUnsharded && engines.has(stored(name))) {
      throw new TelemetryError(
        'other',
        `shard ${shard.number} (${shard.name}) has rows in both ${database}.${name} and ` +
          `${database}.${stored(name)}. Move the rows into one of them, and drop the other.`,
      );
    }
    return isUnsharded;
  });
}

async function placedTables(
  telemetry: Pick<Telemetry, 'query'>,
  database: string,
): Promise<PlacedTable[]> {
  const { rows } = await telemetry.query(
    sql`SELECT name, engine FROM system.tables WHERE database = ${database}`,
    admin,
  );
  return rows.map(([name, engine]) => ({ name: String(name), engine: String(engine) }));
}

/**
 * Gives tables that hold rows the names of a shard's, and puts Distributed tables in their place.
 * Inserts by processes of the old configuration fail from then on, as a Distributed table without a
 * sharding key takes no rows. So the views can be replaced while no row comes.
 */
async function shareTables(shard: PresentShard, database: string, cluster: string): Promise<void> {
  const { telemetry } = shard.server;
  const unsharded = await unshardedTables(shard, database);
  for (const name of unsharded.filter((each) => each !== migrationTable)) {
    const renaming = await prepareReplacement(telemetry, { database, name, cluster });
    await rename(shard, database, name, renaming);
  }
  for (const view of viewNames) {
    // Waits for inserts that use the view.
    await telemetry.command(sql`DROP VIEW IF EXISTS ${qualified(database, view)} SYNC`, admin);
  }
  await createViews(telemetry, database, shardSchema);
  await limitIfInexact(telemetry, database, shardSchema);
  if (unsharded.includes(migrationTable)) {
    await rename(
      shard,
      database,
      migrationTable,
      sql`RENAME TABLE ${qualified(database, migrationTable)}
        TO ${qualified(database, stored(migrationTable))}`,
    );
  }
}

/** If another process has done it already, the new name is taken and nothing happens. */
async function rename(
  shard: PresentShard,
  database: string,
  name: string,
  renaming: Sql,
): Promise<void> {
  try {
    await shard.server.telemetry.command(renaming, admin);
  } catch (error) {
    if ((await unshardedTables(shard, database)).includes(name)) {
      throw error;
    }
  }
}

/** @throws TelemetryError if a column has another type on another shard */
async function requireEqualColumns(
  shards: readonly PresentShard[],
  database: string,
): Promise<void> {
  const [first, ...others] = shards;
  if (!first) {
    return;
  }
  const expected = await columnsOf(first, database);
  for (const shard of others) {
    const present = await columnsOf(shard, database);
    for (const name of new Set([...expected.keys(), ...present.keys()])) {
      if (expected.get(name) !== present.get(name)) {
        throw new TelemetryError(
          'other',
          `the column ${database}.${name} is ${expected.get(name) ?? 'missing'} on shard ` +
            `${first.number} (${first.name}), and ${present.get(name) ?? 'missing'} on shard ` +
            `${shard.number} (${shard.name}). Make the tables equal on all shards.`,
        );
      }
    }
  }
}

/** Type by `table.column`. */
async function columnsOf(
  { server: { telemetry } }: PresentShard,
  database: string,
): Promise<Map<string, string>> {
  const names = join(
    shared.map((name) => literal(stored(name))),
    ', ',
  );
  const { rows } = await telemetry.query(
    sql`SELECT table, name, type FROM system.columns
      WHERE database = ${database} AND table IN (${names})`,
    admin,
  );
  return new Map(
    rows.map(([table, name, type]) => [`${String(table)}.${String(name)}`, String(type)]),
  );
}
