import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { granularitiesMs, type DataPoint } from '../../src/contract/query/chart.ts';
import { ids, log, openQueryKit, t0, time, type QueryKit } from './query-kit.ts';
import { numberOf, oracle, type Aggregate, type OraclePoint, type OracleRow } from './oracle.ts';

let kit: QueryKit;

/** Each run has a stretch of time to itself, so that runs do not see each other's rows. */
let run = 0;
const dayMs = 86_400_000;
const nextStart = (): number => t0 - 4000 * dayMs + dayMs * run++;

const aggregates: Aggregate[] = [
  { fn: 'count' },
  { fn: 'sum' },
  { fn: 'avg' },
  { fn: 'min' },
  { fn: 'max' },
  { fn: 'last_value' },
  { fn: 'count_distinct' },
  { fn: 'quantile', level: 0.5 },
  { fn: 'quantile', level: 0.95 },
];
const granularity = fc.constantFrom(
  ...(Object.keys(granularitiesMs) as (keyof typeof granularitiesMs)[]),
);
const numberText = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }).map(String),
  fc.constantFrom('1.5', '-0.25', '2e3', '', 'abc', '12abc', 'nan', 'inf', ' ', '0x10', '1e309'),
  fc.constant(undefined),
);

function expectPoints(points: DataPoint[], wanted: OraclePoint[], series = 0): void {
  const key = (bucket: number, group: string[]): string => JSON.stringify([bucket, group]);
  const values = new Map(
    points
      .filter((point) => `series_${series}.data` in point)
      .map((point) => [
        key(point.ts_bucket, point.group ?? []),
        point[`series_${series}.data`] as number,
      ]),
  );
  expect([...values.keys()].sort()).toEqual(
    wanted.map((point) => key(point.bucketMs, point.group)).sort(),
  );
  for (const point of wanted) {
    expect(values.get(key(point.bucketMs, point.group))).toBeCloseTo(point.value, 6);
  }
}

const logRow = fc.record({
  offset: fc.integer({ min: 0, max: dayMs - 1 }),
  service: fc.constantFrom('a', 'b', 'ü'),
  severity: fc.constantFrom('info', 'error'),
  text: numberText,
});

const shared = {
  ServiceName: 'shop',
  MetricDescription: '',
  MetricUnit: '1',
  ResourceAttributes: {},
  ScopeName: 'm',
};
const point = fc.record({
  offset: fc.integer({ min: 0, max: 3_600_000 }),
  host: fc.constantFrom('h1', 'h2', 'h3'),
  region: fc.constantFrom('eu', 'us'),
  value: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
});

/** Per bucket and series one number, then the aggregate over the series. */
function overSeries(
  cells: { bucketMs: number; group: string[]; value: number; atMs: number }[],
  aggregate: Aggregate,
  bucketMs: number,
): OraclePoint[] {
  return oracle(
    cells.map((one) => ({ ...one, atMs: one.bucketMs + (one.atMs % bucketMs) })),
    aggregate,
    bucketMs,
    'values',
  );
}

/** Walks the buckets of one histogram. */
function interpolate(bounds: number[], counts: number[], level: number): number {
  const rank = level * counts.reduce((a, b) => a + b, 0);
  let below = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && below + count >= rank) {
      if (index === bounds.length) {
        return bounds.at(-1)!;
      }
      const low = index === 0 ? 0 : bounds[index - 1]!;
      return low + ((bounds[index]! - low) * (rank - below)) / count;
    }
    below += count;
  }
  return bounds.at(-1)!;
}

type Runs = (usual: number) => number;

/**
 * Charts against plain arithmetic over generated rows. `effort` 1 is a good look; more looks at
 * more rows.
 */
export function seriesNumbers(effort: number): void {
  const runs: Runs = (usual) => Math.ceil(usual * effort);
  beforeAll(async () => {
    kit = await openQueryKit();
  });
  afterAll(() => kit.close());

  logTests(runs);
  gaugeAndSumTests(runs);
  histogramTests(runs);
}

