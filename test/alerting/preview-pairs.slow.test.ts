import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';
import { startTimeline, type Timeline } from '../kit/timeline.ts';
import { evaluatedAndPreviewed, nanosecondText, type TileAlert } from './preview-pairs.ts';

let engine: TestTelemetry;
let t: Timeline;
beforeAll(async () => {
  engine = await openTestTelemetry();
  t = await startTimeline({ engine });
});
afterAll(async () => {
  await t.close();
  await engine.close();
});

const windowEnds = ['12:01', '12:02', '12:03', '12:04', '12:05', '12:06'];

interface LogRow {
  window: number;
  service: string;
  n: string | undefined;
}

const row: fc.Arbitrary<LogRow> = fc.record({
  window: fc.integer({ min: 0, max: windowEnds.length - 1 }),
  service: fc.constantFrom('a', 'b'),
  n: fc.constantFrom(undefined, '', 'none', 'nan', '0', '1', '2'),
});

const aggFn = fc.constantFrom('count', 'count_distinct', 'sum', 'avg', 'min', 'max', 'last_value');
const noData = fc.constantFrom('zero', 'ok', 'firing', 'keep');
const body = fc.record({
  threshold: fc.integer({ min: 0, max: 2 }),
  thresholdType: fc.constantFrom('above', 'below', 'equal', 'not_equal'),
  noData,
  numConsecutiveWindows: fc.integer({ min: 1, max: 2 }),
});
const logSelect = fc.record({
  aggFn,
  valueExpression: fc.constant('LogAttributes.n'),
  where: fc.constantFrom('', 'ServiceName:"a"', 'LogAttributes.n:*'),
});
const metricSelect = fc.oneof(
  fc.record({ aggFn, metricName: fc.constant('load'), metricType: fc.constant('gauge') }),
  fc.record({ aggFn, metricName: fc.constant('total'), metricType: fc.constant('sum') }),
  fc.record({
    aggFn: fc.constantFrom('count', 'quantile'),
    metricName: fc.constant('latency'),
    metricType: fc.constant('histogram'),
  }),
);
const groupBy = fc.constantFrom(undefined, 'ServiceName');

const logAlert: fc.Arbitrary<TileAlert> = fc.oneof(
  fc.record({ source: fc.constant('logs' as const), select: fc.tuple(logSelect), groupBy, body }),
  fc.record({
    source: fc.constant('logs' as const),
    select: fc.tuple(logSelect, logSelect),
    asRatio: fc.constant(true),
    groupBy,
    body,
  }),
) as fc.Arbitrary<TileAlert>;
const metricAlert = fc.record({
  source: fc.constant('metrics' as const),
  select: fc.tuple(metricSelect),
  groupBy,
  body,
}) as fc.Arbitrary<TileAlert>;

const sampled = <T>(arbitrary: fc.Arbitrary<T>, count: number, seed: number): T[] =>
  fc.sample(arbitrary, { numRuns: count, seed });

const inWindow = (window: number, second: number): string =>
  `12:0${window}:${String(10 + (second % 49)).padStart(2, '0')}`;

async function storeRows(rows: readonly LogRow[]): Promise<void> {
  for (const [index, { window, service, n }] of rows.entries()) {
    await t.logs(inWindow(window, index), 1, {
      ServiceName: service,
      LogAttributes: n === undefined ? {} : { n },
    });
  }
}

async function storePoints(): Promise<void> {
  const points = sampled(
    fc.record({
      window: fc.integer({ min: 0, max: windowEnds.length - 1 }),
      service: fc.constantFrom('a', 'b'),
      value: fc.constantFrom('nan', 0, 1, 2),
    }),
    14,
    3,
  );
  const head = (window: number, service: string, second: number, name: string) => ({
    TimeUnix: nanosecondText(inWindow(window, second)),
    StartTimeUnix: nanosecondText('12:00:00'),
    ServiceName: service,
    MetricName: name,
  });
  await engine.insert(
    'otel_metrics_gauge',
    points.map(({ window, service, value }, index) => ({
      ...head(window, service, index, 'load'),
      Value: value,
    })),
  );
  await engine.insert(
    'otel_metrics_sum',
    points.map(({ window, service, value }, index) => ({
      ...head(window, service, index, 'total'),
      Value: value,
      AggregationTemporality: 2,
      IsMonotonic: true,
    })),
  );
  await engine.insert(
    'otel_metrics_histogram',
    points.map(({ window, service, value }, index) => {
      const first = Number(value) || 0;
      return {
        ...head(window, service, index, 'latency'),
        AggregationTemporality: 1 + (index % 2),
        Count: first + 1,
        BucketCounts: [first, 1],
        ExplicitBounds: [10],
      };
    }),
  );
}

/** The value of a window, in plain TypeScript. Undefined: this alert has no oracle. */
function expectedLine(
  { select, groupBy: groups, asRatio, source }: TileAlert,
  rows: readonly LogRow[],
  window: number,
): string | undefined {
  const [only] = select;
  if (source !== 'logs' || asRatio === true || groups !== undefined || !only) {
    return undefined;
  }
  const counted = rows.filter(
    (one) =>
      one.window === window &&
      (only['where'] === '' ||
        (only['where'] === 'ServiceName:"a"' ? one.service === 'a' : one.n !== undefined)),
  );
  return valueOf(String(only['aggFn']), counted);
}

function valueOf(name: string, rows: readonly LogRow[]): string {
  const texts = rows.flatMap(({ n }) => (n === undefined ? [] : [n]));
  const numbers = texts.filter((text) => /^\d+$/.test(text)).map(Number);
  if (rows.length === 0) {
    return '-';
  }
  if (name === 'count') {
    return String(texts.length);
  }
  if (name === 'count_distinct') {
    return String(new Set(texts).size);
  }
  if (numbers.length === 0) {
    return '-';
  }
  const sum = numbers.reduce((total, number) => total + number, 0);
  const values: Record<string, number> = {
    sum,
    avg: sum / numbers.length,
    min: Math.min(...numbers),
    max: Math.max(...numbers),
    last_value: numbers.at(-1)!,
  };
  return String(values[name]);
}

it('agrees with the evaluation for 140 random alerts, and with an oracle', async () => {
  const rows = sampled(row, 16, 11).sort((a, b) => a.window - b.window);
  await storeRows(rows);
  await storePoints();
  const alerts = [...sampled(logAlert, 90, 1), ...sampled(metricAlert, 50, 2)];
  const pairs = await evaluatedAndPreviewed(t, alerts, `${windowEnds.at(-1)!}:05`);
  for (const [index, { evaluated, previewed }] of pairs.entries()) {
    const alert = alerts[index]!;
    expect(previewed, JSON.stringify(alert)).toEqual(evaluated);
    expect(evaluated).toHaveLength(windowEnds.length);
    for (const [window, line] of evaluated.entries()) {
      const expected = expectedLine(alert, rows, window);
      if (expected !== undefined) {
        expect(line.split(' ')[2], `${JSON.stringify(alert)} ${line}`).toBe(expected);
      }
    }
  }
});
