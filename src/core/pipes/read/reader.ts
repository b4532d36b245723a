import type { Clock } from '../../../ports/ambient.ts';
import type { Batch } from '../../../ports/batch.ts';
import type { Opening } from '../../../ports/connector.ts';
import type { Backlog } from '../../../ports/store/pipe-store.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { Lease } from '../../../ports/store/lease-store.ts';
import { addBacklogs, backlogOf } from './backlog.ts';
import { LoadLimiter } from '../load/load-limiter.ts';
import { PartitionBuffer, type Range } from './partition-buffer.ts';
import type { ReaderLimits } from './reader-limits.ts';
import { RangeStore, type RangeStoreOptions } from './range-store.ts';

export interface ReaderOptions extends RangeStoreOptions {
  store: Store;
  lease: Lease;
  limits: ReaderLimits;
  clock: Clock;
}

interface OpenPartition {
  buffer: PartitionBuffer;
  /** Ends with the last store of this partition; its stores follow one another. */
  storing: Promise<void>;
  /** It waits for its turn to take a range, or stores one. */
  isQueued: boolean;
  /** Another reader owns it, or it was opened again. */
  lost: boolean;
  /** What waited to be stored as of the last batch or range. */
  backlog: Backlog;
}

/**
 * One reader of a pipe, for one connector: buffers batches by partition, bounds memory, and stores
 * ranges when they are due.
 */
export class Reader {
  readonly #options: ReaderOptions;
  readonly #partitions = new Map<string, OpenPartition>();
  readonly #inserts: LoadLimiter;
  readonly #ranges: RangeStore;
  #heldBytes = 0;
  #failure: unknown;
  /** Nothing more comes: store everything that is held. */
  #draining = false;
  /** Timer ticks since the last batch. */
  #quietLooks = 0;
  /** Number of stores begun. */
  #stores = 0;
  #wake: (() => void) | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#inserts = new LoadLimiter(options.limits.concurrency);
    this.#ranges = new RangeStore(options);
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
   * Reads until the source ends (`ended`) or `drain` aborts (`drained`: all records read are
   * stored). `halt` stops at once and drops the records held.
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
      await this.#finishStores();
      this.#throwFailure();
      return drain.aborted || halt.aborted ? 'drained' : 'ended';
    } finally {
      clearInterval(timer);
      reading.abort();
      await this.#finishStores();
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
    const buffer = new PartitionBuffer(claim, stored);
    this.#partitions.set(partition, {
      buffer,
      storing: Promise.resolve(),
      isQueued: false,
      lost: false,
      backlog: { remaining: stored.remaining, oldestAtMs: stored.oldestAtMs },
    });
    return {
      ...(stored.position === null ? {} : { position: stored.position }),
      ...(buffer.isRepeating && stored.until !== null ? { until: stored.until } : {}),
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
    // After long work the first tick runs before batches that have arrived meanwhile.
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

  /**
   * Waits while too much is held. A replayed range does not count: it must be complete before it can
   * be stored.
   */
  async #room(halt: AbortSignal): Promise<void> {
    const replayed = (): number =>
      [...this.#partitions.values()].reduce(
        (sum, { buffer, lost }) => sum + (buffer.isRepeating && !lost ? buffer.bytes : 0),
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

  /**
   * Queues a partition. It takes its range when its turn comes: the longer the queue, the larger the
   * ranges.
   */
  #store(partition: OpenPartition, halt: AbortSignal): void {
    if (partition.isQueued) {
      return;
    }
    partition.isQueued = true;
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
        if (range && !(await this.#storeRange(partition, range, halt))) {
          this.#lose(partition);
        }
      };
      // A beginning needs no turn: nothing is inserted.
      if (!stopped()) {
        await (buffer.beginning ? takeAndStore() : this.#inserts.run(takeAndStore));
      }
      if (range && !partition.lost) {
        await this.#ranges.finish(buffer.claim, range);
      }
    } catch (error) {
      this.#failure ??= error;
      this.#onFailure();
    } finally {
      partition.isQueued = false;
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

  /** False: another reader owns the partition. */
  async #storeRange(partition: OpenPartition, range: Range, halt: AbortSignal): Promise<boolean> {
    // Computed before the insert, which gives up the bytes around the values.
    const { during, after } = backlogOf(range);
    const { claim } = partition.buffer;
    if (range.rows > 0 && !(await this.#ranges.intend(claim, range, during, halt))) {
      return false;
    }
    partition.backlog = during ?? partition.backlog;
    if (!(await this.#ranges.store(claim, range, after, halt))) {
      return false;
    }
    partition.backlog = after;
    return true;
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

  async #finishStores(): Promise<void> {
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
