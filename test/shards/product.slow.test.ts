import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import { until } from '../kit/eventually.ts';
import { logBlock, openSharded, type Sharded } from '../kit/sharded.ts';
import { testRows, type TestTelemetry } from '../kit/telemetry.ts';
import { startTimeline } from '../kit/timeline.ts';
import { database as otlpDatabase, post, startOtlp } from '../otlp/kit.ts';
import { wire } from '../otlp/wire.ts';

const t0 = 1_767_225_600_000;
let sharded: Sharded;

beforeAll(async () => {
  sharded = await openSharded(2);
});
afterAll(() => sharded?.close());

const allPresent = (): Promise<unknown> =>
  until('all shards', async () => {
    await sharded.telemetry.query(sql`SELECT 1`, { purpose: 'alert', timeoutMs: 5_000 });
    return true;
  });

describe('the API over shards', () => {
  let api: ApiKit;
  let sourceId: string;

  beforeAll(async () => {
    api = await startApi({ telemetry: sharded.telemetry, pipes: true });
    for (let block = 0; block < 10; block++) {
      await sharded.telemetry.insert('telemetry', 'otel_logs', logBlock('shop', 10));
    }
    const { json } = await api.call('GET', '/sources');
    sourceId = json.data[0].id;
  });
  afterAll(() => api?.stop());

  const range = { startTime: t0, endTime: t0 + 3_600_000 };
  const chart = (where: string) =>
    api.call('POST', '/charts/series', {
      body: { ...range, granularity: '1h', series: [{ sourceId, aggFn: 'count', where }] },
    });

  test('a result without a shard says so in a header and in the body', async () => {
    const [here = 0, there = 0] = await sharded.counts('telemetry.otel_logs_local');
    expect(Math.min(here, there)).toBeGreaterThan(0);
    const whole = await chart('shop');
    expect([whole.status, whole.json.data[0]['series_0.data']]).toEqual([200, 100]);
    expect([whole.headers.get('x-sightline-missing-shards'), whole.json.partial]).toEqual([
      null,
      undefined,
    ]);
    await sharded.cluster.servers[1]!.kill();
    const partial = await chart('Body:shop');
    expect([partial.status, partial.json.data[0]['series_0.data']]).toEqual([200, here]);
    expect(partial.headers.get('x-sightline-missing-shards')).toBe('2');
    expect(partial.json.partial).toEqual({ missingShards: [2] });
    const rows = await api.call('POST', '/search', { body: { ...range, sourceId, limit: 500 } });
    expect([rows.json.data.rows.length, rows.json.partial]).toEqual([here, { missingShards: [2] }]);
    const trace = await api.call('GET', `/traces/${'a'.repeat(32)}`);
    expect([trace.status, trace.json.code]).toEqual([503, 'unavailable']);
    const file = await api.call('POST', '/search/export', {
      body: { ...range, sourceId, format: 'csv' },
    });
    expect(file.status).toBe(503);
    await sharded.cluster.servers[1]!.restart();
    await allPresent();
    const again = await chart('Body:shop');
    expect([again.json.data[0]['series_0.data'], again.json.partial]).toEqual([100, undefined]);
  });

  test('sources read the tables of all shards, and are not offered those of one', async () => {
    const { status, json } = await api.call('GET', '/sources/tables');
    const names: string[] = json.data.map(({ tableName }: { tableName: string }) => tableName);
    expect([status, names]).toEqual([
      200,
      expect.arrayContaining(['otel_logs', 'otel_logs_1m', 'otel_traces', 'otel_metrics_sum']),
    ]);
    expect(names.filter((name) => name.endsWith('_local'))).toEqual([]);
    const times = await api.call('GET', '/sources/times');
    const { lastTime } = times.json.data.find(
      (one: { sourceId: string }) => one.sourceId === sourceId,
    );
    expect(lastTime).toBeGreaterThanOrEqual(t0);
  });

  test('the map of services joins spans of different shards', async () => {
    const { json } = await api.call('GET', '/sources');
    const traces = json.data.find(({ kind }: { kind: string }) => kind === 'trace').id;
    const span = (shard: number, id: string, parent: string, service: string) =>
      sharded.ask(
        shard,
        `INSERT INTO telemetry.otel_traces_local (Timestamp, TraceId, SpanId, ParentSpanId, ServiceName)
          VALUES (fromUnixTimestamp64Milli(${t0}), 'across', '${id}', '${parent}', '${service}')`,
      );
    await span(0, 'a', '', 'web');
    await span(1, 'b', 'a', 'cart');
    const body = { ...range, sourceId: traces };
    const map = await api.call('POST', '/services/map', { body });
    expect([map.status, map.json.data.edges]).toEqual([
      200,
      [expect.objectContaining({ caller: 'web', callee: 'cart', calls: 1 })],
    ]);
  });
});

