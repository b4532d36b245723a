import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { qualified, sql } from '../../src/sql/sql.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import type { HttpAnswer, JsonAnswer } from '../kit/http.ts';
import { nobodysId } from '../kit/stack-objects.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

const t0 = 1_767_225_600_000;
const timeText = (ms: number): string =>
  new Date(t0 + ms).toISOString().slice(0, -1).replace('T', ' ');
let engine: TestTelemetry;
let api: ApiKit;
let [logs, traces, metrics] = ['', '', ''];

beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'telemetry' });
  await engine.insert('otel_logs', [
    {
      Timestamp: timeText(1000),
      ServiceName: 'cart',
      SeverityText: 'error',
      SeverityNumber: 17,
      Body: 'payment failed',
    },
    {
      Timestamp: timeText(2000),
      ServiceName: 'cart',
      SeverityText: 'info',
      SeverityNumber: 9,
      Body: 'ok',
    },
    {
      Timestamp: timeText(61_000),
      ServiceName: 'shop',
      SeverityText: 'info',
      SeverityNumber: 9,
      Body: 'ok',
    },
  ]);
  await engine.insert('otel_traces', [
    {
      Timestamp: timeText(1000),
      TraceId: 't',
      SpanId: 's',
      ServiceName: 'cart',
      SpanName: 'pay',
      Duration: 5000,
    },
  ]);
  await engine.insert('otel_metrics_gauge', [
    {
      ServiceName: 'cart',
      MetricName: 'load',
      TimeUnix: timeText(1000),
      StartTimeUnix: timeText(0),
      Value: 0.5,
      Attributes: {},
    },
  ]);
  api = await startApi({ telemetry: engine.telemetry });
  [logs, traces, metrics] = (await api.call('GET', '/sources')).json.data.map(
    ({ id }: JsonAnswer) => id,
  );
});
afterAll(async () => {
  await api?.stop();
  await engine?.close();
});

const chart = (series: object[], rest: object = {}): Promise<HttpAnswer> =>
  api.call('POST', '/charts/series', {
    body: { series, startTime: t0, endTime: t0 + 120_000, granularity: '1m', ...rest },
  });
const count = (over: object = {}) => ({ sourceId: logs, aggFn: 'count', ...over });

describe('POST /charts/series', () => {
  it('column: all series side by side, by bucket and group, sources mixed', async () => {
    const { status, json, text } = await chart([
      count({ groupBy: ['ServiceName'] }),
      { sourceId: traces, aggFn: 'max', field: 'Duration', groupBy: ['ServiceName'] },
      { sourceId: metrics, aggFn: 'avg', metricName: 'load', groupBy: ['ServiceName'] },
    ]);
    expect(status, text).toBe(200);
    expect(json).toEqual({
      data: [
        {
          ts_bucket: t0,
          group: ['cart'],
          'series_0.data': 2,
          'series_1.data': 5000,
          'series_2.data': 0.5,
        },
        { ts_bucket: t0 + 60_000, group: ['shop'], 'series_0.data': 1 },
      ],
    });
  });

  it('ratio: the first divided by the second, null where there is no second', async () => {
    const { json } = await chart([count(), count({ where: 'SeverityText:"error"' })], {
      seriesReturnType: 'ratio',
    });
    expect(json).toEqual({
      data: [
        { ts_bucket: t0, 'series_0.data': 2 },
        { ts_bucket: t0 + 60_000, 'series_0.data': null },
      ],
    });
  });

  it('auto, and no granularity at all, yield at most sixty buckets', async () => {
    for (const granularity of ['auto', undefined]) {
      expect((await chart([count()], { endTime: t0 + 3_600_000, granularity })).json.data).toEqual([
        { ts_bucket: t0, 'series_0.data': 2 },
        { ts_bucket: t0 + 60_000, 'series_0.data': 1 },
      ]);
    }
  });

  it.each<[what: string, series: () => object[], rest: object, paths: string[]]>([
    ['a condition that does not parse', () => [count({ where: '(a OR' })], {}, ['series.0.where']],
    ['an unknown column', () => [count(), count({ where: 'Nope:1' })], {}, ['series.1.where']],
    ['an unknown field', () => [count({ aggFn: 'sum', field: 'Nope' })], {}, ['series.0.field']],
    ['start after end', () => [count()], { endTime: t0 }, ['endTime']],
    ['seconds', () => [count()], { startTime: t0 / 1000 }, ['startTime']],
    ['six series', () => Array.from({ length: 6 }, () => count()), {}, ['series']],
    ['no series', () => [], {}, ['series']],
    ['a ratio of one', () => [count()], { seriesReturnType: 'ratio' }, ['series']],
    [
      'different groups',
      () => [count(), count({ groupBy: ['ServiceName'] })],
      {},
      ['series.1.groupBy'],
    ],
  ])(
    '%s is a 400 that names the place, with the text as `error` too',
    async (_what, series, rest, paths) => {
      const { status, json } = await chart(series(), rest);
      expect(status).toBe(400);
      expect(json.errors.map(({ path }: JsonAnswer) => path)).toEqual(paths);
      expect(json.error).toBe(json.message);
      if (paths[0]!.endsWith('where')) {
        expect(json.message).toMatch(/\(at position \d+\)/);
      }
    },
  );

  it("an unknown source, and another team's, is the same 404", async () => {
    const stranger = await api.newCaller();
    const unknown = await chart([count({ sourceId: nobodysId })]);
    const foreign = await stranger.call('POST', '/charts/series', {
      body: { series: [count()], startTime: t0, endTime: t0 + 1000 },
    });
    expect([unknown.status, foreign.status]).toEqual([404, 404]);
    expect(foreign.json.error).toBe(unknown.json.error);
  });
});

