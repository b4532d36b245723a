import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChartRequest, granularitiesMs } from '../../src/contract/query/chart.ts';
import { createQuery } from '../../src/core/query/index.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { ids, log, openQueryKit, t0, time, type QueryKit } from './query-kit.ts';

let kit: QueryKit;
const point = {
  ServiceName: 'shop',
  MetricDescription: '',
  MetricUnit: '1',
  ResourceAttributes: {},
  ScopeName: 'm',
  Flags: 0,
};
beforeAll(async () => {
  kit = await openQueryKit();
  await kit.insert('otel_logs', [
    log(t0, { SeverityText: 'error' }),
    log(t0 + 30_000),
    log(t0 + 61_000),
    log(t0 + 119_999, { ServiceName: 'cart' }),
    log(t0 + 120_000, { ServiceName: 'cart', SeverityText: 'error' }),
    log(t0 + 3_599_999),
  ]);
  await kit.insert('otel_traces', [
    {
      Timestamp: time(t0 + 1000, 1),
      TraceId: 't',
      SpanId: 'a',
      ServiceName: 'checkout',
      SpanName: 'pay',
      Duration: '9223372036854775807',
    },
    {
      Timestamp: time(t0 + 1000, 2),
      TraceId: 't',
      SpanId: 'b',
      ServiceName: 'checkout',
      SpanName: 'pay',
      Duration: '9223372036854775807',
    },
    {
      Timestamp: time(t0 + 1000, 3),
      TraceId: 't',
      SpanId: 'c',
      ServiceName: 'checkout',
      SpanName: 'pay',
      Duration: '9223372036854775807',
    },
    {
      Timestamp: time(t0 + 61_000),
      TraceId: 't',
      SpanId: 'd',
      ServiceName: 'checkout',
      SpanName: 'pay',
      Duration: '9007199254740993',
    },
  ]);
  await kit.insert('otel_metrics_gauge', [
    {
      ...point,
      MetricName: 'load',
      Attributes: { host: 'a' },
      StartTimeUnix: time(t0),
      TimeUnix: time(t0 + 5000),
      Value: 2,
    },
    {
      ...point,
      MetricName: 'load',
      Attributes: { host: 'a' },
      StartTimeUnix: time(t0),
      TimeUnix: time(t0 + 6000),
      Value: 4,
    },
  ]);
});
afterAll(() => kit.close());

const count = { sourceId: ids.logs, aggFn: 'count' };
const values = (points: Record<string, unknown>[], series = 0): unknown[] =>
  points.map((one) => [(one['ts_bucket'] as number) - t0, one[`series_${series}.data`]]);

