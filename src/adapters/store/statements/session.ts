import type { Compilable } from 'kysely';
import type { Bind, BoundQuery, Compiler, Params, Queries, Statement } from './statement.ts';

export interface Result {
  rows: Record<string, unknown>[];
  /** Rows inserted, updated or deleted. */
  changes: number;
}

/** One connection inside a transaction. */
export interface Connection {
  query(query: BoundQuery): Promise<Result>;
  /** If `work` throws, only this savepoint is rolled back. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

/** A database driver, implemented by sqlite.ts and postgres.ts. Every method throws Fault. */
export interface Driver {
  /** Runs a read-only query outside of a transaction. */
  read(query: BoundQuery): Promise<Result>;
  /**
   * The shaped first row of a read-only query, which may come from a cache. Present only if this
   * process makes nearly all changes itself.
   */
  recent?:
    | (<T>(
        statement: object,
        values: Params,
        bound: () => BoundQuery,
        shape: (row: Record<string, unknown>) => T,
      ) => T | undefined)
    | undefined;
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Runs the statements of the stores, either outside a transaction or inside one. The stores do not
 * know which.
 */
export interface Session {
  readonly inTransaction: boolean;
  readonly queries: Queries;
  all<P extends Params, R>(statement: Statement<P, R>, values: P): Promise<R[]>;
  first<P extends Params, R>(statement: Statement<P, R>, values: P): Promise<R | undefined>;
  /**
   * Like `first`, for a statement that reads by a key. Outside of a transaction the result may come
   * from a cache and be up to 100 ms old. Callers must not change it.
   */
  recent<P extends Params, R, T>(
    statement: Statement<P, R>,
    values: P,
    shape: (row: R) => T,
  ): T | undefined | Promise<T | undefined>;
  /** Returns the number of changed rows. */
  run<P extends Params>(statement: Statement<P, unknown>, values: P): Promise<number>;
  /**
   * Runs a statement once for each row of values, which are in the order of the statement. Returns
   * the number of changed rows.
   */
  runEach<P extends Params>(
    statement: Statement<P, unknown>,
    rows: readonly Bind[][],
  ): Promise<number>;
  /** Runs a query whose text depends on its values. It is compiled on each call. */
  execute<R>(query: Compilable<R>): Promise<{ rows: R[]; changes: number }>;
  /** Runs `work` in a transaction, or in a savepoint inside one. */
  atomically<T>(work: (session: Session) => Promise<T>): Promise<T>;
}

/** Runs single statements: reads without a transaction, writes each in its own. */
export function createSession(driver: Driver, compiler: Compiler): Session {
  const inside = remembered((connection: Connection) => transactionSession(connection, compiler));
  const atomically: Session['atomically'] = (work) =>
    driver.transaction((connection) => work(inside(connection)));
  const query = (bound: BoundQuery) =>
    bound.reads ? driver.read(bound) : driver.transaction((connection) => connection.query(bound));
  const single = session(query, compiler);
  const { recent } = driver;
  if (!recent) {
    return { inTransaction: false, ...single, atomically };
  }
  return {
    inTransaction: false,
    ...single,
    atomically,
    recent: <P extends Params, R, T>(
      statement: Statement<P, R>,
      values: P,
      shape: (row: R) => T,
    ) => {
      try {
        return recent(
          statement,
          values,
          () => ({ ...compiler.bind(statement, values), single: true }),
          shape as (row: Record<string, unknown>) => T,
        );
      } catch (error) {
        // A cached and an uncached read both report failures as a rejected promise.
        return Promise.reject(error as Error);
      }
    },
  };
}

/** Creates a value once for each connection. */
export function remembered<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) {
      return known;
    }
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

function transactionSession(connection: Connection, compiler: Compiler): Session {
  const inside: Session = {
    inTransaction: true,
    ...session((bound) => connection.query(bound), compiler),
    atomically: (work) => connection.savepoint(() => work(inside)),
  };
  return inside;
}

function session(
  query: (bound: BoundQuery) => Promise<Result>,
  compiler: Compiler,
): Pick<Session, 'queries' | 'all' | 'first' | 'recent' | 'run' | 'runEach' | 'execute'> {
  const first: Session['first'] = async <P extends Params, R>(
    statement: Statement<P, R>,
    values: P,
  ) =>
    (await query({ ...compiler.bind(statement, values), single: true })).rows[0] as R | undefined;
  return {
    queries: compiler.queries,
    all: async <P extends Params, R>(statement: Statement<P, R>, values: P) =>
      (await query(compiler.bind(statement, values))).rows as R[],
    first,
    recent: async (statement, values, shape) => {
      const row = await first(statement, values);
      return row && shape(row);
    },
    run: async (statement, values) => (await query(compiler.bind(statement, values))).changes,
    async runEach(statement, rows) {
      const bind = compiler.binder(statement);
      let changes = 0;
      for (const row of rows) {
        changes += (await query(bind(row))).changes;
      }
      return changes;
    },
    execute: async <R>(compilable: Compilable<R>) =>
      (await query(compiler.compile(compilable))) as { rows: R[]; changes: number },
  };
}
