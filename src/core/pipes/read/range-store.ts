import { Fault } from '../../../contract/errors.ts';
import type { Log } from '../../../ports/ambient.ts';
import type { Connector } from '../../../ports/connector.ts';
import { pause } from '../../../ports/pause.ts';
import type {
  Backlog,
  Claim,
  IntentResult,
  PipeStatus,
  PipeStore,
} from '../../../ports/store/pipe-store.ts';
import type { TelemetryShard } from '../../../ports/telemetry.ts';
import type { PipeEvent } from '../lifecycle.ts';
import type { Loaded, RangeToken } from '../load/records/load-records.ts';
import { backOffMs } from './back-off.ts';
import type { Range } from './partition-buffer.ts';
import { rangeKey } from './range-key.ts';
import { isTemporary, loggedReason, troubleMessage } from './reader-errors.ts';

const holdPollMs = 50;

export interface RangeDestination extends RangeToken {
  /** For rows without a place of their own, and for records that cannot be stored. */
  shard: TelemetryShard;
}

export interface RangeStoreOptions {
  store: { pipes: Pick<PipeStore, 'intend' | 'startInsert' | 'advance'> };
  connector: Connector;
  status: Pick<PipeStatus, 'workspaceId' | 'pipeId' | 'run'>;
  /** The shard for the rows of a range: the one with which it was begun. */
  shardFor(range: Range, key: string): Promise<TelemetryShard>;
  /** Stores a range completely. Repeating it with the same key and shard changes nothing. */
  load(
    range: Range,
    to: RangeDestination,
    signal: AbortSignal,
    beforeInsert: () => Promise<void>,
  ): Promise<Loaded>;
  /** Called after the position behind the range is recorded. */
  forget(range: Range, to: RangeDestination): Promise<void>;
  log: Log;
  random(): number;
  on(event: PipeEvent | { kind: 'stored'; loaded: Loaded }): void;
}

/**
 * Stores ranges exactly once. The order is always: `intend` records the range, `store` inserts it
 * under its key and records the new position, `finish` tells the source. A crash at any point leads
 * to the same insert again.
 */
export class RangeStore {
  readonly #options: RangeStoreOptions;

  constructor(options: RangeStoreOptions) {
    this.#options = options;
  }

  /** False: another reader owns the partition. */
  async intend(
    claim: Claim,
    range: Range,
    backlog: Backlog | undefined,
    halt: AbortSignal,
  ): Promise<boolean> {
    const { until, batches } = range;
    const { store, shardFor } = this.#options;
    const shard = await this.#insist(halt, () => shardFor(range, this.#keyOf(claim, range)));
    range.shard = shard;
    const phase = batches.some(({ kind }) => kind === 'select') ? 'loading' : 'inserting';
    const intent = { until, shard: shard.name, backlog, phase } as const;
    return this.#whenNotHeld(halt, () => store.pipes.intend(claim, intent));
  }

  /** False: another reader owns the partition. */
  async store(claim: Claim, range: Range, backlog: Backlog, halt: AbortSignal): Promise<boolean> {
    const { store, load, on } = this.#options;
    const to = this.#destination(claim, range);
    let tries = 0;
    const loaded = to
      ? await this.#insist(halt, () => {
          tries++;
          const isRepeated = to.isRepeated || tries > 1;
          return load(range, { ...to, isRepeated }, halt, () => this.#startInsert(claim, halt));
        })
      : { rows: 0, bytes: 0, errors: 0 };
    const counted = { ...loaded, batches: to ? 1 : 0 };
    const isRecorded = await this.#insist(halt, () =>
      store.pipes.advance(claim, range.until, counted, backlog),
    );
    if (!isRecorded) {
      return false;
    }
    on({ kind: 'stored', loaded });
    // After a failed insert the engine may still read the records.
    if (tries <= 1) {
      for (const batch of range.batches) {
        batch.release?.();
      }
    }
    return true;
  }

  /** Clears up after the position is recorded. A failure loses nothing. */
  async finish(claim: Claim, range: Range): Promise<void> {
    const { status, connector, forget, log } = this.#options;
    const { pipeId } = status;
    const to = this.#destination(claim, range);
    if (to) {
      await forget(range, to).catch((err: unknown) => {
        log.warn({ err, pipeId }, 'cannot drop the staging tables of a stored range');
      });
    }
    await connector.commit(claim.partition, range.until).catch((err: unknown) => {
      log.debug({ err, pipeId }, 'source rejected offset commit');
    });
  }

  async #startInsert(claim: Claim, halt: AbortSignal): Promise<void> {
    const { pipes } = this.#options.store;
    if (!(await this.#whenNotHeld(halt, () => pipes.startInsert(claim)))) {
      throw new Fault('conflict', 'another process reads this partition now');
    }
  }

  /** Waits while a backup takes its snapshot. False: another reader owns the partition. */
  async #whenNotHeld(halt: AbortSignal, record: () => Promise<IntentResult>): Promise<boolean> {
    for (;;) {
      const result = await this.#insist(halt, record);
      if (result !== 'held' || halt.aborted) {
        return result === 'recorded';
      }
      await pause(holdPollMs, halt);
    }
  }

  /** Undefined: the range has no rows, so that it was not begun. */
  #destination(claim: Claim, range: Range): RangeDestination | undefined {
    const { shard, begun } = range;
    return shard && { key: this.#keyOf(claim, range), isRepeated: begun !== undefined, shard };
  }

  #keyOf({ partition }: Claim, { after, until }: Range): string {
    const { pipeId, run } = this.#options.status;
    return rangeKey(pipeId, run, partition, after, until);
  }

  /**
   * Repeats the work until it succeeds: the store or the engine is away, or refuses for a reason
   * that an operator can remove.
   */
  async #insist<T>(halt: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { on, log, status, random } = this.#options;
    for (let attempt = 0; ; attempt++) {
      try {
        const result = await work();
        if (attempt > 0) {
          on({ kind: 'recovered' });
        }
        return result;
      } catch (error) {
        if (halt.aborted || !isTemporary(error)) {
          throw error;
        }
        on({ kind: 'trouble', message: troubleMessage(error) });
        log.warn(
          { ...loggedReason(error), pipeId: status.pipeId, attempt },
          'cannot store a range; retrying',
        );
        await pause(backOffMs(attempt, random()), halt);
        if (halt.aborted) {
          throw error;
        }
      }
    }
  }
}
