import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ids, log, openQueryKit, t0, time, type QueryKit } from './query-kit.ts';

let kit: QueryKit;
beforeAll(async () => {
  kit = await openQueryKit();
  await kit.insert('otel_logs', [
    log(t0 + 1000, {
      ServiceName: 'checkout',
      SeverityText: 'error',
      Body: 'payment refused by bank',
      LogAttributes: { 'http.status_code': '500' },
    }),
    log(t0 + 2000, {
      ServiceName: 'checkout',
      Body: 'payment accepted',
      LogAttributes: { 'http.status_code': '200' },
    }),
    log(t0 + 301_000, {
      ServiceName: 'cart',
      SeverityText: 'error',
      Body: 'Timeout after 30s',
      LogAttributes: { 'http.status_code': 'abc' },
    }),
    log(t0 + 301_500, { ServiceName: 'cart', Body: 'item added' }),
  ]);
});
afterAll(() => kit.close());

describe('a chart over logs', () => {
  it('counts by group and bucket, ascending, without empty buckets', async () => {
    expect(
      await kit.chart({
        series: [{ sourceId: ids.logs, aggFn: 'count', groupBy: ['ServiceName'] }],
      }),
    ).toEqual([
      { ts_bucket: t0, group: ['checkout'], 'series_0.data': 2 },
      { ts_bucket: t0 + 300_000, group: ['cart'], 'series_0.data': 2 },
    ]);
  });

  it('a series with no rows in an emitted bucket omits its key', async () => {
    expect(
      await kit.chart({
        series: [
          { sourceId: ids.logs, aggFn: 'count', where: 'payment' },
          { sourceId: ids.logs, aggFn: 'count', where: 'SeverityText:"error"' },
        ],
      }),
    ).toEqual([
      { ts_bucket: t0, 'series_0.data': 2, 'series_1.data': 1 },
      { ts_bucket: t0 + 300_000, 'series_1.data': 1 },
    ]);
  });

  it('non-numeric and missing values are skipped, not counted as 0', async () => {
    expect(
      await kit.chart({
        series: [
          { sourceId: ids.logs, aggFn: 'sum', field: 'LogAttributes.http.status_code' },
          {
            sourceId: ids.logs,
            aggFn: 'count',
            whereLanguage: 'sql',
            where: "SeverityText = 'error' AND length(Body) > 3",
          },
        ],
      }),
    ).toEqual([
      { ts_bucket: t0, 'series_0.data': 700, 'series_1.data': 1 },
      { ts_bucket: t0 + 300_000, 'series_1.data': 1 },
    ]);
  });
});

describe('a cumulative histogram without start times', () => {
  const histogramRow = (seconds: number, buckets: number[]) => ({
    TimeUnix: time(t0 + seconds * 1000),
    MetricName: 'reset',
    AggregationTemporality: 2,
    Count: buckets.reduce((sum, each) => sum + each, 0),
    BucketCounts: buckets,
    ExplicitBounds: [10, 20],
  });

  it('shows a reset by a bucket that fell, even if the whole count grew', async () => {
    await kit.insert('otel_metrics_histogram', [
      histogramRow(0, [5, 0, 0]),
      histogramRow(60, [7, 0, 0]),
      histogramRow(120, [0, 9, 0]),
      histogramRow(180, [0, 9, 1]),
    ]);
    const series = (aggFn: string, level?: number) => ({
      sourceId: ids.metrics,
      aggFn,
      metricName: 'reset',
      metricDataType: 'histogram',
      ...(level !== undefined && { level }),
    });
    const points = await kit.chart({
      series: [series('count'), series('quantile', 0.5)],
      granularity: '1m',
    });
    expect(points).toEqual([
      { ts_bucket: t0 + 60_000, 'series_0.data': 2, 'series_1.data': 5 },
      { ts_bucket: t0 + 120_000, 'series_0.data': 9, 'series_1.data': 15 },
      { ts_bucket: t0 + 180_000, 'series_0.data': 1, 'series_1.data': 20 },
    ]);
  });
});