describe('time', () => {
  it('the range is half-open, to the millisecond', async () => {
    expect(
      values(
        await kit.chart({
          series: [count],
          startTime: t0,
          endTime: t0 + 120_000,
          granularity: '1m',
        }),
      ),
    ).toEqual([
      [0, 2],
      [60_000, 2],
    ]);
    expect(
      values(
        await kit.chart({
          series: [count],
          startTime: t0 + 1,
          endTime: t0 + 119_999,
          granularity: '1m',
        }),
      ),
    ).toEqual([
      [0, 1],
      [60_000, 1],
    ]);
    expect(
      values(
        await kit.chart({
          series: [count],
          startTime: t0 + 119_999,
          endTime: t0 + 120_001,
          granularity: '1m',
        }),
      ),
    ).toEqual([
      [60_000, 1],
      [120_000, 1],
    ]);
  });

  it('buckets are epoch multiples, so the first may begin before the range', async () => {
    const points = await kit.chart({
      series: [count],
      startTime: t0 + 61_000,
      endTime: t0 + 120_001,
      granularity: '7d',
    });
    expect(points).toEqual([
      {
        ts_bucket: Math.floor(t0 / granularitiesMs['7d']) * granularitiesMs['7d'],
        'series_0.data': 3,
      },
    ]);
  });

  it.each(Object.entries(granularitiesMs))('%s buckets', async (granularity, ms) => {
    const points = await kit.chart({ series: [count], granularity: granularity as '1m' });
    expect(points.every((one) => one.ts_bucket % ms === 0)).toBe(true);
    expect(points.reduce((sum, one) => sum + (one['series_0.data'] as number), 0)).toBe(6);
  });

  it.each<[hours: number, ms: number]>([
    [0.5, 30_000],
    [1, 60_000],
    [6, 600_000],
    [24, 1_800_000],
    [24 * 30, 43_200_000],
    [24 * 365 * 10, granularitiesMs['30d']],
  ])('auto over %d hours', async (hours, ms) => {
    const points = await kit.chart({
      series: [{ sourceId: ids.logs, aggFn: 'count' }],
      startTime: t0,
      endTime: t0 + hours * 3_600_000,
      granularity: 'auto',
    });
    const starts = points.map((one) => one.ts_bucket);
    expect(starts.every((start) => start % ms === 0)).toBe(true);
    expect(points[0]!['series_0.data']).toBe(
      [0, 30_000, 61_000, 119_999, 120_000, 3_599_999].filter(
        (offsetMs) =>
          t0 + offsetMs < t0 + hours * 3_600_000 &&
          Math.floor((t0 + offsetMs) / ms) === Math.floor(t0 / ms),
      ).length,
    );
  });
});

describe('shapes', () => {
  it('ratio is the first divided by the second, null where there is nothing to divide by', async () => {
    const errors = { ...count, where: 'SeverityText:"error"' };
    const ask = { endTime: t0 + 180_000, granularity: '1m', seriesReturnType: 'ratio' } as const;
    expect(values(await kit.chart({ ...ask, series: [count, errors] }))).toEqual([
      [0, 2],
      [60_000, null],
      [120_000, 1],
    ]);
    expect(values(await kit.chart({ ...ask, series: [errors, count] }))).toEqual([
      [0, 0.5],
      [60_000, 0],
      [120_000, 1],
    ]);
  });

  it('sources of different kinds come side by side, by bucket and group', async () => {
    const points = await kit.chart({
      endTime: t0 + 60_000,
      granularity: '1m',
      series: [
        { ...count, groupBy: ['ServiceName'] },
        { sourceId: ids.traces, aggFn: 'count', groupBy: ['ServiceName'] },
        { sourceId: ids.metrics, aggFn: 'max', metricName: 'load', groupBy: ['ServiceName'] },
      ],
    });
    expect(points).toEqual([
      { ts_bucket: t0, group: ['checkout'], 'series_0.data': 2, 'series_1.data': 3 },
      { ts_bucket: t0, group: ['shop'], 'series_2.data': 4 },
    ]);
  });

  it('sums past 64 bits do not wrap, and integers past 2^53 come as the nearest double', async () => {
    expect(
      values(
        await kit.chart({
          endTime: t0 + 120_000,
          granularity: '1m',
          series: [{ sourceId: ids.traces, aggFn: 'sum', field: 'Duration' }],
        }),
      ),
    ).toEqual([
      [0, 3 * 2 ** 63],
      [60_000, 9007199254740992],
    ]);
    expect(
      values(
        await kit.chart({
          endTime: t0 + 60_000,
          granularity: '1m',
          series: [{ sourceId: ids.traces, aggFn: 'avg', field: 'Duration' }],
        }),
      ),
    ).toEqual([[0, 2 ** 63]]);
  });

  it('groups by expressions and map keys, ten at most', async () => {
    const points = await kit.chart({
      granularity: '1h',
      series: [
        {
          ...count,
          groupBy: [
            "if(SeverityText = 'error', 'bad', 'good')",
            'upper(ServiceName)',
            'LogAttributes.none',
            'SeverityNumber',
          ],
        },
      ],
    });
    expect(points.map((one) => [one.group, one['series_0.data']])).toEqual([
      [['bad', 'CART', '', '9'], 1],
      [['bad', 'CHECKOUT', '', '9'], 1],
      [['good', 'CART', '', '9'], 1],
      [['good', 'CHECKOUT', '', '9'], 3],
    ]);
  });

  it('fields may be expressions', async () => {
    expect(
      values(
        await kit.chart({
          granularity: '1h',
          series: [
            { sourceId: ids.logs, aggFn: 'sum', field: 'SeverityNumber * 2' },
            { sourceId: ids.logs, aggFn: 'max', field: 'length(ServiceName)' },
          ],
        }),
      ),
    ).toEqual([[0, 108]]);
  });

  it('a whole range is one value', async () => {
    const plan = await kit.query.plan({
      series: [
        {
          source: kit.sources[ids.logs]!,
          aggFn: 'count',
          where: '',
          whereLanguage: 'lucene',
          path: 'select.0',
        },
      ],
      groupBy: [],
      range: { fromMs: t0, toMs: t0 + 3_600_000 },
      bucketMs: undefined,
      ratio: false,
    });
    expect(await kit.query.run(plan)).toEqual([{ bucketMs: t0, group: [], values: [6] }]);
    expect(await kit.query.run({ ...plan, range: { fromMs: t0 - 10, toMs: t0 } })).toEqual([]);
  });
});

