import type { PipeState } from '../../contract/pipe/pipe.ts';
import type { Position } from '../batch.ts';
import type { ObjectLedger } from './object-ledger.ts';
import type { DocumentBodies } from './document-bodies.ts';

/** What callers want of a pipe; the supervisors carry it out. */
export type PipeWish = 'run' | 'stop' | 'remove';

/** A pipe as the supervisors see it. The definition itself is a document. */
export interface PipeStatus {
  workspaceId: string;
  pipeId: string;
  wish: PipeWish;
  /**
   * One more each time a caller starts, stops, changes or resyncs it: running readers compare it
   * with theirs.
   */
  generation: number;
  /** One more with each resync: a new run from the beginning. */
  run: number;
  state: PipeState;
  message: string | null;
  changedAtMs: number;
  /**
   * Whether the source has ever answered a reader of the pipe. Before that, the pipe has created
   * nothing there.
   */
  sourceOpened: boolean;
  /** The replay that was asked for last; null: none yet. */
  replay: PipeReplayStatus | null;
}

/** How a replay of a pipe's bad records stands. */
export interface PipeReplayStatus {
  state: 'Pending' | 'Running' | 'Completed' | 'Failed';
  /** Records that were refused until then are replayed. */
  requestedAtMs: number;
  endedAtMs: number | null;
  /** Records that are stored now. */
  replayed: number;
  /** Records that were refused again. */
  refused: number;
  message: string | null;
}

/**
 * The partition of every pipe in which replays are claimed. No source has a partition of this name,
 * and `partitions` and `reports` do not show it.
 */
export const replayPartition = '~replay';

export interface PipeCounters {
  rows: number;
  bytes: number;
  errors: number;
  batches: number;
}

export interface PipeTotals extends PipeCounters {
  lastError: { message: string; atMs: number } | null;
}

/** What a pipe has done, and where it stands. */
export interface PipeReport {
  pipeId: string;
  totals: PipeTotals;
  partitions: Partition[];
}

/** The parts of a deleted pipe's document that the clean-up of its source needs. */
export interface DeletedPipe {
  body: DocumentBodies['pipe'];
  sealed: string | null;
  /** The caller gave up the clean-up: the objects of the pipe remain at the source. */
  abandonsSource?: boolean;
}

/** Who may write about a partition: the last one that claimed it. */
export interface Claim {
  workspaceId: string;
  pipeId: string;
  partition: string;
  epoch: number;
}

/**
 * `held`: a backup takes its snapshot at this moment; ask again. `refused`: another reader owns the
 * partition.
 */
export type IntentResult = 'recorded' | 'held' | 'refused';

export interface Intent {
  until: Position;
  /** The shard for the rows. */
  shard?: string | null;
  backlog?: Backlog | undefined;
  /**
   * `loading`: the rows first go to a table of their own, and `startInsert` follows before they go to
   * the target. Default: `inserting`.
   */
  phase?: 'inserting' | 'loading';
}

/** The lease during which no range starts its insert. */
export const insertHoldLease = 'insert hold';

export interface PartitionName {
  workspaceId: string;
  pipeId: string;
  partition: string;
}

/** What of a partition is not stored, as far as is known. */
export interface Backlog {
  /** Records, or bytes of log: as the source measures its lag. Null: the source does not say. */
  remaining: number | null;
  /**
   * When the source got the oldest of them; where that one was not read yet, the one before it.
   * Null: nothing waits, or records have no time.
   */
  oldestAtMs: number | null;
}

export interface Partition {
  partition: string;
  /** Everything up to here is stored; null: nothing was recorded yet. */
  position: Position | null;
  /** An insert of (position, until] was begun. */
  until: Position | null;
  /** The shard for the rows of that insert. Null: the engine was no cluster of several shards. */
  shard: string | null;
  /** Records still at the source or on their way into the table, as of the last batch. */
  remaining: number | null;
  /** See `Backlog`. */
  oldestAtMs: number | null;
  storedAtMs: number;
}

/**
 * Where each pipe stands. All writes about a partition carry a claim and are refused (false) once
 * somebody else has claimed it: a reader that was thought dead cannot move a position, whatever it
 * still believes.
 */
export interface PipeStore {
  /** In a transaction with the document of the pipe. */
  insert(workspaceId: string, pipeId: string): Promise<void>;
  status(workspaceId: string, pipeId: string): Promise<PipeStatus | undefined>;
  statuses(workspaceId: string): Promise<PipeStatus[]>;
  /** Of every workspace: for supervisors. */
  everyStatus(): Promise<PipeStatus[]>;
  /**
   * What a caller asks: a wish, or only "look again" (the definition has changed). `resync` starts
   * a new run.
   */
  ask(
    workspaceId: string,
    pipeId: string,
    change: { wish?: PipeWish; state?: PipeState; resync?: boolean },
  ): Promise<PipeStatus | undefined>;
  /**
   * The state as the runner of this generation sees it; false where a caller has asked for
   * something else since.
   */
  report(
    workspaceId: string,
    pipeId: string,
    generation: number,
    state: PipeState,
    message: string | null,
  ): Promise<boolean>;
  /**
   * Records that the source has answered. Call this before a reader may create anything there.
   * False: the pipe is gone.
   */
  noteSourceOpened(workspaceId: string, pipeId: string): Promise<boolean>;
  /**
   * Keeps what the clean-up of the source needs until `remove`. Call this in the transaction that
   * deletes the document.
   */
  markDeleted(workspaceId: string, pipeId: string, pipe: DeletedPipe): Promise<void>;
  deletedPipe(workspaceId: string, pipeId: string): Promise<DeletedPipe | undefined>;
  remove(workspaceId: string, pipeId: string): Promise<void>;

  /** Takes a partition over. */
  claim(
    workspaceId: string,
    pipeId: string,
    partition: string,
  ): Promise<{ claim: Claim; partition: Partition }>;
  /** Records, before an insert, which range it is about to store. */
  intend(claim: Claim, intent: Intent): Promise<IntentResult>;
  /** Rows of the intended range are about to go to the target. */
  startInsert(claim: Claim): Promise<IntentResult>;
  /**
   * Lets no further range start its insert until the lease ends. Ranges whose insert has started can
   * finish; `inserting` lists them. Call it inside a transaction that has acquired the lease.
   */
  waitForIntents(): Promise<void>;
  /** Partitions of every workspace with rows in a table that their position may not cover. */
  inserting(): Promise<PartitionName[]>;
  /** The range is stored: the position moves, what was counted is added, all in one. */
  advance(
    claim: Claim,
    position: Position,
    counted: PipeCounters,
    backlog: Backlog | null,
  ): Promise<boolean>;
  partitions(workspaceId: string, pipeId: string): Promise<Partition[]>;
  /** What the pipe has done with each object, for whoever holds the claim. */
  objects(claim: Claim): ObjectLedger;
  totals(workspaceId: string, pipeId: string): Promise<PipeTotals | undefined>;
  /** Of every pipe of the workspace. */
  reports(workspaceId: string): Promise<PipeReport[]>;
  noteError(workspaceId: string, pipeId: string, message: string): Promise<void>;
  /** Asks for a replay. False: the pipe is gone. */
  askReplay(workspaceId: string, pipeId: string, replay: PipeReplayStatus): Promise<boolean>;
  /** How the replay stands; refused (false) without the claim of its partition. */
  reportReplay(claim: Claim, replay: PipeReplayStatus): Promise<boolean>;
}