function logTests(runs: Runs): void {
  describe('charts over logs equal what plain arithmetic over the rows gives', () => {
    it('every aggregate, granularity and group, with non-numeric text among the values', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(logRow, { minLength: 1, maxLength: 60, selector: ({ offset }) => offset }),
          granularity,
          fc.boolean(),
          fc.integer({ min: 0, max: dayMs / 4 }).map((half) => half * 2),
          async (rows, size, grouped, cut) => {
            const start = nextStart();
            await kit.insert(
              'otel_logs',
              rows.map((row) =>
                log(start + row.offset, {
                  ServiceName: row.service,
                  SeverityText: row.severity,
                  LogAttributes: row.text === undefined ? {} : { n: row.text },
                }),
              ),
            );
            const range = { startTime: start + cut, endTime: start + dayMs - cut / 2 };
            const seen = rows
              .map((row): OracleRow & { text: string | undefined } => ({
                atMs: start + row.offset,
                group: grouped ? [row.service, row.severity] : [],
                value: numberOf(row.text),
                text: row.text,
              }))
              .filter(({ atMs }) => atMs >= range.startTime && atMs < range.endTime);
            const groupBy = grouped ? ['ServiceName', 'SeverityText'] : [];
            for (const some of [aggregates.slice(0, 5), aggregates.slice(5)]) {
              const points = await kit.chart({
                ...range,
                granularity: size,
                series: some.map((aggregate) => ({
                  sourceId: ids.logs,
                  aggFn: aggregate.fn,
                  ...('level' in aggregate ? { level: aggregate.level } : {}),
                  ...(aggregate.fn === 'count' ? {} : { field: 'LogAttributes.n' }),
                  groupBy,
                })),
              });
              some.forEach((aggregate, index) =>
                expectPoints(
                  points,
                  oracle(
                    aggregate.fn === 'count_distinct'
                      ? seen.map((row) => ({ ...row, value: row.text }))
                      : seen,
                    aggregate,
                    granularitiesMs[size],
                  ),
                  index,
                ),
              );
            }
          },
        ),
        { numRuns: runs(12) },
      );
    });

    it('five series in one scan give what each gives alone', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(logRow, { minLength: 5, maxLength: 40, selector: ({ offset }) => offset }),
          async (rows) => {
            const start = nextStart();
            await kit.insert(
              'otel_logs',
              rows.map((row) =>
                log(start + row.offset, {
                  ServiceName: row.service,
                  SeverityText: row.severity,
                  LogAttributes: row.text === undefined ? {} : { n: row.text },
                }),
              ),
            );
            const series = [
              { aggFn: 'count', where: 'ServiceName:"a"' },
              { aggFn: 'sum', field: 'LogAttributes.n', where: 'SeverityText:"error"' },
              {
                aggFn: 'max',
                field: 'LogAttributes.n',
                where: 'ServiceName:"a" OR ServiceName:"b"',
              },
              {
                aggFn: 'count',
                where: "ServiceName = 'b' AND SeverityText = 'error'",
                whereLanguage: 'sql',
              },
              { aggFn: 'avg', field: 'LogAttributes.n', where: '-ServiceName:"a"' },
            ].map((one) => ({ ...one, sourceId: ids.logs, groupBy: ['SeverityText'] }));
            const range = { startTime: start, endTime: start + dayMs, granularity: '2h' as const };
            const together = await kit.chart({ ...range, series });
            for (const [index, one] of series.entries()) {
              const alone = await kit.chart({ ...range, series: [one] });
              expectPoints(
                together,
                alone.map((point) => ({
                  bucketMs: point.ts_bucket,
                  group: point.group!,
                  value: point['series_0.data'] as number,
                })),
                index,
              );
            }
          },
        ),
        { numRuns: runs(8) },
      );
    });
  });
}

function gaugeAndSumTests(runs: Runs): void {
  describe('charts over metrics equal what plain arithmetic over the points gives', () => {
    it('gauges: last value per series and bucket, then the aggregate over the series', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(point, { minLength: 1, maxLength: 60, selector: ({ offset }) => offset }),
          fc.boolean(),
          async (points, grouped) => {
            const start = nextStart();
            await kit.insert(
              'otel_metrics_gauge',
              points.map((p) => ({
                ...shared,
                MetricName: 'temperature',
                Attributes: { host: p.host, region: p.region },
                StartTimeUnix: time(start),
                TimeUnix: time(start + p.offset),
                Value: p.value,
                Flags: 0,
              })),
            );
            const bucketMs = 600_000;
            const last = new Map<
              string,
              { bucketMs: number; group: string[]; value: number; atMs: number }
            >();
            for (const p of points.toSorted((a, b) => a.offset - b.offset)) {
              const atMs = start + p.offset;
              const bucket = Math.floor(atMs / bucketMs) * bucketMs;
              last.set(`${bucket} ${p.host} ${p.region}`, {
                bucketMs: bucket,
                group: grouped ? [p.region] : [],
                value: p.value,
                atMs,
              });
            }
            for (const some of [aggregates.slice(0, 5), aggregates.slice(5)]) {
              const values = await kit.chart({
                startTime: start,
                endTime: start + 3_600_001,
                granularity: '10m',
                series: some.map((aggregate) => ({
                  sourceId: ids.metrics,
                  aggFn: aggregate.fn,
                  ...('level' in aggregate ? { level: aggregate.level } : {}),
                  metricName: 'temperature',
                  groupBy: grouped ? ['Attributes.region'] : [],
                })),
              });
              some.forEach((aggregate, index) =>
                expectPoints(values, overSeries([...last.values()], aggregate, bucketMs), index),
              );
            }
          },
        ),
        { numRuns: runs(8) },
      );
    });

    it.each(['cumulative', 'delta'] as const)(
      '%s sums: increase per series, resets counted from zero, the point before the range used',
      async (temporality) => {
        await fc.assert(
          fc.asyncProperty(
            fc.uniqueArray(point, {
              minLength: 2,
              maxLength: 60,
              selector: ({ offset }) => offset,
            }),
            fc.integer({ min: 0, max: 1_200_000 }),
            async (points, cut) => {
              const start = nextStart();
              const rows = points
                .map((p) => ({ ...p, value: Math.abs(Math.round(p.value)) % 500 }))
                .toSorted((a, b) => a.offset - b.offset);
              await kit.insert(
                'otel_metrics_sum',
                rows.map((p) => ({
                  ...shared,
                  MetricName: 'requests',
                  Attributes: { host: p.host, region: p.region },
                  StartTimeUnix: time(start - dayMs),
                  TimeUnix: time(start + p.offset),
                  Value: p.value,
                  Flags: 0,
                  AggregationTemporality: temporality === 'delta' ? 1 : 2,
                  IsMonotonic: true,
                })),
              );
              const bucketMs = 600_000;
              const from = start + cut;
              const before = new Map<string, number>();
              const increases: OracleRow[] = [];
              for (const p of rows) {
                const series = `${p.host} ${p.region}`;
                const previous =
                  start + p.offset < from - 1_800_000 ? undefined : before.get(series);
                const increase =
                  temporality === 'delta' ? p.value : increaseSince(previous, p.value);
                before.set(series, p.value);
                if (start + p.offset >= from) {
                  increases.push({
                    atMs: start + p.offset,
                    group: [p.host, p.region],
                    value: increase,
                  });
                }
              }
              const perSeries = oracle(increases, { fn: 'sum' }, bucketMs).map((one) => ({
                ...one,
                group: [one.group[1]!],
                atMs: one.bucketMs,
              }));
              const aggregatesUsed = aggregates.filter(({ fn }) => fn !== 'last_value');
              for (const some of [aggregatesUsed.slice(0, 5), aggregatesUsed.slice(5)]) {
                const values = await kit.chart({
                  startTime: from,
                  endTime: start + 3_600_001,
                  granularity: '10m',
                  series: some.map((aggregate) => ({
                    sourceId: ids.metrics,
                    aggFn: aggregate.fn,
                    ...('level' in aggregate ? { level: aggregate.level } : {}),
                    metricName: 'requests',
                    metricDataType: 'sum',
                    groupBy: ['Attributes.region'],
                  })),
                });
                some.forEach((aggregate, index) =>
                  expectPoints(values, overSeries(perSeries, aggregate, bucketMs), index),
                );
              }
            },
          ),
          { numRuns: runs(8) },
        );
      },
    );
  });
}

