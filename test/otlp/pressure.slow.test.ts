import { connect, type Socket } from 'node:net';
import { Client, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { until } from '../kit/eventually.ts';
import { database, key, openEngine, post, startOtlp, type OtlpKitOptions } from './kit.ts';
import { attribute, readNumberAndText, wire, type Field } from './wire.ts';

let engine: Awaited<ReturnType<typeof openEngine>>;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  engine = await openEngine();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((otlp) => otlp.stop()));
});
afterAll(() => engine?.close());

async function start(options?: OtlpKitOptions) {
  const otlp = await startOtlp(engine.telemetry, options);
  running.push(otlp);
  return otlp;
}

const never = 3_600_000;
const logs = (service: string, body = 'x', count = 1): Uint8Array => {
  const record: Field = [
    2,
    'message',
    [
      [1, 'fixed64', 1_763_715_600_000_000_000n],
      [5, 'message', [[1, 'string', body]]],
    ],
  ];
  return wire([
    1,
    'message',
    [
      [1, 'message', [attribute(1, 'service.name', [[1, 'string', service]])]],
      [2, 'message', Array.from({ length: count }, () => record)],
    ],
  ]);
};
const count = async (service: string): Promise<{ rows: number; parts: number }> => {
  const result = await engine.telemetry.query(
    sql`SELECT toUInt32(count()), toUInt32(uniqExact(_part)) FROM shop.otel_logs WHERE ServiceName = ${service}`,
    { purpose: 'admin', timeoutMs: 20_000 },
  );
  return { rows: Number(result.rows[0]![0]), parts: Number(result.rows[0]![1]) };
};

/** Export over gRPC with nothing of an SDK: the answer, or the error with its details. */
async function call(
  url: string,
  body: Uint8Array,
  metadata: Record<string, string> = { authorization: key },
  compressed = false,
): Promise<{
  code: number;
  details: string;
  retryAfter: number | undefined;
  response: Buffer | undefined;
}> {
  const client = new Client(
    url.replace('http://', ''),
    credentials.createInsecure(),
    compressed ? { 'grpc.default_compression_algorithm': 2 } : {},
  );
  const headers = new Metadata();
  for (const [name, value] of Object.entries(metadata)) {
    headers.set(name, value);
  }
  const asBytes = (bytes: Buffer): Buffer => bytes;
  try {
    return await new Promise((resolve) => {
      client.makeUnaryRequest(
        '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
        asBytes,
        asBytes,
        Buffer.from(body),
        headers,
        (error: ServiceError | null, response) => {
          const detail = error?.metadata.get('grpc-status-details-bin')[0] as Buffer | undefined;
          resolve({
            code: error?.code ?? 0,
            details: error?.details ?? '',
            retryAfter: detail && retryDelay(detail),
            response,
          });
        },
      );
    });
  } finally {
    client.close();
  }
}

/** Status { details: Any { value: RetryInfo { retry_delay: Duration { seconds } } } } */
function retryDelay(details: Buffer): number {
  const any = readNumberAndText(details).rest[3]!;
  const offset = Buffer.from(any).indexOf('google.rpc.RetryInfo') + 'google.rpc.RetryInfo'.length;
  expect(Buffer.from(any).toString('latin1')).toContain('type.googleapis.com/google.rpc.RetryInfo');
  // Any.value (2), RetryInfo.retry_delay (1), Duration.seconds (1)
  expect([...any.subarray(offset, offset + 5)]).toEqual([0x12, 0x04, 0x0a, 0x02, 0x08]);
  return any[offset + 5]!;
}