describe('limits', () => {
  const many = { startTime: 1_700_000_000_000, endTime: 1_700_000_100_000, granularity: '30d' };
  beforeAll(() =>
    engine.command(
      sql`INSERT INTO ${qualified('telemetry', 'otel_logs')} (Timestamp, ServiceName, Body)
        SELECT toDateTime64(1700000000, 9) + number % 100, 'many', toString(number)
        FROM numbers(100001)`,
    ),
  );

  it('more than 100,000 points are a 400 that says what to do', async () => {
    const { status, json } = await chart([count({ groupBy: ['Body'] })], many);
    expect([status, json.error]).toEqual([
      400,
      expect.stringContaining('coarser granularity or fewer groups'),
    ]);
  });

  it('a query past its time is a 504', async () => {
    const hasty = await startApi({ telemetry: engine.telemetry, queryTimeoutMs: 1 });
    try {
      const source = (await hasty.call('GET', '/sources')).json.data[0].id as string;
      const slow = {
        sourceId: source,
        aggFn: 'count',
        whereLanguage: 'sql',
        where:
          "match(Body, '(a|b|c)*d') OR arrayExists(x -> SHA256(SHA256(SHA256(x))) = 'x', extractAll(Body, '.'))",
      };
      const { status, json } = await hasty.call('POST', '/charts/series', {
        body: { series: [slow], ...many },
      });
      expect([status, json.code, json.error]).toEqual([504, 'timeout', json.message]);
    } finally {
      await hasty.stop();
    }
  });
});

describe('POST /search', () => {
  const search = (over: object = {}, by: Pick<ApiKit, 'call'> = api) =>
    by.call('POST', '/search', {
      body: {
        sourceId: logs,
        where: '',
        startTime: t0,
        endTime: t0 + 120_000,
        limit: 2,
        select: 'Body, ServiceName',
        ...over,
      },
    });

  it('goes on from the cursor, each row once', async () => {
    const first = await search();
    expect(first.status, first.text).toBe(200);
    const { rows, cursor } = first.json.data ?? first.json;
    expect(rows).toHaveLength(2);
    const next = (await search({ cursor })).json.data;
    expect(next.rows).toHaveLength(1);
    expect(new Set([...rows, ...next.rows].map((row: unknown) => JSON.stringify(row))).size).toBe(
      3,
    );
  });

  it('finds one row by its identity, with all columns', async () => {
    const { rows } = (await search({ limit: 1 })).json.data;
    const row = (body: object, by: Pick<ApiKit, 'call'> = api) =>
      by.call('POST', '/search/row', { body: { sourceId: logs, ...body } });
    const id = String(rows[0]._id);
    const answer = await row({ id });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json.data.row).toMatchObject({ ...rows[0], LogAttributes: expect.any(Object) });
    expect(answer.json.data.columns).toContainEqual({ name: 'Body', type: 'String' });
    expect((await row({ id: `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}` })).status).toBe(
      404,
    );
    expect((await row({ id }, await api.newCaller())).status).toBe(404);
    for (const wrong of ['x', `${id}-0`, `${id}'`, '']) {
      expect((await row({ id: wrong })).json.errors).toMatchObject([{ path: 'id' }]);
    }
  });

  it("of another team's source is a 404; a bad condition names its place", async () => {
    expect((await search({}, await api.newCaller())).status).toBe(404);
    expect(
      (await search({ where: '(', orderBy: 'Nope' })).json.errors
        .map(({ path }: JsonAnswer) => path)
        .sort(),
    ).toEqual(['orderBy', 'where']);
  });
});
