import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../src/contract/errors.ts';
import { ChartRequest } from '../../src/contract/query/chart.ts';
import { Filter } from '../../src/contract/query/filter.ts';
import { SearchRequest } from '../../src/contract/query/search.ts';
import { ids, log, openQueryKit, t0, time, type QueryKit } from './query-kit.ts';

let kit: QueryKit;
const odd = `it's "odd", a\\b % _ OR 1=1 --`;

beforeAll(async () => {
  kit = await openQueryKit();
  await kit.insert('otel_logs', [
    log(t0 + 1, { TraceId: 'a', SeverityNumber: 17, LogAttributes: { code: '500', empty: '' } }),
    log(t0 + 2, { TraceId: 'b', ServiceName: 'cart', LogAttributes: { code: '200' } }),
    log(t0 + 3, { TraceId: 'c', ServiceName: 'Cart', Body: odd, LogAttributes: { [odd]: 'x' } }),
    log(t0 + 4, {
      TraceId: 'd',
      ServiceName: 'ship',
      Body: 'cart',
      LogAttributes: { code: 'n/a' },
    }),
  ]);
  await kit.insert('otel_traces', [
    { Timestamp: time(t0 + 1), SpanId: 'slow', Duration: 9_007_199_254_740_993n.toString() },
    { Timestamp: time(t0 + 2), SpanId: 'fast', Duration: '20' },
  ]);
  await kit.insert(
    'otel_metrics_gauge',
    ['eu', 'us'].map((zone, index) => ({
      TimeUnix: time(t0 + 1000),
      MetricName: 'load',
      Value: index + 1,
      Attributes: { zone },
    })),
  );
});
afterAll(() => kit.close());

const searchRequest = (filters: unknown[], over: object = {}) =>
  SearchRequest.parse({
    sourceId: ids.logs,
    startTime: t0,
    endTime: t0 + 60_000,
    select: 'TraceId',
    orderBy: 'TraceId',
    filters,
    ...over,
  });
const found = async (filters: unknown[], over: object = {}): Promise<string> => {
  const { rows } = await kit.query.search(searchRequest(filters, over), kit.sources[ids.logs]!);
  return rows.map(({ TraceId }) => TraceId).join('');
};
const field = (name: string, op: string, ...values: string[]): unknown => ({
  type: 'field',
  field: name,
  op,
  ...(values.length > 0 && { values }),
});

describe('filters of a field', () => {
  it.each([
    ['the exact value, not a part and not another case', field('ServiceName', 'is', 'cart'), 'b'],
    ['one of several values', field('ServiceName', 'is', 'cart', 'ship'), 'bd'],
    ['none of several values', field('ServiceName', 'is_not', 'cart', 'ship'), 'ac'],
    ['a map key', field('LogAttributes.code', 'is', '500'), 'a'],
    [
      'a map key excluded: rows without it stay',
      field('LogAttributes.code', 'is_not', '500'),
      'bcd',
    ],
    ['the empty value of a key: empty or missing', field('LogAttributes.code', 'is', ''), 'c'],
    ['a key that exists, even if empty', field('LogAttributes.empty', 'exists'), 'a'],
    ['a key that does not exist', field('LogAttributes.code', 'not_exists'), 'c'],
    ['a number', field('SeverityNumber', 'is', '17'), 'a'],
    ['a whole map: any of its values', field('LogAttributes', 'is', '200', '500'), 'ab'],
    ['a value that looks like SQL', field('Body', 'is', odd), 'c'],
    ['an expression', field('lower(ServiceName)', 'is', 'cart'), 'bc'],
    ['a quoted key', field(`LogAttributes['${odd.replace(/[\\']/g, '\\$&')}']`, 'is', 'x'), 'c'],
  ])('%s', async (_, filter, expected) => {
    expect(await found([filter])).toBe(expected);
  });

  it('numbers of a text are compared as numbers; other text does not match', async () => {
    const between = { type: 'field', field: 'LogAttributes.code', op: 'between' };
    expect(await found([{ ...between, min: '200', max: '500' }])).toBe('ab');
    expect(await found([{ ...between, min: '201' }])).toBe('a');
    expect(await found([{ ...between, max: '499.5' }])).toBe('b');
  });

  it('ranges lose no digit of large integers, and cover times', async () => {
    const request = (min: string, max: string, name: string) =>
      SearchRequest.parse({
        sourceId: ids.traces,
        startTime: t0,
        endTime: t0 + 60_000,
        select: 'SpanId',
        filters: [{ type: 'field', field: name, op: 'between', min, max }],
      });
    const spans = async (...args: Parameters<typeof request>) =>
      (await kit.query.search(request(...args), kit.sources[ids.traces]!)).rows.map(
        ({ SpanId }) => SpanId,
      );
    expect(await spans('9007199254740993', '9007199254740993', 'Duration')).toEqual(['slow']);
    expect(await spans('9007199254740992', '9007199254740992', 'Duration')).toEqual([]);
    expect(await spans(`${t0 + 2}`, '2026-01-01T00:00:01Z', 'Timestamp')).toEqual(['fast']);
  });

  it('is_not is the exact complement of is, for every row', async () => {
    for (const name of ['ServiceName', 'Body', 'SeverityNumber', 'LogAttributes.code']) {
      for (const value of ['', '17', 'cart']) {
        if (name === 'SeverityNumber' && value === 'cart') {
          continue;
        }
        const is = await found([field(name, 'is', value)]);
        const isNot = await found([field(name, 'is_not', value)]);
        expect([...is, ...isNot].sort().join(''), `${name} ${value}`).toBe('abcd');
      }
    }
  });
});

