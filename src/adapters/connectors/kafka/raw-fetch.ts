import type { Broker, Cluster } from 'kafkajs';
import { Frame, type FramePool } from './frame-pool.ts';
import type { KafkaRecords } from './kafka-records.ts';
import { FetchTurns } from './fetch-turns.ts';
import { readRecordSet, type AbortedTransaction, type Decompress } from './record-set.ts';

/** What the client takes for a message: one for all that a partition sent. */
export interface FetchedRecords {
  /** Of the last record. */
  offset: string;
  records: KafkaRecords;
}

interface FetchRequest {
  isolationLevel: number;
  maxWaitTime: number;
  minBytes: number;
  maxBytes: number;
  topics: {
    topic: string;
    partitions: { partition: number; fetchOffset: string; maxBytes: number }[];
  }[];
}

interface FetchAnswer {
  responses: {
    topicName: string;
    partitions: {
      partition: number;
      highWatermark: string;
      preferredReadReplica: number;
      abortedTransactions: never[];
      messages: FetchedRecords[];
    }[];
  }[];
}

/** The parts of the client's own objects that are used here and are not among its published types (kafkajs 2.2.4). */
interface OpenBroker {
  versions: Record<number, { maxVersion: number } | undefined> | null;
  fetch(request: FetchRequest): Promise<unknown>;
  connectionPool: {
    pool: { bytesBuffered: number; chunks: Buffer[] }[];
    send<T>(exchange: {
      request: {
        apiKey: number;
        apiVersion: number;
        apiName: string;
        encode: () => Promise<{ buf: Buffer; buffer: Buffer }>;
      };
      response: { decode: (data: Buffer) => Promise<T>; parse: (data: T) => Promise<T> };
    }): Promise<T>;
  };
}

const fetchKey = 1;
/** Version 4 knows transactions (Kafka 0.11), version 11 every codec; what lies between is not used. */
const [oldVersion, newVersion] = [4, 11] as const;

/**
 * Takes the answers to fetch requests apart itself, where the client makes several objects for each record: ten times the work. All the rest
 * (the group, leaders, connections, authentication, errors) stays the client's. A partition's whole answer looks like one message to it.
 */
export function readRaw(cluster: Cluster, decompress: Decompress, memory: FramePool): void {
  const findBroker = cluster.findBroker.bind(cluster);
  const seen = new WeakSet<Broker>();
  cluster.findBroker = async (node) => {
    const broker = await findBroker(node);
    if (!seen.has(broker)) {
      seen.add(broker);
      replaceFetch(broker as unknown as OpenBroker, decompress, memory);
    }
    return broker;
  };
}

function replaceFetch(broker: OpenBroker, decompress: Decompress, memory: FramePool): void {
  const clientFetch = broker.fetch.bind(broker);
  const turns = new FetchTurns();
  broker.fetch = async (request) => {
    const apiVersion =
      (broker.versions?.[fetchKey]?.maxVersion ?? oldVersion) >= newVersion
        ? newVersion
        : oldVersion;
    const topics = turns.order(placesOf(request));
    const from = new Map(
      topics.map(({ topic, partition, fetchOffset }) => [
        `${topic}/${partition}`,
        BigInt(fetchOffset),
      ]),
    );
    const body = requestBody({ ...request, isolationLevel: 1 }, topics, apiVersion);
    dropEmptyRests(broker);
    const answer = await broker.connectionPool.send<FetchAnswer | 'refused'>({
      request: {
        apiKey: fetchKey,
        apiVersion,
        apiName: 'Fetch',
        encode: () => Promise.resolve({ buf: body, buffer: body }),
      },
      response: {
        decode: (data) =>
          readAnswer(data, apiVersion, from, decompress, new Frame(memory, data.buffer)),
        parse: (data) => Promise.resolve(data),
      },
    });
    if (answer !== 'refused') {
      turns.took(
        answer.responses.map(({ topicName, partitions: [one] }) => ({
          topic: topicName,
          partition: one!.partition,
          bytes: one!.messages[0]?.records.data.length ?? 0,
        })),
      );
      return answer;
    }
    // The client knows what to do with each error code, and throws it. Where the second answer is a good one, the next request is ours again.
    await clientFetch({ ...request, maxWaitTime: 0, maxBytes: 1 });
    return { responses: [] };
  };
}

/** The client keeps the rest of an answer, nothing mostly, and copies all of the next one to put it behind. Without a rest it takes the next as it is. */
function dropEmptyRests(broker: OpenBroker): void {
  for (const connection of broker.connectionPool.pool) {
    if (connection.bytesBuffered === 0) {
      connection.chunks = [];
    }
  }
}

type Place = FetchRequest['topics'][number]['partitions'][number] & { topic: string };

