import { Fault } from '../../contract/errors.ts';
import type { Clock, Log } from '../../ports/ambient.ts';
import {
  ConnectionLost,
  SourceFailed,
  type Batch,
  type Connector,
  type Opening,
} from '../../ports/connector.ts';
import { pause } from '../../ports/pause.ts';
import type { Backlog, PipeStatus } from '../../ports/pipe-store.ts';
import type { Lease, Store } from '../../ports/store.ts';
import { TelemetryError } from '../../ports/telemetry.ts';
import { backOffMs } from './back-off.ts';
import { addBacklogs, backlogOf } from './backlog.ts';
import { engineReason } from './find-bad-rows.ts';
import type { PipeEvent } from './lifecycle.ts';
import type { Loaded } from './load-records.ts';
import { PartitionBuffer, type BatchLimits, type Range } from './partition-buffer.ts';
import { rangeKey } from './range-key.ts';
import { Slots } from './slots.ts';

export interface ReaderLimits extends BatchLimits {
  /** Records held in all, waiting or on their way into the engine. */
  budgetBytes: number;
  /** From here on the source is not asked; at most `budgetBytes`. */
  aheadBytes: number;
  /** Inserts at the same time. */
  concurrency: number;
}

export interface ReaderOptions {
  store: Store;
  connector: Connector;
  status: Pick<PipeStatus, 'workspaceId' | 'pipeId' | 'run'>;
  lease: Lease;
  limits: ReaderLimits;
  /** Stores a range, whole; the same key again changes nothing. */
  load(range: Range, key: string, signal: AbortSignal): Promise<Loaded>;
  /** The position after the range is recorded. */
  forget(range: Range, key: string): Promise<void>;
  clock: Clock;
  log: Log;
  random(): number;
  on(event: PipeEvent | { kind: 'stored'; loaded: Loaded }): void;
}

interface OpenPartition {
  buffer: PartitionBuffer;
  /** The last store of this partition; they follow one another. */
  storing: Promise<void>;
  /** It has not taken its range yet, or is storing it. */
  inLine: boolean;
  /** Somebody else has it, or it was opened anew. */
  lost: boolean;
  /** What was not stored when it was looked at last. */
  backlog: Backlog;
}

/**
 * One reader of a pipe, for one connector: takes batches, stores ranges, moves positions. In this order, always: the range is recorded as
 * intended, inserted under its key, recorded as stored, told to the source. Dying anywhere in between leads to the same insert again.
 */
