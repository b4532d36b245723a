import type { Compilable } from 'kysely';
import type { BoundQuery, Compiler, Params, Queries, Statement } from './statement.ts';

export interface Result {
  rows: Record<string, unknown>[];
  /** Rows inserted, updated or deleted. */
  changes: number;
}

/** One connection inside a transaction. */
export interface Connection {
  query(query: BoundQuery): Promise<Result>;
  /** Undone alone when `work` throws; the transaction goes on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

/** A database: what sqlite.ts and postgres.ts implement. Every method throws Fault. */
export interface Driver {
  /** A query that only reads, outside of a transaction. */
  read(query: BoundQuery): Promise<Result>;
  /**
   * The first row of a query that only reads, shaped; it may be remembered from before. Only where
   * the process makes nearly all changes itself.
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
 * Where the parts of the store run their statements: outside a transaction or inside one, they
 * cannot tell.
 */
export interface Session {
  readonly inTransaction: boolean;
  readonly queries: Queries;
  all<P extends Params, R>(statement: Statement<P, R>, values: P): Promise<R[]>;
  first<P extends Params, R>(statement: Statement<P, R>, values: P): Promise<R | undefined>;
  /**
   * Like `first`, of a statement that reads by a key: outside of a transaction what it answers may
   * be remembered, and up to 100 ms behind another process. Not to be changed.
   */
  recent<P extends Params, R, T>(
    statement: Statement<P, R>,
    values: P,
    shape: (row: R) => T,
  ): T | undefined | Promise<T | undefined>;
  /** How many rows it changed. */
  run<P extends Params>(statement: Statement<P, unknown>, values: P): Promise<number>;
  /** A query whose text depends on its values, compiled each time. */
  execute<R>(query: Compilable<R>): Promise<{ rows: R[]; changes: number }>;
  /** All or nothing: a transaction, or a savepoint inside one. */
  atomically<T>(work: (session: Session) => Promise<T>): Promise<T>;
}

/** Single statements: reads go their own way, anything else is a transaction of its own. */
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
        // Failures come one way only, whether or not the answer was at hand.
        return Promise.reject(error as Error);
      }
    },
  };
}

/** Connections are used again and again: what is made for one is made once. */
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
): Pick<Session, 'queries' | 'all' | 'first' | 'recent' | 'run' | 'execute'> {
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
    execute: async <R>(compilable: Compilable<R>) =>
      (await query(compiler.compile(compilable))) as { rows: R[]; changes: number },
  };
}
