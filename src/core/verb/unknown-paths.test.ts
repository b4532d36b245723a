import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { unknownPaths } from './unknown-paths.ts';

const inner = z.object({ a: z.number().optional() });
const schema = z.object({
  inner: inner.nullish(),
  list: z.array(inner).default([]),
  record: z.record(z.string(), inner),
  any: z.unknown(),
  piped: z.string().transform(Number),
  either: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('x'), x: z.string() }),
    z.object({ kind: z.literal('y'), y: inner }),
  ]),
  loose: z.union([z.string(), inner]),
});
const paths = (input: unknown) => unknownPaths(schema, input).map(({ path }) => path);

describe('unknownPaths', () => {
  it.each<[string, unknown, string[]]>([
    [
      'nothing that is known',
      {
        inner: { a: 1 },
        list: [{ a: 1 }],
        record: { k: { a: 1 } },
        any: { b: 1 },
        piped: '1',
        either: { kind: 'y', y: { a: 1 } },
        loose: { a: 1 },
      },
      [],
    ],
    [
      'properties at any depth',
      { b: 1, inner: { b: 1 }, list: [{}, { b: 1 }], record: { k: { b: 1 } }, loose: { b: 1 } },
      ['b', 'inner.b', 'list.1.b', 'record.k.b', 'loose.b'],
    ],
    [
      'by the alternative that is meant',
      { either: { kind: 'y', x: 1, y: { b: 1 } } },
      ['either.x', 'either.y.b'],
    ],
    ['nothing where no alternative is meant', { either: { kind: 'z', x: 1 } }, []],
    ['what is invalid besides', { inner: { a: 'no number', b: 1 } }, ['inner.b']],
    [
      'prototype names',
      JSON.parse('{"__proto__":{"x":1},"constructor":1,"inner":{"toString":1}}'),
      ['__proto__', 'constructor', 'inner.toString'],
    ],
    [
      'nothing that has no value',
      { none: null, text: '', list: [], object: {}, inner: { none: null } },
      [],
    ],
    ['zero and false', { zero: 0, no: false }, ['zero', 'no']],
    ['nothing in other types', [[1], 'x', null], []],
  ])('names %s', (_name, input, expected) => {
    expect(paths(input)).toEqual(expected);
  });
});
