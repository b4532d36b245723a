import type { SourceConfiguration, SourceKindName } from '../contract/pipe/sources.ts';
import type { Sql } from '../sql/sql.ts';
import type { Log } from './ambient.ts';
import type { Egress } from './egress.ts';
import type { ObjectLedger, ObjectOutcome } from './object-ledger.ts';
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
  /** What the pipe has done with each object, to be written as the owner of this partition. Absent for a sample. */
  ledger?: ObjectLedger;
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
  columns: readonly TargetColumn[];
  engine: 'MergeTree' | 'ReplacingMergeTree' | 'Null';
  /** Arguments of a ReplacingMergeTree. */
  versionColumn?: string;
  deletedColumn?: string;
  sortingKey: readonly string[];
  /**
   * Rows of another generation than the table's own go to a table beside it, which takes its place when a `publish` comes: so a table
   * that is read anew is never seen empty or half full. Absent: the table is the one of that name, whatever it holds.
   */
  generation?: string;
}

export interface TargetColumn extends Column {
  /** Stays the same when the column is renamed at the source: then the target's is renamed too. */
  sourceId?: number;
  /** What rows have that were there before the column was: text that the engine casts. */
  initial?: string;
}

interface BatchBase {
  partition: string;
  /** Where reading goes on after this batch. A batch may be empty: it then only moves the position. */
  next: Position;
  /** Records of this partition still at the source after this batch, where the source says so. */
  remaining?: number;
  /** Shown as the pipe's state while such batches come. */
  phase?: 'Snapshot' | 'Running';
  /** Shown beside the state: something that somebody should look at although it works. */
  note?: string;
  /** Asked when the batch is stored and nobody looks at it any more: the memory of its records may be written over. Not asked of batches that are dropped. */
  release?(): void;
  /** Nothing follows for a while: what is held of the partition is stored at once. */
  flush?: boolean;
}

/**
 * Records in one piece of memory, for sources that read many at once: no object is made for a record that needs none, and where no mapping
 * needs them the bytes go to the engine as they lie there.
 */
export interface PackedRecords {
  readonly count: number;
  /** The values in order, with whatever the source has put between them; at least one byte of that after each. */
  readonly data: Buffer;
  /** Two numbers a record: where its value begins and ends in `data`; both -1 where it has none. */
  readonly spans: Int32Array;
  record(index: number): SourceRecord;
  /** Asked before anything between the values is overwritten. From then on records have neither key nor headers. */
  surrender(): void;
}

/** Records in JavaScript's hands, in order. */
export interface RecordBatch extends BatchBase {
  kind: 'records';
  /** One object a record. Where the batch is packed they are made when asked for: the runner asks for `packed` first. */
  readonly records: readonly SourceRecord[];
  packed?: PackedRecords;
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
  /** What must be cut out of every error text. */
  secrets?: readonly string[];
  /** Settings of the statement besides the pipe's own: time-outs, how the format is read. Written in our source, with checked values. */
  settings?: Sql;
  /** Where the batch is made of pieces of which one can be bad without the others. `source` is then all of them. */
  pieces?: SelectPieces;
}

/** `unreached`: nothing was read of it, because the source refused it, or because it did not answer as it should. */
export type Blame = Pick<ObjectOutcome, 'state' | 'reason'> & { unreached?: 'refused' | 'away' };

/** Objects that are loaded together, and known apart by the engine's virtual column `_path`. */
export interface SelectPieces {
  names: readonly string[];
  /** Why none of them is to be read at all. */
  refusal?: string;
  /**
   * The engine is to tell in `_etag` of which version the rows are, where it also sees to it that all rows of a piece are of that one: for small pieces
   * this is less work than to look at each again.
   */
  versioned: boolean;
  /** What stands after FROM for some of them; gives the fields, `_path`, `_filled` (whether any field had a value), and `_etag` where that is asked for. */
  of(names: readonly string[], withVersions?: boolean): Sql;
  /** What the engine says in `_path` of this one. */
  pathOf(name: string): string;
  /** A piece without a filled row is refused with this reason; absent: rows are taken as they come. */
  emptyReason?: string;
  /** Decompressed bytes that so many pieces may give, before they are taken for a bomb. */
  bytesMax(names: readonly string[]): number;
  /**
   * Those of which something else was read than was planned, asked after they were read. `versions`: of which version the rows are, of those of which
   * the engine knows. @throws ConnectionLost
   */
  changed(
    names: readonly string[],
    versions: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Pick<ObjectOutcome, 'state' | 'reason'>>>;
  /** Some other pieces of the source, none of them of this batch: where the engine is given one of those, it is for their own sake that it is refused these. */
  others(signal: AbortSignal): Promise<readonly string[]>;
  /** What an error of the engine's means for a piece that was read alone. */
  blame(error: Error, name: string): Blame;
  /** Says before any row shows how each piece came out. False: somebody else owns the partition, and nothing may be shown. */
  settle(outcomes: readonly ObjectOutcome[]): Promise<boolean>;
  /** What was settled last. */
  settled(): Promise<readonly ObjectOutcome[]>;
}

/** Rows of one table in a form that the engine reads as it is. */
export interface RowsPart {
  target: TargetTable;
  /** Lines in the engine's TabSeparated format, with the target's columns in their order. */
  data: Buffer;
  rows: number;
  /** The same rows, for the case that the engine refuses `data`: with every value written in a way that it reads. Absent: they are already. */
  corrected?(): Buffer;
  /** The same rows as records, in order: to find those that the engine refuses. */
  records(): SourceRecord[];
}

/** Rows that were written for the engine already, of any number of tables. */
export interface RowsBatch extends BatchBase {
  kind: 'rows';
  parts: readonly RowsPart[];
  rows: number;
  bytes: number;
}

/** A step of a table as a whole, between the ranges before and after it. Doing it twice changes nothing. */
export interface TableBatch extends BatchBase {
  kind: 'table';
  /** `truncate`: all its rows go. `publish`: the rows of this generation take the table's place. */
  action: 'truncate' | 'publish';
  target: TargetTable;
}

export type Batch = RecordBatch | SelectBatch | RowsBatch | TableBatch;

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
  /** Every stored position of the pipe, by partition. Absent for a sample. */
  positions?: () => Promise<ReadonlyMap<string, Position>>;
  /** One more with each resync. */
  run?: number;
  settings: Readonly<Record<string, number | boolean>>;
  /** What the destination takes from each record: field names with the type of the column, as a checker of ours printed it. Virtual fields are among them. */
  fields?: readonly Column[];
  /** The engine's cluster, where it is a server that has one. */
  cluster?: string;
  /** The engine asks the egress guard for each of its own connections to S3, so it may be given names. */
  engineGuarded?: boolean;
  log: Log;
  /** Every connection goes to an address it answered. */
  egress: Egress;
  /** Plain http for schema registries, queues and object stores. */
  allowHttp: boolean;
}

export type ConnectorFactory<K extends SourceKindName> = (
  context: ConnectorContext<K>,
) => Connector;

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
