import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../src/contract/errors.ts';
import { FacetRequest, type FacetResult } from '../../src/contract/query/facets.ts';
import { SearchRequest } from '../../src/contract/query/search.ts';
import { sampledPeriods } from '../../src/core/query/run/read-facets.ts';
import { ids, log, openQueryKit, t0, time, type QueryKit } from './query-kit.ts';

let kit: QueryKit;
const odd = `it's "odd" \`key\`, a\\b%_`;

beforeAll(async () => {
  kit = await openQueryKit();
  await kit.insert(
    'otel_logs',
    Array.from({ length: 60 }, (_, index) =>
      log(t0 + index * 1000, {
        ServiceName: index % 3 === 2 ? 'cart' : 'checkout',
        SeverityText: index % 10 === 0 ? '' : 'info',
        SeverityNumber: index % 6,
        Body: `Große Sache ${index}`,
        TraceId: index === 7 ? 'x'.repeat(1001) : '',
        LogAttributes: {
          'http.route': index % 2 === 0 ? '/a' : '/b',
          ...(index % 4 === 0 && { [odd]: odd, empty: '' }),
        },
      }),
    ),
  );
  await kit.insert('otel_traces', [
    { Timestamp: time(t0 + 1), SpanId: 'a', Duration: '18446744073709551615' },
    { Timestamp: time(t0 + 2), SpanId: 'b', Duration: '20' },
  ]);
});
afterAll(() => kit.close());

const request = (over: object) =>
  FacetRequest.parse({ sourceId: ids.logs, startTime: t0, endTime: t0 + 3_600_000, ...over });
const facets = (over: object = {}): Promise<FacetResult> =>
  kit.query.facets(request(over), kit.sources[ids.logs]!);
const valuesOf = (result: FacetResult, field: string): [string, number][] | undefined =>
  result.facets
    .find((facet) => facet.field === field)
    ?.values.map(({ value, rows }) => [value, rows]);

describe('facets', () => {
  it('count the values of each field in the rows that match, most frequent first', async () => {
    const result = await facets({ fields: ['ServiceName', 'LogAttributes.http.route'] });
    expect(result).toEqual({
      rows: 60,
      countedRows: 60,
      sampled: false,
      facets: [
        {
          field: 'ServiceName',
          type: 'text',
          rows: 60,
          approximate: false,
          values: [
            { value: 'checkout', rows: 40 },
            { value: 'cart', rows: 20 },
          ],
        },
        {
          field: 'LogAttributes.http.route',
          type: 'text',
          rows: 60,
          approximate: false,
          values: [
            { value: '/a', rows: 30 },
            { value: '/b', rows: 30 },
          ],
        },
      ],
    });
  });

  it('obey where, filters and the range', async () => {
    const result = await facets({
      fields: ['ServiceName'],
      where: 'SeverityText:info',
      filters: [{ type: 'field', field: 'SeverityNumber', op: 'between', max: '2' }],
      endTime: t0 + 30_000,
    });
    const rows = Array.from({ length: 30 }, (_, index) => index).filter(
      (index) => index % 10 !== 0 && index % 6 <= 2,
    );
    const carts = rows.filter((index) => index % 3 === 2).length;
    expect(result.rows).toBe(rows.length);
    expect(valuesOf(result, 'ServiceName')).toEqual([
      ['checkout', rows.length - carts],
      ['cart', carts],
    ]);
  });

  it('do not count rows without a value, and leave out long values', async () => {
    const result = await facets({ fields: ['SeverityText', 'TraceId', 'LogAttributes.empty'] });
    expect(result.facets.map(({ rows, values }) => [rows, values])).toEqual([
      [54, [{ value: 'info', rows: 54 }]],
      [1, []],
      [0, []],
    ]);
  });

  it('give numbers and times a range, without losing a digit', async () => {
    const numbers = await facets({ fields: ['SeverityNumber', 'Timestamp'], limit: 2 });
    expect(numbers.facets.map(({ type, min, max }) => [type, min, max])).toEqual([
      ['number', '0', '5'],
      ['time', '2026-01-01 00:00:00.000000000', '2026-01-01 00:00:59.000000000'],
    ]);
    const spans = await kit.query.facets(
      request({ sourceId: ids.traces, fields: ['Duration'] }),
      kit.sources[ids.traces]!,
    );
    expect(spans.facets[0]).toMatchObject({ min: '20', max: '18446744073709551615' });
  });

  it('search in values, in any case', async () => {
    const result = await facets({
      fields: ['ServiceName', 'Body', 'SeverityNumber'],
      search: 'GROSSE',
    });
    expect(result.facets.map(({ values }) => values.length)).toEqual([0, 0, 0]);
    const found = await facets({ fields: ['Body'], search: 'GROßE SACHE 5', limit: 100 });
    expect(valuesOf(found, 'Body')).toHaveLength(11);
    expect(
      valuesOf(await facets({ fields: ['SeverityNumber'], search: '4' }), 'SeverityNumber'),
    ).toEqual([['4', 10]]);
  });

  it('without fields: the columns with few values, and the keys of maps', async () => {
    const result = await facets();
    expect(result.facets.map(({ field }) => field)).toEqual(['SeverityText', 'ServiceName']);
    expect(result.keys?.map(({ rows }) => rows)).toEqual([60, 15, 15]);
    const found = await facets({ search: 'ROUTE' });
    expect(found.keys).toEqual([{ field: 'LogAttributes.http.route', rows: 60 }]);
  });

  it('a key and a value of any characters come back as a filter', async () => {
    const { keys } = await facets({ search: 'odd' });
    const field = keys![0]!.field;
    const values = valuesOf(await facets({ fields: [field] }), field)!;
    expect(values).toEqual([[odd, 15]]);
    const search = SearchRequest.parse({
      sourceId: ids.logs,
      startTime: t0,
      endTime: t0 + 3_600_000,
      filters: [{ type: 'field', field, op: 'is', values: [values[0]![0]] }],
    });
    const { rows } = await kit.query.search(search, kit.sources[ids.logs]!);
    expect(rows).toHaveLength(15);
    const listed = await kit.query.fields(kit.sources[ids.logs]!);
    expect(listed.map(({ name }) => name)).toContain(field);
  });

  it('mistakes are named with their place', async () => {
    const paths = (error: unknown) => (error as Fault).issues?.map(({ path }) => path);
    expect(
      await facets({
        fields: ['Nope', 'LogAttributes', 'mapKeys(LogAttributes)', "Body') FROM x"],
        where: 'Nope:1',
        filters: [{ type: 'sql', condition: '(' }],
      }).catch(paths),
    ).toEqual(['where', 'filters.0.condition', 'fields.0', 'fields.1', 'fields.3']);
    expect(
      await kit.query
        .facets(request({ sourceId: ids.metrics }), kit.sources[ids.metrics]!)
        .catch(paths),
    ).toEqual(['sourceId']);
  });
});

describe('the periods of a sample', () => {
  it('are the whole range up to a million rows', () => {
    expect(sampledPeriods({ fromMs: 0, toMs: 1000 }, 1_000_000)).toEqual([
      { fromMs: 0, toMs: 1000 },
    ]);
  });

  it('lie in order within the range, each once, and hold the wanted part of it', () => {
    const periods = sampledPeriods({ fromMs: 1000, toMs: 33_000 }, 4_000_000);
    expect(periods).toHaveLength(32);
    expect(periods[0]).toEqual({ fromMs: 1000, toMs: 1250 });
    expect(periods.at(-1)).toEqual({ fromMs: 32_000, toMs: 32_250 });
  });
});
