import type { EngineProcessStatus, Purpose, RowBlock, TakeRows } from '../../ports/telemetry.ts';
import type { Credentials, EngineClient } from './engine-client.ts';

export interface EngineCall {
  purpose: Purpose;
  /** Counted from the call, waiting for a connection included. */
  timeoutMs: number;
  /** The database it works on, so that work for different ones takes turns. */
  tenant?: string | undefined;
  /** Settings of this call alone. */
  settings: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** See `QueryOptions`. */
  waitsForSource?: boolean | undefined;
}

export interface EngineInsert extends Omit<EngineCall, 'purpose'> {
  purpose: 'ingest' | 'pipe';
  /** `` `database`.`table` ``, quoted. */
  target: string;
  /** Column names, quoted, with commas between. */
  columns: string;
  block: RowBlock;
  /** The block is read into other types than the table's and cast on the way. */
  cast?: RowCast | undefined;
}

/**
 * Both are SQL, quoted: what the rows are read as (`\`id\` Int256`), and what is stored of them, in
 * the order of `columns`.
 */
export interface RowCast {
  structure: string;
  values: string;
  /** Rows to store, over the values under the names of their columns. Absent: all rows. */
  condition?: string;
}

/**
 * What the two engines do differently. Text that comes here is already safe; errors are
 * TelemetryErrors.
 */
export interface Engine {
  readonly embedded: boolean;
  readonly guardsEgress: boolean;
  /** Whether the engine itself keeps work of a purpose on a database away from the others. */
  confines(purpose: Purpose, database: string): Promise<boolean>;
  /**
   * Runs work of a purpose on a database as the administrator from now on, because its user cannot
   * do it. False if that cannot be, or is so already.
   */
  withdraw(purpose: Purpose, database: string, reason: string): boolean;
  relayFor(origin: string): Promise<string | undefined>;
  /** The engine's process, where this process started it. */
  readonly process: EngineProcessStatus | undefined;
  /** Runs a SELECT and gives its JSONCompact document. */
  read(text: string, call: EngineCall): Promise<string>;
  /** Runs a SELECT and hands its rows over as they come. */
  stream(text: string, call: EngineCall, take: TakeRows): Promise<void>;
  execute(text: string, call: EngineCall): Promise<void>;
  insert(call: EngineInsert): Promise<void>;
  ping(timeoutMs: number): Promise<void>;
  /** `clean`: nothing of the past is left to put in order. */
  close(options: { clean: boolean; withinMs?: number | undefined }): Promise<void>;
}

/** Where the engine is: a server elsewhere, or the process that this one has started. */
export interface Endpoint {
  readonly embedded: boolean;
  readonly guardsEgress: boolean;
  /** Whether work of a purpose on a database runs as a user of that database. */
  confines(purpose: Purpose, database: string): Promise<boolean>;
  relayFor(origin: string): Promise<string | undefined>;
  /** The engine's process, where this process started it. */
  readonly process: EngineProcessStatus | undefined;
  /** `ON CLUSTER …` for statements that every node has to run, else empty. */
  readonly onCluster: string;
  /** Texts that no error may show. */
  readonly secrets: readonly string[];
  /** Its own user is the administrator. */
  readonly client: EngineClient;
  /** Who runs work of a purpose on a database; undefined: the administrator runs everything. */
  auth(purpose: Purpose, database: string | undefined): Credentials | undefined;
  /** Whether it is known who runs it, and that user exists. */
  admits(purpose: Purpose, database: string | undefined): boolean;
  hasDatabase(database: string): Promise<boolean>;
  /** Whether a statement should be sent again, because the password of its user was changed. */
  renews(error: unknown): boolean;
  /** Lets the administrator run it from now on. False if that cannot be, or is so already. */
  withdraw(purpose: Purpose, database: string | undefined, reason: string): boolean;
  /** Makes the user. The embedded engine restarts for that; `isClean`: no statement is cut short. */
  admit(purpose: Purpose, database: string | undefined, isClean: boolean): Promise<void>;
  /** Whether the engine is being started at the moment. */
  readonly starting: boolean;
  /** Resolves when the engine can be asked. @throws TelemetryError unavailable. */
  ready(signal: AbortSignal): Promise<void>;
  /** Called after a statement that may have changed a table. */
  executed(text: string): void;
  /** A query did not end although the engine was told to stop it. */
  stuck(): void;
  /** `clean`: nothing runs any more, and nothing was cut short. */
  close(options: { clean: boolean }): Promise<void>;
}
