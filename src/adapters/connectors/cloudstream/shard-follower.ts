import type { Batch, Position } from '../../../ports/batch.ts';
import type { ConnectorContext, From } from '../../../ports/connector.ts';
import type { BatchQueue } from '../batch-queue.ts';
import { Notifier } from './notifier.ts';
import { pollShard, type Page } from './poll-shard.ts';
import { batchOf, shardBatches } from './shard-batches.ts';
import {
  firstStart,
  formatPosition,
  parsePosition,
  type ShardPosition,
  type ShardStart,
} from './shard-position.ts';
import { isOwn, type Shard } from './shards.ts';
import type { StreamCalls } from './stream-calls.ts';
import { subscribeShard } from './subscribe-shard.ts';
import type { ValueDecoder } from './value-decoder.ts';

/** How often to list shards while no shard that is read has ended. */
const listMs = 10_000;
/** How often to list shards while a shard waits for another reader to finish its parents. */
const waitMs = 1000;
/** Size of the largest response. */
const pageBytes = 10 * 2 ** 20;

export interface FollowerOptions {
  context: ConnectorContext<'cloudstream'>;
  calls: StreamCalls;
  from: From;
  queue: BatchQueue<Batch>;
  decode: ValueDecoder;
  /** Set for enhanced fan-out. */
  consumerArn: string | undefined;
  signal: AbortSignal;
  nowMs(): number;
}

/** Reads the shards of this reader. A shard starts when all records of its parents are stored. */
export class ShardFollower {
  readonly #options: FollowerOptions;
  /** Shards that were started or skipped. */
  readonly #started = new Set<string>();
  /** Stored positions that are known. */
  readonly #stored = new Map<string, ShardPosition>();
  /** Shards to skip: the pipe starts at the newest record, and they were closed before. */
  readonly #skipped = new Set<string>();
  /** Notified when there may be a shard to start. */
  readonly #changed = new Notifier();
  readonly #positionStored = new Notifier();
  readonly #fetched = new Notifier();
  /** Shards that are read by a subscription, and how to end it. */
  readonly #subscribed = new Map<string, AbortController>();
  #fetching = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Everything of the shard up to the position is stored. */
  stored(shardId: string, position: Position): void {
    const stored = parsePosition(position);
    this.#stored.set(shardId, stored);
    this.#positionStored.notify();
    if (stored.kind === 'ended') {
      this.#changed.notify();
    }
  }

  /** Follows the stream until the signal aborts. Errors go into the queue. */
  async run(): Promise<void> {
    const { calls, signal, queue } = this.#options;
    try {
      while (!signal.aborted) {
        const shards = await calls.shards(signal);
        const waiting = await this.#startAll(shards);
        await this.#changed.wait(waiting ? waitMs : listMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) {
        queue.fail(error);
      }
    }
  }

  /** Starts all shards that can start. Returns whether a shard waits for other readers. */
  async #startAll(shards: readonly Shard[]): Promise<boolean> {
    const {
      context: { replica },
      signal,
    } = this.#options;
    const listed = new Map(shards.map((shard) => [shard.id, shard]));
    let waiting = false;
    for (const shard of shards) {
      if (signal.aborted) {
        return false;
      }
      if (shard.closed) {
        this.#subscribed.get(shard.id)?.abort();
      }
      if (this.#started.has(shard.id) || !isOwn(shard.id, replica)) {
        continue;
      }
      const parents = await this.#parents(shard);
      if (shard.parents.some((id) => listed.has(id) && !this.#isDone(id, parents.get(id)))) {
        waiting ||= shard.parents.some((id) => !isOwn(id, replica));
        continue;
      }
      this.#started.add(shard.id);
      await this.#start(shard, [...parents.values()]);
    }
    return waiting;
  }

