import { describe, expect, it } from 'vitest';
import { engineFields } from './engine-fields.ts';
import { jsonFields } from './json-fields.ts';
import { proposedColumns, tableName } from './proposed-columns.ts';

const typesOf = (...records: object[]): Record<string, string> =>
  typesOfTexts(...records.map((record) => JSON.stringify(record)));
const typesOfTexts = (...texts: string[]): Record<string, string> =>
  Object.fromEntries(jsonFields(texts, true).map(({ path, type }) => [path, type]));

describe('columns for the fields of JSON records', () => {
  it.each<[title: string, values: unknown[], type: string]>([
    ['whole numbers', [1, -5], 'Int64'],
    ['whole numbers and a fraction', [1, 2.5], 'Float64'],
    ['booleans', [true, false], 'Bool'],
    ['texts', ['a', ''], 'String'],
    ['a text and a number', ['a', 1], 'String'],
    ['null and a number', [null, 1], 'Nullable(Int64)'],
    ['nothing but null', [null], 'Nullable(String)'],
    ['UUIDs', ['8f14e45f-ceea-467a-9575-28c0b6d3a1f0'], 'UUID'],
    ['a UUID and another text', ['8f14e45f-ceea-467a-9575-28c0b6d3a1f0', '-'], 'String'],
    ['days', ['2026-03-14', '1999-12-31'], 'Date32'],
    ['a day that does not exist', ['2026-02-30'], 'String'],
    ['a day before the first one of the engine', ['1800-01-01'], 'String'],
    ['moments', ['2026-03-14T09:26:53Z', '2026-03-14 09:26:53+02:00'], "DateTime64(3, 'UTC')"],
    ['moments with microseconds', ['2026-03-14T09:26:53.589123Z'], "DateTime64(6, 'UTC')"],
    ['moments with nanoseconds', ['2026-03-14T09:26:53.5891234Z'], "DateTime64(9, 'UTC')"],
    ['an hour that does not exist', ['2026-03-14T25:00:00Z'], 'String'],
    ['amounts', ['9.90', '-12.05'], 'Decimal(38, 2)'],
    ['amounts of different form', ['9.90', '12.5'], 'String'],
    ['versions', ['1.2', '1.3'], 'String'],
    ['arrays', [[1, 2], []], 'Array(Int64)'],
    ['arrays with null', [['a', null]], 'Array(Nullable(String))'],
    ['arrays of arrays', [[[1], [2.5]]], 'Array(Array(Float64))'],
    ['empty arrays', [[]], 'Array(String)'],
    ['null and an array', [null, [1]], 'Array(Int64)'],
    ['arrays of objects', [[{ a: 1 }]], 'Array(String)'],
    ['an array and a number', [[1], 2], 'String'],
    ['an object and a number', [{ a: 1 }, 2], 'String'],
    ['an empty object', [{}], 'String'],
    ['an object whose names a mapping cannot contain', [{ 'a.b': 1 }], 'String'],
    ['a map', [Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${n}`, n]))], 'String'],
  ])('%s', (_, values, type) => {
    expect(typesOf(...values.map((value) => ({ value })))).toEqual({ value: type });
  });

  it('keeps every digit of large numbers', () => {
    const typeOf = (number: string) => typesOfTexts(`{"n":${number}}`)['n'];
    expect(typeOf('9223372036854775807')).toBe('Int64');
    expect(typeOf('18446744073709551615')).toBe('UInt64');
    expect(typeOf('-9223372036854775809')).toBe('Int128');
    expect(typeOf('1'.repeat(60))).toBe('String');
    expect(typeOf('1e3')).toBe('Float64');
  });

  it('takes objects apart, and a field that a record lacks is nullable', () => {
    expect(
      typesOf(
        { user: { name: 'Zoë', home: { city: 'Bern' } }, n: 1 },
        { user: { name: 'Al' } },
        {},
      ),
    ).toEqual({
      'user.name': 'Nullable(String)',
      'user.home.city': 'Nullable(String)',
      n: 'Nullable(Int64)',
    });
  });

  it('stops at a depth, and does not take apart what gives too many columns', () => {
    expect(typesOf({ a: { b: { c: { d: { e: { f: 1 } } } } } })).toEqual({ 'a.b.c.d.e': 'String' });
    const wide = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `o${n}`,
        Object.fromEntries(Array.from({ length: 10 }, (__, m) => [`f${m}`, m])),
      ]),
    );
    expect(Object.entries(typesOf(wide))).toEqual(
      Array.from({ length: 40 }, (_, n) => [`o${n}`, 'String']),
    );
  });

  it('leaves out texts that are no JSON object', () => {
    expect(typesOfTexts('{"a":1}', '[1]', '{"a":', 'null', '')).toEqual({ a: 'Int64' });
    expect(typesOfTexts('{"a":"\\"1,\\\\","b":"x"}')).toEqual({ a: 'String', b: 'String' });
  });

  it('a name with dots counts only where a mapping finds it', () => {
    const text = '{"http.status":200,"b":1}';
    expect(jsonFields([text], true).map(({ path }) => path)).toEqual(['http.status', 'b']);
    expect(jsonFields([text], false).map(({ path }) => path)).toEqual(['b']);
  });
});

describe('columns and mappings', () => {
  const field = (path: string) => ({ path, type: 'String' });

  it('need no mappings if every column has the name of its field', () => {
    expect(proposedColumns([field('a'), field('Größe')], [])).toEqual({
      columns: [
        { name: 'a', type: 'String' },
        { name: 'Größe', type: 'String' },
      ],
      fieldMappings: [],
    });
  });

  it('have no dots in names, no name twice, and no virtual field', () => {
    const { columns, fieldMappings } = proposedColumns(
      ['a.b', 'a_b', '_topic', 'x..y', ''].map(field),
      ['_topic'],
    );
    expect(columns.map(({ name }) => name)).toEqual(['a_b', 'a_b_2']);
    expect(fieldMappings).toEqual([
      { sourceField: 'a.b', destinationField: 'a_b' },
      { sourceField: 'a_b', destinationField: 'a_b_2' },
    ]);
  });

  it('are at most as many as a pipe can have', () => {
    const many = Array.from({ length: 1100 }, (_, n) => field(`f${n}`));
    expect(proposedColumns(many, []).columns.length).toBe(1000);
  });

  it.each([
    ['orders', 'orders'],
    ['shop.orders-v2', 'shop_orders_v2'],
    ['äöü', 'records'],
  ])('a table for %s has the name %s', (text, name) => {
    expect(tableName(text)).toBe(name);
  });
});

describe('columns that the engine found', () => {
  const fieldsOf = (columns: [string, string][], rows: unknown[][], isText = true) =>
    engineFields(
      columns.map(([name, type]) => ({ name, type })),
      rows as never,
      { isText, hasPaths: !isText },
    ).map(({ path, type }) => `${path} ${type}`);

  it('are nullable only if a row has a NULL', () => {
    const columns: [string, string][] = [
      ['a', 'Nullable(Int64)'],
      ['b', 'Nullable(Int64)'],
    ];
    expect(
      fieldsOf(columns, [
        [1, 1],
        [2, null],
      ]),
    ).toEqual(['a Int64', 'b Nullable(Int64)']);
  });

  it('are narrower than text if the form of the text says so', () => {
    const columns: [string, string][] = [['day', 'Nullable(String)']];
    expect(fieldsOf(columns, [['2026-03-14']])).toEqual(['day Date32']);
    expect(fieldsOf(columns, [['2026-03-14']], false)).toEqual(['day String']);
  });

  it('have types that a pipe can load', () => {
    expect(
      fieldsOf(
        [
          ['a', 'Nullable(Nothing)'],
          ['b', 'Array(Nullable(Nothing))'],
          ['c', 'JSON'],
          ['d', 'Array(Tuple(x Nullable(Int32), y String))'],
        ],
        [[null, [], {}, []]],
      ),
    ).toEqual([
      'a Nullable(String)',
      'b Array(String)',
      'c String',
      'd Array(Tuple(`x` Nullable(Int32), `y` String))',
    ]);
  });
});