const refused = (series: Record<string, unknown>[], rest: Record<string, unknown> = {}) =>
  kit.chart({ series, ...rest }).catch((error: unknown) => error);

describe('mistakes', () => {
  it('names every offending path at once', async () => {
    expect(
      await refused([
        { sourceId: ids.logs, aggFn: 'avg', where: 'Nope:1' },
        { sourceId: ids.logs, aggFn: 'sum', field: 'Bodyy', where: '(' },
        { sourceId: ids.metrics, aggFn: 'avg', metricDataType: 'histogram' },
      ]),
    ).toMatchObject({
      code: 'bad_request',
      issues: [
        { path: 'series.0.where', message: 'unknown column "Nope" (at position 1)' },
        {
          path: 'series.0.field',
          message: 'is required for avg: name the column or expression to aggregate',
        },
        {
          path: 'series.1.where',
          message: 'the condition ends where a term is expected (at position 2)',
        },
        {
          path: 'series.1.field',
          message: 'unknown column "Bodyy" (did you mean "Body"?) (at position 1)',
        },
        { path: 'series.2.metricName' },
        { path: 'series.2.aggFn' },
      ],
    });
  });

  it('an unknown source is a 404', async () => {
    expect(await refused([{ ...count, sourceId: ids.unknown }])).toMatchObject({
      code: 'not_found',
    });
  });

  it('a source without its table is a 400 that says so', async () => {
    const source = {
      ...kit.sources[ids.logs]!,
      from: { databaseName: kit.database, tableName: 'nothing' },
    } as (typeof kit.sources)[string];
    const request = ChartRequest.parse({ startTime: t0, endTime: t0 + 1, series: [count] });
    await expect(kit.query.series(request, () => Promise.resolve(source))).rejects.toMatchObject({
      code: 'bad_request',
      issues: [{ path: 'series.0.sourceId', message: 'the table of source "Logs" does not exist' }],
    });
  });

  it.each<[what: string, body: Record<string, unknown>, path: string]>([
    ['seconds', { startTime: 1_767_225_600 }, 'startTime'],
    ['a fraction', { endTime: t0 + 0.5 }, 'endTime'],
    ['start after end', { endTime: t0 - 1 }, 'endTime'],
    ['no series', { series: [] }, 'series'],
    ['six series', { series: [count, count, count, count, count, count] }, 'series'],
    ['a ratio of one', { seriesReturnType: 'ratio' }, 'series'],
    ['an unknown granularity', { granularity: '3m' }, 'granularity'],
    ['different groups', { series: [count, { ...count, groupBy: ['Body'] }] }, 'series.1.groupBy'],
    [
      'eleven groups',
      { series: [{ ...count, groupBy: Array.from({ length: 11 }, () => 'Body') }] },
      'series.0.groupBy',
    ],
    ['an unknown aggregate', { series: [{ ...count, aggFn: 'median' }] }, 'series.0.aggFn'],
    ['a level beyond 1', { series: [{ ...count, level: 1.5 }] }, 'series.0.level'],
    ['40 KB of where', { series: [{ ...count, where: 'a '.repeat(20_000) }] }, 'series.0.where'],
  ])('%s is refused at its path', (_, body, path) => {
    const parsed = ChartRequest.safeParse({
      series: [count],
      startTime: t0,
      endTime: t0 + 1000,
      ...body,
    });
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(path);
  });
});

