import { setTimeout as pause } from 'node:timers/promises';
import { Pool, types, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { Fault } from '../../../contract/errors.ts';
import type { Store } from '../../../ports/store/store.ts';
import { loadSnapshot } from '../snapshot/load-snapshot.ts';
import { migrate } from './migrate.ts';
import { isLost, isStale, mayRunAgain, postgresFault } from './postgres-faults.ts';
import { remembered, type Connection, type Driver, type Result } from '../statements/session.ts';
import { createCompiler, type BoundQuery } from '../statements/statement.ts';
import { createStore } from '../store.ts';

export interface PostgresOptions {
  /**
   * `postgres://user:password@host:port/database`, with `sslmode` and the like as libpq writes
   * them.
   */
  url: string;
  /** Connections at most. */
  poolMax?: number;
  /** Instead of the database's time; for tests. */
  clock?: { now(): number };
  /** Told of what was handled already: a lost idle connection, a transaction that is run again. */
  onWarning?: (message: string, cause: unknown) => void;
  /** Called with the names of the steps applied, if there were any. */
  onMigrated?: (steps: readonly string[]) => void;
  /** Called with the names of steps of a newer version, if there are any. */
  onNewer?: (steps: readonly string[]) => void;
  /** Refuse a store with any step of a newer version. */
  complete?: boolean;
}

/**
 * The store on PostgreSQL, shared by any number of processes. Text of an error never carries the
 * URL.
 * @throws Fault `unavailable` when the database cannot be reached.
 */
export async function openPostgresStore({
  url,
  poolMax = 10,
  clock,
  onWarning = () => {},
  onMigrated = () => {},
  onNewer = () => {},
  complete,
}: PostgresOptions): Promise<Store> {
  const compiler = createCompiler('postgres', clock && (() => clock.now()));
  const driver = createDriver(createPool(url, poolMax, onWarning), onWarning);
  try {
    const { applied, newer } = await driver.transaction((connection) =>
      migrate(connection, compiler, { complete }),
    );
    if (applied.length > 0) {
      onMigrated(applied);
    }
    if (newer.length > 0) {
      onNewer(newer);
    }
    return createStore(driver, compiler);
  } catch (error) {
    await driver.close();
    throw error;
  }
}

/**
 * Fills the store in an empty database from the lines of a snapshot. Returns the number of rows.
 */
export async function restorePostgresStore(
  url: string,
  lines: AsyncIterable<string>,
): Promise<number> {
  const driver = createDriver(
    createPool(url, 1, () => {}),
    () => {},
  );
  // The lines can be read once only, so the transaction must not run again.
  let started = false;
  const once: Driver = {
    ...driver,
    transaction: (work) =>
      driver.transaction((connection) => {
        if (started) {
          throw new Fault('unavailable', 'the connection to the metadata store was lost');
        }
        started = true;
        return work(connection);
      }),
  };
  return loadSnapshot(once, createCompiler('postgres'), lines).finally(() => driver.close());
}

const bigintOid = 20;

function createPool(
  url: string,
  max: number,
  onWarning: NonNullable<PostgresOptions['onWarning']>,
): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    application_name: 'sightline',
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: 30_000,
    lock_timeout: 10_000,
    // A process that froze in the middle of a transaction must not hold its locks for ever.
    idle_in_transaction_session_timeout: 60_000,
    // Counts and milliseconds stay far below 2^53.
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === bigintOid
          ? Number
          : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  });
  // An idle connection may end at any time; the pool drops it and opens another one when it is
  // needed.
  pool.on('error', (error) =>
    onWarning('an idle connection to the metadata store was lost', error),
  );
  // One that is in use reports its end to the query it runs, and as an event that would end the
  // process if nobody listened.
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

const attemptsMax = 6;

function createDriver(pool: Pool, onWarning: NonNullable<PostgresOptions['onWarning']>): Driver {
  const connection = remembered(connectionOf);
  const begun = new Set<Promise<unknown>>();
  let ended = false;
  /** The pool forgets who waits for a connection when it ends: it is ended when nobody does. */
  async function track<T>(work: () => Promise<T>): Promise<T> {
    if (ended) {
      throw new Fault('unavailable', 'the metadata store is closed');
    }
    const working = work();
    begun.add(working);
    try {
      return await working;
    } finally {
      begun.delete(working);
    }
  }

  return {
    read: (query) =>
      track(() => readAgain(pool, async () => result(await pool.query(request(query))))),
    transaction: (work) =>
      track(async () => {
        let stale = 0;
        for (let attempt = 1; ;) {
          try {
            return await runTransaction(pool, (client) => work(connection(client)));
          } catch (error) {
            if (isStale(error) && stale++ < pool.options.max) {
              continue;
            }
            if (attempt >= attemptsMax || !mayRunAgain(error)) {
              throw postgresFault(error);
            }
            attempt++;
            onWarning(`a transaction is run again (attempt ${attempt})`, error);
            await pause(Math.random() * 10 * 2 ** attempt);
          }
        }
      }),
    ping: async () => void (await track(() => readAgain(pool, () => pool.query('select 1')))),
    async close() {
      ended = true;
      await Promise.allSettled(begun);
      await pool.end();
    },
  };
}

/**
 * Reads once more on another connection: after a restart of the database every connection of the
 * pool is dead, and reading twice does no harm. Any number of connections may have a stale
 * statement; the pool closes each connection that reports one.
 */
async function readAgain<T>(pool: Pool, read: () => Promise<T>): Promise<T> {
  let lost = 0;
  let stale = 0;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const isRepeated = isStale(error) ? stale++ < pool.options.max : isLost(error) && lost++ < 1;
      if (!isRepeated) {
        throw postgresFault(error);
      }
    }
  }
}

async function runTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await begin(pool);
  let broken: Error | undefined;
  try {
    const value = await work(client);
    await client.query('commit');
    return value;
  } catch (error) {
    broken = isStale(error) ? (error as Error) : undefined;
    await client.query('rollback').catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

async function begin(pool: Pool): Promise<PoolClient> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect();
    try {
      await client.query('begin');
      return client;
    } catch (error) {
      client.release(error as Error);
      // Nothing was done yet: the next connection may be a live one.
      if (attempt > pool.options.max || !isLost(error)) {
        throw error;
      }
    }
  }
}

function connectionOf(client: PoolClient): Connection {
  let savepoints = 0;
  return {
    query: async (query) => result(await client.query(request(query))),
    async savepoint(work) {
      const name = `s${savepoints++}`;
      await client.query(`savepoint ${name}`);
      try {
        const value = await work();
        await client.query(`release ${name}`);
        return value;
      } catch (error) {
        if (!mayRunAgain(error) && !isLost(error)) {
          await client.query(`rollback to ${name}; release ${name}`);
        }
        throw error instanceof Fault ? error : postgresFault(error);
      }
    },
  };
}

function request({ text, values, name }: BoundQuery): QueryConfig {
  return name === undefined ? { text, values } : { text, values, name };
}

function result({ rows, rowCount }: QueryResult): Result {
  return { rows: rows as Result['rows'], changes: rowCount ?? 0 };
}
