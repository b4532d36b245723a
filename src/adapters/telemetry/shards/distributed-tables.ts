import type { QueryOptions, Telemetry } from '../../../ports/telemetry.ts';
import { qualified, sql, trusted, type Sql } from '../../../sql/sql.ts';
import { storedName } from '../tables/schema.ts';

const admin: QueryOptions = { purpose: 'admin', timeoutMs: 120_000 };
export const shardSchema = { isShard: true };
/** The name of the table on each shard that holds its rows. */
export const stored = (name: string): string => storedName(name, shardSchema);
/** A Distributed table before it takes the name of the table that it replaces. */
const waiting = (name: string): string => `${name}_distributed`;

/** A table that queries the tables `stored(name)` of all shards. */
export interface SharedTable {
  database: string;
  name: string;
  cluster: string;
}

type Server = Pick<Telemetry, 'query' | 'command'>;

/** Creates the Distributed table on a server, anew if its columns differ from those of the rows. */
export async function createDistributed(server: Server, table: SharedTable): Promise<void> {
  const { database, name } = table;
  const like = stored(name);
  const engine = ownEngine(table);
  await server.command(
    sql`CREATE TABLE IF NOT EXISTS ${qualified(database, name)}
      AS ${qualified(database, like)} ENGINE = ${engine}`,
    admin,
  );
  const current = await currentTable(server, table);
  if (current.isOutdated) {
    // An operator's own table keeps its sharding key.
    const kept = current.engine.startsWith(engine.text.slice(0, -1))
      ? trusted(current.engine)
      : engine;
    await server.command(
      sql`CREATE OR REPLACE TABLE ${qualified(database, name)}
        AS ${qualified(database, like)} ENGINE = ${kept}`,
      admin,
    );
  }
  await server.command(sql`DROP TABLE IF EXISTS ${qualified(database, waiting(name))} SYNC`, admin);
}

/**
 * Creates a Distributed table beside the table that it is to replace. Gives the statement that
 * exchanges them: from then on inserts under the known name fail, as a Distributed table without a
 * sharding key takes no rows.
 */
export async function prepareReplacement(server: Server, table: SharedTable): Promise<Sql> {
  const { database, name } = table;
  const known = qualified(database, name);
  await server.command(
    sql`CREATE TABLE IF NOT EXISTS ${qualified(database, waiting(name))}
      AS ${known} ENGINE = ${ownEngine(table)}`,
    admin,
  );
  return sql`RENAME TABLE ${known} TO ${qualified(database, stored(name))},
    ${qualified(database, waiting(name))} TO ${known}`;
}

/** Without a sharding key: nobody may insert through it, as it would lose deduplication. */
const ownEngine = ({ database, name, cluster }: SharedTable): Sql =>
  sql`Distributed(${cluster}, ${database}, ${stored(name)})`;

async function currentTable(
  server: Server,
  { database, name, cluster }: SharedTable,
): Promise<{ engine: string; isOutdated: boolean }> {
  const columns = (table: string): Sql =>
    sql`(SELECT groupArray((name, type)) FROM (SELECT name, type FROM system.columns
      WHERE database = ${database} AND table = ${table} ORDER BY position))`;
  const { rows } = await server.query(
    sql`SELECT ${columns(name)} != ${columns(stored(name))},
      (SELECT any(engine_full) FROM system.tables WHERE database = ${database} AND name = ${name})`,
    admin,
  );
  const [differ, engine] = rows[0] ?? [];
  const isOther = !String(engine).startsWith(`Distributed('${cluster}'`);
  return { engine: String(engine), isOutdated: Number(differ) === 1 || isOther };
}
