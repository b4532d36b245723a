import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { until } from '../kit/eventually.ts';
import { openEngine, post, startOtlp, type OtlpKitOptions } from './kit.ts';
import { RawGrpc } from './raw-grpc.ts';
import { attribute, readNumberAndText, wire, type Field } from './wire.ts';

let engine: Awaited<ReturnType<typeof openEngine>>;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  engine = await openEngine();
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) {
    await close();
  }
});
afterAll(() => engine?.close());

async function start(options?: OtlpKitOptions, telemetry = engine.telemetry) {
  const otlp = await startOtlp(telemetry, options);
  closing.push(() => otlp.stop());
  const grpc = new RawGrpc(otlp.grpcUrl);
  closing.push(() => grpc.close());
  return { ...otlp, grpc, logsUrl: `${otlp.httpUrl}/v1/logs` };
}

const never = 3_600_000;
const second = 1_763_715_600_000_000_000n;
const logs = (service: string, { count = 1, time = true, body = 'x' } = {}): Uint8Array =>
  wire([
    1,
    'message',
    [
      [1, 'message', [attribute(1, 'service.name', [[1, 'string', service]])]],
      [
        2,
        'message',
        Array.from({ length: count }, (_, index): Field => [
          2,
          'message',
          [
            ...(time ? [[1, 'fixed64', second + BigInt(index)] satisfies Field] : []),
            [5, 'message', [[1, 'string', body]]],
          ],
        ]),
      ],
    ],
  ]);
const countRows = async (service: string): Promise<number> => {
  const result = await engine.telemetry.query(
    sql`SELECT toUInt32(count()) FROM shop.otel_logs WHERE ServiceName = ${service}`,
    { purpose: 'admin', timeoutMs: 20_000 },
  );
  return Number(result.rows[0]![0]);
};

