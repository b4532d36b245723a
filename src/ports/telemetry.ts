import type { RowSlot } from '../sql/row-slot.ts';
import type { Sql } from '../sql/sql.ts';

/**
 * Work of one purpose never waits for another's: each has connections of its own. `load` is what a
 * pipe has the engine read by itself, which can take hours; everything else that pipes ask is
 * short. An `export` lasts as long as its reader takes.
 */
export type Purpose = 'chart' | 'export' | 'alert' | 'ingest' | 'pipe' | 'load' | 'admin';

export interface QueryLimits {
  timeoutMs: number;
  /** Rows read from tables. 0 = no limit. */
  maxRowsToRead?: number;
  /** Rows of the result; past it the query fails with `too_many_rows`. */
  maxResultRows?: number;
  maxMemoryBytes?: number;
  maxThreads?: number;
}

export interface QueryOptions extends QueryLimits {
  purpose: Purpose;
  /**
   * The database that the statement works on, of the workspace that asks. Workspaces take turns, so
   * that one with many queries does not hold up another. Every statement of purpose `chart`, `export`,
   * `alert`, `pipe` or `load` that reads or changes tables has one.
   */
  tenant?: string | undefined;
  /** Aborting stops the query on the engine, not only the wait for it. */
  signal?: AbortSignal | undefined;
  /**
   * Most of the time the statement waits for one source. The embedded engine gives it more threads
   * than there are processors.
   */
  waitsForSource?: boolean | undefined;
}

export interface Column {
  name: string;
  /** ClickHouse's type text, as it writes it. */
  type: string;
}

/**
 * A value as JSON carries it:
 * - integers up to 32 bits, floats: number; NaN and infinities: null
 * - integers of 64 bits and more, decimals: string of digits
 * - Bool: boolean; NULL: null
 * - String, FixedString, Enum, UUID, IPv4 and IPv6: string, bytes that are no UTF-8 replaced
 * - Date, DateTime, DateTime64: `2026-11-20 10:00:00.123456789` in the column's time zone
 * - Array: array; Tuple with names: object, without: array; Map: object with its keys as strings
 *
 * Aggregates that must come out as numbers are cast in SQL.
 */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

export interface QueryResult {
  columns: Column[];
  rows: Value[][];
  rowsRead: number;
  bytesRead: number;
  elapsedMs: number;
  /**
   * Numbers of the shards that did not respond: the result lacks their rows. Absent if the result is
   * whole. Only queries of purpose `chart` have such results; all others fail.
   */
  missingShards?: readonly number[];
}

/** Takes rows of a stream. The stream goes on when the promise resolves. */
export type TakeRows = (rows: Value[][], columns: readonly Column[]) => Promise<void>;

export type TelemetryErrorKind =
  | 'syntax' // the engine refused the text: ours, or an expression of the caller's
  | 'unknown_column'
  | 'type' // types that do not go together, a value that cannot be cast
  | 'timeout'
  | 'too_many_rows'
  | 'memory'
  | 'aborted'
  | 'unavailable' // cannot be reached, or shutting down
  | 'unknown_table'
  | 'table_exists'
  | 'denied' // the engine's user has no right to it
  | 'other';

/**
 * The one error of this port. `message` is the engine's own text: for the log, or shown only after
 * `core/query` has cleaned it.
 */
export class TelemetryError extends Error {
  readonly kind: TelemetryErrorKind;
  constructor(kind: TelemetryErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'TelemetryError';
    this.kind = kind;
  }
}

/**
 * A block was sent and has no answer, so it may be stored. The engine is sent the same block again,
 * under the same token, until it answers or `outcome` rejects.
 */
export class UnansweredInsert extends TelemetryError {
  /** Resolves when the block is stored. */
  readonly outcome: Promise<void>;

  constructor(message: string, outcome: Promise<void>, options?: { cause?: unknown }) {
    super('unavailable', message, options);
    this.name = 'UnansweredInsert';
    this.outcome = outcome;
  }
}

