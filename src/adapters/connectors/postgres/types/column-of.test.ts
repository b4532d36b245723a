import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clickhouseColumn } from './column-of.ts';
import type { PgColumn, PgType } from './pg-column.ts';

const base = (name: string, schema = 'pg_catalog'): PgType => ({
  oid: 1,
  name,
  schema,
  kind: 'base',
});
const arrayOf = (element: PgType, delimiter = ','): PgType => ({
  oid: 2,
  name: `_${element.name}`,
  schema: 'pg_catalog',
  kind: 'array',
  element,
  delimiter,
});
const domain = (over: PgType, rest: Partial<PgType> = {}): PgType => ({
  oid: 3,
  name: 'd',
  schema: 'public',
  kind: 'domain',
  base: over,
  typmod: -1,
  notNull: false,
  dimensions: 0,
  ...rest,
});
const column = (type: PgType, rest: Partial<PgColumn> = {}): PgColumn => ({
  name: 'c',
  number: 1,
  type,
  typmod: -1,
  dimensions: 0,
  notNull: false,
  generated: false,
  ...rest,
});
const map = (type: PgType, rest: Partial<PgColumn> = {}, allowNullable = false) =>
  clickhouseColumn(column(type, rest), { allowNullable });
const numericTypmod = (precision: number, scale: number): number =>
  ((precision << 16) | (scale & 0x7ff)) + 4;

describe('types', () => {
  it.each([
    ['int2', 'Int16'],
    ['int4', 'Int32'],
    ['int8', 'Int64'],
    ['oid', 'UInt32'],
    ['float4', 'Float32'],
    ['float8', 'Float64'],
    ['money', 'Decimal(19, 2)'],
    ['bool', 'Bool'],
    ['text', 'String'],
    ['varchar', 'String'],
    ['bpchar', 'String'],
    ['name', 'String'],
    ['json', 'String'],
    ['jsonb', 'String'],
    ['uuid', 'UUID'],
    ['bytea', 'String'],
    ['numeric', 'String'],
    ['date', 'Date32'],
    ['timestamp', "DateTime64(6, 'UTC')"],
    ['timestamptz', "DateTime64(6, 'UTC')"],
    ['time', 'String'],
    ['timetz', 'String'],
    ['interval', 'String'],
    ['inet', 'String'],
    ['macaddr', 'String'],
    ['varbit', 'String'],
    ['point', 'String'],
    ['tsvector', 'String'],
    ['xml', 'String'],
    ['whatever', 'String'],
  ])('%s becomes %s, and Nullable where that is allowed', (name, type) => {
    expect(map(base(name)).column).toEqual({ name: 'c', type });
    expect(map(base(name), {}, true).column.type).toBe(`Nullable(${type})`);
    expect(map(base(name), { notNull: true }, true).column.type).toBe(type);
  });

  it('a type of an extension is text, whatever it is called', () => {
    expect(map(base('int4', 'public')).column.type).toBe('String');
    expect(map(base('hstore', 'public')).column.type).toBe('Map(String, Nullable(String))');
  });

  it.each([
    [10, 2, 'Decimal(10, 2)'],
    [76, 76, 'Decimal(76, 76)'],
    [77, 2, 'String'],
    [3, -2, 'Decimal(5, 0)'],
    [3, 5, 'Decimal(5, 5)'],
    [1, 0, 'Decimal(1, 0)'],
    [1000, 0, 'String'],
    [2, -1000, 'String'],
  ])('numeric(%i, %i) becomes %s', (precision, scale, type) => {
    expect(map(base('numeric'), { typmod: numericTypmod(precision, scale) }).column.type).toBe(
      type,
    );
  });

  it('arrays have their declared dimensions and elements that may be NULL', () => {
    expect(map(arrayOf(base('int4')), { dimensions: 1 }, true).column.type).toBe(
      'Array(Nullable(Int32))',
    );
    expect(map(arrayOf(base('int4')), { dimensions: 0 }).column.type).toBe(
      'Array(Nullable(Int32))',
    );
    expect(map(arrayOf(base('text')), { dimensions: 3 }).column.type).toBe(
      'Array(Array(Array(Nullable(String))))',
    );
    expect(map(arrayOf({ ...base('mood'), kind: 'enum' })).column.type).toBe(
      'Array(LowCardinality(Nullable(String)))',
    );
    expect(map(arrayOf(base('numeric')), { typmod: numericTypmod(5, 1) }).column.type).toBe(
      'Array(Nullable(Decimal(5, 1)))',
    );
    expect(map(arrayOf(domain(arrayOf(base('int4'))))).column.type).toBe(
      'Array(Array(Nullable(Int32)))',
    );
    expect(map(arrayOf(base('hstore', 'public'))).column.type).toBe(
      'Array(Map(String, Nullable(String)))',
    );
  });

  it('a domain is what it constrains, with its own modifier and NOT NULL', () => {
    const price = domain(base('numeric'), { typmod: numericTypmod(9, 3), notNull: true });
    expect(map(price, {}, true).column.type).toBe('Decimal(9, 3)');
    expect(map(domain(price), {}, true).column.type).toBe('Decimal(9, 3)');
    expect(map(domain(arrayOf(base('int2')), { dimensions: 2 })).column.type).toBe(
      'Array(Array(Nullable(Int16)))',
    );
  });

  it('an enum is a text of few values', () => {
    expect(map({ ...base('mood'), kind: 'enum' }, {}, true).column.type).toBe(
      'LowCardinality(Nullable(String))',
    );
  });
});

