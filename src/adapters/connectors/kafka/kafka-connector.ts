import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import kafkajs, { Kafka, type Admin, type Consumer, type EachBatchPayload } from 'kafkajs';
import { topicsOf } from '../../../contract/pipe/fields.ts';
import type { Batch, DecodedValue, Position } from '../../../ports/batch.ts';
import {
  type Connector,
  type ConnectorContext,
  type From,
  ConnectionLost,
  SourceFailed,
} from '../../../ports/connector.ts';
import type { Explorer } from '../../../ports/explorer.ts';
import { BatchQueue } from '../batch-queue.ts';
import { Assignment } from './assignment.ts';
import { markOpeningErrors, OpeningFailed } from '../opening-failed.ts';
import { clientOptions } from './client-options.ts';
import { decompress, installCodecs } from './wire/codecs.ts';
import { isPlainJson, plainJson, valueDecoder, type ValueDecoder } from './decode/value-decoder.ts';
import { FramePool } from './wire/frame-pool.ts';
import { kafkaError, type ErrorContext } from './kafka-errors.ts';
import { KafkaExplorer } from './kafka-explorer.ts';
import { OffsetCommits } from './offset-commits.ts';
import { Refusals } from './refusals.ts';
import { orAfter } from './or-after.ts';
import { parsePartitionName, partitionName } from './partition-name.ts';
import { watchPartitions, type PartitionWatch } from './partition-watch.ts';
import { readRaw, type FetchedRecords } from './wire/raw-fetch.ts';
import { batchOf, splitAt } from './record-batches.ts';
import { offsetOf, StartOffsets } from './start-offsets.ts';

const sessionMs = 10_000;
const mebibyte = 2 ** 20;
const responseBytes = 16 * mebibyte;

export interface KafkaOptions {
  /** Endpoint of the security token service. Default: the one of the region. */
  stsEndpoint?: string | undefined;
  /**
   * Session timeout of the consumer group: after this time the group gives the partitions of a dead
   * reader to another one. Milliseconds, default 10,000; the broker limits the range.
   */
  kafkaSessionMs?: number | undefined;
}

/**
 * A member of the pipe's consumer group. The group assigns partitions; the runner knows where to
 * start reading them.
 */
export function kafkaConnector(
  context: ConnectorContext<'kafka'>,
  options: KafkaOptions = {},
): Connector {
  installCodecs();
  return new KafkaConnector(context, options);
}

