import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChartRequest } from '../../src/contract/query/chart.ts';
import { TotalsRequest } from '../../src/contract/query/totals.ts';
import { ids, log, openQueryKit, t0, time, type QueryKit } from './query-kit.ts';

let kit: QueryKit;
const odd = `it's, "odd" \\ OR 1=1`;
const services = ['a', 'b', 'c', odd, ''];

/** Service n has 5 − n rows in each of four minutes, with values 1, 2, … */
const rows = services.flatMap((service, index) =>
  [0, 1, 2, 3].flatMap((minute) =>
    Array.from({ length: 5 - index }, (_, value) => ({ service, minute, value: value + 1 })),
  ),
);

beforeAll(async () => {
  kit = await openQueryKit();
  await kit.insert(
    'otel_logs',
    rows.map(({ service, minute, value }) =>
      log(t0 + minute * 60_000 + value, {
        ServiceName: service,
        SeverityNumber: value,
        TraceId: `${value}`,
      }),
    ),
  );
  await kit.insert(
    'otel_metrics_sum',
    services.flatMap((service, index) =>
      [0, 1, 2].map((minute) => ({
        TimeUnix: time(t0 + minute * 60_000),
        StartTimeUnix: time(t0),
        MetricName: 'requests',
        ServiceName: service,
        AggregationTemporality: 1,
        IsMonotonic: true,
        Value: index + 1,
        Attributes: {},
      })),
    ),
  );
});
afterAll(() => kit.close());

const count = { sourceId: ids.logs, aggFn: 'count', groupBy: ['ServiceName'] };
const find = (id: string) => Promise.resolve(kit.sources[id]);
const range = { startTime: t0, endTime: t0 + 240_000 };
const totals = (series: object[], over: object = {}) =>
  kit.query.totals(TotalsRequest.parse({ ...range, series, ...over }), find);
const points = (series: object[], over: object = {}) =>
  kit.query.series(ChartRequest.parse({ ...range, series, granularity: '1m', ...over }), find);

const ofOthers = rows.filter(({ service }) => !['a', 'b'].includes(service));
const mean = (values: number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('totals', () => {
  it('are one row for each group over the whole range, greatest first', async () => {
    expect(await totals([count])).toEqual({
      rows: services.map((service, index) => ({
        group: [service],
        'series_0.data': 4 * (5 - index),
      })),
      groups: 5,
    });
  });

  it('without groups are one row', async () => {
    const { groupBy: _, ...all } = count;
    expect(await totals([all])).toEqual({ rows: [{ 'series_0.data': 60 }], groups: 1 });
    expect(await totals([{ ...all, where: 'Body:nothing' }])).toEqual({ rows: [], groups: 0 });
  });

  it('the rest is computed from its rows, not from its groups', async () => {
    const over = (aggFn: string, field: string) => ({ ...count, aggFn, field });
    const result = await totals(
      [
        count,
        over('avg', 'SeverityNumber'),
        over('count_distinct', 'TraceId'),
        over('quantile', 'SeverityNumber'),
        over('max', 'SeverityNumber'),
      ],
      { limit: 2 },
    );
    expect(result.rows.map(({ group }) => group)).toEqual([['a'], ['b']]);
    expect(result.groups).toBe(5);
    expect(result.other).toEqual({
      'series_0.data': ofOthers.length,
      'series_1.data': mean(ofOthers.map(({ value }) => value)),
      'series_2.data': 3,
      'series_3.data': 1.5,
      'series_4.data': 3,
    });
  });

  it('the rest can be left out, and is absent if there is none', async () => {
    expect(await totals([count], { limit: 2, other: false })).not.toHaveProperty('other');
    expect(await totals([count], { limit: 5 })).not.toHaveProperty('other');
  });

  it('are ordered by any series, in both directions; groups without a value are last', async () => {
    const part = { ...count, where: 'ServiceName:"a" OR ServiceName:"c"' };
    const order = async (orderBy: object) =>
      (await totals([count, part], { orderBy })).rows.map(({ group }) => (group as string[])[0]);
    expect(await order({ series: 1 })).toEqual(['a', 'c', '', 'b', odd]);
    expect((await order({ series: 0, direction: 'asc' }))[0]).toBe('');
  });

  it('a ratio divides the totals, also of the rest', async () => {
    const low = { ...count, where: 'SeverityNumber:1' };
    const result = await totals([low, count], { seriesReturnType: 'ratio', limit: 1 });
    expect(result.rows).toEqual([{ group: [''], 'series_0.data': 1 }]);
    expect(result.other).toEqual({ 'series_0.data': 16 / 56 });
  });

  it('of metrics and rows together', async () => {
    const requests = {
      sourceId: ids.metrics,
      aggFn: 'sum',
      metricName: 'requests',
      metricDataType: 'sum',
      groupBy: ['ServiceName'],
    };
    const result = await totals([requests, count], { limit: 1 });
    expect(result.rows).toEqual([{ group: [''], 'series_0.data': 15, 'series_1.data': 4 }]);
    expect(result.other).toEqual({ 'series_0.data': 30, 'series_1.data': 56 });
  });

  it.each([
    [{ orderBy: { series: 1 } }, 'orderBy.series'],
    [{ limit: 1001 }, 'limit'],
    [{ startTime: t0 + 1, endTime: t0 }, 'endTime'],
  ])('%j is refused', (over, path) => {
    const parsed = TotalsRequest.safeParse({ ...range, series: [count], ...over });
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
  });
});

describe('a limit of groups', () => {
  it('keeps the groups with the greatest totals, and the rest as one in each bucket', async () => {
    const result = await points([{ ...count, aggFn: 'count_distinct', field: 'TraceId' }], {
      limit: 2,
    });
    expect(result).toEqual(
      [0, 1, 2, 3].flatMap((minute) => [
        { ts_bucket: t0 + minute * 60_000, group: ['a'], 'series_0.data': 5 },
        { ts_bucket: t0 + minute * 60_000, group: ['b'], 'series_0.data': 4 },
        { ts_bucket: t0 + minute * 60_000, group: [], other: true, 'series_0.data': 3 },
      ]),
    );
  });

  it('leaves the rest out by choice, and changes nothing if there is no rest', async () => {
    const without = await points([count], { limit: 2, other: false });
    expect(without.every(({ other }) => other === undefined)).toBe(true);
    expect(without).toHaveLength(8);
    expect(await points([count], { limit: 5 })).toEqual(await points([count]));
  });

  it('groups by several fields: nothing is lost, nothing counted twice', async () => {
    const many = { ...count, groupBy: ['ServiceName', 'TraceId'] };
    const result = await points([many], { limit: 1 });
    expect(result.filter(({ other }) => other)).toHaveLength(4);
    expect(result.map((point) => Number(point['series_0.data'])).reduce((a, b) => a + b)).toBe(60);
  });
});