describe('batches', () => {
  test('several requests are stored by one insert, and each is answered only then', async () => {
    const otlp = await start({ batch: { maxAgeMs: never, maxRows: 3 } });
    let answered = 0;
    const send = (body: string): Promise<number> =>
      post(`${otlp.httpUrl}/v1/logs`, logs('batch', body)).then(
        ({ status }) => (answered++, status),
      );
    const first = [send('first'), send('second')];
    await until('a request to wait', () => otlp.ingest.pendingBytes() > 0);
    const before = await count('batch');
    expect([before.rows, answered]).toEqual([0, 0]);
    expect(await Promise.all([...first, send('third')])).toEqual([200, 200, 200]);
    expect(await count('batch')).toEqual({ rows: 3, parts: 1 });
  });

  test('a batch is sent when its first row is old enough', async () => {
    const otlp = await start({ batch: { maxAgeMs: 30 } });
    expect((await post(`${otlp.httpUrl}/v1/logs`, logs('age'))).status).toBe(200);
    expect(await count('age')).toEqual({ rows: 1, parts: 1 });
  });

  test('a stop stores and answers what was taken, and refuses the rest', async () => {
    const otlp = await start({ batch: { maxAgeMs: never } });
    const overHttp = post(`${otlp.httpUrl}/v1/logs`, logs('stop'));
    const overGrpc = call(otlp.grpcUrl, logs('stop', 'y'));
    await until('both requests to wait', () => otlp.ingest.pendingBytes() >= 2 * pendingOf('stop'));
    await otlp.stop();
    running.length = 0;
    expect([(await overHttp).status, (await overGrpc).code]).toEqual([200, 0]);
    expect((await count('stop')).rows).toBe(2);
    await expect(
      otlp.ingest.accept({
        signal: 'logs',
        encoding: 'protobuf',
        compression: 'identity',
        bytes: logs('late'),
        maxInflatedBytes: 1_000_000,
        database,
      }),
    ).rejects.toMatchObject({ code: 'unavailable' });
  });

  /** What waits for one such request, roughly: its encoded row. */
  const pendingOf = (service: string): number => logs(service).length;
});

describe('back-pressure', () => {
  test('beyond the bound a request is refused with a time to come back, and nothing of it is stored', async () => {
    const otlp = await start({ batch: { maxAgeMs: never, maxPendingBytes: 20_000 } });
    const waiting = post(`${otlp.httpUrl}/v1/logs`, logs('bound', 'x'.repeat(15_000)));
    await until('a request to wait', () => otlp.ingest.pendingBytes() > 0);
    const refused = await post(`${otlp.httpUrl}/v1/logs`, logs('refused', 'x'.repeat(15_000)));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
    expect(readNumberAndText(refused.bytes).number).toBe(8);
    expect(await call(otlp.grpcUrl, logs('refused', 'x'.repeat(15_000)))).toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
      retryAfter: 2,
    });
    await otlp.ingest.stop();
    expect((await waiting).status).toBe(200);
    expect([(await count('bound')).rows, (await count('refused')).rows]).toEqual([1, 0]);
    expect(otlp.ingest.pendingBytes()).toBe(0);
  });

  test('bodies that are being received count against a bound of their own', async () => {
    const otlp = await start({ http: { maxReceivingBytes: 100_000 } });
    const slow = await open(otlp.httpUrl);
    slow.write(head({ 'content-length': '90001' }));
    slow.write(Buffer.alloc(90_000));
    await vi.waitUntil(
      async () =>
        (await post(`${otlp.httpUrl}/v1/logs`, logs('receive', 'x'.repeat(20_000)))).status === 429,
      { timeout: 5000 },
    );
    slow.destroy();
    await vi.waitUntil(
      async () =>
        (await post(`${otlp.httpUrl}/v1/logs`, logs('receive', 'x'.repeat(20_000)))).status === 200,
      { timeout: 5000 },
    );
  });

  test('records of very many days are refused, those of a batch that has many are stored', async () => {
    const otlp = await start({ batch: { maxAgeMs: never, maxRows: 111 } });
    const day = 86_400_000_000_000n;
    const from = (first: number, days: number): Uint8Array =>
      wire([
        1,
        'message',
        [
          [1, 'message', [attribute(1, 'service.name', [[1, 'string', 'days']])]],
          [
            2,
            'message',
            Array.from({ length: days }, (_, index): Field => [
              2,
              'message',
              [[1, 'fixed64', day * BigInt(first + index)]],
            ]),
          ],
        ],
      ]);
    const [many, ...fewer] = await Promise.all(
      [from(15_000, 95), from(16_000, 10), from(17_000, 11)].map((body) =>
        post(`${otlp.httpUrl}/v1/logs`, body),
      ),
    );
    expect(fewer.map(({ status: answered, bytes }) => [answered, bytes.length])).toEqual([
      [200, 0],
      [200, 0],
    ]);
    expect(readNumberAndText(many!.bytes.subarray(2))).toEqual({
      number: 5,
      text: expect.stringContaining('more than 90 days'),
      rest: {},
    });
    expect((await count('days')).rows).toBe(111);
  });

  test('a workspace whose tables are missing fails alone, as worth a retry', async () => {
    const otlp = await start({ unmigrated: { key: 'lost', database: 'nowhere' } });
    const [lost, good] = await Promise.all([
      post(`${otlp.httpUrl}/v1/logs`, logs('alone'), { authorization: 'lost' }),
      post(`${otlp.httpUrl}/v1/logs`, logs('alone')),
    ]);
    expect([lost.status, lost.headers.get('retry-after'), good.status]).toEqual([503, '2', 200]);
    expect(readNumberAndText(lost.bytes)).toMatchObject({
      number: 14,
      text: expect.not.stringContaining('nowhere'),
    });
    expect(await call(otlp.grpcUrl, logs('alone'), { authorization: 'lost' })).toMatchObject({
      code: status.UNAVAILABLE,
      retryAfter: 2,
    });
  });
});