describe('filters of a request', () => {
  it('are joined with where by AND, each in its own language', async () => {
    const filters = [
      { type: 'lucene', condition: 'ServiceName:cart OR ServiceName:ship' },
      { type: 'sql', condition: "TraceId != 'c' OR 1 = 0" },
    ];
    expect(await found(filters)).toBe('bd');
    expect(await found(filters, { where: 'Body:cart' })).toBe('d');
    expect(await found(filters, { where: "TraceId = 'b'", whereLanguage: 'sql' })).toBe('b');
  });

  it('narrow chart series, of rows and of metrics', async () => {
    const points = async (series: object) =>
      (await kit.chart({ granularity: '1h', series: [series as Record<string, unknown>] })).map(
        (point) => point['series_0.data'],
      );
    const count = { sourceId: ids.logs, aggFn: 'count' };
    expect(await points({ ...count, filters: [field('ServiceName', 'is', 'cart')] })).toEqual([1]);
    expect(await points({ ...count, filters: [field('LogAttributes.code', 'exists')] })).toEqual([
      3,
    ]);
    expect(
      await points({
        sourceId: ids.metrics,
        aggFn: 'sum',
        metricName: 'load',
        filters: [field('Attributes.zone', 'is', 'us')],
      }),
    ).toEqual([2]);
  });

  it('count in the cache: other filters have another result', async () => {
    const count = async (value: string) =>
      (
        await kit.chart({
          granularity: '1h',
          series: [
            { sourceId: ids.logs, aggFn: 'count', filters: [field('ServiceName', 'is', value)] },
          ],
        })
      ).length;
    expect([await count('cart'), await count('nobody'), await count('cart')]).toEqual([1, 0, 1]);
  });

  it('every mistake is named with its place', async () => {
    const filters = [
      field('SeverityNumber', 'is', '9', 'nine'),
      field('Nope', 'exists'),
      { type: 'field', field: 'Timestamp', op: 'between', min: 'now', max: '1' },
      { type: 'sql', condition: 'Body = (SELECT 1)' },
    ];
    const paths = (error: unknown) => (error as Fault).issues?.map(({ path }) => path);
    const expected = ['values.1', 'field', 'min', 'condition'];
    const searched = await found(filters).catch(paths);
    expect(searched).toEqual(expected.map((part, index) => `filters.${index}.${part}`));
    const charted = await kit.query
      .series(
        ChartRequest.parse({
          startTime: t0,
          endTime: t0 + 60_000,
          series: [{ sourceId: ids.logs, aggFn: 'count', filters }],
        }),
        (id) => Promise.resolve(kit.sources[id]),
      )
      .catch(paths);
    expect(charted).toEqual(expected.map((part, index) => `series.0.filters.${index}.${part}`));
  });

  it.each([
    [{ type: 'field', field: 'a', op: 'is' }, 'values'],
    [{ type: 'field', field: 'a', op: 'exists', values: ['x'] }, 'values'],
    [{ type: 'field', field: 'a', op: 'between' }, 'min'],
    [{ type: 'field', field: 'a', op: 'is', values: ['x'], max: '1' }, 'max'],
    [{ type: 'field', field: 'a', op: 'like', values: ['x'] }, 'op'],
    [{ type: 'mysql', condition: 'a' }, 'type'],
    [{ field: 'a', op: 'exists' }, 'type'],
  ])('%j is refused at %s', (filter, path) => {
    expect(Filter.safeParse(filter).error?.issues.map((issue) => issue.path.join('.'))).toEqual([
      path,
    ]);
  });
});
