import { Fault } from '../../../contract/errors.ts';
import { effectivePipeSettings } from '../../../contract/pipe/settings.ts';
import { SourceFailed } from '../../../ports/connector.ts';
import { pause } from '../../../ports/pause.ts';
import type { Position } from '../../../ports/batch.ts';
import type { Lease } from '../../../ports/store/lease-store.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import {
  replayPartition,
  type Claim,
  type Partition,
  type PipeReplayStatus,
  type PipeStatus,
} from '../../../ports/store/pipe-store.ts';
import { openSource } from '../definition.ts';
import type { PipesDependencies } from '../dependencies.ts';
import { sourceFields } from '../kinds/source-fields.ts';
import { rangeLoader } from '../load/load-range.ts';
import type { Loaded } from '../load/records/load-records.ts';
import { backOffMs } from '../read/back-off.ts';
import type { Range } from '../read/partition-buffer.ts';
import { RangeStore } from '../read/range-store.ts';
import { isTemporary, readerEvent } from '../read/reader-errors.ts';
import { prepareDestination } from '../run/prepare-destination.ts';
import { StopSignals } from '../run/stop-signals.ts';
import { makeConnector } from '../run/worker.ts';
import { BadRecords } from './bad-records.ts';

export interface ReplayOptions {
  deps: PipesDependencies;
  document: StoredDocument<'pipe'>;
  status: PipeStatus;
  replay: PipeReplayStatus;
  lease: Lease;
  onStored(loaded: Loaded): void;
}

/** A replay whose source does not respond for about a minute fails. It waits for the stores. */
const attemptsMax = 8;

/**
 * Stores the bad records of a pipe once more, range by range, and removes each range from the error
 * table after its position is recorded. Records that are refused again come back to the error table.
 *
 * A position names the rows of its range, so a crash at any point leads to the same insert under the
 * same key, or to the same removal.
 */