test('rows are kept out of a table that somebody made with other types', async () => {
  await engine.telemetry.command(sql`CREATE DATABASE IF NOT EXISTS foreign_tables`, {
    purpose: 'admin',
    timeoutMs: 20_000,
  });
  await engine.telemetry.command(sql`CREATE TABLE foreign_tables.otel_logs AS shop.otel_logs`, {
    purpose: 'admin',
    timeoutMs: 20_000,
  });
  await engine.telemetry.command(
    sql`ALTER TABLE foreign_tables.otel_logs MODIFY COLUMN SeverityNumber Int32`,
    { purpose: 'admin', timeoutMs: 20_000 },
  );
  const otlp = await start({ unmigrated: { key: 'foreign', database: 'foreign_tables' } });
  const send = () => post(`${otlp.httpUrl}/v1/logs`, logs('foreign'), { authorization: 'foreign' });
  expect((await send()).status).toBe(503);
  await engine.telemetry.command(
    sql`ALTER TABLE foreign_tables.otel_logs MODIFY COLUMN SeverityNumber UInt8`,
    { purpose: 'admin', timeoutMs: 20_000 },
  );
  expect((await send()).status).toBe(200);
});

describe('gRPC', () => {
  test.each<[string, number, Uint8Array, Record<string, string>]>([
    ['no key', status.UNAUTHENTICATED, logs('grpc'), {}],
    ['a wrong key', status.UNAUTHENTICATED, logs('grpc'), { authorization: 'nonsense' }],
    [
      'a message that is not OTLP',
      status.INVALID_ARGUMENT,
      Buffer.from('not protobuf'),
      { authorization: key },
    ],
    [
      'a message that is too large',
      status.RESOURCE_EXHAUSTED,
      Buffer.alloc(200_000),
      { authorization: key },
    ],
  ])('%s is refused', async (_what, code, body, metadata) => {
    const otlp = await start({ grpc: { maxMessageBytes: 100_000 } });
    const answer = await call(otlp.grpcUrl, body, metadata);
    expect([answer.code, answer.retryAfter]).toEqual([code, undefined]);
  });

  test('a message that is small until it is decompressed is refused, an honest one taken', async () => {
    const otlp = await start({ grpc: { maxMessageBytes: 100_000, maxInflatedBytes: 1_000_000 } });
    const bomb = await call(otlp.grpcUrl, Buffer.alloc(50_000_000), { authorization: key }, true);
    expect([bomb.code, bomb.retryAfter]).toEqual([status.RESOURCE_EXHAUSTED, undefined]);
    expect(
      (
        await call(
          otlp.grpcUrl,
          logs('gzip over gRPC', 'x'.repeat(90_000)),
          { authorization: key },
          true,
        )
      ).code,
    ).toBe(0);
  });

  test('refused records are a partial success', async () => {
    const otlp = await start();
    const answer = await call(
      otlp.grpcUrl,
      wire([1, 'message', [[2, 'message', [[2, 'message', [[10, 'bytes', Buffer.alloc(2)]]]]]]]),
    );
    expect(answer.code).toBe(0);
    expect(readNumberAndText(answer.response!.subarray(2))).toMatchObject({
      number: 1,
      text: 'a span id is not 8 bytes long',
    });
  });
});