function histogramTests(runs: Runs): void {
  describe('charts over histograms equal what plain arithmetic over the points gives', () => {
    it('histograms: quantile by linear interpolation in the bucket, count of observations', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              offset: fc.integer({ min: 0, max: 3_599_999 }),
              host: fc.constantFrom('h1', 'h2'),
              counts: fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 4, maxLength: 4 }),
            }),
            { minLength: 1, maxLength: 20 },
          ),
          fc.constantFrom(0.5, 0.9, 0.99, 0, 1),
          async (points, level) => {
            const start = nextStart();
            const bounds = [10, 50, 100];
            await kit.insert(
              'otel_metrics_histogram',
              points.map((p) => ({
                ...shared,
                MetricName: 'latency',
                Attributes: { host: p.host },
                StartTimeUnix: time(start),
                TimeUnix: time(start + p.offset),
                Count: p.counts.reduce((a, b) => a + b),
                Sum: 0,
                BucketCounts: p.counts,
                ExplicitBounds: bounds,
                Flags: 0,
                AggregationTemporality: 1,
              })),
            );
            const bucketMs = 1_800_000;
            const cells = new Map<number, number[]>();
            for (const p of points) {
              const bucket = Math.floor((start + p.offset) / bucketMs) * bucketMs;
              cells.set(
                bucket,
                (cells.get(bucket) ?? [0, 0, 0, 0]).map((count, index) => count + p.counts[index]!),
              );
            }
            const total = (counts: number[]): number => counts.reduce((a, b) => a + b, 0);
            const values = await kit.chart({
              startTime: start,
              endTime: start + 3_600_000,
              granularity: '30m',
              series: [
                {
                  sourceId: ids.metrics,
                  aggFn: 'quantile',
                  level,
                  metricName: 'latency',
                  metricDataType: 'histogram',
                },
                {
                  sourceId: ids.metrics,
                  aggFn: 'count',
                  metricName: 'latency',
                  metricDataType: 'histogram',
                },
              ],
            });
            expectPoints(
              values,
              [...cells]
                .filter(([, counts]) => total(counts) > 0)
                .map(([bucketMs, counts]) => ({
                  bucketMs,
                  group: [],
                  value: interpolate(bounds, counts, level),
                })),
              0,
            );
            expectPoints(
              values,
              [...cells]
                .filter(([, counts]) => total(counts) > 0)
                .map(([bucketMs, counts]) => ({ bucketMs, group: [], value: total(counts) })),
              1,
            );
          },
        ),
        { numRuns: runs(10) },
      );
    });
  });
}

/** Of a cumulative counter, which begins again where it is less than before. */
function increaseSince(previous: number | undefined, value: number): number | undefined {
  if (previous === undefined) {
    return undefined;
  }
  return value < previous ? value : value - previous;
}