export class Replay {
  readonly #options: ReplayOptions;
  readonly #signals = new StopSignals();
  #replay: PipeReplayStatus;
  #claim: Claim | undefined;
  readonly done: Promise<void>;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#replay = { ...options.replay, state: 'Running' };
    this.done = this.#live();
  }

  /** Stores the range that is begun, then ends. Another replay goes on after it. */
  stop(): Promise<void> {
    return this.#signals.stop(this.done);
  }

  /** Ends at once: another process has the lease. */
  halt(): void {
    this.#signals.haltNow();
  }

  async #live(): Promise<void> {
    const { deps, document } = this.#options;
    for (let attempt = 0; !this.#signals.drain.aborted; attempt++) {
      const before = this.#replay.replayed + this.#replay.refused;
      try {
        await this.#run();
        return;
      } catch (error) {
        if (this.#signals.halt.aborted || isLost(error)) {
          return;
        }
        deps.log.warn({ err: error, pipeId: document.id, attempt }, 'replay interrupted');
        const { message } = readerEvent(error);
        if (this.#replay.replayed + this.#replay.refused > before) {
          attempt = 0;
        }
        if (isFinal(error) || (attempt >= attemptsMax && !isTemporary(error))) {
          const reason = message.replace(/; the pipe (?:retries|continues .*)$/, '');
          // If the store does not answer, the replay begins again at a later comparison.
          await this.#end('Failed', reason).catch(() => undefined);
          return;
        }
        await this.#report({ message }).catch(() => undefined);
        await pause(backOffMs(attempt, deps.random()), this.#signals.drain);
      }
    }
  }

  async #run(): Promise<void> {
    const { deps, document, status } = this.#options;
    const { claim, partition } = await this.#claimed();
    await this.#report({ message: null });
    const source = openSource(deps, document);
    const prepareTable = () => prepareDestination(deps, document);
    const prepared = await prepareTable();
    const connector = makeConnector(deps, source, {
      pipeId: document.id,
      purpose: 'sample',
      replica: { index: 0, count: 1 },
      bufferBytes: 2 ** 20,
      settings: effectivePipeSettings(document.body.settings),
      fields: sourceFields(document.body),
    });
    try {
      const { virtualFields } = source.rules;
      const loader = rangeLoader({
        telemetry: deps.telemetry,
        document,
        virtualFields,
        limits: { loads: 1 },
        prepared,
        prepareTable,
      });
      const ranges = new RangeStore({
        ...loader,
        store: { pipes: this.#countingStore() },
        connector,
        status,
        log: deps.log,
        random: deps.random,
        on: (event) => {
          if (event.kind === 'stored') {
            this.#options.onStored({ ...event.loaded, errors: 0 });
          } else if (event.kind === 'trouble') {
            void this.#report({ message: event.message }).catch(() => undefined);
          }
        },
      });
      const records = new BadRecords({
        telemetry: deps.telemetry,
        document,
        virtualFields,
        decode: (value) => connector.decode?.(value) ?? { data: value },
        signal: this.#signals.halt,
      });
      await this.#replayAll(claim, partition, ranges, records);
    } finally {
      await connector.close();
    }
  }

  async #replayAll(
    claim: Claim,
    partition: Partition,
    ranges: RangeStore,
    records: BadRecords,
  ): Promise<void> {
    let after = partition.position;
    let begun: Pick<Partition, 'until' | 'shard'> | undefined =
      partition.until === after ? undefined : partition;
    if (after !== null) {
      await records.remove(after);
    }
    while (!this.#signals.drain.aborted) {
      const until = begun?.until ?? (await records.next(this.#replay.requestedAtMs));
      if (until === undefined) {
        await this.#end('Completed', null);
        return;
      }
      const range = await rangeOf(records, after, until, begun?.shard);
      const isStored =
        (await ranges.intend(claim, range, undefined, this.#signals.halt)) &&
        (await ranges.store(claim, range, noBacklog, this.#signals.halt));
      if (!isStored) {
        return;
      }
      await records.remove(until);
      after = until;
      begun = undefined;
    }
  }

  async #claimed(): Promise<{ claim: Claim; partition: Partition }> {
    const { deps, status, lease } = this.#options;
    const claimed = await deps.store.transaction(async (parts) => {
      await parts.leases.fence(lease);
      return parts.pipes.claim(status.workspaceId, status.pipeId, replayPartition);
    });
    this.#claim = claimed.claim;
    return claimed;
  }

  /** Counts a range in the transaction that records its position. */
  #countingStore(): ConstructorParameters<typeof RangeStore>[0]['store']['pipes'] {
    const { store } = this.#options.deps;
    return {
      intend: (...args) => store.pipes.intend(...args),
      startInsert: (...args) => store.pipes.startInsert(...args),
      advance: async (claim, position, { errors, ...counted }, backlog) => {
        const { replayed, refused } = this.#replay;
        const next = {
          ...this.#replay,
          replayed: replayed + counted.rows,
          refused: refused + errors,
          message: null,
        };
        const isRecorded = await store.transaction(
          async ({ pipes }) =>
            (await pipes.advance(
              claim,
              position,
              { ...counted, errors: -counted.rows },
              backlog,
            )) && pipes.reportReplay(claim, next),
        );
        if (isRecorded) {
          this.#replay = next;
        }
        return isRecorded;
      },
    };
  }

  async #end(state: 'Completed' | 'Failed', message: string | null): Promise<void> {
    const { deps, document } = this.#options;
    await this.#report({ state, message, endedAtMs: deps.clock.now() });
    const { replayed, refused } = this.#replay;
    deps.log.info({ pipeId: document.id, state, replayed, refused }, 'replay ended');
  }

  async #report(change: Partial<PipeReplayStatus>): Promise<void> {
    this.#replay = { ...this.#replay, ...change };
    if (this.#claim) {
      await this.#options.deps.store.pipes.reportReplay(this.#claim, this.#replay);
    }
  }
}

const noBacklog = { remaining: null, oldestAtMs: null };

async function rangeOf(
  records: BadRecords,
  after: Position | null,
  until: Position,
  begunShard: string | null | undefined,
): Promise<Range> {
  const batch = await records.read(until);
  return {
    after,
    until,
    batches: [batch],
    rows: batch.records.length,
    bytes: batch.bytes,
    ...(begunShard !== undefined && { begun: { shard: begunShard } }),
  };
}

/** Another process has taken the replay over. */
const isLost = (error: unknown): boolean => error instanceof Fault && error.code === 'conflict';

const isFinal = (error: unknown): boolean =>
  error instanceof SourceFailed || (error instanceof Fault && error.code === 'bad_request');
