import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTimeline, type Timeline } from '../kit/timeline.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';
import {
  evaluatedAndPreviewed,
  nanosecondText,
  type Lines,
  type TileAlert,
} from './preview-pairs.ts';

const count = { aggFn: 'count' };
const above = { threshold: 1, thresholdType: 'above' };
const gauge = (aggFn: string) => ({ aggFn, metricName: 'load', metricType: 'gauge' });
const histogram = (aggFn: string) => ({ aggFn, metricName: 'latency', metricType: 'histogram' });

/** Windows end at 12:01, 12:02, …; each line is the state, value and reason of one of them. */
const cases: [name: string, alert: TileAlert, expected: Lines][] = [
  [
    'rows whose value is NULL decide nothing',
    {
      source: 'logs',
      select: [{ aggFn: 'avg', valueExpression: 'LogAttributes.n' }],
      body: { ...above, noData: 'firing' },
    },
    ['12:01 firing 3 breached', '12:02 firing -', '12:03 firing - ', '12:04 firing -'],
  ],
  [
    'a count of a field that no row has is 0',
    {
      source: 'logs',
      select: [{ aggFn: 'count', valueExpression: 'LogAttributes.m' }],
      body: { ...above, noData: 'firing' },
    },
    [
      '12:01 inactive 0',
      '12:02 inactive 0',
      '12:03 firing - no_data',
      '12:04 inactive 0 recovered',
    ],
  ],
  [
    'a group that was never seen does not fire',
    {
      source: 'logs',
      select: [{ aggFn: 'count', valueExpression: 'LogAttributes.m' }],
      groupBy: 'ServiceName',
      body: { ...above, noData: 'firing' },
    },
    ['12:01 inactive 0', '12:02 inactive 0', '12:03 firing - no_data', '12:04 firing -'],
  ],
  [
    'a ratio whose divisor has no value decides nothing',
    {
      source: 'logs',
      select: [count, { aggFn: 'sum', valueExpression: 'LogAttributes.n' }],
      asRatio: true,
      body: { ...above, threshold: 0.1, noData: 'firing' },
    },
    [
      '12:01 firing 0.3333333333333333 breached',
      '12:02 firing -',
      '12:03 firing -',
      '12:04 firing -',
    ],
  ],
  [
    'points of NaN are data',
    { source: 'metrics', select: [gauge('avg')], body: { ...above, noData: 'ok' } },
    ['12:01 firing 5 breached', '12:02 firing -', '12:03 inactive - no_data', '12:04 inactive -'],
  ],
  [
    'a count of series without a value is 0',
    { source: 'metrics', select: [gauge('count')], body: { ...above, noData: 'firing' } },
    [
      '12:01 firing 1 breached',
      '12:02 inactive 0 recovered',
      '12:03 firing - no_data',
      '12:04 firing -',
    ],
  ],
  [
    'a histogram that counts 0 is data',
    { source: 'metrics', select: [histogram('count')], body: { ...above, noData: 'firing' } },
    [
      '12:01 firing 4 breached',
      '12:02 inactive 0 recovered',
      '12:03 firing - no_data',
      '12:04 firing -',
    ],
  ],
  [
    'a quantile of no observations decides nothing',
    { source: 'metrics', select: [histogram('quantile')], body: { ...above, noData: 'ok' } },
    ['12:01 firing 5 breached', '12:02 firing -', '12:03 inactive - no_data', '12:04 inactive -'],
  ],
];

let engine: TestTelemetry;
let t: Timeline;
let pairs: { evaluated: Lines; previewed: Lines }[];
beforeAll(async () => {
  engine = await openTestTelemetry();
  t = await startTimeline({ engine });
  await t.logs('12:00:30', 1, { LogAttributes: { n: '3' } });
  await t.logs('12:01:30', 1, { LogAttributes: { n: 'none' } });
  await t.logs('12:03:30', 1, { ServiceName: 'cart' });
  const point = (time: string) => ({ TimeUnix: nanosecondText(time), MetricName: 'load' });
  await engine.insert('otel_metrics_gauge', [
    { ...point('12:00:30'), Value: 5 },
    { ...point('12:01:30'), Value: 'nan' },
  ]);
  const observed = (time: string, buckets: number[]) => ({
    TimeUnix: nanosecondText(time),
    StartTimeUnix: nanosecondText('12:00:00'),
    MetricName: 'latency',
    AggregationTemporality: 2,
    Count: buckets.reduce((sum, each) => sum + each, 0),
    BucketCounts: buckets,
    ExplicitBounds: [10],
  });
  await engine.insert('otel_metrics_histogram', [
    observed('12:00:30', [4, 0]),
    observed('12:01:30', [4, 0]),
  ]);
  pairs = await evaluatedAndPreviewed(
    t,
    cases.map(([, alert]) => alert),
    '12:04:05',
  );
});
afterAll(async () => {
  await t.close();
  await engine.close();
});

describe('evaluation and preview', () => {
  it.each(cases.map(([name, , expected], index) => [name, expected, index] as const))(
    '%s',
    (_, expected, index) => {
      const { evaluated, previewed } = pairs[index]!;
      expect(previewed).toEqual(evaluated);
      expect(evaluated.map((line) => line.trim())).toEqual(expected.map((line) => line.trim()));
    },
  );
});
