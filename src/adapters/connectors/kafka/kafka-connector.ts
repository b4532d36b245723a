import { randomBytes } from 'node:crypto';
import kafkajs, { Kafka, type Admin, type Consumer, type EachBatchPayload } from 'kafkajs';
import { topicsOf } from '../../../contract/pipe/fields.ts';
import type {
  Batch,
  Connector,
  ConnectorContext,
  From,
  Position,
  SourceRecord,
} from '../../../ports/connector.ts';
import { ConnectionLost, SourceFailed } from '../../../ports/connector.ts';
import { BatchQueue } from '../batch-queue.ts';
import { clientOptions } from './client-options.ts';
import { decompress, installCodecs } from './codecs.ts';
import { isPlainJson, valueDecoder, type ValueDecoder } from './decode/value-decoder.ts';
import { FramePool } from './frame-pool.ts';
import { kafkaError } from './kafka-errors.ts';
import type { KafkaRecords } from './kafka-records.ts';
import { readRaw, type FetchedRecords } from './raw-fetch.ts';
import { offsetOf, positionOf, StartOffsets } from './start-offsets.ts';

/** How often it is looked whether a topic has got more partitions. */
const partitionsPollMs = 10_000;
const sessionMs = 10_000;
const mebibyte = 2 ** 20;
const answerBytes = 16 * mebibyte;

interface OpenPartition {
  /** The next offset to hand on; anything before it was handed on already. */
  next: bigint;
  /** A batch must end exactly here. */
  until: bigint | undefined;
  /** Belongs to every position of this partition. */
  firstCount: number | undefined;
}

export interface KafkaOptions {
  /** Of the security token service, in place of its region's own. */
  stsEndpoint?: string | undefined;
  /** A reader that died without a word holds its partitions up for so long; 10 s where absent. Milliseconds; the broker has bounds of its own. */
  kafkaSessionMs?: number | undefined;
}

