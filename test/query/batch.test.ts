import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../src/contract/errors.ts';
import { ChartRequest } from '../../src/contract/query/chart.ts';
import { TotalsRequest } from '../../src/contract/query/totals.ts';
import {
  createQuery,
  newMeter,
  type BatchedRequest,
  type Query,
} from '../../src/core/query/index.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { ids, log, openQueryKit, t0, time, type QueryKit } from './query-kit.ts';

let kit: QueryKit;
let statements: string[];
/** Without a cache, so that neither way profits from the other. */
let query: Query;

beforeAll(async () => {
  kit = await openQueryKit();
  await kit.insert(
    'otel_logs',
    Array.from({ length: 900 }, (_, index) =>
      log(t0 + index * 4000, {
        ServiceName: ['cart', 'checkout', 'ü', ''][index % 4]!,
        SeverityText: index % 7 === 0 ? 'error' : 'info',
        SeverityNumber: index % 5,
        Body: `row ${index % 10}`,
        LogAttributes: index % 3 === 0 ? { size: `${index % 13}` } : {},
      }),
    ),
  );
  await kit.insert(
    'otel_traces',
    Array.from({ length: 300 }, (_, index) => ({
      Timestamp: time(t0 + index * 12_000),
      SpanName: `span ${index % 3}`,
      ServiceName: index % 2 === 0 ? 'cart' : 'checkout',
      Duration: index * 1000,
    })),
  );
  for (const [table, more] of [
    ['otel_metrics_gauge', {}],
    ['otel_metrics_sum', { AggregationTemporality: 2, IsMonotonic: true }],
  ] as const) {
    await kit.insert(
      table,
      Array.from({ length: 300 }, (_, index) => ({
        TimeUnix: time(t0 + Math.floor(index / 5) * 60_000),
        StartTimeUnix: time(t0),
        MetricName: `metric ${index % 5}`,
        ServiceName: index % 2 === 0 ? 'cart' : 'checkout',
        Value: Math.floor(index / 5),
        Attributes: {},
        ...more,
      })),
    );
  }
});
afterAll(() => kit.close());

beforeEach(() => {
  statements = [];
  const { telemetry } = kit;
  const noting = {
    columns: telemetry.columns.bind(telemetry),
    rollupExactFrom: telemetry.rollupExactFrom.bind(telemetry),
    query: (...[statement, options]: Parameters<Telemetry['query']>) => {
      statements.push(statement.text);
      return telemetry.query(statement, options);
    },
  } as unknown as Telemetry;
  query = createQuery({
    telemetry: noting,
    workspaceDatabase: () => Promise.resolve(kit.database),
    clock: { now: () => kit.now.ms },
    limits: { timeoutMs: 60_000, maxMemoryBytes: 1_000_000_000 },
    cache: { maxBytes: 0 },
  });
});

const find = (id: string) => Promise.resolve(kit.sources[id]);
const range = { startTime: t0, endTime: t0 + 3_600_000 };
const chart = (series: object[], over: object = {}): BatchedRequest => ({
  type: 'series',
  request: ChartRequest.parse({ ...range, granularity: '10m', series, ...over }),
});
const totals = (series: object[], over: object = {}): BatchedRequest => ({
  type: 'totals',
  request: TotalsRequest.parse({ ...range, series, ...over }),
});
const logs = { sourceId: ids.logs, aggFn: 'count' };

/** What the request answers by itself. */
async function single(batched: BatchedRequest): Promise<unknown> {
  try {
    switch (batched.type) {
      case 'series':
        return { type: 'series', points: await query.series(batched.request, find) };
      case 'totals':
        return { type: 'totals', totals: await query.totals(batched.request, find) };
      case 'error':
        throw batched.fault;
    }
  } catch (error) {
    if (!(error instanceof Fault)) {
      throw error;
    }
    const { message, code, issues } = error;
    return { type: 'error', error: { message, code, ...(issues && { errors: issues }) } };
  }
}

const rowSeries = (sourceId: string, field: string) =>
  fc.record({
    sourceId: fc.constant(sourceId),
    aggFn: fc.constantFrom('count', 'sum', 'avg', 'min', 'max', 'quantile', 'count_distinct'),
    field: fc.constant(field),
    where: fc.constantFrom(
      '',
      'ServiceName:"cart"',
      'SpanName:"span 1" OR ServiceName:"ü"',
      'SeverityNumber:>2',
      'Body:"row 3"',
      'nothing:at-all',
    ),
  });
