import type { Sql } from '../sql/sql.ts';
import type { ObjectOutcome } from './store/object-ledger.ts';
import type { Column } from './telemetry.ts';

/**
 * A place in one partition of a source, written by its connector. Everybody else stores it and hands
 * it back without reading it.
 */
export type Position = string;

/** One record of a source. */
export interface SourceRecord {
  /** The record's own place, for the error table and for fields such as `_offset`. */
  position: Position;
  /**
   * UTF-8 text of one JSON object, unchanged if the source carries JSON. Null: a record without a
   * value (a tombstone).
   */
  data: Buffer | null;
  /**
   * Why `data` could not be made. The record goes to the error table with this reason and holds up
   * no other record.
   */
  refused?: string;
  /** The original value, if `data` was decoded from something else or could not be decoded. */
  raw?: Buffer | null;
  /** When the source received the record. */
  timestampMs?: number;
  /** Absent, as headers are: the source has none, or its memory was surrendered. */
  key?: Buffer | null;
  headers?: Readonly<Record<string, string>>;
}

/** The value of a record, converted to JSON. */
export type DecodedValue = Pick<SourceRecord, 'data' | 'refused' | 'raw'>;

/**
 * A table that the connector needs where the pipe's destination does not name it (one for
 * each mapping of a database).
 */
export interface TargetTable {
  table: string;
  columns: readonly TargetColumn[];
  engine: 'MergeTree' | 'ReplacingMergeTree' | 'Null';
  /** Arguments of a ReplacingMergeTree. */
  versionColumn?: string;
  deletedColumn?: string;
  sortingKey: readonly string[];
  /**
   * Rows of a generation other than the table's own go to a table beside it. A `publish` puts that
   * table in its place, so a table that is read again is never seen empty or half full. Absent: the
   * table of that name, whatever it holds.
   */
  generation?: string;
}

export interface TargetColumn extends Column {
  /** Stays the same if the source renames the column; the target's column is then renamed too. */
  sourceId?: number;
  /** Value for rows that are older than the column: text that the engine casts. */
  initial?: string;
}

interface BatchBase {
  partition: string;
  /** Where reading continues after this batch. An empty batch only moves the position. */
  next: Position;
  /** Records of this partition still at the source after this batch, if the source tells. */
  remaining?: number;
  /** State of the pipe while such batches come. */
  phase?: 'Snapshot' | 'Running';
  /** Message shown beside the state: works, but somebody should look at it. */
  note?: string;
  /**
   * Called after the batch is stored and no longer read: the memory of its records may be reused.
   * Not called for dropped batches.
   */
  release?(): void;
  /** Nothing follows for a while: the runner stores what it holds of the partition at once. */
  flush?: boolean;
}

/**
 * Records in one piece of memory, for sources that read many at once. No object is made for a
 * record unless one is needed. If no mapping applies, the bytes go to the engine unchanged.
 */
export interface PackedRecords {
  readonly count: number;
  /**
   * The values in order, with anything that the source puts between them: at least one byte after
   * each.
   */
  readonly data: Buffer;
  /** Two numbers for each record: begin and end of its value in `data`; -1 and -1 without one. */
  readonly spans: Int32Array;
  record(index: number): SourceRecord;
  /**
   * Called before bytes between the values are overwritten. Records have neither key nor headers
   * afterwards.
   */
  surrender(): void;
}

/** Records in this process, in order. */
export interface RecordBatch extends BatchBase {
  kind: 'records';
  /** One object for each record. A packed batch makes them on access; prefer `packed`. */
  readonly records: readonly SourceRecord[];
  packed?: PackedRecords;
  /** Size of the records, for the bound on memory. */
  bytes: number;
  /** Virtual fields with the same value for all records, such as `_topic`. */
  constants?: Readonly<Record<string, string | number>>;
  /** The partition of the source that the records came from. Absent: `partition`. */
  origin?: string;
}

/** Rows of one table, in a form that the engine reads without conversion. */
export interface RowsPart {
  target: TargetTable;
  /**
   * Lines in the engine's TabSeparated format, with the target's columns in their order, or blocks
   * of its Native format. All parts of one table in a partition have the same.
   */
  format: 'TabSeparated' | 'Native';
  /** Pieces that follow one another unchanged. */
  data: readonly Buffer[];
  rows: number;
  /** The same rows as records, in order, to find the ones that the engine refuses. */
  records(): SourceRecord[];
}

