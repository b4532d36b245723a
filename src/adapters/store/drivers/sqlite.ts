import Database from 'libsql';
import { Fault } from '../../../contract/errors.ts';
import { lockDataFile } from './data-lock.ts';
import { GroupCommit } from './group-commit.ts';
import { loadSnapshot } from '../snapshot/load-snapshot.ts';
import { migrate, requireMigrated } from './migrate.ts';
import { RecentReads } from './recent-reads.ts';
import type { Connection, Driver, Result } from '../statements/session.ts';
import { createCompiler, type BoundQuery } from '../statements/statement.ts';
import { createStore } from '../store.ts';
import type { Store } from '../../../ports/store/store.ts';

export interface SqliteOptions {
  /** The database file; its folder must exist. Beside it live `-wal`, `-shm` and the lock. */
  path: string;
  /** Milliseconds since the epoch; the process's clock by default. */
  clock?: { now(): number };
  /**
   * For a short command: when another process holds the file it is opened beside that one, without
   * migrating it. SQLite's own locks order the writes; leases are not to be taken.
   */
  beside?: boolean;
  /**
   * How long a write waits for the transactions before it, then it fails with Fault `unavailable`.
   */
  turnTimeoutMs?: number;
  /** Called with the names of the steps applied, if there were any. */
  onMigrated?: (steps: readonly string[]) => void;
  /** Called with the names of steps of a newer version, if there are any. */
  onNewer?: (steps: readonly string[]) => void;
  /** Refuse a store with any step of a newer version. */
  complete?: boolean;
}

/**
 * The embedded store: one file, one process. One connection writes, another reads, so that a read
 * never waits for a transaction (write-ahead log). A commit is on the disk when its promise
 * resolves (`synchronous = FULL`).
 * @throws Error naming the process that has the file open.
 */