/** A member of the pipe's consumer group. The group deals out partitions; where to read them, the runner knows. */
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
  /** Several of them in a session: one that is late does not end it. */
  readonly #heartbeatMs: number;
  readonly #kafka: Kafka;
  readonly #decode: ValueDecoder;
  #admin: Admin | undefined;
  #consumer: Consumer | undefined;
  #queue: BatchQueue<Batch> | undefined;
  #open = new Map<string, Promise<OpenPartition | undefined>>();
  /** Partitions that wait until where they begin is stored. */
  readonly #beginnings = new Map<string, () => void>();
  #poll: NodeJS.Timeout | undefined;

  constructor(
    context: ConnectorContext<'kafka'>,
    { stsEndpoint, kafkaSessionMs = sessionMs }: KafkaOptions,
  ) {
    const { source, pipeId, purpose } = context;
    this.#context = context;
    this.#sessionMs = kafkaSessionMs;
    this.#heartbeatMs = kafkaSessionMs / 5;
    this.#memory = new FramePool(context.bufferBytes / 4);
    this.#topics = topicsOf(source.topics);
    const group = source.consumerGroup ?? `pipes-${pipeId}`;
    this.#group = purpose === 'run' ? group : `${group}-sample-${randomBytes(4).toString('hex')}`;
    this.#kafka = new Kafka(clientOptions(context, this.#memory, stsEndpoint));
    this.#decode = valueDecoder(context);
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.#told(async () => {
      const admin = await this.#adminClient();
      signal.throwIfAborted();
      const { topics } = await admin.fetchTopicMetadata({ topics: this.#topics });
      const missing = this.#topics.filter(
        (topic) => !topics.some(({ name, partitions }) => name === topic && partitions.length > 0),
      );
      if (missing.length > 0) {
        throw new SourceFailed(`the topic ${missing.join(', ')} does not exist`);
      }
    });
  }

  async *read(from: From, signal: AbortSignal): AsyncGenerator<Batch> {
    const queue = (this.#queue = new BatchQueue<Batch>(
      Math.min(this.#context.bufferBytes / 4, answerBytes),
    ));
    const stop = (): void => {
      this.#pause();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      if (!signal.aborted) {
        await this.#told(() => this.#start(from, queue));
      }
      if (!signal.aborted) {
        yield* queue;
      }
    } catch (error) {
      throw error instanceof FromFailed ? error.reason : kafkaError(error, this.#about());
    } finally {
      signal.removeEventListener('abort', stop);
      this.#pause();
    }
  }

  async commit(partition: string, position: Position): Promise<void> {
    this.#beginnings.get(partition)?.();
    this.#beginnings.delete(partition);
    if (this.#context.purpose === 'sample' || !this.#consumer) {
      return;
    }
    const { topic, number } = placeOf(partition);
    await this.#told(() =>
      this.#consumer!.commitOffsets([
        { topic, partition: number, offset: String(offsetOf(position)) },
      ]),
    );
  }

  async close(): Promise<void> {
    this.#pause();
    const [consumer, admin] = [this.#consumer, this.#admin];
    this.#consumer = this.#admin = undefined;
    await consumer?.disconnect().catch(() => undefined);
    if (this.#context.purpose === 'sample' && consumer) {
      await admin?.deleteGroups([this.#group]).catch(() => undefined);
    }
    await admin?.disconnect().catch(() => undefined);
  }

  /** Only a group that this pipe made up itself is taken away. */
  async remove(): Promise<void> {
    if (this.#group !== `pipes-${this.#context.pipeId}`) {
      return;
    }
    await this.#told(async () => {
      await (await this.#adminClient()).deleteGroups([this.#group]);
    });
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
      maxBytes: answerBytes,
      readUncommitted: false,
      // Where the client lends its cluster. The assigner itself is its own.
      partitionAssigners: [
        (config) => {
          readRaw(config.cluster, decompress, this.#memory);
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
    // A position that the log no longer has goes on at the oldest record there is: nothing that can be had is left out.
    await consumer.subscribe({ topics: this.#topics, fromBeginning: true });
    await this.#watchPartitions(queue);
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 4,
      eachBatch: (payload) => this.#take(payload, queue),
    });
  }

  /** Every assignment starts all its partitions over: another member may have had them meanwhile. */
  #assigned(from: From, queue: BatchQueue<Batch>, assignment: Record<string, number[]>): void {
    this.#open = new Map();
    // What waits is of before: it would come in between, and again.
    queue.clear();
    const starts = new StartOffsets(
      () => this.#adminClient(),
      this.#context.source,
      this.#context.positions,
    );
    for (const [topic, numbers] of Object.entries(assignment)) {
      for (const number of numbers) {
        const opening = this.#openPartition(from, queue, { topic, number }, starts);
        opening.catch((error: unknown) => {
          queue.fail(error);
        });
        this.#open.set(partitionOf(topic, number), opening);
      }
    }
  }

  async #openPartition(
    from: From,
    queue: BatchQueue<Batch>,
    { topic, number }: { topic: string; number: number },
    starts: StartOffsets,
  ): Promise<OpenPartition | undefined> {
    const partition = partitionOf(topic, number);
    const opening = await from(partition).catch((reason: unknown) => {
      throw new FromFailed(reason);
    });
    if (!opening) {
      return undefined;
    }
    const { offset: start, until, firstCount } = await starts.of({ topic, number }, opening);
    const isFirst = opening.position === undefined;
    const waits =
      isFirst && (until === undefined || until === start) && this.#context.purpose === 'run';
    // "Latest" means the end as of now: the first position is stored before a record is handed on, or after a crash it would be another one.
    const stored = waits
      ? new Promise<void>((resolve) => {
          this.#beginnings.set(partition, resolve);
        })
      : undefined;
    if (isFirst || until === start) {
      queue.push(
        { kind: 'records', partition, records: [], bytes: 0, next: positionOf(start, firstCount) },
        0,
      );
    }
    this.#consumer?.seek({ topic, partition: number, offset: String(start) });
    await stored;
    return { next: start, until: until === start ? undefined : until, firstCount };
  }

  async #take(
    { batch, heartbeat, resolveOffset, isRunning, isStale }: EachBatchPayload,
    queue: BatchQueue<Batch>,
  ): Promise<void> {
    const partition = partitionOf(batch.topic, batch.partition);
    const opening = this.#open.get(partition);
    const stale = (): boolean =>
      queue.closed || !isRunning() || isStale() || this.#open.get(partition) !== opening;
    let open = await orAfter(opening, this.#heartbeatMs);
    // The store may take its time: the group must hear from this member meanwhile.
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
    const [{ records }] = batch.messages as unknown as [FetchedRecords];
    const last = batch.lastOffset();
    const end = BigInt(last) + 1n;
    // Only what was handed on already may come again, and only at the beginning.
    const fresh = records.slice(records.countBefore(open.next));
    for (const part of cutAt(fresh, open, end)) {
      const made = await this.#batchOf(
        { topic: batch.topic, number: batch.partition, firstCount: open.firstCount },
        part.records,
        part.next,
        batch.highWatermark,
      ).catch((error: unknown) => {
        queue.fail(error);
      });
      if (!made || stale()) {
        return;
      }
      queue.push(made, made.bytes);
      open.next = part.next;
      // The range is whole; what comes now is not cut any more.
      if (part.next === open.until) {
        open.until = undefined;
      }
    }
    resolveOffset(last);
    await heartbeat();
  }

  async #batchOf(
    {
      topic,
      number,
      firstCount,
    }: { topic: string; number: number; firstCount: number | undefined },
    records: KafkaRecords,
    next: bigint,
    highWatermark: string,
  ): Promise<Batch & { kind: 'records' }> {
    const left = BigInt(highWatermark) - next;
    const about = {
      kind: 'records',
      partition: partitionOf(topic, number),
      bytes: records.bytes,
      next: positionOf(next, firstCount),
      release: () => {
        records.release();
      },
      remaining: left < 0n ? 0 : Number(left),
      constants: { _topic: topic, _partition: number },
    } as const;
    let objects: SourceRecord[] | undefined;
    if (isPlainJson(this.#context.source)) {
      return {
        ...about,
        packed: records,
        get records() {
          return (objects ??= records.records());
        },
      };
    }
    const decoded: SourceRecord[] = [];
    for (const record of records.records()) {
      const value = this.#decode(record.data);
      decoded.push({ ...record, ...(value instanceof Promise ? await value : value) });
    }
    return { ...about, records: decoded };
  }

  /** The client does not see partitions that are added later: the group is joined anew when there are more. */
  async #watchPartitions(queue: BatchQueue<Batch>): Promise<void> {
    const admin = await this.#adminClient();
    const count = async (): Promise<number> =>
      (await admin.fetchTopicMetadata({ topics: this.#topics })).topics.reduce(
        (sum, { partitions }) => sum + partitions.length,
        0,
      );
    const known = await count();
    this.#poll = setInterval(() => {
      this.#memory.trim();
      count()
        .then((now) => {
          if (now > known) {
            queue.fail(new ConnectionLost('the topics have more partitions than before'));
          }
          return now;
        })
        .catch((error: unknown) => {
          this.#context.log.debug({ err: error }, 'partitions could not be counted');
        });
    }, partitionsPollMs);
  }

  #pause(): void {
    clearInterval(this.#poll);
    this.#queue?.close();
    try {
      this.#consumer?.pause(this.#topics.map((topic) => ({ topic })));
    } catch {
      // Not running yet: there is nothing to pause.
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

  #about(): { topics: string; group: string; method: string } {
    const { authentication, credentials } = this.#context.source;
    return {
      topics: this.#topics.join(', '),
      group: this.#group,
      method: authentication ?? (credentials ? 'PLAIN' : 'none'),
    };
  }

  async #told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof FromFailed ? error.reason : kafkaError(error, this.#about());
    }
  }
}

/** Carries what the runner's own `from` threw through the client, unchanged. */
class FromFailed extends Error {
  readonly reason: unknown;
  constructor(reason: unknown) {
    super('the runner refused a partition');
    this.reason = reason;
  }
}

const partitionOf = (topic: string, number: number): string => `${topic}/${number}`;

function placeOf(partition: string): { topic: string; number: number } {
  const slash = partition.lastIndexOf('/');
  return { topic: partition.slice(0, slash), number: Number(partition.slice(slash + 1)) };
}

/** What the promise gives, or `waits` where that takes longer. */
async function orAfter<T>(
  promise: Promise<T> | undefined,
  ms: number,
): Promise<T | undefined | 'waits'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'waits'>((resolve) => {
    timer = setTimeout(() => {
      resolve('waits');
    }, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** One part, or two where a range to be read again ends inside. */
function cutAt(
  records: KafkaRecords,
  { until }: OpenPartition,
  end: bigint,
): { records: KafkaRecords; next: bigint }[] {
  if (until === undefined || end <= until) {
    return [{ records, next: end }];
  }
  const at = records.countBefore(until);
  return [
    { records: records.slice(0, at), next: until },
    ...(end > until ? [{ records: records.slice(at), next: end }] : []),
  ];
}