/** Number of records of a batch. Makes no objects of them. */
export const recordCount = (batch: Pick<RecordBatch, 'packed' | 'records'>): number =>
  batch.packed?.count ?? batch.records.length;

/** Rows of any number of tables, already written for the engine. */
export interface RowsBatch extends BatchBase {
  kind: 'rows';
  parts: readonly RowsPart[];
  rows: number;
  bytes: number;
}

/** A step of a whole table, between the ranges before and after it. Repeating it is harmless. */
export interface TableBatch extends BatchBase {
  kind: 'table';
  /** `truncate`: delete all rows. `publish`: the rows of this generation replace the table. */
  action: 'truncate' | 'publish';
  target: TargetTable;
}

/** What became of one item of a select batch. */
export interface ItemOutcome extends ObjectOutcome {
  /**
   * Nothing was read of the item: the source refused it (`refused`), or did not answer as it should
   * (`away`).
   */
  unreached?: 'refused' | 'away';
}

/** Rows to insert into a stage. */
export interface StageRows {
  /** What stands after FROM. May hold secrets, so it is never logged. */
  source: Sql;
  /** Settings of the statement besides the pipe's own: constants, and values that were checked. */
  settings?: Sql;
  /** Expressions over `source` by which rows are counted. Absent: rows are not counted. */
  count?: {
    /** Text that names the item of a row. */
    item: Sql;
    /** Not 0 if any field of the row has a value. */
    filled: Sql;
    /** Text that names the version of the item that the row was read from. */
    version?: Sql;
  };
  /** Only one item is read, so that nothing can be read from another while this one waits. */
  isOneItem?: boolean;
  /** Work that can go on as soon as all rows are read. The insert ends after it. */
  onRead?(): Promise<void>;
}

export interface RowCount {
  rows: number;
  filled: number;
  /** Undefined if it is unknown, or if the rows have different versions. */
  version: string | undefined;
}

/** An empty table beside the target. Its rows become visible only after all of them are loaded. */
export interface SelectStage {
  readonly signal: AbortSignal;
  /**
   * Has the engine insert these rows. Returns counts by item; items without a row are absent.
   * @throws TelemetryError
   */
  insert(rows: StageRows): Promise<ReadonlyMap<string, RowCount>>;
  /**
   * Tries whether the engine can read one row. Returns the error if the source may be its cause.
   * @throws TelemetryError for any other error
   */
  probe(rows: Pick<StageRows, 'source' | 'settings'>): Promise<Error | undefined>;
  /** Whether the engine has a setting of this name. */
  hasSetting(name: string): Promise<boolean>;
}

/**
 * Rows that the engine reads by itself (`s3()`, …); they never enter this process. The runner loads
 * all items together. If that fails, it isolates the items that cannot be read and loads the others.
 */
export interface SelectBatch extends BatchBase {
  kind: 'select';
  /** Names the batch in messages: the object's name, the range. */
  label: string;
  /** Size of the source data, for metrics. */
  bytes: number;
  /** Texts that the runner removes from every error before anybody sees it. */
  secrets?: readonly string[];
  /** Names of the parts that can fail independently; at least one. */
  items: readonly string[];
  /**
   * Has the engine read these items into the stage. The rows are kept only if the outcome of each
   * item is `loaded`. Errors of the stage pass through.
   */
  load(stage: SelectStage, items: readonly string[]): Promise<readonly ItemOutcome[]>;
  /** Items that this engine error of a joint load names. */
  suspects(error: Error, items: readonly string[]): readonly string[];
  /** What this engine error means for an item that was loaded alone. */
  outcomeOf(error: Error, item: string): ItemOutcome;
  /**
   * Records outcomes before any row becomes visible. Without outcomes it only asks for the claim.
   * False: another reader owns the partition, and nothing may become visible.
   * @throws ConnectionLost if no item could be reached, and nothing else of the source can
   */
  recordOutcomes(outcomes: readonly ItemOutcome[], stage: SelectStage): Promise<boolean>;
  /** The outcomes recorded last. */
  recordedOutcomes(): Promise<readonly ItemOutcome[]>;
}

export type Batch = RecordBatch | SelectBatch | RowsBatch | TableBatch;