export class Reader {
  readonly #options: ReaderOptions;
  readonly #partitions = new Map<string, OpenPartition>();
  readonly #inserts: Slots;
  #heldBytes = 0;
  #failure: unknown;
  /** Nothing more comes: what is held is stored to the last record. */
  #draining = false;
  /** Looks at what is due since the source gave something last. */
  #quietLooks = 0;
  /** Stores that were begun. */
  #stores = 0;
  #wake: (() => void) | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#inserts = new Slots(options.limits.concurrency);
  }

  /** Bytes read and not stored yet. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** What waits in the partitions that this reader has. */
  get backlog(): Backlog {
    return addBacklogs(
      [...this.#partitions.values()].filter(({ lost }) => !lost).map(({ backlog }) => backlog),
    );
  }

  /**
   * Reads until the source ends (`ended`) or `drain` aborts (`drained`: what was read is stored). `halt` stops at once, whatever is held.
   * @throws ConnectionLost, SourceFailed, Fault
   */
  async run(drain: AbortSignal, halt: AbortSignal): Promise<'ended' | 'drained'> {
    const { connector, limits, clock } = this.#options;
    const timer = setInterval(
      () => {
        this.#storeDue(clock.now(), halt);
      },
      Math.max(20, Math.min(250, limits.waitMs / 10)),
    );
    const reading = new AbortController();
    const stop = AbortSignal.any([drain, halt, reading.signal]);
    this.#onFailure = () => {
      reading.abort();
    };
    try {
      for await (const batch of connector.read((partition) => this.#open(partition), stop)) {
        this.#accept(batch, halt);
        await this.#room(halt);
        if (stop.aborted) {
          break;
        }
      }
      this.#throwFailure();
      this.#draining = true;
      if (!halt.aborted) {
        this.#storeAll(halt);
      }
      await this.#settle();
      this.#throwFailure();
      return drain.aborted || halt.aborted ? 'drained' : 'ended';
    } finally {
      clearInterval(timer);
      reading.abort();
      await this.#settle();
    }
  }

  #onFailure: () => void = () => undefined;

  async #open(partition: string): Promise<Opening | undefined> {
    const { store, status, lease } = this.#options;
    const before = this.#partitions.get(partition);
    if (before) {
      this.#lose(before);
      await before.storing;
    }
    const { claim, partition: stored } = await store.transaction(async (parts) => {
      await parts.leases.fence(lease);
      return parts.pipes.claim(status.workspaceId, status.pipeId, partition);
    });
    const buffer = new PartitionBuffer(claim, stored.position, stored.until);
    this.#partitions.set(partition, {
      buffer,
      storing: Promise.resolve(),
      inLine: false,
      lost: false,
      backlog: { remaining: stored.remaining, oldestAtMs: stored.oldestAtMs },
    });
    return {
      ...(stored.position === null ? {} : { position: stored.position }),
      ...(buffer.replaying && stored.until !== null ? { until: stored.until } : {}),
      ledger: store.pipes.objects(claim),
    };
  }

  #accept(batch: Batch, halt: AbortSignal): void {
    const partition = this.#partitions.get(batch.partition);
    if (!partition || partition.lost) {
      return;
    }
    const { clock, limits } = this.#options;
    const nowMs = clock.now();
    this.#quietLooks = 0;
    const bytes = partition.buffer.bytes;
    partition.buffer.add(batch, nowMs);
    this.#heldBytes += partition.buffer.bytes - bytes;
    if (batch.phase) {
      this.#options.on({ kind: 'phase', phase: batch.phase, note: batch.note });
    }
    if (partition.buffer.due(limits, nowMs)) {
      this.#store(partition, halt);
    }
  }

  #storeDue(nowMs: number, halt: AbortSignal): void {
    // Two: after a long piece of work the first comes before what has arrived meanwhile.
    const quiet = ++this.#quietLooks > 1 && this.#heldBytes <= this.#options.limits.aheadBytes;
    for (const partition of this.#partitions.values()) {
      if (!partition.lost && partition.buffer.due(this.#options.limits, nowMs, quiet)) {
        this.#store(partition, halt);
      }
    }
  }

  #storeAll(halt: AbortSignal): void {
    for (const partition of this.#partitions.values()) {
      if (!partition.lost && partition.buffer.ready) {
        this.#store(partition, halt);
      }
    }
  }

  /** Waits while too much is held. A range that is read again is exempt: it must become whole before it can be stored. */
  async #room(halt: AbortSignal): Promise<void> {
    const replayed = (): number =>
      [...this.#partitions.values()].reduce(
        (sum, { buffer, lost }) => sum + (buffer.replaying && !lost ? buffer.bytes : 0),
        0,
      );
    while (
      this.#failure === undefined &&
      !halt.aborted &&
      this.#heldBytes - replayed() > this.#options.limits.aheadBytes
    ) {
      this.#storeAll(halt);
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          halt.removeEventListener('abort', wake);
          resolve();
        };
        this.#wake = wake;
        halt.addEventListener('abort', wake, { once: true });
      });
    }
  }

  /** Puts a partition in line. What its range is, is settled when its turn comes: the longer the line, the larger the ranges. */
  #store(partition: OpenPartition, halt: AbortSignal): void {
    if (partition.inLine) {
      return;
    }
    partition.inLine = true;
    this.#stores++;
    partition.storing = this.#storeAfter(partition.storing, partition, halt);
  }

  async #storeAfter(
    earlier: Promise<void>,
    partition: OpenPartition,
    halt: AbortSignal,
  ): Promise<void> {
    await earlier;
    const { limits, clock } = this.#options;
    const { buffer } = partition;
    const stopped = (): boolean => partition.lost || this.#failure !== undefined || halt.aborted;
    let range: Range | undefined;
    try {
      const takeAndStore = async (): Promise<void> => {
        range = stopped() ? undefined : buffer.take(limits);
        if (range) {
          await this.#storeRange(partition, range, halt);
        }
      };
      // Nothing is inserted for a beginning: it needs no turn.
      if (!stopped()) {
        await (buffer.beginning ? takeAndStore() : this.#inserts.use(takeAndStore));
      }
      if (range && !partition.lost) {
        await this.#clearUp(partition, range);
      }
    } catch (error) {
      this.#failure ??= error;
      this.#onFailure();
    } finally {
      partition.inLine = false;
      if (range) {
        this.#heldBytes -= range.bytes;
      }
      if (
        !stopped() &&
        range &&
        (this.#draining ? buffer.ready : buffer.due(limits, clock.now()))
      ) {
        this.#store(partition, halt);
      }
      this.#wake?.();
    }
  }

  async #storeRange(partition: OpenPartition, range: Range, halt: AbortSignal): Promise<void> {
    const { store, status, load, on } = this.#options;
    const { claim } = partition.buffer;
    const key = rangeKey(status.pipeId, status.run, claim.partition, range.after, range.until);
    // Looked at before the insert: then the bytes around the values are given up.
    const { during, after } = backlogOf(range);
    if (
      range.rows > 0 &&
      !(await this.#insist(halt, () => store.pipes.intend(claim, range.until, during)))
    ) {
      return this.#lose(partition);
    }
    partition.backlog = during ?? partition.backlog;
    let tries = 0;
    const loaded =
      range.rows > 0
        ? await this.#insist(halt, () => (tries++, load(range, key, halt)))
        : { rows: 0, bytes: 0, errors: 0 };
    const counted = { ...loaded, batches: range.rows > 0 ? 1 : 0 };
    if (
      !(await this.#insist(halt, () => store.pipes.advance(claim, range.until, counted, after)))
    ) {
      return this.#lose(partition);
    }
    partition.backlog = after;
    on({ kind: 'stored', loaded });
    // What an insert that failed still does with its records is not known.
    if (tries <= 1) {
      for (const batch of range.batches) {
        batch.release?.();
      }
    }
  }

  /** After the position is recorded: nothing of this is needed for the next range. */
  async #clearUp({ buffer: { claim } }: OpenPartition, range: Range): Promise<void> {
    const { status, connector, forget, log } = this.#options;
    if (range.rows > 0) {
      await forget(
        range,
        rangeKey(status.pipeId, status.run, claim.partition, range.after, range.until),
      ).catch((error: unknown) =>
        log.warn(
          { err: error, pipeId: status.pipeId },
          'what an insert left behind could not be removed',
        ),
      );
    }
    await connector
      .commit(claim.partition, range.until)
      .catch((error: unknown) =>
        log.debug(
          { err: error, pipeId: status.pipeId },
          'the source did not take a commit; the stored position counts',
        ),
      );
  }

  /** Tries again for as long as it takes: the store or the engine is away, or refuses for a reason that an operator can remove. */
  async #insist<T>(halt: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        const result = await work();
        if (attempt > 0) {
          this.#options.on({ kind: 'over' });
        }
        return result;
      } catch (error) {
        if (halt.aborted || !isTemporary(error)) {
          throw error;
        }
        this.#options.on({ kind: 'trouble', message: troubleText(error) });
        this.#options.log.warn(
          { ...reasonFields(error), pipeId: this.#options.status.pipeId, attempt },
          'a range could not be stored; trying again',
        );
        await pause(backOffMs(attempt, this.#options.random()), halt);
        if (halt.aborted) {
          throw error;
        }
      }
    }
  }

  #lose(partition: OpenPartition): void {
    if (partition.lost) {
      return;
    }
    partition.lost = true;
    this.#heldBytes -= partition.buffer.bytes;
    partition.buffer.drop();
    this.#wake?.();
  }

  async #settle(): Promise<void> {
    for (let before = -1; before !== this.#stores;) {
      before = this.#stores;
      await Promise.all([...this.#partitions.values()].map(({ storing }) => storing));
    }
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) {
      throw this.#failure as Error;
    }
  }
}