/** The engine, whose inserts wait until they are released. */
function heldEngine(): { telemetry: Telemetry; release(): void; inserts(): number } {
  let release = (): void => undefined;
  let inserts = 0;
  const released = new Promise<void>((resolve) => (release = resolve));
  const telemetry = new Proxy(engine.telemetry, {
    get(target, name): unknown {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'insert') {
        return async (...call: Parameters<Telemetry['insert']>) => {
          inserts++;
          await released;
          return target.insert(...call);
        };
      }
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  closing.push(release);
  return { telemetry, release, inserts: () => inserts };
}

describe('a repeated request', () => {
  test('is answered like the first and stores nothing, whatever its transport and compression', async () => {
    const { logsUrl, grpc, ingest } = await start();
    const body = logs('repeat', { count: 1000 });
    expect((await post(logsUrl, body)).status).toBe(200);
    expect((await post(logsUrl, body)).status).toBe(200);
    expect((await post(logsUrl, gzipSync(body), { 'content-encoding': 'gzip' })).status).toBe(200);
    expect((await grpc.call({ message: body }).answer).code).toBe(0);
    expect([await countRows('repeat'), ingest.repeatedRequests()]).toEqual([1000, 3]);
  });

  test('waits with the first, if that is not stored yet', async () => {
    const { logsUrl, ingest } = await start({ batch: { maxAgeMs: never } });
    const body = logs('waiting');
    const answers = [post(logsUrl, body), post(logsUrl, body), post(logsUrl, body)];
    await until('two repeats', () => ingest.repeatedRequests() === 2);
    await ingest.stop();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await countRows('waiting')).toBe(1);
  });

  test('is stored if the first has failed', async () => {
    let failures = 1;
    const telemetry = new Proxy(engine.telemetry, {
      get(target, name): unknown {
        const value: unknown = Reflect.get(target, name, target);
        if (name === 'insert' && failures > 0) {
          failures--;
          return () => Promise.reject(new Error('the engine is away'));
        }
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const { logsUrl } = await start({}, telemetry);
    const body = logs('failed');
    expect((await post(logsUrl, body)).status).toBe(503);
    expect((await post(logsUrl, body)).status).toBe(200);
    expect(await countRows('failed')).toBe(1);
  });

  test('without times is stored again: both can be meant', async () => {
    const { logsUrl } = await start();
    const body = logs('without times', { time: false });
    await post(logsUrl, body);
    await post(logsUrl, body);
    expect(await countRows('without times')).toBe(2);
  });

  test('of another workspace is stored there', async () => {
    await engine.telemetry.migrate('other');
    const { logsUrl } = await start({ unmigrated: { key: 'other-key', database: 'other' } });
    const body = logs('two workspaces');
    expect((await post(logsUrl, body)).status).toBe(200);
    expect((await post(logsUrl, body, { authorization: 'other-key' })).status).toBe(200);
    const result = await engine.telemetry.query(
      sql`SELECT toUInt32(count()) FROM other.otel_logs`,
      { purpose: 'admin', timeoutMs: 20_000 },
    );
    expect([await countRows('two workspaces'), result.rows[0]![0]]).toEqual([1, 1]);
  });
});

describe('a call that has ended', () => {
  test('by its deadline is answered so, and its rows are taken out of the batch', async () => {
    const { grpc, ingest } = await start({ batch: { maxAgeMs: never } });
    const headers = { 'grpc-timeout': '150m' };
    const answer = await grpc.call({ message: logs('deadline'), headers }).answer;
    expect([answer.code, ingest.pendingBytes()]).toEqual([4, 0]);
    await ingest.stop();
    expect(await countRows('deadline')).toBe(0);
  });

  test('by its client is taken out, the others of the batch are stored', async () => {
    const { grpc, logsUrl, ingest } = await start({ batch: { maxAgeMs: never } });
    const { cancel } = grpc.call({ message: logs('cancelled', { body: 'x'.repeat(10_000) }) });
    const kept = post(logsUrl, logs('kept'));
    await until('a large request to wait', () => ingest.pendingBytes() > 10_000);
    cancel();
    await until('it to be given up', () => ingest.pendingBytes() < 10_000);
    await ingest.stop();
    expect((await kept).status).toBe(200);
    expect([await countRows('cancelled'), await countRows('kept')]).toEqual([0, 1]);
  });

  test('leaves its rows to a repeat that waits for them', async () => {
    const { grpc, ingest } = await start({ batch: { maxAgeMs: never } });
    const message = logs('taken over');
    const first = grpc.call({ message });
    await until('a request to wait', () => ingest.pendingBytes() > 0);
    const second = grpc.call({ message });
    await until('a repeat', () => ingest.repeatedRequests() === 1);
    first.cancel();
    await first.answer;
    await ingest.stop();
    expect((await second.answer).code).toBe(0);
    expect(await countRows('taken over')).toBe(1);
  });

  test('during its insert is stored, and its repeat is recognized', async () => {
    const held = heldEngine();
    const { grpc } = await start({}, held.telemetry);
    const message = logs('too late', { count: 100 });
    const first = await grpc.call({ message, headers: { 'grpc-timeout': '300m' } }).answer;
    expect([first.code, held.inserts()]).toEqual([4, 1]);
    const repeat = grpc.call({ message });
    held.release();
    expect((await repeat.answer).code).toBe(0);
    expect([await countRows('too late'), held.inserts()]).toEqual([100, 1]);
  });
});

test('while rows wait too long behind an insert, new requests are told to come back', async () => {
  const held = heldEngine();
  const { grpc, logsUrl } = await start({ batch: { maxWaitMs: 100 } }, held.telemetry);
  const first = post(logsUrl, logs('shed', { body: 'first' }));
  await until('an insert', () => held.inserts() === 1);
  const second = post(logsUrl, logs('shed', { body: 'second' }));
  const refused = await vi.waitUntil(
    async () => {
      // Each waits until its deadline, so that none is stored by being asked.
      const answer = await grpc.call({
        message: logs('shed', { body: 'third' }),
        headers: { 'grpc-timeout': '50m' },
      }).answer;
      return answer.code === 14 ? answer : undefined;
    },
    { timeout: 10_000 },
  );
  expect(refused?.headers['grpc-status-details-bin']).toBeDefined();
  const overHttp = await post(logsUrl, logs('shed', { body: 'third' }));
  expect([overHttp.status, overHttp.headers.get('retry-after')]).toEqual([503, '2']);
  expect(readNumberAndText(overHttp.bytes).number).toBe(14);
  held.release();
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
  expect(await countRows('shed')).toBe(2);
});
