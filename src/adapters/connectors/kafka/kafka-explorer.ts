import type { Admin, Cluster, Kafka } from 'kafkajs';
import { topicsOf } from '../../../contract/pipe/fields.ts';
import type { PipeSourceItem } from '../../../contract/pipe/pipe-draft.ts';
import type { SourceRecord } from '../../../ports/batch.ts';
import { SourceFailed, type ConnectorContext } from '../../../ports/connector.ts';
import type { BeginStep, Explorer, ItemSample, SourceItems } from '../../../ports/explorer.ts';
import { checkRegistry } from './decode/schema-registry.ts';
import type { ValueDecoder } from './decode/value-decoder.ts';
import { batchOf } from './record-batches.ts';
import type { FramePool } from './wire/frame-pool.ts';
import { fetchRecords, groupless, mayUseGroup, type PartitionEnds } from './wire/newest-records.ts';

const topicsMax = 1000;
/** A topic that is read to check the right to read it. */
const readTopicsMax = 5;
const recordsMax = 100;
const partitionsMax = 10;

export interface KafkaExplorerOptions {
  context: ConnectorContext<'kafka'>;
  kafka: Kafka;
  memory: FramePool;
  admin(): Promise<Admin>;
  decode: ValueDecoder | undefined;
  closed: AbortSignal;
  translated(error: unknown): unknown;
}

/** Looks at topics without a consumer group. */
export class KafkaExplorer implements Explorer {
  readonly #options: KafkaExplorerOptions;
  #cluster: Cluster | undefined;

  constructor(options: KafkaExplorerOptions) {
    this.#options = options;
  }

  check(begin: BeginStep): Promise<void> {
    const { context, closed } = this.#options;
    const { topics, schemaRegistry } = context.source;
    return this.#translated(async () => {
      begin('connect', 'brokers');
      await this.#options.admin();
      if (topics !== '') {
        begin('find', 'topics');
        const names = topicsOf(topics);
        await this.#partitions(names);
        begin('read', 'topics');
        for (const topic of names.slice(0, readTopicsMax)) {
          await this.#newest(topic, 1, 1);
        }
        await this.#checkGroup(names);
      }
      if (schemaRegistry) {
        begin('registry', 'schemaRegistry.url');
        await checkRegistry({ ...context, registry: schemaRegistry, closed });
      }
    });
  }

  list(begin: BeginStep): Promise<SourceItems> {
    return this.#translated(async () => {
      begin('connect', 'brokers');
      const admin = await this.#options.admin();
      begin('find', 'brokers');
      const { topics } = await admin.fetchTopicMetadata();
      const items = topics
        .filter(({ name }) => !name.startsWith('__'))
        .map(({ name, partitions }): PipeSourceItem => ({
          id: name,
          partitions: partitions.length,
        }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return {
        kind: 'topics',
        items: items.slice(0, topicsMax),
        hasMore: items.length > topicsMax,
      };
    });
  }

  sample(topic: string, begin: BeginStep): Promise<ItemSample | undefined> {
    return this.#translated(async () => {
      begin('connect', 'brokers');
      const { topics } = await (await this.#options.admin()).fetchTopicMetadata();
      const found = topics.find(({ name }) => name === topic);
      if (!found) {
        return undefined;
      }
      begin('read', 'topics');
      return {
        kind: 'records',
        item: { id: topic, partitions: found.partitions.length },
        itemKind: 'topics',
        source: { topics: topic },
        name: topic,
        records: await this.#newest(topic, partitionsMax, recordsMax),
      };
    });
  }

  async close(): Promise<void> {
    await this.#cluster?.disconnect().catch(() => undefined);
  }

  async #partitions(topics: string[]): Promise<void> {
    const admin = await this.#options.admin();
    const found = (await admin.fetchTopicMetadata({ topics })).topics;
    const missing = topics.filter(
      (topic) => !found.some(({ name, partitions }) => name === topic && partitions.length > 0),
    );
    if (missing.length > 0) {
      throw new SourceFailed(
        `topic "${missing.join('", "')}" does not exist. Create it, or change topics.`,
        { problem: { reason: 'not_found', field: 'topics' } },
      );
    }
  }

  /** Asks for the group of the pipe, without joining it. */
  async #checkGroup(topics: readonly string[]): Promise<void> {
    const { pipeId, source } = this.#options.context;
    const [topic = ''] = topics;
    const cluster = await this.#connected(topic);
    if (await mayUseGroup(cluster, topic, source.consumerGroup ?? `pipes-${pipeId}`)) {
      return;
    }
    throw new SourceFailed(
      source.consumerGroup === undefined
        ? 'the user is not allowed to use consumer groups whose names start with "pipes-". ' +
            'Grant it Read on them, or set consumerGroup to a group that it may read.'
        : `the user is not allowed to use consumer group "${source.consumerGroup}". ` +
            'Grant it Read on the group, or change consumerGroup.',
      { problem: { reason: 'not_permitted', field: 'consumerGroup' } },
    );
  }

  /** The newest records of some partitions. */
  async #newest(topic: string, partitions: number, records: number): Promise<SourceRecord[]> {
    const ends = (await (await this.#options.admin()).fetchTopicOffsets(topic)).map(
      ({ partition, low, high }): PartitionEnds => ({
        partition,
        low: BigInt(low),
        high: BigInt(high),
      }),
    );
    const filled = ends.filter(({ low, high }) => low < high);
    const chosen = filled.length > 0 ? filled.slice(0, partitions) : ends.slice(0, 1);
    const each = BigInt(Math.ceil(records / Math.max(1, chosen.length)));
    const cluster = await this.#connected(topic);
    const read: SourceRecord[] = [];
    for (const { partition, low, high } of chosen) {
      const newest = high - low > each ? high - each : low;
      const from = await this.#read(cluster, topic, partition, newest);
      // Markers of transactions and compaction can leave nothing near the end.
      read.push(
        ...(from.length > 0 || newest === low
          ? from
          : await this.#read(cluster, topic, partition, low)),
      );
    }
    return read.slice(0, records);
  }

  async #read(
    cluster: Cluster,
    topic: string,
    number: number,
    offset: bigint,
  ): Promise<SourceRecord[]> {
    const fetched = await fetchRecords(cluster, topic, number, offset);
    if (!fetched) {
      return [];
    }
    const { records } = await batchOf(fetched.slice(0, Math.min(fetched.count, recordsMax)), {
      partition: { topic, number },
      firstCount: undefined,
      next: offset,
      highWatermark: String(offset),
      decode: this.#options.decode,
    });
    return records.map((record) => ({
      ...record,
      position: `${topic}/${number} ${record.position}`,
      data: record.data && Buffer.from(record.data),
    }));
  }

  async #connected(topic: string): Promise<Cluster> {
    const { kafka, memory } = this.#options;
    const cluster = (this.#cluster ??= groupless(kafka, memory));
    await cluster.connect();
    await cluster.addTargetTopic(topic);
    return cluster;
  }

  async #translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#options.translated(error);
    }
  }
}
