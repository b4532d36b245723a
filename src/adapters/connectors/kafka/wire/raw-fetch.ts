import type { Broker, Cluster } from 'kafkajs';
import { Frame, type FramePool } from './frame-pool.ts';
import type { KafkaRecords } from './kafka-records.ts';
import { FetchTurns } from './fetch-turns.ts';
import { readRecordSet, type AbortedTransaction, type Decompress } from './record-set.ts';

/** Stands for one message in the client's eyes, but holds all records of a partition's response. */
export interface FetchedRecords {
  /** Offset of the last record. */
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

interface FetchResponse {
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

/** Parts of the client's objects (kafkajs 2.2.4) that its published types leave out. */
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
/** Version 4 has transactions (Kafka 0.11), version 11 every codec. No other version is used. */
const [oldVersion, newVersion] = [4, 11] as const;

/**
 * Replaces the client's parsing of fetch responses. The client creates several objects per record,
 * which takes ten times the CPU time. Everything else (group, leaders, connections, authentication,
 * errors) stays with the client, to which the whole response of a partition looks like one message.
 * @param started the client fetches after this: a response for another start than the one that a
 * partition gets is thrown away.
 */
export function readRaw(
  cluster: Cluster,
  decompress: Decompress,
  memory: FramePool,
  started: () => Promise<unknown> = () => Promise.resolve(),
): void {
  // The client calls this before it reads the starts for a fetch.
  const refreshMetadata = cluster.refreshMetadataIfNecessary.bind(cluster);
  cluster.refreshMetadataIfNecessary = async () => {
    await started();
    await refreshMetadata();
  };
  const findBroker = cluster.findBroker.bind(cluster);
  const seen = new WeakSet<Broker>();
  cluster.findBroker = async (node) => {
    const broker = await findBroker(node);
    if (!seen.has(broker)) {
      seen.add(broker);
      // `OpenBroker` describes members of the broker that the client does not publish.
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
    const partitions = turns.order(partitionsOf(request));
    const from = new Map(
      partitions.map(({ topic, partition, fetchOffset }) => [
        `${topic}/${partition}`,
        BigInt(fetchOffset),
      ]),
    );
    const body = requestBody({ ...request, isolationLevel: 1 }, partitions, apiVersion);
    dropEmptyRests(broker);
    const response = await broker.connectionPool.send<FetchResponse | 'refused'>({
      request: {
        apiKey: fetchKey,
        apiVersion,
        apiName: 'Fetch',
        encode: () => Promise.resolve({ buf: body, buffer: body }),
      },
      response: {
        decode: (data) =>
          readResponse(data, apiVersion, from, decompress, new Frame(memory, data.buffer)),
        parse: (data) => Promise.resolve(data),
      },
    });
    if (response !== 'refused') {
      turns.received(
        response.responses.flatMap(({ topicName, partitions: answers }) =>
          answers.map(({ partition, messages: [message] }) => ({
            topic: topicName,
            partition,
            bytes: message?.records.data.length ?? 0,
          })),
        ),
      );
      return response;
    }
    // Let the client repeat the request: it throws the right error for each error code. If its
    // request succeeds, the next one uses this code again.
    await clientFetch({ ...request, maxWaitTime: 0, maxBytes: 1 });
    return { responses: [] };
  };
}

/**
 * The client keeps the rest after a response, which is mostly empty, and copies the whole next
 * response to append it. Without a rest it uses the next response without copying.
 */
function dropEmptyRests(broker: OpenBroker): void {
  for (const connection of broker.connectionPool.pool) {
    if (connection.bytesBuffered === 0) {
      connection.chunks = [];
    }
  }
}

type RequestedPartition = FetchRequest['topics'][number]['partitions'][number] & { topic: string };

function partitionsOf({ topics }: FetchRequest): RequestedPartition[] {
  return topics.flatMap(({ topic, partitions }) =>
    partitions.map((partition) => ({ ...partition, topic })),
  );
}

function requestBody(
  { maxWaitTime, minBytes, maxBytes, isolationLevel }: FetchRequest,
  partitions: readonly RequestedPartition[],
  version: number,
): Buffer {
  const body = new Writer(
    64 + partitions.reduce((sum, { topic }) => sum + 64 + Buffer.byteLength(topic), 0),
  );
  body.int32(-1).int32(maxWaitTime).int32(minBytes).int32(maxBytes).int8(isolationLevel);
  // No fetch session: each request lists all partitions.
  if (version === newVersion) {
    body.int32(0).int32(-1);
  }
  body.int32(partitions.length);
  for (const { topic, partition, fetchOffset, maxBytes: partitionBytesMax } of partitions) {
    body.text(topic).int32(1).int32(partition);
    if (version === newVersion) {
      body.int32(-1);
    }
    body.int64(BigInt(fetchOffset));
    if (version === newVersion) {
      body.int64(-1n);
    }
    body.int32(partitionBytesMax);
  }
  if (version === newVersion) {
    body.int32(0).text('');
  }
  return body.take();
}

/** Returns `refused` if the response, or one of its partitions, has an error code. */
async function readResponse(
  data: Buffer,
  version: number,
  from: ReadonlyMap<string, bigint>,
  decompress: Decompress,
  frame: Frame,
): Promise<(FetchResponse & { clientSideThrottleTime: number }) | 'refused'> {
  const reader = new Reader(data);
  const response = {
    clientSideThrottleTime: reader.int32(),
    responses: [] as FetchResponse['responses'],
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
      const { partition, errorCode, highWatermark, aborted, set } = partitionResponse(
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
      response.responses.push({
        topicName,
        partitions: [
          { partition, highWatermark, preferredReadReplica: -1, abortedTransactions: [], messages },
        ],
      });
    }
  }
  frame.release();
  return response;
}

function partitionResponse(
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
  // The last stable offset, and the start offset of the log.
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
  #offset = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  int16(): number {
    return this.#data.readInt16BE((this.#offset += 2) - 2);
  }

  int32(): number {
    return this.#data.readInt32BE((this.#offset += 4) - 4);
  }

  int64(): bigint {
    return this.#data.readBigInt64BE((this.#offset += 8) - 8);
  }

  text(): string {
    const length = Math.max(0, this.int16());
    return this.#data.toString('utf8', this.#offset, (this.#offset += length));
  }

  bytes(): Buffer {
    const length = Math.max(0, this.int32());
    return this.#data.subarray(this.#offset, (this.#offset += length));
  }
}

class Writer {
  readonly #data: Buffer;
  #offset = 0;

  constructor(size: number) {
    this.#data = Buffer.alloc(size);
  }

  int8(value: number): this {
    this.#offset = this.#data.writeInt8(value, this.#offset);
    return this;
  }

  int16(value: number): this {
    this.#offset = this.#data.writeInt16BE(value, this.#offset);
    return this;
  }

  int32(value: number): this {
    this.#offset = this.#data.writeInt32BE(value, this.#offset);
    return this;
  }

  int64(value: bigint): this {
    this.#offset = this.#data.writeBigInt64BE(value, this.#offset);
    return this;
  }

  text(value: string): this {
    this.int16(Buffer.byteLength(value));
    this.#offset += this.#data.write(value, this.#offset);
    return this;
  }

  take(): Buffer {
    return this.#data.subarray(0, this.#offset);
  }
}
