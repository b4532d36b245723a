import type { SourceConfiguration, SourceKindName } from '../contract/pipe/sources.ts';
import type { Sql } from '../sql/sql.ts';
import type { Log } from './ambient.ts';
import type { Egress } from './egress.ts';
import type { Column } from './telemetry.ts';

/** Where a connector is in one partition. Its own business: everybody else only keeps it and hands it back. */
export type Position = string;

/** How one partition is to be read from now on. */
export interface Opening {
  /** Read what comes after this. Absent: nothing was ever stored; begin as the source's own settings say. */
  position?: Position;
  /**
   * A range up to here was on its way when somebody stopped. A batch must end exactly here (`next === until`), even where records in
   * between have vanished since: that is how the very same range is stored again, and recognised.
   */
  until?: Position;
}

/**
 * Asked by a connector each time it gets a partition, before it yields anything of it. Undefined: the partition is not to be
 * read by this reader. Asking again for a partition means starting it over: what was yielded of it and is not stored is forgotten.
 */
export type From = (partition: string) => Promise<Opening | undefined>;

/** One record as it was read. */
export interface SourceRecord {
  /** Its own place, for the error table and for fields such as `_offset`. */
  position: Position;
  /** UTF-8 text of one JSON object; untouched where the source carries JSON. Null: a record without a value (a tombstone). */
  data: Buffer | null;
  /** Why `data` could not be made. The record goes to the error table with this reason; it never holds up its neighbours. */
  refused?: string;
  /** The value as it came, where `data` was decoded from something else or could not be. */
  raw?: Buffer | null;
  /** When the source got it. */
  timestampMs?: number;
  key?: Buffer | null;
  headers?: Readonly<Record<string, string>>;
}

/** A table the connector asks for, where the pipe's own destination does not name it (PostgreSQL: one per mapping). */
export interface TargetTable {
  table: string;
  columns: readonly Column[];
  engine: 'MergeTree' | 'ReplacingMergeTree' | 'Null';
  /** Arguments of a ReplacingMergeTree. */
  versionColumn?: string;
  deletedColumn?: string;
  sortingKey: readonly string[];
}

interface BatchBase {
  partition: string;
  /** Where reading goes on after this batch. A batch may be empty: it then only moves the position. */
  next: Position;
  /** Records of this partition still at the source after this batch, where the source says so. */
  remaining?: number;
  /** Shown as the pipe's state while such batches come. */
  phase?: 'Snapshot' | 'Running';
  target?: TargetTable;
}

/** Records in JavaScript's hands, in order. */
export interface RecordBatch extends BatchBase {
  kind: 'records';
  records: readonly SourceRecord[];
  /** Size of the records, for the bound on memory. */
  bytes: number;
  /** Virtual fields that are the same for all of them, such as `_topic`. */
  constants?: Readonly<Record<string, string | number>>;
}

/**
 * Rows the engine reads by itself (`s3()`, `postgresql()`, …): never in JavaScript's hands. Stored whole or not at all: loaded into
 * a staging table first, then moved.
 */
export interface SelectBatch extends BatchBase {
  kind: 'select';
  /** What stands after FROM. Made with the `sql` tag; holds secrets, so it is never logged. */
  source: Sql;
  /** What the source gives, by name; fields of `fieldMappings` and virtual fields are among them. */
  fields: readonly Column[];
  /** Size as the source tells, for metrics. */
  bytes: number;
  /** Shown in the error table when the batch is refused: the object's name, the range. */
  label: string;
}

export type Batch = RecordBatch | SelectBatch;

/**
 * One reader of one source: dull on purpose. Retries, back-off, batching, mapping, insertion and checkpoints are the runner's.
 * Every method throws ConnectionLost or SourceFailed and nothing else; their messages carry no secret.
 */
export interface Connector {
  /**
   * Reads until the source is at its end (a one-time load), `signal` aborts, or something fails. Pulled: while the caller does not ask
   * for the next batch, no more than a bounded amount is held. Keeps order within a partition.
   */
  read(from: From, signal: AbortSignal): AsyncIterable<Batch>;
  /** Everything of the partition up to `position` is stored: the source may be told. A failure here is no loss. */
  commit(partition: string, position: Position): Promise<void>;
  /** Connects and looks whether the source is there and may be read. */
  check(signal: AbortSignal): Promise<void>;
  /** Gives back everything it holds. May be called at any time, more than once. */
  close(): Promise<void>;
  /** Removes what this pipe made at the source (a consumer group, a slot). The pipe is being deleted. */
  remove?(): Promise<void>;
}

/** What a connector is made from. */
export interface ConnectorContext<K extends SourceKindName = SourceKindName> {
  pipeId: string;
  source: Extract<SourceConfiguration, { kind: K }>['settings'];
  /** `sample`: a few records are looked at, nothing is committed, and the running readers are not disturbed. */
  purpose: 'run' | 'sample';
  /** Which of the readers that share the source this is; `count` may change over time, with a new connector. */
  replica: { index: number; count: number };
  /** What it may hold in records that were not asked for yet. */
  bufferBytes: number;
  /** The stored position of a partition that may be another reader's. Asking claims nothing. Absent for a sample. */
  stored?: (partition: string) => Promise<Position | undefined>;
  settings: Readonly<Record<string, number | boolean>>;
  log: Log;
  /** Every connection goes to an address it answered. */
  egress: Egress;
  /** Plain http for schema registries, queues and object stores. */
  allowHttp: boolean;
}

export type ConnectorFactory<K extends SourceKindName> = (context: ConnectorContext<K>) => Connector;

/** A factory of each kind: a kind without one does not compile. */
export type Connectors = { readonly [K in SourceKindName]: ConnectorFactory<K> };

/** The line is cut, the source is busy or away: trying again can help. */
export class ConnectionLost extends Error {
  constructor(publicMessage: string, options?: { cause?: unknown }) {
    super(publicMessage, options);
    this.name = 'ConnectionLost';
  }
}

/** Trying again cannot help before somebody changes something; the message says what. */
export class SourceFailed extends Error {
  constructor(publicMessage: string, options?: { cause?: unknown }) {
    super(publicMessage, options);
    this.name = 'SourceFailed';
  }
}
