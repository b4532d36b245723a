import { type Broker, type Cluster, type Kafka } from 'kafkajs';
import type { FramePool } from './frame-pool.ts';
import type { KafkaRecords } from './kafka-records.ts';
import { decompress } from './codecs.ts';
import { readRaw, type FetchedRecords } from './raw-fetch.ts';

const bytesMax = 2 ** 20;
const waitMs = 500;

/** Offsets of a partition: the oldest record, and the end. */
export interface PartitionEnds {
  partition: number;
  low: bigint;
  high: bigint;
}

interface Response {
  responses: { partitions: { highWatermark: string; messages: [FetchedRecords?] }[] }[];
}

/**
 * The client's connections without its consumer group. Only an assigner gets hold of the cluster,
 * and a consumer that never runs joins no group.
 */
export function groupless(kafka: Kafka, memory: FramePool): Cluster {
  let cluster: Cluster | undefined;
  kafka.consumer({
    groupId: 'never joined',
    allowAutoTopicCreation: false,
    partitionAssigners: [
      (config) => {
        cluster = config.cluster;
        return {
          name: 'none',
          version: 0,
          assign: () => Promise.resolve([]),
          protocol: () => ({ name: 'none', metadata: Buffer.alloc(0) }),
        };
      },
    ],
  });
  if (!cluster) {
    throw new TypeError('the client did not ask its assigner');
  }
  readRaw(cluster, decompress, memory);
  return cluster;
}

/** Reads the records from an offset of one partition, at most one response. */
export async function fetchRecords(
  cluster: Cluster,
  topic: string,
  partition: number,
  offset: bigint,
): Promise<KafkaRecords | undefined> {
  const broker = await leaderOf(cluster, topic, partition);
  if (!broker) {
    return undefined;
  }
  const { responses } = (await broker.fetch({
    maxWaitTime: waitMs,
    minBytes: 1,
    maxBytes: bytesMax,
    topics: [
      { topic, partitions: [{ partition, fetchOffset: String(offset), maxBytes: bytesMax }] },
    ],
  })) as Response;
  const records = responses[0]?.partitions[0]?.messages[0]?.records;
  return records?.slice(records.countBefore(offset));
}

/**
 * Whether the user may use a consumer group. Asks any broker: the answer of a broker that does not
 * coordinate groups is enough, and the search for a coordinator would create the topic of offsets on
 * a cluster without groups.
 */
export async function mayUseGroup(
  cluster: Cluster,
  topic: string,
  group: string,
): Promise<boolean> {
  const broker = await leaderOf(cluster, topic, 0);
  try {
    await broker?.describeGroups({ groupIds: [group] });
    return true;
  } catch (error) {
    const { type } = error as { type?: string };
    if (type === undefined) {
      throw error;
    }
    return type !== 'GROUP_AUTHORIZATION_FAILED';
  }
}

async function leaderOf(
  cluster: Cluster,
  topic: string,
  partition: number,
): Promise<Broker | undefined> {
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  return nodeId === undefined ? undefined : cluster.findBroker({ nodeId });
}
