import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Compilable,
  type RawBuilder,
} from 'kysely';
import { Fault } from '../../../contract/errors.ts';
import type { Schema, WorkspaceTable } from './schema.ts';
import { ofEveryWorkspace, ofWorkspace } from './scope.ts';

export type DialectName = 'sqlite' | 'postgres';

/** Value of a column. */
export type Bind = string | number | null;
export type Params = Record<string, Bind>;

/**
 * A query that is built and compiled once per dialect. Later calls only bind values. `P` is the
 * type of its values, `R` the type of a result row.
 */
export interface Statement<P extends Params, R> {
  readonly build: (queries: Queries, values: P) => Compilable<R>;
}

/**
 * Declares a statement. The values in `build` are placeholders that can only be passed to Kysely.
 * Code that inspects values (an array for `in`, a condition) belongs into `Session.execute`.
 */
export function statement<P extends Params>(): <R>(
  build: Statement<P, R>['build'],
) => Statement<P, R> {
  return (build) => ({ build });
}

/**
 * The values of these columns. The values in `build` are created on access, so they cannot be
 * spread.
 */
export function valuesOf<V extends Params, C extends keyof V & string>(
  values: V,
  columns: readonly C[],
): Pick<V, C> {
  return Object.fromEntries(columns.map((column) => [column, values[column]])) as Pick<V, C>;
}

/** The start of every query. To reach a table of a workspace, name the workspace. */
export interface Queries {
  /** Tables that belong to no workspace. */
  readonly global: Kysely<Omit<Schema, WorkspaceTable>>;
  ofWorkspace(workspaceId: string): ReturnType<typeof ofWorkspace>;
  /**
   * For work on all workspaces, such as a supervisor's. scope.test.ts lists the permitted callers.
   */
  ofEveryWorkspace(): Kysely<Schema>;
  /** The store's own time in milliseconds, as an expression. */
  readonly now: RawBuilder<number>;
  /** The same time, if it is the time of this process. */
  readonly clock?: (() => number) | undefined;
  readonly dialect: DialectName;
}

/** A compiled query with its values, ready for a driver. */
export interface BoundQuery {
  text: string;
  values: Bind[];
  /** The query only reads and takes no locks, so it may run outside of a transaction. */
  reads: boolean;
  /** Name of the prepared statement. Set if the text of the query never changes. */
  name?: string;
  /** Return only the first row. */
  single?: boolean;
}

export interface Compiler {
  readonly queries: Queries;
  bind<P extends Params>(statement: Statement<P, unknown>, values: P): BoundQuery;
  /**
   * Binds the values of many rows by position, which costs less than by name. Only for a statement
   * that uses each of its values once.
   */
  binder<P extends Params>(statement: Statement<P, unknown>): (values: Bind[]) => BoundQuery;
  compile(query: Compilable<unknown>): BoundQuery;
}

class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const nowSlot = new Slot('now');

interface Template {
  text: string;
  slots: readonly (Bind | Slot)[];
  reads: boolean;
  name: string;
}

/**
 * Kysely only builds SQL; the drivers run it. The store's time comes from `clock` if there is one
 * (always on SQLite), otherwise from the database.
 */
export function createCompiler(dialect: DialectName, clock?: () => number): Compiler {
  const kysely = writer<Schema>(dialect);
  const queries: Queries = {
    global: writer(dialect),
    ofWorkspace: (workspaceId) => ofWorkspace(kysely, workspaceId),
    ofEveryWorkspace: () => ofEveryWorkspace(kysely),
    now: clock
      ? sql<number>`cast(${nowSlot} as bigint)`
      : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    clock,
    dialect,
  };
  const templates = new Map<object, Template>();

  function template<P extends Params>(statement: Statement<P, unknown>): Template {
    const known = templates.get(statement);
    if (known) {
      return known;
    }
    const compiled = statement.build(queries, standIns as P).compile();
    const made = {
      text: compiled.sql,
      slots: compiled.parameters as (Bind | Slot)[],
      reads: readsOnly(compiled.query.kind, compiled.sql),
      name: `sightline_${templates.size}`,
    };
    templates.set(statement, made);
    return made;
  }

  const fill = (slots: readonly (Bind | Slot)[], values: Params) => filled(slots, values, clock);

  return {
    queries,
    bind(statement, values) {
      const { text, slots, reads, name } = template(statement);
      return { text, values: fill(slots, values), reads, name };
    },
    binder(statement) {
      const { text, slots, reads, name } = template(statement);
      return (values) => {
        if (values.length !== slots.length) {
          throw new TypeError(`the statement takes ${slots.length} values, not ${values.length}`);
        }
        values.forEach(requireStorable);
        return { text, values, reads, name };
      };
    },
    compile(query) {
      const compiled = query.compile();
      return {
        text: compiled.sql,
        values: fill(compiled.parameters as (Bind | Slot)[], {}),
        reads: readsOnly(compiled.query.kind, compiled.sql),
      };
    },
  };
}

const standIns = new Proxy<Params>(
  {},
  {
    get: (_, name) => new Slot(String(name)),
    ownKeys: () => {
      throw new TypeError('the values of a statement cannot be listed or spread: name each column');
    },
  },
);

function filled(
  slots: readonly (Bind | Slot)[],
  values: Params,
  clock: (() => number) | undefined,
): Bind[] {
  return slots.map((slot) => {
    if (!(slot instanceof Slot)) {
      return slot;
    }
    if (slot === nowSlot) {
      return clock?.() ?? 0;
    }
    const value = values[slot.name];
    if (value === undefined) {
      throw new TypeError(`statement value ${slot.name} is missing`);
    }
    requireStorable(value);
    return value;
  });
}

/** PostgreSQL cannot store this character. A body never has it, because JSON escapes it. */
function requireStorable(value: Bind): void {
  if (typeof value === 'string' && value.includes('\0')) {
    throw new Fault('bad_request', 'text must not contain the character U+0000');
  }
}

function readsOnly(kind: string, text: string): boolean {
  return kind === 'SelectQueryNode' && !/ for (?:update|share|no key update|key share)/.test(text);
}

function writer<Tables>(dialect: DialectName): Kysely<Tables> {
  return dialect === 'sqlite' ? sqliteWriter() : postgresWriter();
}

function sqliteWriter<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

function postgresWriter<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}