describe('too much for one chart', () => {
  it('conditions too long for the engine are refused, and a dropped column is noticed', async () => {
    const words = Array.from({ length: 490 }, (_, index) => `a-${index}.b-c`)
      .join(' OR ')
      .slice(0, 8000)
      .replace(/ O?R?$/, '');
    expect(
      await refused([
        { ...count, where: `(${words})` },
        { ...count, where: `SeverityText:x OR ${words}` },
        { ...count, where: `SeverityText:y OR ${words}` },
      ]),
    ).toMatchObject({ code: 'bad_request' });
    await kit.command(
      sql`CREATE TABLE ${qualified(kit.database, 'changing')} (Timestamp DateTime64(3), gone UInt8)
        ENGINE = MergeTree ORDER BY Timestamp`,
    );
    const source = {
      ...kit.sources[ids.logs]!,
      from: { databaseName: kit.database, tableName: 'changing' },
    } as (typeof kit.sources)[string];
    const ask = (field: string) =>
      kit.query.series(
        ChartRequest.parse({
          startTime: t0,
          endTime: t0 + 1,
          series: [{ ...count, aggFn: 'max', field }],
        }),
        () => Promise.resolve(source),
      );
    expect(await ask('gone')).toEqual([]);
    await kit.command(sql`ALTER TABLE ${qualified(kit.database, 'changing')} DROP COLUMN gone`);
    kit.now.ms += 60_000;
    await expect(ask('gone')).rejects.toMatchObject({ code: 'bad_request' });
    await expect(ask('gone')).rejects.toMatchObject({
      issues: [
        {
          path: 'series.0.field',
          message: expect.stringContaining('unknown column "gone"') as string,
        },
      ],
    });
  });

  it('more than 100,000 points are refused with what to do', async () => {
    await kit.command(
      sql`INSERT INTO ${qualified(kit.database, 'otel_logs')} (Timestamp, ServiceName, Body)
        SELECT toDateTime64(1700000000, 9) + number % 100, 'many', toString(number)
        FROM numbers(100001)`,
    );
    const many = {
      startTime: 1_700_000_000_000,
      endTime: 1_700_000_100_000,
      granularity: '30d' as const,
    };
    expect(await refused([{ ...count, groupBy: ['Body'] }], many)).toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('coarser granularity or fewer groups') as string,
    });
    expect(
      await kit.chart({ ...many, series: [{ ...count, where: '-Body:"0"', groupBy: ['Body'] }] }),
    ).toHaveLength(100_000);
  });

  it('a query that takes too long is a timeout', async () => {
    const hasty = createQuery({
      telemetry: kit.telemetry,
      workspaceDatabase: () => Promise.resolve(kit.database),
      clock: { now: () => t0 },
      limits: { timeoutMs: 1 },
    });
    const request = ChartRequest.parse({
      startTime: t0 - 86_400_000 * 900,
      endTime: t0,
      series: [
        {
          ...count,
          where:
            "match(Body, '(a|b|c)*d') OR arrayExists(x -> SHA256(SHA256(SHA256(x))) = 'x', extractAll(Body, '.'))",
          whereLanguage: 'sql',
        },
      ],
    });
    await expect(
      hasty.series(request, () => Promise.resolve(kit.sources[ids.logs])),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(timeout|unavailable)$/) as string });
  });
});
