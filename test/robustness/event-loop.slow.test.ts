import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type ApiKit } from '../kit/api.ts';
import { shortestLongTurnMs } from '../kit/event-loop.ts';
import { http } from '../kit/http.ts';
import { key, openEngine, post, startOtlp } from '../otlp/kit.ts';
import { attribute, wire, type Field } from '../otlp/wire.ts';

const mebibyte = 1024 * 1024;
const limitMs = 50;

async function expectShortTurns(send: () => Promise<unknown>): Promise<void> {
  expect(await shortestLongTurnMs(send, limitMs)).toBeLessThan(limitMs);
}

const record = (body: string): Field => [
  2,
  'message',
  [
    [1, 'fixed64', 1_763_715_600_000_000_000n],
    [5, 'message', [[1, 'string', body]]],
    ...Array.from({ length: 8 }, (_, index) => attribute(6, `key.${index}`, [[1, 'string', 'v']])),
  ],
];
const logs = (attributes: Field[], records: Field[]): Buffer =>
  Buffer.from(
    wire([
      1,
      'message',
      [
        [1, 'message', attributes],
        [2, 'message', records],
      ],
    ]),
  );
const json = (resourceLogs: string): Buffer => Buffer.from(`{"resourceLogs":[${resourceLogs}]}`);
const jsonRecord = '{"timeUnixNano":"1763715600000000000","body":{"stringValue":"hello"}}';
const nested = (depth: number): string =>
  '{"arrayValue":{"values":['.repeat(depth) + ']}}'.repeat(depth);

/** Bodies after decompression, and the statuses of their answers. */
const protobufBodies: [string, () => Buffer, number, number][] = [
  [
    '40,000 records',
    () =>
      logs(
        [],
        Array.from({ length: 40_000 }, () => record('x'.repeat(200))),
      ),
    200,
    0,
  ],
  ['one record of 15 MiB', () => logs([], [record('x'.repeat(15 * mebibyte))]), 200, 0],
  ['30 million empty resources', () => Buffer.alloc(60_000_000, '\n\0'), 413, 8],
  [
    '15 million empty records',
    () => Buffer.from(wire([1, 'bytes', wire([2, 'bytes', Buffer.alloc(30_000_000, '\x12\0')])])),
    413,
    8,
  ],
  [
    'a large resource of many empty records',
    () =>
      logs(
        [attribute(1, 'large', [[1, 'string', 'x'.repeat(mebibyte)]])],
        Array.from({ length: 100_000 }, (): Field => [2, 'message', []]),
      ),
    413,
    8,
  ],
];

let engine: Awaited<ReturnType<typeof openEngine>>;
let otlp: Awaited<ReturnType<typeof startOtlp>>;
let api: ApiKit;
beforeAll(async () => {
  engine = await openEngine();
  otlp = await startOtlp(engine.telemetry);
  api = await startApi();
  // The code is compiled before it is measured.
  await post(
    `${otlp.httpUrl}/v1/logs`,
    gzipSync(
      logs(
        [],
        Array.from({ length: 5000 }, () => record('warm')),
      ),
    ),
    {
      'content-encoding': 'gzip',
    },
  );
});
afterAll(async () => {
  await Promise.all([otlp?.stop(), api?.stop()]);
  await engine?.close();
});