test('an alert is undecided while a shard is away, and evaluated when it is back', async () => {
  const { telemetry } = sharded;
  await telemetry.migrate('sightline');
  const engine: TestTelemetry = {
    telemetry,
    database: 'sightline',
    ...testRows(telemetry, 'sightline'),
    close: () => Promise.resolve(),
  };
  const t = await startTimeline({ engine });
  const webhookId = await t.webhook();
  const savedSearchId = await t.search('ServiceName:checkout');
  const alertId = await t.alert({
    savedSearchId,
    threshold: 10,
    interval: '1m',
    channel: { type: 'webhook', webhookId },
  });
  await t.runUntil('12:00:30');
  for (let block = 0; block < 8; block++) {
    await t.logs('12:00:40', 2);
  }
  const [here = 0, there = 0] = await sharded.counts('sightline.otel_logs_local');
  expect(here + there).toBe(16);
  // The rows of one shard alone would leave it calm.
  const lost = here > there ? 0 : 1;
  await sharded.cluster.servers[lost]!.kill();
  await t.runUntil('12:01:30');
  expect(await t.history(alertId)).not.toContain(expect.stringMatching(/^12:01 /));
  const { executionErrors } = (await t.store.alerts.status(t.workspaceId, [alertId])).get(alertId)!;
  expect(executionErrors.map(({ type }) => type)).toEqual(['QUERY_ERROR']);
  expect(t.deliveries()).toEqual([]);
  await sharded.cluster.servers[lost]!.restart();
  await allPresent();
  await t.runUntil('12:03:00');
  expect(await t.history(alertId)).toContain('12:01 firing 16 breached');
  expect(t.deliveries()[0]).toMatch(/firing fired 16$/);
  await t.close();
});

describe('OTLP over shards', () => {
  const logs = (service: string, index: number): Uint8Array =>
    wire([
      1,
      'message',
      [
        [
          2,
          'message',
          [
            [
              2,
              'message',
              [
                [1, 'fixed64', 1_767_225_600_000_000_000n + BigInt(index)],
                [5, 'message', [[1, 'string', `${service} ${index}`]]],
              ],
            ],
          ],
        ],
      ],
    ]);

  test('a sender that repeats after a shard went away has every record stored once', async () => {
    const otlp = await startOtlp(sharded.telemetry);
    const url = `${otlp.httpUrl}/v1/logs`;
    const stored = async (): Promise<number[]> => sharded.counts(`${otlpDatabase}.otel_logs_local`);
    const lost = sharded.cluster.servers[1]!;
    await lost.pause();
    const refused: number[] = [];
    for (let index = 0; index < 40; index++) {
      const { status } = await post(url, logs('record', index));
      expect([200, 503]).toContain(status);
      if (status === 503) {
        refused.push(index);
      }
    }
    // One block was in flight when the loss was noticed; later ones go elsewhere.
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(40);
    for (const index of refused) {
      expect((await post(url, logs('record', index))).status).toBe(503);
    }
    lost.resume();
    await allPresent();
    for (const index of refused) {
      await until('the record to be accepted', async () => {
        return (await post(url, logs('record', index))).status === 200;
      });
    }
    const counts = await stored();
    expect(counts[0]! + counts[1]!).toBe(40);
    expect(counts[1]).toBe(refused.length);
    await otlp.stop();
  });
});
