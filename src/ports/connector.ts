import type { SourceProblemReason } from '../contract/pipe/pipe-draft.ts';
import type { SettingsOf } from '../contract/pipe/sources.ts';
import type { Log } from './ambient.ts';
import type { Batch, DecodedValue, Position } from './batch.ts';
import type { Egress } from './egress.ts';
import type { Explorer } from './explorer.ts';
import type { ObjectLedger } from './store/object-ledger.ts';
import type { Column } from './telemetry.ts';

/** How to read one partition from now on. */
export interface Opening {
  /** Read what comes after this. Absent: nothing is stored yet; begin as the source's settings say. */
  position?: Position;
  /**
   * A range that ends here was begun and not recorded as stored. A batch must end exactly here
   * (`next === until`), even if records in between have vanished: the same range is then inserted
   * again, and recognized.
   */
  until?: Position;
  /** What the pipe did with each object; writable by the owner of this partition. Absent: a sample. */
  ledger?: ObjectLedger;
}

/**
 * A connector calls this for each partition before it yields a batch of it. Undefined: this reader
 * does not read the partition. A second call for a partition starts it over: batches that were
 * yielded and are not stored are forgotten.
 */
export type From = (partition: string) => Promise<Opening | undefined>;

/**
 * One reader of one source, simple on purpose. The runner does retries, back-off, batching, mapping,
 * insertion and checkpoints. Every method throws ConnectionLost or SourceFailed and nothing else;
 * their messages carry no secret.
 */
export interface Connector {
  /**
   * Reads until the source ends (a one-time load), `signal` aborts, or something fails. Pulled: while
   * the caller does not ask for the next batch, the connector holds a bounded amount. Keeps order
   * within a partition.
   */
  read(from: From, signal: AbortSignal): AsyncIterable<Batch>;
  /**
   * Everything of the partition up to `position` is stored; the connector may tell the source. A
   * failure loses nothing.
   */
  commit(partition: string, position: Position): Promise<void>;
  /** Connects and checks that the source exists and may be read. */
  check(signal: AbortSignal): Promise<void>;
  /**
   * Converts the value of a record as `read` does, without reading the source. Absent: a source
   * without records of this kind.
   */
  decode?(value: Buffer | null): DecodedValue | Promise<DecodedValue>;
  /** Looks at the source for the caller who configures a pipe. Ends with `close`. */
  explorer(): Promise<Explorer>;
  /** Releases everything it holds. May be called at any time, more than once. */
  close(): Promise<void>;
  /** Removes what this pipe made at the source (a consumer group, a slot), before it is deleted. */
  remove?(): Promise<void>;
}

/** What a connector is made from. */
export interface ConnectorContext<K extends string = string> {
  pipeId: string;
  source: SettingsOf<K>;
  /**
   * `sample`: the caller looks at a few records; nothing is committed, and running readers are not
   * disturbed.
   */
  purpose: 'run' | 'sample';
  /** Which of the readers of this source it is. `count` may change, with a new connector. */
  replica: { index: number; count: number };
  /** Maximum size of the records it reads ahead. */
  bufferBytes: number;
  /** The stored position of any partition, without a claim on it. Absent for a sample. */
  stored?: (partition: string) => Promise<Position | undefined>;
  /** Every stored position of the pipe, by partition. Absent for a sample. */
  positions?: () => Promise<ReadonlyMap<string, Position>>;
  /** Grows by one with each resync. */
  run?: number;
  settings: Readonly<Record<string, number | boolean>>;
  /**
   * Fields that the destination takes from each record, virtual fields included, with the type of
   * the column as a checker of ours printed it.
   */
  fields?: readonly Column[];
  /** The engine's cluster, if the engine is a server that has one. */
  cluster?: string;
  /** The engine asks the egress guard for each of its S3 connections, so it may be given names. */
  engineGuarded?: boolean;
  /**
   * The origin to give the engine in place of one that it would resolve by itself. Undefined if
   * there is none.
   */
  engineRelay?: (origin: string) => Promise<string | undefined>;
  log: Log;
  /** Every connection goes to an address that this resolved. */
  egress: Egress;
  /** Allows plain http for schema registries, queues and object stores. */
  allowHttp: boolean;
}

/**
 * Makes a connector. Declared as a method, so that the factory of one kind may stand in a registry
 * of all kinds: it only ever gets settings of its own kind.
 */
export type ConnectorFactory<K extends string = string> = {
  make(context: ConnectorContext<K>): Connector;
}['make'];

/** A factory for each of these kinds. */
export type Connectors<K extends string = string> = {
  readonly [Kind in K]: ConnectorFactory<Kind>;
};

/** What is at fault, for the caller who configures the source. */
export interface SourceProblem {
  reason: SourceProblemReason;
  /** Field of the source, as a dotted path. Absent: the field of the step that failed. */
  field?: string;
}

export interface SourceErrorOptions {
  cause?: unknown;
  problem?: SourceProblem | undefined;
}

/** The connection is lost, or the source is busy or away: a retry can help. */
export class ConnectionLost extends Error {
  readonly problem: SourceProblem | undefined;

  constructor(publicMessage: string, { problem, ...options }: SourceErrorOptions = {}) {
    super(publicMessage, options);
    this.name = 'ConnectionLost';
    this.problem = problem;
  }
}

/** A retry cannot help before somebody changes something; the message says what. */
export class SourceFailed extends Error {
  readonly problem: SourceProblem | undefined;

  constructor(publicMessage: string, { problem, ...options }: SourceErrorOptions = {}) {
    super(publicMessage, options);
    this.name = 'SourceFailed';
    this.problem = problem;
  }
}