  #isDone(id: string, position: ShardPosition | undefined): boolean {
    return position?.kind === 'ended' || this.#skipped.has(id);
  }

  async #parents({ parents }: Shard): Promise<Map<string, ShardPosition>> {
    const { context } = this.#options;
    const positions = new Map<string, ShardPosition>();
    for (const id of parents) {
      const position = this.#stored.get(id);
      const text = position ? undefined : await context.stored?.(id);
      if (position) {
        positions.set(id, position);
      } else if (text !== undefined) {
        positions.set(id, parsePosition(text));
      }
    }
    return positions;
  }

  async #start(shard: Shard, parents: readonly ShardPosition[]): Promise<void> {
    const { context, from, nowMs, queue, decode, signal } = this.#options;
    const opening = await from(shard.id);
    if (!opening) {
      return;
    }
    const position = opening.position === undefined ? undefined : parsePosition(opening.position);
    if (position) {
      this.#stored.set(shard.id, position);
    }
    if (position?.kind === 'ended') {
      return this.#changed.notify();
    }
    const start = position ?? firstStart(context.source, parents, nowMs());
    const isLatest = context.source.iteratorType === 'LATEST';
    if (!position && isLatest && shard.closed && parents.length === 0) {
      this.#skipped.add(shard.id);
      return this.#changed.notify();
    }
    const first =
      !position && isLatest && start.kind === 'time' ? formatPosition(start) : undefined;
    const work = async (): Promise<void> => {
      if (first !== undefined) {
        await queue.put(
          batchOf(
            { stream: context.source.streamName, shardId: shard.id, decode },
            [],
            first,
            undefined,
          ),
          0,
        );
        // The start time must be stored before any record: after a crash "now" is another time.
        if (context.purpose === 'run') {
          while (!signal.aborted && !this.#stored.has(shard.id)) {
            await this.#positionStored.wait(listMs, signal);
          }
        }
      }
      await this.#read(shard, start, opening.until);
    };
    work().catch((error: unknown) => {
      if (!signal.aborted) {
        queue.fail(error);
      }
    });
  }

  async #read(
    { id, closed }: Shard,
    start: ShardStart,
    until: Position | undefined,
  ): Promise<void> {
    const { context, queue, decode } = this.#options;
    for await (const batch of shardBatches(this.#pages(id, closed, start), {
      stream: context.source.streamName,
      shardId: id,
      start,
      until,
      decode,
    })) {
      await queue.put(batch, batch.bytes);
      // The runner stores no positions of samples.
      if (context.purpose === 'sample') {
        this.stored(id, batch.next);
      }
    }
  }

  /**
   * Polls closed shards, because polling reliably reports the end of a shard. If a shard is closed
   * during a subscription, polls the rest.
   */
  async *#pages(id: string, closed: boolean, start: ShardStart): AsyncGenerator<Page> {
    const { calls, consumerArn, signal } = this.#options;
    let next = start;
    if (consumerArn !== undefined && !closed) {
      const closing = new AbortController();
      this.#subscribed.set(id, closing);
      for await (const page of subscribeShard(
        calls,
        consumerArn,
        id,
        start,
        AbortSignal.any([signal, closing.signal]),
      )) {
        yield page;
        if (page.ended) {
          return;
        }
        const last = page.records.at(-1)?.SequenceNumber;
        if (last !== undefined) {
          next = { kind: 'after', sequenceNumber: last };
        }
      }
      this.#subscribed.delete(id);
    }
    yield* pollShard(calls, id, next, signal, (fetch) => this.#limited(fetch));
  }

  /** Limits concurrent requests to what memory allows, and waits while the queue is full. */
  async #limited<T>(fetch: () => Promise<T>): Promise<T> {
    const { context, queue, signal } = this.#options;
    const requestsMax = Math.max(1, Math.min(16, Math.floor(context.bufferBytes / 2 / pageBytes)));
    await queue.room();
    while (this.#fetching >= requestsMax && !signal.aborted) {
      await this.#fetched.wait(waitMs, signal);
    }
    this.#fetching++;
    try {
      return await fetch();
    } finally {
      this.#fetching--;
      this.#fetched.notify();
    }
  }
}