export async function openSqliteStore({
  path,
  clock = { now: Date.now },
  beside = false,
  turnTimeoutMs = 30_000,
  onMigrated = () => {},
  onNewer = () => {},
  complete,
}: SqliteOptions): Promise<Store> {
  const lock = lockDataFile(path, beside);
  try {
    const compiler = createCompiler('sqlite', () => clock.now());
    const [writer, reader] = [openConnection(path), openConnection(path)];
    // Beside another process that writes nearly everything, nothing is worth remembering.
    const recent = lock.held
      ? new RecentReads({ storedVersion: () => reader.run(dataVersion).rows[0]?.['data_version'] })
      : undefined;
    const commits = new GroupCommit(recent ? forgetting(writer, recent) : writer, turnTimeoutMs);
    const driver = createDriver({ writer, reader, commits, recent, closed: () => lock.release() });
    try {
      const bringUp = lock.held ? migrate : requireMigrated;
      const { applied, newer } = await driver.transaction((connection) =>
        bringUp(connection, compiler, { complete }),
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
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Fills the store in a new file from the lines of a snapshot. A store that was opened and never
 * used counts as new. Returns the number of rows.
 */
export async function restoreSqliteStore(
  path: string,
  lines: AsyncIterable<string>,
): Promise<number> {
  const lock = lockDataFile(path);
  try {
    const [writer, reader] = [openConnection(path), openConnection(path)];
    const commits = new GroupCommit(writer, restoreTimeoutMs);
    const driver = createDriver({
      writer,
      reader,
      commits,
      recent: undefined,
      closed: () => lock.release(),
    });
    const compiler = createCompiler('sqlite', () => Date.now());
    return await loadSnapshot(driver, compiler, lines).finally(() => driver.close());
  } catch (error) {
    lock.release();
    throw error;
  }
}

const restoreTimeoutMs = 24 * 3_600_000;

interface SqliteConnection extends Connection {
  readonly inTransaction: boolean;
  execute(text: string): void;
  run(query: BoundQuery): Result;
  close(): void;
}

/** Another number once any other connection has committed. */
const dataVersion: BoundQuery = {
  text: 'pragma data_version',
  values: [],
  reads: true,
  single: true,
};

/** The same connection; before a commit is acknowledged, what was read before it is forgotten. */
function forgetting(writer: SqliteConnection, recent: RecentReads): SqliteConnection {
  const { run, query, savepoint, close } = writer;
  return {
    get inTransaction() {
      return writer.inTransaction;
    },
    run,
    query,
    savepoint,
    close,
    execute(text) {
      try {
        writer.execute(text);
      } finally {
        recent.clear();
      }
    },
  };
}

interface DriverParts {
  writer: SqliteConnection;
  reader: SqliteConnection;
  commits: GroupCommit;
  recent: RecentReads | undefined;
  closed(): void;
}

function createDriver({ writer, reader, commits, recent, closed }: DriverParts): Driver {
  let ended = false;
  const open = (): SqliteConnection => {
    if (ended) {
      throw new Fault('unavailable', 'the metadata store is closed');
    }
    return reader;
  };
  const read = async (query: BoundQuery) => open().run(query);
  return {
    read,
    recent:
      recent &&
      ((statement, values, bound, shape) => {
        const connection = open();
        return recent.first(statement, values, () => connection.run(bound()).rows[0], shape);
      }),
    transaction: (work) => commits.add(work),
    ping: async () => void (await read({ text: 'select 1', values: [], reads: true })),
    async close() {
      await commits.end();
      ended = true;
      reader.close();
      writer.close();
      closed();
    },
  };
}

/** Maximum number of prepared statements kept for a connection. */
const preparedMax = 400;

/** Prepares each text once, and forgets the oldest when there are too many. */
function preparing(database: Database.Database): (text: string) => Database.Statement {
  const prepared = new Map<string, Database.Statement>();
  return (text) => {
    const known = prepared.get(text);
    if (known) {
      return known;
    }
    const made = database.prepare(text);
    if (made.reader) {
      made.raw(true);
    }
    if (prepared.size >= preparedMax) {
      prepared.delete(prepared.keys().next().value ?? '');
    }
    prepared.set(text, made);
    return made;
  };
}

function openConnection(path: string): SqliteConnection {
  const database = open(path);
  const prepare = preparing(database);

  function run({ text, values, reads, single }: BoundQuery): Result {
    try {
      const statement = prepare(text);
      if (reads && single) {
        return { rows: named(statement, firstRow(statement, values)), changes: 0 };
      }
      if (!statement.reader) {
        return { rows: [], changes: statement.run(values).changes };
      }
      const rows = statement.all(values) as unknown[][];
      return { rows: named(statement, rows), changes: rows.length };
    } catch (error) {
      throw sqliteFault(error);
    }
  }

  let savepoints = 0;
  return {
    get inTransaction() {
      return database.inTransaction;
    },
    run,
    query: async (query) => run(query),
    async savepoint(work) {
      const name = `s${savepoints++}`;
      database.exec(`savepoint ${name}`);
      try {
        const result = await work();
        database.exec(`release ${name}`);
        return result;
      } catch (error) {
        if (database.inTransaction) {
          database.exec(`rollback to ${name}; release ${name}`);
        }
        throw error;
      }
    },
    execute(text) {
      try {
        database.exec(text);
      } catch (error) {
        throw sqliteFault(error);
      }
    },
    close: () => void database.close(),
  };
}

/**
 * What a transaction changes stays in memory until it commits, instead of going to the disk more
 * than once; and pages that are changed again and again go from the log to the file once for 16 MiB
 * of log, not for every four.
 */
const cacheKib = 32_768;
const checkpointPages = 4096;

function open(path: string): Database.Database {
  const database = new Database(path, { timeout: 5000 });
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 5000',
  );
  database.exec(`pragma cache_size = -${cacheKib}; pragma wal_autocheckpoint = ${checkpointPages}`);
  return database;
}

/**
 * Much faster than reading to the end. Only for reads: an INSERT … RETURNING that is not read to
 * its end is undone.
 */
function firstRow(statement: Database.Statement, values: unknown[]): unknown[][] {
  const row = statement.get(values) as unknown[] | undefined;
  return row === undefined ? [] : [row];
}

const columnNames = new WeakMap<Database.Statement, string[]>();

/** Rows as arrays cost half of what the library's own objects do. */
function named(statement: Database.Statement, rows: unknown[][]): Record<string, unknown>[] {
  if (rows.length === 0) {
    return [];
  }
  let names = columnNames.get(statement);
  if (!names) {
    columnNames.set(statement, (names = statement.columns().map(({ name }) => name)));
  }
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index++) {
      row[names[index] as string] = values[index];
    }
    return row;
  });
}

function sqliteFault(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^SQLITE_CONSTRAINT_(?:PRIMARYKEY|UNIQUE)/.test(code)) {
    return new Fault('conflict', 'Another record already has this ID or name.', {
      cause: error,
    });
  }
  if (code.startsWith('SQLITE_FULL')) {
    return new Fault(
      'unavailable',
      'The disk of the metadata store is full. Free some space, then send the request again.',
      { cause: error, retryAfterSeconds: 30 },
    );
  }
  if (/^SQLITE_(?:BUSY|LOCKED|IOERR|CANTOPEN|READONLY)/.test(code)) {
    return new Fault('unavailable', 'the metadata store is not available; try again', {
      cause: error,
      retryAfterSeconds: 5,
    });
  }
  return error;
}
