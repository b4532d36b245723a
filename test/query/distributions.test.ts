import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MetricDataType } from '../../src/contract/source.ts';
import { exponential, quantile } from './exponential.ts';
import { ids, openQueryKit, t0, time, type QueryKit } from './query-kit.ts';

let kit: QueryKit;
beforeAll(async () => {
  kit = await openQueryKit();
});
afterAll(() => kit.close());

const hourMs = 3_600_000;
const shared = {
  ServiceName: 'shop',
  MetricDescription: '',
  MetricUnit: 's',
  ResourceAttributes: {},
  ScopeName: 'm',
  Flags: 0,
};
const delta = 1;
const cumulative = 2;

const functions = ['count', 'sum', 'avg', 'min', 'max'] as const;

/** All functions over one metric, as one object for each bucket. */
async function chart(
  metricDataType: MetricDataType,
  metricName: string,
  {
    levels = [] as number[],
    granularity = '1h' as const,
    hours = 1,
    groupBy = [] as string[],
  } = {},
) {
  const base = { sourceId: ids.metrics, metricDataType, metricName, groupBy };
  const range = { startTime: t0, endTime: t0 + hours * hourMs, granularity };
  const [plain, quantiles] = await Promise.all([
    kit.chart({ ...range, series: functions.map((aggFn) => ({ ...base, aggFn })) }),
    levels.length === 0
      ? []
      : kit.chart({
          ...range,
          series: levels.map((level) => ({ ...base, aggFn: 'quantile', level })),
        }),
  ]);
  return plain.map((point, index) => ({
    hour: (point.ts_bucket - t0) / hourMs,
    ...(groupBy.length > 0 && { group: point.group }),
    ...Object.fromEntries(
      functions.flatMap((name, place) => {
        const value = point[`series_${place}.data`];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    ...(levels.length > 0 && {
      quantiles: levels.map((_, place) => quantiles[index]?.[`series_${place}.data`]),
    }),
  }));
}

const minute = 60_000;
/** Spread over three orders of magnitude, and the same each time. */
const sample = (count: number, seed: number): number[] =>
  Array.from(
    { length: count },
    (_, index) => 0.1 + ((index * 7919 + seed * 104_729) % 10_007) / 10,
  );

const insertExponential = (name: string, points: object[]): Promise<void> =>
  kit.insert(
    'otel_metrics_exponential_histogram',
    points.map((point) => ({
      ...shared,
      MetricName: name,
      Attributes: { host: 'h1' },
      ...point,
    })),
  );

describe('exponential histograms', () => {
  it('delta points of several series and scales are added', async () => {
    const [first, second, third] = [sample(200, 1), sample(100, 2), sample(50, 3)];
    const point = (values: number[], scale: number, offset: number, host: string) => ({
      ...exponential(values, scale),
      Attributes: { host },
      StartTimeUnix: time(t0 + offset - minute),
      TimeUnix: time(t0 + offset),
      AggregationTemporality: delta,
    });
    await insertExponential('delta', [
      point(first, 3, 1 * minute, 'h1'),
      point(second, 3, 2 * minute, 'h2'),
      point(third, 1, 70 * minute, 'h1'),
    ]);
    const both = [...first, ...second];
    const levels = [0.5, 0.95];
    const bucket = (hour: number, values: number[], scale: number) => ({
      hour,
      count: values.length,
      sum: expect.closeTo(
        values.reduce((a, b) => a + b),
        6,
      ),
      avg: expect.closeTo(values.reduce((a, b) => a + b) / values.length, 6),
      min: Math.min(...values),
      max: Math.max(...values),
      quantiles: levels.map((level) => expect.closeTo(quantile(values, scale, level), 6)),
    });
    expect(await chart('exponential histogram', 'delta', { levels, hours: 2 })).toEqual([
      bucket(0, both, 3),
      bucket(1, third, 1),
    ]);
    const grouped = await chart('exponential histogram', 'delta', {
      levels,
      hours: 1,
      groupBy: ['Attributes.host'],
    });
    expect(grouped).toEqual([
      { ...bucket(0, first, 3), group: ['h1'] },
      { ...bucket(0, second, 3), group: ['h2'] },
    ]);
  });

  it('scales that differ within a bucket are added as the curves they describe', async () => {
    const [fine, coarse] = [
      [1.5, 3, 3],
      [6, 12],
    ];
    await insertExponential(
      'scales',
      [exponential(fine, 2), exponential(coarse, 0)].map((point, index) => ({
        ...point,
        StartTimeUnix: time(t0 + index * minute),
        TimeUnix: time(t0 + (index + 1) * minute),
        AggregationTemporality: delta,
      })),
    );
    // 6 lies in (4, 8], 12 in (8, 16]: a rank of 4 is the end of the fourth observation's bucket.
    const [bucket] = await chart('exponential histogram', 'scales', { levels: [0.8] });
    expect(bucket).toEqual({
      hour: 0,
      count: 5,
      sum: 25.5,
      avg: 5.1,
      min: 1.5,
      max: 12,
      quantiles: [expect.closeTo(8, 9)],
    });
  });

  it('cumulative points count their increase, over a change of scale and a reset', async () => {
    const batches = [sample(40, 1), sample(60, 2), [...sample(30, 3), 5000], sample(20, 4)];
    const until = (count: number): number[] => batches.slice(0, count).flat();
    const points = [
      // Before the range: what it holds is not counted.
      { ...exponential(until(1), 4), TimeUnix: time(t0 - minute) },
      { ...exponential(until(2), 4), TimeUnix: time(t0 + minute) },
      { ...exponential(until(3), 2), TimeUnix: time(t0 + 61 * minute) },
      // Begins again: fewer observations than before.
      { ...exponential(batches[3]!, 4), TimeUnix: time(t0 + 121 * minute) },
    ];
    await insertExponential(
      'cumulative',
      points.map((point) => ({
        ...point,
        StartTimeUnix: time(t0 - 24 * hourMs),
        AggregationTemporality: cumulative,
      })),
    );
    const levels = [0.5, 0.9];
    const result = await chart('exponential histogram', 'cumulative', { levels, hours: 3 });
    const scales = [4, 2, 4];
    expect(result).toMatchObject(
      batches.slice(1).map((values, hour) => ({
        hour,
        count: values.length,
        sum: expect.closeTo(
          values.reduce((a, b) => a + b),
          6,
        ),
        quantiles: levels.map((level) => expect.closeTo(quantile(values, scales[hour]!, level), 6)),
      })),
    );
    const [, second, third] = result as unknown as { min: number; max: number }[];
    expect([second!.max, third!.min, third!.max]).toEqual([
      5000,
      Math.min(...batches[3]!),
      Math.max(...batches[3]!),
    ]);
    // Not known exactly: the border of the lowest bucket, which is at most a factor of 2^(1/4) away.
    const lowest = Math.min(...batches[2]!);
    expect(second!.min).toBeLessThanOrEqual(lowest);
    expect(second!.min).toBeGreaterThan(lowest / 2 ** 0.25 - 1e-9);
  });

  it('a reset without fewer observations is seen by its buckets', async () => {
    const point = (values: number[], offset: number) => ({
      ...exponential(values, 0),
      StartTimeUnix: time(0),
      TimeUnix: time(t0 + offset),
      AggregationTemporality: cumulative,
    });
    await insertExponential('hidden reset', [
      point([3, 3, 3], -minute),
      point([100, 100, 100, 100], minute),
    ]);
    expect(await chart('exponential histogram', 'hidden reset')).toEqual([
      { hour: 0, count: 4, sum: 400, avg: 100, min: 100, max: 100 },
    ]);
  });
});

describe('buckets of exponential histograms', () => {
  it('zeros and negative observations have their places', async () => {
    const values = [-12, -6, -3, 0, 0, 0, 3, 6, 12, 24];
    await insertExponential('signed', [
      {
        ...exponential(values, 0),
        StartTimeUnix: time(t0),
        TimeUnix: time(t0 + minute),
        AggregationTemporality: delta,
      },
    ]);
    const [bucket] = await chart('exponential histogram', 'signed', {
      levels: [0.1, 0.2, 0.5, 0.7, 1],
    });
    expect(bucket).toEqual({
      hour: 0,
      count: 10,
      sum: 24,
      avg: 2.4,
      min: -12,
      max: 24,
      // The ends of the buckets (-16, -8], (-8, -4], zero, zero, (2, 4] and (16, 32].
      quantiles: [-8, -4, expect.closeTo(0, 9), 4, 32],
    });
  });

  it('without recorded extremes these are the borders of the buckets', async () => {
    await insertExponential('no extremes', [
      {
        ...exponential([3, 6, 12], 0),
        Min: 0,
        Max: 0,
        StartTimeUnix: time(t0),
        TimeUnix: time(t0 + minute),
        AggregationTemporality: delta,
      },
    ]);
    expect(await chart('exponential histogram', 'no extremes')).toEqual([
      { hour: 0, count: 3, sum: 21, avg: 7, min: 2, max: 16 },
    ]);
  });
});

describe('summaries', () => {
  const insert = (
    points: [
      name: string,
      host: string,
      offset: number,
      count: number,
      sum: number,
      quantiles: Record<string, number | null>,
    ][],
  ): Promise<void> =>
    kit.insert(
      'otel_metrics_summary',
      points.map(([name, host, offset, count, sum, quantiles]) => ({
        ...shared,
        MetricName: name,
        Attributes: { host },
        StartTimeUnix: time(t0 - 24 * hourMs),
        TimeUnix: time(t0 + offset),
        Count: count,
        Sum: sum,
        'ValueAtQuantiles.Quantile': Object.keys(quantiles).map(Number),
        'ValueAtQuantiles.Value': Object.values(quantiles).map((value) => value ?? 'nan'),
      })),
    );

  it('counts and sums are increases; quantiles are those of the latest point', async () => {
    await insert([
      ['one', 'h1', -minute, 100, 1000, { 0.5: 9, 0.9: 19 }],
      ['one', 'h1', minute, 110, 1150, { 0.5: 10, 0.9: 20 }],
      ['one', 'h1', 2 * minute, 140, 1600, { 0.5: 12, 0.9: 30 }],
      // Begins again.
      ['one', 'h1', 62 * minute, 5, 50, { 0.5: 10, 0.9: 11 }],
    ]);
    expect(await chart('summary', 'one', { levels: [0.1, 0.5, 0.7, 0.9, 1], hours: 2 })).toEqual([
      {
        hour: 0,
        count: 40,
        sum: 600,
        avg: 15,
        // Halfway between 0.5 and 0.9; outside of them, the nearest.
        quantiles: [12, 12, 21, 30, 30].map((value) => expect.closeTo(value, 6)),
      },
      {
        hour: 1,
        count: 5,
        sum: 50,
        avg: 10,
        quantiles: [10, 10, 10.5, 11, 11].map((value) => expect.closeTo(value, 6)),
      },
    ]);
  });

  it('several series are weighted by their observations', async () => {
    await insert([
      ['two', 'h1', -minute, 0, 0, {}],
      ['two', 'h2', -minute, 0, 0, {}],
      ['two', 'h1', minute, 30, 300, { 0: 0, 1: 10 }],
      ['two', 'h2', minute, 10, 900, { 0: 10, 1: 20 }],
    ]);
    // 30 observations spread evenly over 0 to 10, and 10 over 10 to 20.
    expect(await chart('summary', 'two', { levels: [0.25, 0.75, 0.875] })).toEqual([
      {
        hour: 0,
        count: 40,
        sum: 1200,
        avg: 30,
        min: 0,
        max: 20,
        quantiles: [10 / 3, 10, 15].map((value) => expect.closeTo(value, 6)),
      },
    ]);
  });

  it('a first point out of view has quantiles only, and NaN is no value', async () => {
    await insert([['first', 'h1', minute, 100, 1000, { 0.5: 7, 0.9: null }]]);
    expect(await chart('summary', 'first', { levels: [0.5, 0.9] })).toEqual([]);
    const points = await kit.chart({
      granularity: '1h',
      series: [
        {
          sourceId: ids.metrics,
          metricDataType: 'summary',
          metricName: 'first',
          aggFn: 'quantile',
        },
      ],
    });
    expect(points.map((point) => point['series_0.data'])).toEqual([expect.closeTo(7, 6)]);
  });
});

it.each(['last_value', 'count_distinct'])('%s is refused by name', async (aggFn) => {
  for (const metricDataType of ['exponential histogram', 'summary']) {
    await expect(
      kit.chart({
        series: [{ sourceId: ids.metrics, metricDataType, metricName: 'one', aggFn }],
      }),
    ).rejects.toMatchObject({
      issues: [
        {
          path: 'series.0.aggFn',
          message: `${metricDataType} metrics support quantile, count, sum, avg, min, max, not ${aggFn}`,
        },
      ],
    });
  }
});
