import { spawn, type ChildProcess } from 'node:child_process';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createRequire } from 'node:module';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateStreamCommand,
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListShardsCommand,
  ListStreamsCommand,
  MergeShardsCommand,
  PutRecordsCommand,
  SplitShardCommand,
  type Shard,
  type _Record as StoredRecord,
} from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/**
 * One request on its way to the emulator. Answer something else instead of it, or undefined to let
 * it through.
 */
export type Interference = (
  operation: string,
  body: Record<string, unknown>,
  headers: IncomingHttpHeaders,
) => { status: number; type: string } | undefined;

export interface KinesisPeer {
  /** The line to the emulator that can be cut and interfered with. */
  endpoint: string;
  /** Another such line, over TLS with this certificate; it ends with the peer. */
  tlsEndpoint(server: { certificate: string; privateKey: string }): Promise<string>;
  client: KinesisClient;
  /** Number of calls of each operation. */
  callCounts: Map<string, number>;
  interfere(with_: Interference | undefined): void;
  cut(): void;
  mend(): void;
  createStream(name: string, shards?: number): Promise<void>;
  /** Each record with its partition key; in order, and sure to be taken. */
  put(
    stream: string,
    records: readonly { key: string; data: string | Uint8Array }[],
  ): Promise<void>;
  /** What the stream's first shard holds. */
  read(stream: string): Promise<StoredRecord[]>;
  shards(stream: string): Promise<Shard[]>;
  /** Halves a shard. */
  split(stream: string, shardId: string): Promise<void>;
  merge(stream: string, shardId: string, other: string): Promise<void>;
  remove(): Promise<void>;
}

export const testRegion = 'us-east-1';

/** The emulator in a process of its own, behind a line that tests can break. */
export async function startKinesis(): Promise<KinesisPeer> {
  const [tlsPort, plainPort] = [await freePort(), await freePort()];
  const main = createRequire(import.meta.url).resolve('kinesis-local/main.js');
  // It finds its certificate beside itself.
  const emulator = spawn(process.execPath, [main], {
    cwd: dirname(main),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      KINESIS_MOCK_TLS_PORT: String(tlsPort),
      KINESIS_MOCK_PLAIN_PORT: String(plainPort),
      SHARD_LIMIT: '1000',
      LOG_LEVEL: 'ERROR',
      CREATE_STREAM_DURATION: '20ms',
      SPLIT_SHARD_DURATION: '50ms',
      MERGE_SHARDS_DURATION: '50ms',
      REGISTER_STREAM_CONSUMER_DURATION: '50ms',
      DEREGISTER_STREAM_CONSUMER_DURATION: '50ms',
    },
  });
  let said = '';
  for (const stream of [emulator.stdout, emulator.stderr]) {
    stream.on('data', (data: Buffer) => {
      said = (said + String(data)).slice(-4000);
    });
  }

  const direct = `http://127.0.0.1:${plainPort}`;
  const client = new KinesisClient({
    endpoint: direct,
    region: testRegion,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    requestHandler: new NodeHttpHandler(),
    maxAttempts: 5,
  });
  await answering(client, emulator, () => said);
  const line = await startLine(plainPort);

  const active = async (StreamName: string): Promise<void> => {
    while (
      (await client.send(new DescribeStreamSummaryCommand({ StreamName }))).StreamDescriptionSummary
        ?.StreamStatus !== 'ACTIVE'
    ) {
      await pause(20);
    }
  };
  const tlsLines: { close(): Promise<void> }[] = [];
  const peer: KinesisPeer = {
    ...line,
    client,
    async tlsEndpoint(server) {
      const made = await startLine(plainPort, server);
      tlsLines.push(made);
      return made.endpoint;
    },
    async createStream(StreamName, ShardCount = 1) {
      await client.send(new CreateStreamCommand({ StreamName, ShardCount }));
      await active(StreamName);
    },
    async put(StreamName, records) {
      let unsent = records.map(({ key, data }) => ({
        PartitionKey: key,
        Data: typeof data === 'string' ? Buffer.from(data) : data,
      }));
      while (unsent.length > 0) {
        const some = takeRequest(unsent);
        const { Records = [] } = await client.send(
          new PutRecordsCommand({ StreamName, Records: some }),
        );
        // Once one is refused, its followers are sent again with it: order must be kept.
        const refused = Records.findIndex(({ ErrorCode }) => ErrorCode !== undefined);
        if (
          refused >= 0 &&
          Records.slice(refused).some(({ ErrorCode }) => ErrorCode === undefined)
        ) {
          throw new Error('the emulator took later records and not earlier ones');
        }
        unsent = unsent.slice(refused < 0 ? some.length : refused);
        if (refused >= 0) {
          await pause(100);
        }
      }
    },
    async read(StreamName) {
      const { ShardIterator } = await client.send(
        new GetShardIteratorCommand({
          StreamName,
          ShardId: 'shardId-000000000000',
          ShardIteratorType: 'TRIM_HORIZON',
        }),
      );
      return (await client.send(new GetRecordsCommand({ ShardIterator }))).Records ?? [];
    },
    shards: async (StreamName) =>
      (await client.send(new ListShardsCommand({ StreamName }))).Shards ?? [],
    async split(StreamName, ShardToSplit) {
      const { HashKeyRange } = (await peer.shards(StreamName)).find(
        ({ ShardId }) => ShardId === ShardToSplit,
      )!;
      const middle =
        (BigInt(HashKeyRange!.StartingHashKey!) + BigInt(HashKeyRange!.EndingHashKey!)) / 2n + 1n;
      await client.send(
        new SplitShardCommand({ StreamName, ShardToSplit, NewStartingHashKey: String(middle) }),
      );
      await active(StreamName);
    },
    async merge(StreamName, ShardToMerge, AdjacentShardToMerge) {
      await client.send(new MergeShardsCommand({ StreamName, ShardToMerge, AdjacentShardToMerge }));
      await active(StreamName);
    },
    async remove() {
      client.destroy();
      await Promise.all([line, ...tlsLines].map((one) => one.close()));
      const ended = new Promise((resolve) => emulator.once('exit', resolve));
      emulator.kill('SIGKILL');
      if (emulator.exitCode === null && emulator.signalCode === null) {
        await ended;
      }
    },
  };
  return peer;
}