const metricSeries = fc.record({
  sourceId: fc.constant<string>(ids.metrics),
  aggFn: fc.constantFrom('sum', 'avg', 'max'),
  metricName: fc.constantFrom('metric 0', 'metric 1', 'none'),
  metricDataType: fc.constantFrom('gauge', 'sum'),
});
const groupBy = fc.constantFrom(
  [],
  ['ServiceName'],
  ['ServiceName', 'ServiceName'],
  ['upper(ServiceName)', 'ServiceName'],
  ['ServiceName', 'upper(ServiceName)'],
);
const someSeries = fc.oneof(
  { weight: 4, arbitrary: rowSeries(ids.logs, 'SeverityNumber') },
  { weight: 1, arbitrary: rowSeries(ids.logs, 'LogAttributes.size') },
  { weight: 2, arbitrary: rowSeries(ids.traces, 'Duration') },
  { weight: 2, arbitrary: metricSeries },
);
const someRequest: fc.Arbitrary<BatchedRequest> = fc
  .record({
    series: fc.array(someSeries, { minLength: 1, maxLength: 3 }),
    groupBy,
    limit: fc.constantFrom(undefined, 1, 2),
    other: fc.boolean(),
    endTime: fc.constantFrom(range.endTime, t0 + 1_234_567),
    granularity: fc.constantFrom('5m', '10m', 'auto'),
    isTotals: fc.boolean(),
  })
  .map(({ series, groupBy: by, isTotals, granularity, limit, ...rest }) => {
    const all = series.map((one) => ({ ...one, groupBy: by }));
    const over = { ...rest, ...(limit !== undefined && { limit }) };
    return isTotals ? totals(all, over) : chart(all, { ...over, granularity });
  });

describe('a batch', () => {
  it('answers what its requests answer one by one, errors included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someRequest, { minLength: 1, maxLength: 12 }), async (requests) => {
        const answers = await query.batch(requests, find);
        for (const [index, request] of requests.entries()) {
          expect(answers[index]).toEqual(await single(request));
        }
      }),
      { numRuns: 25 },
    );
  }, 300_000);

  it('asks a hundred charts of one source, with many groups, limits and totals, in ten scans', async () => {
    const groups = [[], ['ServiceName'], ['SeverityText'], ['Body'], ['LogAttributes.size']];
    const requests = Array.from({ length: 100 }, (_, index) => {
      const by = [...groups[index % 5]!, ...(index % 11 === 0 ? ['SeverityNumber'] : [])];
      const series = { ...logs, where: `Body:"row ${index % 10}"`, groupBy: by };
      const counted = { ...logs, groupBy: by };
      const one = index % 4 === 0 ? counted : series;
      return index % 3 === 0 ? totals([one], { limit: 2 }) : chart([one], { limit: 2 });
    });
    const answers = await query.batch(requests, find);
    expect(statements.length).toBeLessThanOrEqual(10);
    for (const [index, request] of requests.entries()) {
      expect(answers[index]).toEqual(await single(request));
    }
  }, 120_000);

  it('asks equal groups and buckets in one scan', async () => {
    const where = (text: string) => chart([{ ...logs, where: text, groupBy: ['ServiceName'] }]);
    await query.batch([where('Body:"row 1"'), where('Body:"row 2"'), where('Body:row')], find);
    expect(statements).toHaveLength(1);
  });

  it('asks sources and ranges of their own in scans of their own', async () => {
    const spans = { sourceId: ids.traces, aggFn: 'count' };
    const later = { startTime: t0 + 600_000 };
    await query.batch([chart([logs]), chart([spans]), chart([logs], later)], find);
    expect(statements).toHaveLength(3);
  });

  it('has one error for each request that fails, whatever fails it', async () => {
    const missing = chart([{ ...logs, sourceId: ids.unknown }]);
    const mistake = chart([{ ...logs, aggFn: 'sum', field: 'NoSuchColumn' }]);
    // The engine finds this one: the parser does not know what the text is.
    const atRunTime = chart([
      { ...logs, aggFn: 'sum', field: "toDateTime(concat('no time ', Body))" },
    ]);
    const good = chart([logs]);
    const requests = [
      good,
      missing,
      mistake,
      atRunTime,
      good,
      chart([{ ...logs, where: 'Body:row' }]),
    ];
    const answers = await query.batch(requests, find);
    expect(answers.map(({ type }) => type)).toEqual([
      'series',
      'error',
      'error',
      'error',
      'series',
      'series',
    ]);
    for (const [index, request] of requests.entries()) {
      expect(answers[index]).toEqual(await single(request));
    }
  });

  it('ends when the caller goes away', async () => {
    const gone = new AbortController();
    const other = chart([{ ...logs, where: 'Body:row' }]);
    gone.abort();
    const answers = await query.batch([chart([logs]), other], find, { signal: gone.signal });
    expect(answers.map(({ type }) => type)).toEqual(['error', 'error']);
  });

  it('counts the rows that its scans read', async () => {
    const meter = newMeter();
    const where = (text: string) => chart([{ ...logs, where: text }]);
    await query.batch([where('Body:"row 1"'), where('Body:"row 2"')], find, { meter });
    expect(meter.rowsRead).toBe(900);
  });
});