describe('values', () => {
  it.each([
    ['int8', '-9223372036854775808', '-9223372036854775808'],
    ['bool', 't', 'true'],
    ['bool', 'f', 'false'],
    ['float8', '1e-307', '1e-307'],
    ['float8', '-0', '-0'],
    ['float8', 'NaN', '"nan"'],
    ['float8', 'Infinity', '"inf"'],
    ['float4', '-Infinity', '"-inf"'],
    ['numeric', 'NaN', '"NaN"'],
    ['numeric', '-Infinity', '"-Infinity"'],
    ['numeric', '0.10', '"0.10"'],
    ['money', '-$92,233,720,368,547,758.08', '-92233720368547758.08'],
    ['bytea', '\\x00ff', '"00ff"'],
    ['bytea', '\\x', '""'],
    ['text', 'a "b"\n\\', '"a \\"b\\"\\n\\\\"'],
    ['date', '2024-02-29', '"2024-02-29"'],
    ['date', 'infinity', '"2299-12-31"'],
    ['date', '-infinity', '"1900-01-01"'],
    ['date', '0044-03-15 BC', '"1900-01-01"'],
    ['date', '1899-12-31', '"1900-01-01"'],
    ['date', '2300-01-01', '"2299-12-31"'],
    ['date', '12024-01-01', '"2299-12-31"'],
    ['date', '11024-01-01 BC', '"1900-01-01"'],
    ['timestamp', '2024-02-29 23:59:59.999999', '"2024-02-29 23:59:59.999999"'],
    ['timestamp', '0001-01-01 00:00:00', '"0001-01-01 00:00:00"'],
    ['timestamp', '294276-12-31 23:59:59.999999', '"9999-12-31 23:59:59.999999"'],
    ['timestamp', 'infinity', '"9999-12-31 23:59:59.999999"'],
    ['timestamp', '-infinity', '"0001-01-01 00:00:00.000000"'],
    ['timestamp', '4713-01-01 00:00:00 BC', '"0001-01-01 00:00:00.000000"'],
    ['timestamptz', '2024-02-29 23:59:59.5+00', '"2024-02-29 23:59:59.5"'],
    ['timestamptz', '2024-02-29 23:59:59+05:30', '"2024-02-29 23:59:59+05:30"'],
    ['timestamptz', '0044-03-15 12:00:00+00 BC', '"0001-01-01 00:00:00.000000"'],
    [
      'hstore',
      '"a"=>"1", "b c"=>NULL, "q\\"\\\\"=>"NULL"',
      '{"a":"1","b c":null,"q\\"\\\\":"NULL"}',
    ],
    ['hstore', '', '{}'],
  ])('%s %s is written as %s', (name, value, json) => {
    expect(map(base(name)).encode(value)).toBe(json);
  });

  it('NaN in a Decimal is NULL', () => {
    const { encode } = map(base('numeric'), { typmod: numericTypmod(10, 2) });
    expect(['1.50', '-0.01', 'NaN'].map(encode)).toEqual(['1.50', '-0.01', 'null']);
  });

  it.each([
    ['int4', 1, '{}', '[]'],
    ['int4', 1, '{1,NULL,-3}', '[1,null,-3]'],
    ['int4', 2, '{{1,2},{3,4}}', '[[1,2],[3,4]]'],
    ['int4', 1, '[0:2]={1,2,3}', '[1,2,3]'],
    ['int4', 2, '[1:1][-2:-1]={{1,2}}', '[[1,2]]'],
    ['int4', 2, '{1,2}', '[[1,2]]'],
    ['int4', 2, '{}', '[]'],
    ['int4', 1, '{{1,2},{3,4}}', '[1,2,3,4]'],
    ['int4', 2, '{{{1,2},{3,4}},{{5,6},{7,8}}}', '[[1,2],[3,4],[5,6],[7,8]]'],
    ['text', 1, '{"NULL",NULL,"","a,b","{}","q\\"\\\\"}', '["NULL",null,"","a,b","{}","q\\"\\\\"]'],
    ['float8', 1, '{NaN,Infinity,1.5}', '["nan","inf",1.5]'],
  ])('an array of %s with %i dimensions: %s is written as %s', (name, dimensions, value, json) => {
    expect(map(arrayOf(base(name)), { dimensions }).encode(value)).toBe(json);
  });

  it('boxes stand apart by semicolons', () => {
    expect(map(arrayOf(base('box'), ';')).encode('{(1,1),(0,0);(2,2),(1,1)}')).toBe(
      '["(1,1),(0,0)","(2,2),(1,1)"]',
    );
  });

  it('an array in an array, through a domain, keeps its levels', () => {
    const { encode } = map(arrayOf(domain(arrayOf(base('text')))));
    expect(encode('{"{1,\\"a b\\"}",NULL}')).toBe('[["1","a b"],[]]');
  });

  it('a composite is a JSON object in a text', () => {
    const type: PgType = {
      oid: 9,
      name: 'pair',
      schema: 'public',
      kind: 'composite',
      fields: [
        { name: 'n', type: base('int4'), typmod: -1, dimensions: 0 },
        { name: 'a "b"', type: arrayOf(base('text')), typmod: -1, dimensions: 1 },
        { name: 't', type: base('text'), typmod: -1, dimensions: 0 },
        { name: 'last', type: base('int8'), typmod: -1, dimensions: 0 },
      ],
    };
    const written = JSON.parse(map(type).encode('(1,"{a,""b \\\\""c\\\\""""}","",)')) as string;
    expect(written).toBe('{"n":1,"a \\"b\\"":["a","b \\"c\\""],"t":"","last":null}');
    expect(map(arrayOf(type)).column.type).toBe('Array(Nullable(String))');
  });
});