function isTemporary(error: unknown): boolean {
  return (
    error instanceof TelemetryError ||
    (error instanceof Fault && (error.code === 'unavailable' || error.code === 'timeout'))
  );
}

/** The engine's messages may quote records, and statements with secrets in them: only its reason is logged. */
function reasonFields(error: unknown): object {
  return error instanceof TelemetryError
    ? {
        kind: error.kind,
        reason: engineReason(error.message)
          .replace(/ ?before: '[\s\S]*$/, '')
          .slice(0, 300),
      }
    : { err: error };
}

function troubleText(error: unknown): string {
  if (!(error instanceof TelemetryError)) {
    return 'the metadata store does not answer; reading goes on when it does';
  }
  switch (error.kind) {
    case 'unavailable':
    case 'timeout':
    case 'aborted':
      return 'the destination does not answer; reading goes on when it does';
    case 'unknown_table':
      return 'the destination table is gone; make it again, or delete the pipe';
    case 'unknown_column':
      return 'the destination table lacks a column of the pipe; add it, or change destination.columns';
    case 'memory':
      return 'the destination has too little memory for an insert; it is tried again';
    default:
      return 'the destination refuses the insert, and not because of single records; see the log';
  }
}

/** What a failed run means for the pipe. */
export function readerEvent(error: unknown): Extract<PipeEvent, { kind: 'trouble' | 'failed' }> {
  if (error instanceof SourceFailed) {
    return { kind: 'failed', message: error.message };
  }
  if (error instanceof ConnectionLost) {
    return { kind: 'trouble', message: `${error.message}; reading goes on as soon as it can` };
  }
  return {
    kind: 'trouble',
    message:
      error instanceof Fault && error.code === 'conflict'
        ? 'another process took this reader over'
        : 'an unexpected failure; see the log',
  };
}