describe('bad connections', () => {
  test('a thousand slow connections keep nobody waiting, and are closed', async () => {
    const otlp = await start({ http: { headersTimeoutMs: 1000, requestTimeoutMs: 2000 } });
    const sockets = await Promise.all(Array.from({ length: 1000 }, () => open(otlp.httpUrl)));
    let closed = 0;
    for (const [index, socket] of sockets.entries()) {
      socket
        .on('end', () => socket.end())
        .on('close', () => closed++)
        .resume();
      socket.write(
        index % 2 ? 'POST /v1/logs HTTP/1.1\r\nhost: x\r\n' : head({ 'content-length': '1000' }),
      );
    }
    expect((await post(`${otlp.httpUrl}/v1/logs`, logs('patient'))).status).toBe(200);
    await vi.waitUntil(() => closed === 1000, { timeout: 15_000, interval: 50 });
    expect((await post(`${otlp.httpUrl}/v1/logs`, logs('patient'))).status).toBe(200);
  });

  test('a body of 100 MB is refused without being held, whether its length was told or not', async () => {
    const otlp = await start();
    for (const headers of [
      { 'content-length': String(100_000_000) },
      { 'transfer-encoding': 'chunked' },
    ]) {
      const socket = await open(otlp.httpUrl);
      const answer = read(socket);
      socket.write(head(headers));
      const chunk = Buffer.alloc(1_000_000);
      const piece =
        'content-length' in headers
          ? chunk
          : Buffer.concat([
              Buffer.from(`${chunk.length.toString(16)}\r\n`),
              chunk,
              Buffer.from('\r\n'),
            ]);
      const closed = new Promise<void>((resolve) => socket.once('close', resolve));
      for (let sent = 0; sent < 100 && !socket.destroyed; sent++) {
        if (!socket.write(piece)) {
          await Promise.race([
            closed,
            new Promise<void>((resolve) => socket.once('drain', resolve)),
          ]);
        }
      }
      expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
      socket.destroy();
    }
    expect(
      (
        await post(`${otlp.httpUrl}/v1/logs`, gzipSync(logs('after')), {
          'content-encoding': 'gzip',
        })
      ).status,
    ).toBe(200);
  });

  test('a sender that closes its half gets its answer; one that leaves in the middle does no harm', async () => {
    const otlp = await start();
    const body = logs('half');
    const half = await open(otlp.httpUrl);
    const answer = read(half);
    half.end(Buffer.concat([Buffer.from(head({ 'content-length': String(body.length) })), body]));
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
    const gone = await open(otlp.httpUrl);
    gone.write(head({ 'content-length': '1000' }));
    gone.write('some');
    gone.resetAndDestroy();
    const many = await open(otlp.httpUrl);
    const refusal = read(many);
    many.write(
      `POST /v1/logs HTTP/1.1\r\n${Array.from({ length: 3000 }, (_, index) => `x-${index}: y`).join('\r\n')}\r\n\r\n`,
    );
    expect(await refusal).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await post(`${otlp.httpUrl}/v1/logs`, logs('half'))).status).toBe(200);
  });
});

function open(url: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host: '127.0.0.1', port: Number(new URL(url).port), allowHalfOpen: true },
      () => resolve(socket),
    );
    socket.once('error', reject);
    socket.on('error', () => undefined);
  });
}

function head(headers: Record<string, string>): string {
  const lines = Object.entries({
    host: 'x',
    authorization: key,
    'content-type': 'application/x-protobuf',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return `POST /v1/logs HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** The first bytes that come back. */
function read(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket
      .once('data', (chunk) => resolve(chunk.toString('latin1')))
      .once('close', () => resolve(''));
  });
}