/** As array_out quotes, at its most careful. */
function arrayText(value: unknown): string {
  if (Array.isArray(value)) {
    return `{${value.map(arrayText).join(',')}}`;
  }
  return value === null ? 'NULL' : `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`;
}

describe('round trips', () => {
  const texts = fc.string({ unit: 'grapheme' });

  it('any text', () => {
    fc.assert(fc.property(texts, (value) => JSON.parse(map(base('text')).encode(value)) === value));
  });

  it('any array of texts', () => {
    const { encode } = map(arrayOf(base('text')));
    fc.assert(
      fc.property(fc.array(fc.option(texts)), (value) => {
        expect(JSON.parse(encode(arrayText(value)))).toEqual(value);
      }),
    );
  });

  it('any array of two dimensions', () => {
    const { encode } = map(arrayOf(base('text')), { dimensions: 2 });
    const rectangles = fc.integer({ min: 1, max: 4 }).chain((width) =>
      fc.array(fc.array(fc.option(texts), { minLength: width, maxLength: width }), {
        minLength: 1,
      }),
    );
    fc.assert(
      fc.property(rectangles, (value) => {
        expect(JSON.parse(encode(arrayText(value)))).toEqual(value);
      }),
    );
  });

  it('any composite of texts', () => {
    const names = ['a', 'b', 'c'];
    const { encode } = map({
      oid: 9,
      name: 'three',
      schema: 'public',
      kind: 'composite',
      fields: names.map((name) => ({ name, type: base('text'), typmod: -1, dimensions: 0 })),
    });
    const fieldText = (value: string | null): string =>
      value === null ? '' : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '""')}"`;
    const recordText = (values: (string | null)[]): string =>
      `(${values.map(fieldText).join(',')})`;
    fc.assert(
      fc.property(fc.tuple(fc.option(texts), fc.option(texts), fc.option(texts)), (values) => {
        expect(JSON.parse(JSON.parse(encode(recordText(values))) as string)).toEqual(
          Object.fromEntries(names.map((name, index) => [name, values[index]])),
        );
      }),
    );
  });

  it('any hstore', () => {
    const { encode } = map(base('hstore', 'public'));
    const quotedText = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
    fc.assert(
      fc.property(
        fc.dictionary(
          texts.filter((key) => key !== '__proto__'),
          fc.option(texts),
        ),
        (value) => {
          const written = Object.entries(value)
            .map(
              ([key, inner]) =>
                `${quotedText(key)}=>${inner === null ? 'NULL' : quotedText(inner)}`,
            )
            .join(', ');
          expect(JSON.parse(encode(written))).toEqual({ ...value });
        },
      ),
    );
  });

  it('what a hot path may do with the bytes is what encode does', () => {
    for (const name of [
      'int2',
      'int8',
      'oid',
      'uuid',
      'time',
      'interval',
      'inet',
      'text',
      'jsonb',
    ]) {
      const { encode, wire } = map(base(name));
      const value = wire === 'escaped' ? 'a "b" \\ \n' : '12';
      const expected = {
        bare: value,
        quoted: `"${value}"`,
        escaped: JSON.stringify(value),
        coded: JSON.stringify(value),
      };
      expect(encode(value)).toBe(expected[wire]);
    }
  });
});
