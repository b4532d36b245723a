import type { Batch, ConnectorContext, From, Position } from '../../../ports/connector.ts';
import type { BatchQueue } from '../batch-queue.ts';
import { Bell } from './bell.ts';
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

/** How often it is looked whether there are new shards, or some were closed, when none that is read has ended. */
const listMs = 10_000;
/** How often, while a shard waits for another reader to be done with its parents. */
const waitMs = 1000;
/** The largest answer to one question. */
const pageBytes = 10 * 2 ** 20;

export interface FollowerOptions {
  context: ConnectorContext<'cloudstream'>;
  calls: StreamCalls;
  from: From;
  queue: BatchQueue<Batch>;
  decode: ValueDecoder;
  /** For enhanced fan-out. */
  consumerArn: string | undefined;
  signal: AbortSignal;
  nowMs(): number;
}

/** Reads the shards that are this reader's: a shard begins when all of what it came out of is stored. */
export class ShardFollower {
  readonly #options: FollowerOptions;
  /** Shards that were begun, or passed over. */
  readonly #begun = new Set<string>();
  /** What is stored, as far as it was asked or told. */
  readonly #stored = new Map<string, ShardPosition>();
  /** Shards that were closed before the pipe began, for a pipe that begins at the newest record. */
  readonly #passed = new Set<string>();
  /** There may be a shard to begin. */
  readonly #changed = new Bell();
  readonly #storedSome = new Bell();
  readonly #fetched = new Bell();
  /** Shards that are read by a subscription, with what ends it. */
  readonly #subscribed = new Map<string, AbortController>();
  #fetching = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Everything of the shard up to there is stored. */
  stored(shardId: string, position: Position): void {
    const stored = parsePosition(position);
    this.#stored.set(shardId, stored);
    this.#storedSome.ring();
    if (stored.kind === 'ended') {
      this.#changed.ring();
    }
  }

  /** Follows the stream until the signal aborts. Whatever goes wrong goes into the queue. */
  async run(): Promise<void> {
    const { calls, signal, queue } = this.#options;
    try {
      while (!signal.aborted) {
        const shards = await calls.shards(signal);
        const waiting = await this.#beginAll(shards);
        await this.#changed.heard(waiting ? waitMs : listMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) {
        queue.fail(error);
      }
    }
  }

  /** Answers whether a shard waits for what other readers do. */
  async #beginAll(shards: readonly Shard[]): Promise<boolean> {
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
      if (this.#begun.has(shard.id) || !isOwn(shard.id, replica)) {
        continue;
      }
      const parents = await this.#parents(shard);
      if (shard.parents.some((id) => listed.has(id) && !this.#isDone(id, parents.get(id)))) {
        waiting ||= shard.parents.some((id) => !isOwn(id, replica));
        continue;
      }
      this.#begun.add(shard.id);
      await this.#begin(shard, [...parents.values()]);
    }
    return waiting;
  }

  #isDone(id: string, position: ShardPosition | undefined): boolean {
    return position?.kind === 'ended' || this.#passed.has(id);
  }

  async #parents({ parents }: Shard): Promise<Map<string, ShardPosition>> {
    const { context } = this.#options;
    const found = new Map<string, ShardPosition>();
    for (const id of parents) {
      const known = this.#stored.get(id);
      const asked = known === undefined ? await context.stored?.(id) : undefined;
      const position = known ?? (asked === undefined ? undefined : parsePosition(asked));
      if (position) {
        found.set(id, position);
      }
    }
    return found;
  }

  async #begin(shard: Shard, parents: readonly ShardPosition[]): Promise<void> {
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
      return this.#changed.ring();
    }
    const start = position ?? firstStart(context.source, parents, nowMs());
    const isLatest = context.source.iteratorType === 'LATEST';
    if (!position && isLatest && shard.closed && parents.length === 0) {
      this.#passed.add(shard.id);
      return this.#changed.ring();
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
        // "Now" must be stored before a record is: after a crash it would be another moment.
        if (context.purpose === 'run') {
          while (!signal.aborted && !this.#stored.has(shard.id)) {
            await this.#storedSome.heard(listMs, signal);
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
      // Nothing is ever stored of what is only looked at.
      if (context.purpose === 'sample') {
        this.stored(id, batch.next);
      }
    }
  }

  /** A closed shard has an end to come to: asked for, it says so for certain. One that is closed during a subscription is asked for the rest. */
  async *#pages(id: string, closed: boolean, start: ShardStart): AsyncGenerator<Page> {
    const { calls, consumerArn, signal } = this.#options;
    let at = start;
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
          at = { kind: 'after', sequenceNumber: last };
        }
      }
      this.#subscribed.delete(id);
    }
    yield* pollShard(calls, id, at, signal, (fetch) => this.#inTurn(fetch));
  }

  /** Only so many answers are on their way as memory allows, and none while the caller has enough. */
  async #inTurn<T>(fetch: () => Promise<T>): Promise<T> {
    const { context, queue, signal } = this.#options;
    const most = Math.max(1, Math.min(16, Math.floor(context.bufferBytes / 2 / pageBytes)));
    await queue.room();
    while (this.#fetching >= most && !signal.aborted) {
      await this.#fetched.heard(waitMs, signal);
    }
    this.#fetching++;
    try {
      return await fetch();
    } finally {
      this.#fetching--;
      this.#fetched.ring();
    }
  }
}