class KafkaConnector implements Connector {
  readonly #context: ConnectorContext<'kafka'>;
  readonly #memory: FramePool;
  readonly #topics: string[];
  readonly #group: string;
  readonly #sessionMs: number;
  /** A fraction of the session timeout, so that one late heartbeat does not end the session. */
  readonly #heartbeatMs: number;
  readonly #kafka: Kafka;
  /** Undefined if values are JSON already. */
  readonly #decode: ValueDecoder | undefined;
  #admin: Admin | undefined;
  #consumer: Consumer | undefined;
  #explorer: KafkaExplorer | undefined;
  readonly #refusals = new Refusals();
  /** Aborted by the end of an exploration, which has nothing to sign off from. */
  readonly #closed = new AbortController();
  #queue: BatchQueue<Batch> | undefined;
  #assignment: Assignment | undefined;
  #watch: PartitionWatch | undefined;
  readonly #commits = new OffsetCommits(async (offsets) => {
    await this.#consumer?.commitOffsets(offsets);
  });

  constructor(
    context: ConnectorContext<'kafka'>,
    { stsEndpoint, kafkaSessionMs = sessionMs }: KafkaOptions,
  ) {
    const { source, pipeId, purpose } = context;
    this.#context = context;
    const egress = this.#refusals.noting(context.egress);
    this.#sessionMs = kafkaSessionMs;
    this.#heartbeatMs = kafkaSessionMs / 5;
    this.#memory = new FramePool(context.bufferBytes / 4);
    setMaxListeners(0, this.#closed.signal);
    this.#topics = topicsOf(source.topics);
    const group = source.consumerGroup ?? `pipes-${pipeId}`;
    this.#group = purpose === 'run' ? group : `${group}-sample-${randomBytes(4).toString('hex')}`;
    this.#kafka = new Kafka(
      clientOptions(
        { ...context, egress },
        {
          memory: this.#memory,
          closed: this.#closed.signal,
          stsEndpoint,
        },
      ),
    );
    this.#decode = isPlainJson(source) ? undefined : valueDecoder(context, this.#closed.signal);
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.#translateErrors(async () => {
      const admin = await this.#adminClient();
      signal.throwIfAborted();
      const { topics } = await admin.fetchTopicMetadata({ topics: this.#topics });
      const missing = this.#topics.filter(
        (topic) => !topics.some(({ name, partitions }) => name === topic && partitions.length > 0),
      );
      if (missing.length > 0) {
        throw new SourceFailed(
          `topic "${missing.join('", "')}" does not exist. Create it, or change topics.`,
        );
      }
    });
  }

  async *read(from: From, signal: AbortSignal): AsyncGenerator<Batch> {
    const queue = (this.#queue = new BatchQueue<Batch>(
      Math.min(this.#context.bufferBytes / 4, responseBytes),
    ));
    const stop = (): void => {
      this.#pause();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      if (!signal.aborted) {
        await this.#translateErrors(() => this.#start(markOpeningErrors(from), queue));
      }
      if (!signal.aborted) {
        yield* queue;
      }
    } catch (error) {
      throw this.#translated(error);
    } finally {
      signal.removeEventListener('abort', stop);
      this.#pause();
    }
  }

  async commit(partition: string, position: Position): Promise<void> {
    this.#assignment?.startStored(partition);
    if (this.#context.purpose === 'sample') {
      return;
    }
    const { topic, number } = parsePartitionName(partition);
    await this.#translateErrors(() =>
      this.#commits.add({ topic, partition: number, offset: String(offsetOf(position)) }),
    );
  }

  explorer(): Promise<Explorer> {
    this.#explorer = new KafkaExplorer({
      context: this.#context,
      kafka: this.#kafka,
      memory: this.#memory,
      admin: () => this.#adminClient(),
      decode: this.#decode,
      closed: this.#closed.signal,
      translated: (error) => this.#refusals.before(this.#translated(error)),
    });
    return Promise.resolve(this.#explorer);
  }

  async close(): Promise<void> {
    this.#pause();
    if (this.#explorer) {
      this.#closed.abort();
      await this.#explorer.close();
    }
    const [consumer, admin] = [this.#consumer, this.#admin];
    this.#consumer = this.#admin = undefined;
    await consumer?.disconnect().catch(() => undefined);
    if (this.#context.purpose === 'sample' && consumer) {
      await admin?.deleteGroups([this.#group]).catch(() => undefined);
    }
    await admin?.disconnect().catch(() => undefined);
  }

  /** Deletes the consumer group, but only one whose name the pipe chose itself. */
  async remove(): Promise<void> {
    if (this.#group !== `pipes-${this.#context.pipeId}`) {
      return;
    }
    await this.#translateErrors(async () => {
      await (await this.#adminClient()).deleteGroups([this.#group]);
    });
  }

  decode(value: Buffer | null): DecodedValue | Promise<DecodedValue> {
    return (this.#decode ?? plainJson)(value);
  }

  async #start(from: From, queue: BatchQueue<Batch>): Promise<void> {
    const consumer = (this.#consumer = this.#kafka.consumer({
      groupId: this.#group,
      sessionTimeout: this.#sessionMs,
      heartbeatInterval: this.#heartbeatMs,
      maxWaitTimeInMs: 500,
      maxBytesPerPartition: Math.max(
        2 * mebibyte,
        Math.min(8 * mebibyte, Math.floor(this.#context.bufferBytes / 64)),
      ),
      maxBytes: responseBytes,
      readUncommitted: false,
      // Only an assigner gets hold of the client's cluster. The assigner itself is the client's own.
      partitionAssigners: [
        (config) => {
          readRaw(config.cluster, decompress, this.#memory, () =>
            orAfter(this.#assignment?.started, this.#heartbeatMs),
          );
          return kafkajs.PartitionAssigners.roundRobin(config);
        },
      ],
      retry: { retries: 3, restartOnFailure: () => Promise.resolve(false) },
    }));
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      queue.fail(payload.error);
    });
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      this.#assigned(from, queue, payload.memberAssignment);
    });
    await consumer.connect();
    // If the log no longer has a stored position, reading continues at the oldest record, so that no
    // available record is skipped.
    await consumer.subscribe({ topics: this.#topics, fromBeginning: true });
    this.#watch = await watchPartitions(await this.#adminClient(), this.#topics, {
      onAdded: () => queue.fail(new ConnectionLost('partitions were added to the topics')),
      onPoll: () => this.#memory.trim(),
      log: this.#context.log,
    });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 4,
      eachBatch: (payload) => this.#handleBatch(payload, queue),
    });
  }

  /**
   * Every assignment opens all its partitions again: another member may have read them meanwhile.
   */
  #assigned(from: From, queue: BatchQueue<Batch>, assignment: Record<string, number[]>): void {
    // Batches in the queue belong to the previous assignment and will be read again.
    queue.clear();
    this.#assignment = new Assignment(assignment, {
      from,
      queue,
      starts: new StartOffsets(
        () => this.#adminClient(),
        this.#context.source,
        this.#context.positions,
      ),
      storesStarts: this.#context.purpose === 'run',
      seek: ({ topic, number }, offset) =>
        this.#consumer?.seek({ topic, partition: number, offset: String(offset) }),
    });
  }

  async #handleBatch(
    { batch, heartbeat, resolveOffset, isRunning, isStale }: EachBatchPayload,
    queue: BatchQueue<Batch>,
  ): Promise<void> {
    const partition = { topic: batch.topic, number: batch.partition };
    const name = partitionName(partition);
    const opening = this.#assignment?.opening(name);
    const stale = (): boolean =>
      queue.closed || !isRunning() || isStale() || this.#assignment?.opening(name) !== opening;
    let open = await orAfter(opening, this.#heartbeatMs);
    // Opening waits for the store: send heartbeats meanwhile, or the group drops this member.
    for (; open === 'waits' && !stale(); open = await orAfter(opening, this.#heartbeatMs)) {
      await heartbeat();
    }
    if (open === 'waits' || !open || stale()) {
      return;
    }
    while (!queue.hasRoom) {
      await queue.change(this.#heartbeatMs);
      await heartbeat();
      if (stale()) {
        return;
      }
    }
    // `readRaw` replaced the client's fetch: its only "message" holds all records.
    const [{ records }] = batch.messages as unknown as [FetchedRecords];
    const last = batch.lastOffset();
    const end = BigInt(last) + 1n;
    // Skip records that were handed on before; they can only be the first ones.
    const fresh = records.slice(records.countBefore(open.next));
    for (const part of splitAt(fresh, open.until, end)) {
      const next = await batchOf(part.records, {
        partition,
        firstCount: open.firstCount,
        next: part.next,
        highWatermark: batch.highWatermark,
        decode: this.#decode,
      }).catch((error: unknown) => {
        queue.fail(error);
      });
      if (!next || stale()) {
        return;
      }
      queue.push(next, next.bytes);
      open.next = part.next;
      // The range that is read again is complete: split no more.
      if (part.next === open.until) {
        open.until = undefined;
      }
    }
    resolveOffset(last);
    await heartbeat();
  }

  #pause(): void {
    this.#watch?.stop();
    this.#queue?.close();
    try {
      this.#consumer?.pause(this.#topics.map((topic) => ({ topic })));
    } catch {
      // The consumer does not run yet.
    }
  }

  async #adminClient(): Promise<Admin> {
    if (this.#admin) {
      return this.#admin;
    }
    const admin = this.#kafka.admin({ retry: { retries: 3 } });
    await admin.connect();
    return (this.#admin = admin);
  }

  get #errorContext(): ErrorContext {
    const { authentication, credentials } = this.#context.source;
    return {
      topics: this.#topics.join(', '),
      group: this.#group,
      method: authentication ?? (credentials ? 'PLAIN' : 'none'),
    };
  }

  async #translateErrors(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw this.#translated(error);
    }
  }

  #translated(error: unknown): unknown {
    return error instanceof OpeningFailed ? error.reason : kafkaError(error, this.#errorContext);
  }
}
