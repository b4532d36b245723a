import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import snappy from 'snappy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zstdCompress } from '../../src/adapters/connectors/zstd.ts';
import { sql } from '../../src/sql/sql.ts';
import { openEngine, post, rowsOf, startOtlp } from './kit.ts';
import { RawGrpc } from './raw-grpc.ts';
import { attribute, readNumberAndText, wire } from './wire.ts';

let engine: Awaited<ReturnType<typeof openEngine>>;
let otlp: Awaited<ReturnType<typeof startOtlp>>;
let grpc: RawGrpc;
beforeAll(async () => {
  engine = await openEngine();
  const limits = { maxInflatedBytes: 2_000_000 };
  otlp = await startOtlp(engine.telemetry, { http: limits, grpc: limits });
  grpc = new RawGrpc(otlp.grpcUrl);
});
afterAll(async () => {
  grpc?.close();
  await otlp?.stop();
  await engine?.close();
});

const logs = (service: string, body: string): Buffer =>
  Buffer.from(
    wire([
      1,
      'message',
      [
        [1, 'message', [attribute(1, 'service.name', [[1, 'string', service]])]],
        [
          2,
          'message',
          [
            [
              2,
              'message',
              [
                [1, 'fixed64', 1_763_715_600_000_000_000n],
                [5, 'message', [[1, 'string', body]]],
              ],
            ],
          ],
        ],
      ],
    ]),
  );

async function framedSnappy(body: Buffer): Promise<Buffer> {
  const compressor = new snappy.Compressor();
  return Buffer.concat([compressor.update(body), await compressor.finish()]);
}

/** A frame as a stream writes it: without the size of its content, in blocks that are not packed. */
function streamedZstd(body: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])];
  for (let offset = 0; offset < body.length; offset += 100_000) {
    const piece = body.subarray(offset, offset + 100_000);
    const isLast = offset + 100_000 >= body.length;
    const header = Buffer.alloc(3);
    header.writeUIntLE((piece.length << 3) | (isLast ? 1 : 0), 0, 3);
    parts.push(header, piece);
  }
  return Buffer.concat(parts);
}

type Compress = (body: Buffer) => Uint8Array | Promise<Uint8Array>;

const compressions: [string, string, Compress][] = [
  ['gzip', 'gzip', gzipSync],
  ['deflate', 'deflate', deflateSync],
  ['deflate without a header', 'deflate', deflateRawSync],
  ['zstd', 'zstd', (body) => zstdCompress(body)],
  ['zstd of a stream', 'zstd', streamedZstd],
  ['snappy', 'snappy', (body) => snappy.compressSync(body)],
  ['framed snappy', 'snappy', framedSnappy],
];

describe.each(compressions)('%s', (name, encoding, compress) => {
  test.each([
    ['a small body', 'x'],
    ['a large body', Array.from({ length: 60_000 }, (_, index) => index % 977).join(' ')],
  ])('%s is stored, over HTTP and gRPC', async (size, body) => {
    const columns = ['Body'];
    for (const transport of ['http', 'grpc']) {
      const service = `${name} ${size} ${transport}`;
      const message = await compress(logs(service, body));
      if (transport === 'http') {
        const answer = await post(`${otlp.httpUrl}/v1/logs`, message, {
          'content-encoding': encoding,
        });
        expect(answer.status).toBe(200);
      } else {
        expect((await grpc.call({ message, encoding }).answer).code).toBe(0);
      }
      const rows = await rowsOf(
        engine.telemetry,
        'otel_logs',
        columns,
        'Body',
        sql`ServiceName = ${service}`,
      );
      expect(rows).toEqual([{ Body: body }]);
    }
  });

  test('a body that inflates too far is refused for good', async () => {
    const message = await compress(Buffer.alloc(2_500_000));
    const answer = await post(`${otlp.httpUrl}/v1/logs`, message, { 'content-encoding': encoding });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([413, null]);
    const overGrpc = await grpc.call({ message, encoding }).answer;
    expect([overGrpc.code, overGrpc.headers['grpc-status-details-bin']]).toEqual([8, undefined]);
  });

  test('other bytes are refused for good', async () => {
    const message = Buffer.from('these bytes are not compressed at all, by any means');
    const answer = await post(`${otlp.httpUrl}/v1/logs`, message, { 'content-encoding': encoding });
    expect(answer.status).toBe(400);
    expect(readNumberAndText(answer.bytes).text).toBe(`the body is not valid ${encoding}`);
    expect((await grpc.call({ message, encoding }).answer).code).toBe(3);
  });
});

test('a zstd frame that claims a terabyte is refused', async () => {
  for (const rest of ['', '0000000000']) {
    const message = Buffer.from(`28b52ffde00000000000010000${rest}`, 'hex');
    const answer = await post(`${otlp.httpUrl}/v1/logs`, message, { 'content-encoding': 'zstd' });
    expect(answer.status).toBe(413);
  }
  const message = logs('after the claim', 'x');
  expect(
    (await grpc.call({ message: await zstdCompress(message), encoding: 'zstd' }).answer).code,
  ).toBe(0);
});

describe('gRPC', () => {
  const message = logs('gRPC', 'x');

  test('an unknown compression is unimplemented, and the answer names the known ones', async () => {
    const answer = await grpc.call({ message, encoding: 'br' }).answer;
    expect([answer.code, answer.headers['grpc-accept-encoding']]).toEqual([
      12,
      'identity,gzip,deflate,zstd,snappy',
    ]);
  });

  test('an unknown method, a wrong key and a request that is not gRPC are refused', async () => {
    const answers = [
      grpc.call({ message, headers: { ':path': '/other.Service/Export' } }),
      grpc.call({ message, headers: { authorization: 'wrong' } }),
      grpc.call({ message, headers: { 'content-type': 'application/json' } }),
    ].map(({ answer }) => answer);
    expect(
      (await Promise.all(answers)).map(({ code, headers }) => [code, headers[':status']]),
    ).toEqual([
      [12, 200],
      [16, 200],
      [undefined, 415],
    ]);
  });

  test('a partial success is a message with trailers', async () => {
    const wrongSpanId = wire([
      1,
      'message',
      [[2, 'message', [[2, 'message', [[10, 'bytes', Buffer.alloc(2)]]]]]],
    ]);
    const answer = await grpc.call({ message: wrongSpanId }).answer;
    expect([answer.code, answer.trailers['grpc-status']]).toEqual([0, '0']);
    expect(readNumberAndText(answer.message.subarray(2))).toMatchObject({ number: 1 });
  });

  test('a hundred calls at a time over one connection are all answered', async () => {
    const calls = Array.from({ length: 100 }, (_, index) =>
      grpc.call({ message: logs('many', `record ${index}`) }),
    );
    const answers = await Promise.all(calls.map(({ answer }) => answer));
    expect(answers.every(({ code }) => code === 0)).toBe(true);
    const rows = await rowsOf(
      engine.telemetry,
      'otel_logs',
      ['Body'],
      'Body',
      sql`ServiceName = 'many'`,
    );
    expect(new Set(rows.map(({ Body }) => Body)).size).toBe(100);
  });
});