/** A shard does not respond. The message names it, and is safe to show. */
export class ShardAway extends TelemetryError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('unavailable', message, options);
    this.name = 'ShardAway';
  }
}

export interface InsertOptions {
  /** The same token twice inserts once (`insert_deduplication_token`). */
  deduplicationToken?: string;
  purpose?: 'ingest' | 'pipe';
  /**
   * Rows written by somebody else (JSONEachRow): unknown fields are skipped, null becomes the
   * default, dates come in any usual notation, and an integer that its column cannot hold is
   * refused (`type`), where without this the engine takes it modulo the column's width. Not seen
   * are integers of more than 76 digits, and those inside aggregate states and variants.
   */
  foreign?: boolean;
  /**
   * Dates and times are written as the engine itself does (`YYYY-MM-DD hh:mm:ss.ffffff`, UTC): read
   * in half the time, and refused in any other notation.
   */
  ownNotation?: boolean;
  /**
   * No row replaces another one of the block, so the engine does not look for such rows before it
   * writes them.
   */
  distinct?: boolean;
  /** Rows that cannot be read are left out, without a word. JSONEachRow only, one row a line. */
  leaveOutBadRows?: boolean;
  /** Of the block, only the rows of this slot are stored. */
  slot?: RowSlot | undefined;
  /**
   * Days (UTC, since the epoch) that the rows of OTLP fall on, at most 90. With them, the engine may
   * get the block a little later, together with others. `insert` then resolves once it is durable,
   * and every later statement sees its rows. Absent: the block goes to the engine at once.
   */
  days?: readonly number[] | undefined;
  /**
   * The caller does not use `data` again once it is stored, nor another part of its memory, so that
   * memory may be freed at once. If the insert rejects, `data` stay as they are.
   */
  givesMemory?: boolean;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Whole rows: one JSON object a line, one or more blocks of the engine's Native format, or fields
 * between tabs. Never cut inside a row.
 */
export interface RowBlock {
  format: 'JSONEachRow' | 'Native' | 'TabSeparated';
  columns: readonly string[];
  /** In one piece or several, which follow one another as they are. */
  data: Buffer | readonly Buffer[];
  rows: number;
}

/**
 * The telemetry engine: the embedded engine or a ClickHouse server, the same SQL. Every method throws
 * TelemetryError.
 */
export interface Telemetry {
  /**
   * Runs one read-only SELECT, without a FORMAT of its own. Whatever else the text might do, the
   * engine refuses.
   */
  query(statement: Sql, options: QueryOptions): Promise<QueryResult>;
  /**
   * Runs one read-only SELECT and hands its rows over as the engine returns them, so that no part of
   * the program holds them all. Resolves after the last row. If it rejects, `take` may have had some
   * of the rows. A failing `take` stops the query on the engine.
   */
  stream(statement: Sql, options: QueryOptions, take: TakeRows): Promise<void>;
  /**
   * Runs one statement that changes something: DDL, INSERT … SELECT. `maxResultRows` does not
   * apply.
   */
  command(statement: Sql, options: QueryOptions): Promise<void>;
  /**
   * Stores a block, durable when the promise resolves.
   * @throws UnansweredInsert if the outcome is not known yet
   */
  insert(database: string, table: string, block: RowBlock, options?: InsertOptions): Promise<void>;
  /**
   * Columns as the engine has them, cached; empty when there is no such table. `tenant`: the database
   * of the workspace that asks, if that may be another one. The table of another database has no
   * columns then.
   */
  columns(database: string, table: string, tenant?: string): Promise<Column[]>;
  /** Forgets cached columns: after DDL, or when a query said unknown_column. */
  forgetColumns(database: string, table: string): void;
  /**
   * Creates or migrates the telemetry tables in a database. Safe to call again, and by several at
   * once.
   */
  migrate(database: string): Promise<readonly string[]>;
  /**
   * The time (ms since the epoch, a whole minute) from which `otel_logs_1m` counts every row of
   * `otel_logs`: 0 when it always has; undefined when the database has no rollup.
   */
  rollupExactFrom(database: string): Promise<number | undefined>;
  /** @throws TelemetryError unavailable. */
  ping(timeoutMs: number): Promise<void>;
  readonly embedded: boolean;
  /** Undefined: the engine is not a cluster of several shards. */
  readonly shards?: TelemetryShards | undefined;
  /**
   * Whatever the engine fetches from S3 by itself comes from addresses that the egress guard
   * answered, for every connection. Else its operator has to see to that.
   */
  readonly guardsEgress: boolean;
  /**
   * The origin on this machine at which the engine reaches `origin`, always at an address that the
   * egress guard answered. Undefined if the engine connects by itself.
   */
  relayFor(origin: string): Promise<string | undefined>;
  /** The process of the embedded engine; undefined for a server elsewhere. */
  readonly engineProcess?: EngineProcessStatus | undefined;
  /** The log before the embedded engine. Undefined: each insert goes to the engine. */
  readonly intakeLog?: IntakeLogStatus | undefined;
  /** Waits for running work, stops it, and ends within `withinMs` (default 5,000). */
  close(withinMs?: number): Promise<void>;
}

/**
 * A server with rows of its own: one shard of a cluster, or the only engine. Statements run on this
 * server alone. They fail with `ShardAway` soon after it stops responding.
 */
export interface TelemetryShard extends Pick<
  Telemetry,
  'embedded' | 'query' | 'command' | 'insert' | 'columns' | 'forgetColumns'
> {
  /** `host:port`, as the cluster names it. Null: the engine is not a cluster of several shards. */
  readonly name: string | null;
  /** The name on this server of the table with its rows of a table. */
  stored(table: string): string;
}

/** The shards of a cluster, in its order. */
export interface TelemetryShards {
  present(): readonly TelemetryShard[];
  /** @throws ShardAway if one does not respond */
  all(): readonly TelemetryShard[];
  /** A shard, whether it responds or not. Undefined: the cluster has no such shard. */
  named(name: string | null): TelemetryShard | undefined;
  /**
   * Chooses one of these shards by a token. If a shard is added to them, a token moves only to that
   * shard. Undefined if there is none.
   */
  choose(token: string, among: readonly TelemetryShard[]): TelemetryShard | undefined;
  /**
   * A table that has this name and holds rows itself, on any shard that responds, is of the time
   * before the cluster had several shards. It gets the name `stored`.
   * @param commentOf the new comment of such a table, or undefined if it must not be renamed
   * @throws TelemetryError `other` if the name belongs to a table that cannot be shared
   */
  adopt(
    database: string,
    table: string,
    commentOf: (comment: string) => string | undefined,
  ): Promise<void>;
  /**
   * Makes the tables of these names that query all shards, where they are missing or their columns
   * differ from those of the shards.
   */
  share(database: string, tables: readonly string[]): Promise<void>;
}

/** Small blocks of OTLP are durable in this log before the engine has them. */
export interface IntakeLogStatus {
  /** Bytes of rows that are acknowledged and not in the engine yet. */
  readonly pendingBytes: number;
  /** Blocks that the engine did not take. They are tried again. Queries do not see their rows. */
  readonly unstoredBlocks: number;
  /** Damaged places that were found at the start. The rows there are lost. */
  readonly damagedRecords: number;
}

export interface EngineProcessStatus {
  /** Undefined while no engine runs. */
  readonly pid: number | undefined;
  /** How many times the engine was started again since this process began. */
  readonly restarts: number;
  /** Parts of tables that the engine could not read at its last start and set aside. */
  readonly brokenParts: number;
  /** Whether the engine's last run may have left an insert half done, or lost parts. */
  readonly endedUncleanly: boolean;
  /** The listener is called after each restart, once the engine answers. */
  onRestart(listener: () => void): void;
}