describe('OTLP', () => {
  const compressed = { 'content-encoding': 'gzip' };

  test.each(protobufBodies)('HTTP with protobuf: %s', async (_name, body, status) => {
    const bytes = gzipSync(body());
    await expectShortTurns(async () =>
      expect((await post(`${otlp.httpUrl}/v1/logs`, bytes, compressed)).status).toBe(status),
    );
  });

  test.each(protobufBodies)('gRPC: %s', async (_name, body, _status, code) => {
    const bytes = body();
    const client = new Client(otlp.grpcUrl.replace('http://', ''), credentials.createInsecure(), {
      'grpc.default_compression_algorithm': 2,
    });
    const metadata = new Metadata();
    metadata.set('authorization', key);
    const asBytes = (value: Buffer): Buffer => value;
    const call = (): Promise<number> =>
      new Promise((resolve) => {
        client.makeUnaryRequest(
          '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
          asBytes,
          asBytes,
          bytes,
          metadata,
          (error) => resolve(error?.code ?? 0),
        );
      });
    await expectShortTurns(async () => expect(await call()).toBe(code));
    client.close();
  });

  test.each<[string, () => Buffer, number]>([
    ['16 million empty resources', () => json(`${'{},'.repeat(16_000_000)}{}`), 413],
    ['600,000 empty resources', () => json(`${'{},'.repeat(600_000)}{}`), 200],
    ['an unfinished string of quotes', () => json(`"${'\\"'.repeat(15_000_000)}`), 400],
    ['a number of 30 million digits', () => json(`${'1'.repeat(30_000_000)}.`), 400],
    ['lists 10 million deep', () => Buffer.from('['.repeat(10_000_000)), 413],
    [
      '20,000 records',
      () =>
        json(`{"scopeLogs":[{"logRecords":[${`${jsonRecord},`.repeat(19_999)}${jsonRecord}]}]}`),
      200,
    ],
    ['nested values', () => json(`{"scopeLogs":[{"logRecords":[{"body":${nested(200)}}]}]}`), 400],
    [
      'nearly two million different keys',
      () =>
        json(
          `{${Array.from({ length: 1_990_000 }, (_, index) => `"k${index}":${index}`).join(',')}}`,
        ),
      413,
    ],
    [
      'half a million different keys',
      () =>
        json(
          `{${Array.from({ length: 500_000 }, (_, index) => `"k${index}":${index}`).join(',')}}`,
        ),
      413,
    ],
  ])('HTTP with JSON: %s', async (_name, body, status) => {
    const bytes = gzipSync(body());
    const headers = { ...compressed, 'content-type': 'application/json' };
    await expectShortTurns(async () =>
      expect((await post(`${otlp.httpUrl}/v1/logs`, bytes, headers)).status).toBe(status),
    );
  });
});

describe('API', () => {
  const keys = (count: number): string =>
    `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;

  test.each<[string, () => string]>([
    ['800,000 keys', () => keys(800_000)],
    ['5000 keys of 1000 bytes', () => keys(5000).replaceAll('"k', `"${'k'.repeat(1000)}`)],
    [
      'objects of 5000 shapes',
      () => `[${Array.from({ length: 5000 }, (_, index) => `{"k${index}":1}`).join(',')}]`,
    ],
    [
      '9000 table mappings',
      () =>
        `{"name":"x","source":{"postgres":{"tableMappings":[${Array.from(
          { length: 9000 },
          (_, index) =>
            `{"sourceSchemaName":"public","sourceTable":"t${index}","targetTable":"t${index}"}`,
        ).join(',')}]}}}`,
    ],
    ['a name of 9 MiB', () => `{"name":"${'x'.repeat(9 * mebibyte)}"}`],
    ['a name of 9 MiB, not ASCII', () => `{"name":"${'ж'.repeat(4.5 * mebibyte)}"}`],
    ['a name of escapes', () => `{"name":"${'\\u0041'.repeat(1_500_000)}"}`],
    ['a list of a million', () => `{"channels":[${'1,'.repeat(999_999)}1]}`],
    ['a list of 45,000', () => `{"series":[${'{},'.repeat(22_000)}{}]}`],
    ['tags', () => `{"name":"x","tags":[${'"a",'.repeat(45_000)}"a"],"tiles":[]}`],
    ['blanks', () => ' '.repeat(9 * mebibyte)],
    ['quotes and backslashes', () => `{"name":"${'\\\\'.repeat(4_500_000)}"`],
    ['lists in lists', () => '['.repeat(9 * mebibyte)],
    ['a number', () => `{"threshold":${'9'.repeat(9 * mebibyte)}}`],
  ])('%s', async (_name, body) => {
    const bytes = Buffer.from(body());
    for (const path of ['/alerts', '/dashboards', '/charts/series', '/webhooks', '/nothing']) {
      await expectShortTurns(async () => {
        const { status } = await http('POST', `http://127.0.0.1:${api.port}/api/v2${path}`, {
          headers: { authorization: `Bearer ${api.accessKey}` },
          body: bytes,
        });
        expect([200, 400, 404, 413]).toContain(status);
      });
    }
  });
});