/** As much as one request may carry: 500 records, 5 MB. */
function takeRequest<T extends { Data: Uint8Array }>(records: readonly T[]): T[] {
  let bytes = 0;
  const end = records.findIndex(
    ({ Data }, index) => index >= 500 || (bytes += Data.length + 256) > 4_500_000,
  );
  return records.slice(0, end < 0 ? records.length : end);
}

async function answering(
  client: KinesisClient,
  emulator: ChildProcess,
  said: () => string,
): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      await client.send(new ListStreamsCommand({}));
      return;
    } catch (error) {
      if (emulator.exitCode !== null || Date.now() > deadline) {
        throw new Error(`the stream emulator did not start: ${said()}`, { cause: error });
      }
      await pause(50);
    }
  }
}

/** Passes requests on as they are; signatures stand, because the host header is kept. */
async function startLine(
  port: number,
  tls?: { certificate: string; privateKey: string },
): Promise<
  Pick<KinesisPeer, 'endpoint' | 'callCounts' | 'interfere' | 'cut' | 'mend'> & {
    close(): Promise<void>;
  }
> {
  let interference: Interference | undefined;
  let isCut = false;
  const callCounts = new Map<string, number>();
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) {
      chunks.push(chunk as Buffer);
    }
    const body = Buffer.concat(chunks);
    const operation = String(incoming.headers['x-amz-target']).split('.').at(-1)!;
    callCounts.set(operation, (callCounts.get(operation) ?? 0) + 1);
    if (isCut) {
      return void incoming.socket.destroy();
    }
    const instead = interference?.(
      operation,
      body.length > 0 ? (JSON.parse(String(body)) as Record<string, unknown>) : {},
      incoming.headers,
    );
    if (instead) {
      return void outgoing
        .writeHead(instead.status, { 'content-type': 'application/x-amz-json-1.1' })
        .end(
          JSON.stringify({ __type: instead.type, message: `as the service says: ${instead.type}` }),
        );
    }
    const onward = httpRequest(
      {
        port,
        host: '127.0.0.1',
        method: incoming.method,
        path: incoming.url,
        headers: incoming.headers,
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        answer.on('error', () => {
          outgoing.destroy();
        });
      },
    );
    onward.on('error', () => {
      outgoing.destroy();
    });
    outgoing.on('close', () => {
      onward.destroy();
    });
    onward.end(body);
  };
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    pass(incoming, outgoing).catch(() => {
      outgoing.destroy();
    });
  };
  const server = tls
    ? createTlsServer({ cert: tls.certificate, key: tls.privateKey }, answer)
    : createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    callCounts,
    interfere: (with_) => {
      interference = with_;
    },
    cut() {
      isCut = true;
      server.closeAllConnections();
    },
    mend: () => {
      isCut = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createTcpServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        server.close(() => {
          resolve(port);
        });
      });
  });
}