function placesOf({ topics }: FetchRequest): Place[] {
  return topics.flatMap(({ topic, partitions }) =>
    partitions.map((partition) => ({ ...partition, topic })),
  );
}

function requestBody(
  { maxWaitTime, minBytes, maxBytes, isolationLevel }: FetchRequest,
  places: readonly Place[],
  version: number,
): Buffer {
  const body = new Writer(
    64 + places.reduce((sum, { topic }) => sum + 64 + Buffer.byteLength(topic), 0),
  );
  body.int32(-1).int32(maxWaitTime).int32(minBytes).int32(maxBytes).int8(isolationLevel);
  // No session: each request says all.
  if (version === newVersion) {
    body.int32(0).int32(-1);
  }
  body.int32(places.length);
  for (const { topic, partition, fetchOffset, maxBytes: most } of places) {
    body.text(topic).int32(1).int32(partition);
    if (version === newVersion) {
      body.int32(-1);
    }
    body.int64(BigInt(fetchOffset));
    if (version === newVersion) {
      body.int64(-1n);
    }
    body.int32(most);
  }
  if (version === newVersion) {
    body.int32(0).text('');
  }
  return body.take();
}

/** `refused`: one of the partitions, or all, with an error code. */
async function readAnswer(
  data: Buffer,
  version: number,
  from: ReadonlyMap<string, bigint>,
  decompress: Decompress,
  frame: Frame,
): Promise<(FetchAnswer & { clientSideThrottleTime: number }) | 'refused'> {
  const reader = new Reader(data);
  const answer = {
    clientSideThrottleTime: reader.int32(),
    responses: [] as FetchAnswer['responses'],
  };
  if (version === newVersion) {
    if (reader.int16() !== 0) {
      return 'refused';
    }
    reader.int32();
  }
  for (let topics = reader.int32(); topics > 0; topics--) {
    const topicName = reader.text();
    for (let count = reader.int32(); count > 0; count--) {
      const { partition, errorCode, highWatermark, aborted, set } = partitionAnswer(
        reader,
        version,
      );
      if (errorCode !== 0) {
        return 'refused';
      }
      const read = await readRecordSet(
        set,
        from.get(`${topicName}/${partition}`) ?? 0n,
        aborted,
        decompress,
        frame,
      );
      const messages = read ? [{ offset: String(read.lastOffset), records: read.records }] : [];
      answer.responses.push({
        topicName,
        partitions: [
          { partition, highWatermark, preferredReadReplica: -1, abortedTransactions: [], messages },
        ],
      });
    }
  }
  frame.release();
  return answer;
}

function partitionAnswer(
  reader: Reader,
  version: number,
): {
  partition: number;
  errorCode: number;
  highWatermark: string;
  aborted: AbortedTransaction[];
  set: Buffer;
} {
  const [partition, errorCode, highWatermark] = [
    reader.int32(),
    reader.int16(),
    String(reader.int64()),
  ];
  // How far all is decided, and where the log begins.
  reader.int64();
  if (version === newVersion) {
    reader.int64();
  }
  const aborted: AbortedTransaction[] = [];
  for (let count = reader.int32(); count > 0; count--) {
    aborted.push({ producerId: reader.int64(), firstOffset: reader.int64() });
  }
  if (version === newVersion) {
    reader.int32();
  }
  return { partition, errorCode, highWatermark, aborted, set: reader.bytes() };
}

class Reader {
  readonly #data: Buffer;
  #at = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  int16(): number {
    return this.#data.readInt16BE((this.#at += 2) - 2);
  }

  int32(): number {
    return this.#data.readInt32BE((this.#at += 4) - 4);
  }

  int64(): bigint {
    return this.#data.readBigInt64BE((this.#at += 8) - 8);
  }

  text(): string {
    const length = Math.max(0, this.int16());
    return this.#data.toString('utf8', this.#at, (this.#at += length));
  }

  bytes(): Buffer {
    const length = Math.max(0, this.int32());
    return this.#data.subarray(this.#at, (this.#at += length));
  }
}

class Writer {
  readonly #data: Buffer;
  #at = 0;

  constructor(size: number) {
    this.#data = Buffer.alloc(size);
  }

  int8(value: number): this {
    this.#at = this.#data.writeInt8(value, this.#at);
    return this;
  }

  int16(value: number): this {
    this.#at = this.#data.writeInt16BE(value, this.#at);
    return this;
  }

  int32(value: number): this {
    this.#at = this.#data.writeInt32BE(value, this.#at);
    return this;
  }

  int64(value: bigint): this {
    this.#at = this.#data.writeBigInt64BE(value, this.#at);
    return this;
  }

  text(value: string): this {
    this.int16(Buffer.byteLength(value));
    this.#at += this.#data.write(value, this.#at);
    return this;
  }

  take(): Buffer {
    return this.#data.subarray(0, this.#at);
  }
}
