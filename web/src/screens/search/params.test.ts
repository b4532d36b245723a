import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeFilters, type Filter } from '../../view/filters.ts';
import { compact, droppedParams, parseSearch, stringifySearch } from '../../view/url-state.ts';
import { readSearchParams, type SearchParams } from './params.ts';

const text = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' });
const hex = (length: number): fc.Arbitrary<string> =>
  fc.string({ minLength: length, maxLength: length, unit: fc.constantFrom(...'0123456789abcdef') });
const bound = fc.oneof(
  fc.integer({ min: 1_000_000_000_000, max: 4_000_000_000_000 }),
  fc.constantFrom('now' as const, 'now-30m' as const, 'now-7d' as const),
);
const filter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    field: text,
    op: fc.constantFrom('is' as const, 'is_not' as const),
    values: fc.array(fc.string({ maxLength: 20 }), { minLength: 1, maxLength: 5 }),
  }),
  fc.record({ field: text, op: fc.constantFrom('exists' as const, 'not_exists' as const) }),
  fc.record({ op: fc.constantFrom('lucene' as const, 'sql' as const), condition: text }),
);

/** Every state that the screen can be in. */
const state: fc.Arbitrary<SearchParams> = fc.record(
  {
    source: hex(24),
    q: text,
    lang: fc.constant('sql' as const),
    filters: fc.array(filter, { minLength: 1, maxLength: 6 }).map(writeFilters),
    cols: fc.array(text, { minLength: 1, maxLength: 20 }),
    order: text,
    from: bound,
    to: bound,
    savedSearchId: hex(24),
    live: fc.constant(true as const),
    row: fc
      .tuple(fc.nat(), hex(32), fc.option(fc.integer({ min: 1, max: 99 })))
      .map((parts) => parts.filter((part) => part !== null).join('-')),
    tab: fc.constantFrom('attributes' as const, 'trace' as const, 'json' as const),
    group: text,
  },
  { requiredKeys: [] },
);

const read = (url: string): Partial<SearchParams> => compact(readSearchParams(parseSearch(url)));

describe('the state of search in the URL', () => {
  it('comes back from its URL, whatever it is, and nothing is left out', () => {
    fc.assert(
      fc.property(state, (params) => {
        const url = stringifySearch({ ...params });
        expect(read(url)).toEqual(params);
        expect(droppedParams(parseSearch(url), { ...readSearchParams(parseSearch(url)) })).toEqual(
          [],
        );
        expect(url).toMatch(/^$|^\?[\x21-\x7e]+$/);
      }),
    );
  });

  it('hostile parameters are left out, and never an error', () => {
    const names = Object.keys(readSearchParams({}));
    const hostile = fc.oneof(
      fc.string({ maxLength: 300, unit: 'binary' }),
      fc.constantFrom(
        '//evil',
        'javascript:alert(1)',
        '__proto__',
        'constructor',
        '~',
        '|||,,,',
        '%',
      ),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), hostile), (raw) => {
        const url = stringifySearch(raw);
        const params = read(url);
        // Reading again changes nothing: what is left in is understood.
        expect(read(stringifySearch({ ...params }))).toEqual(params);
      }),
      { numRuns: 50 },
    );
    expect(Object.prototype).not.toHaveProperty('op');
  }, 60_000);

  it.each(['q', 'filters', 'cols', 'order', 'row', 'group', 'c'])(
    'a megabyte of %s is left out',
    (name) => {
      const started = performance.now();
      expect(read(`?${name}=${'is|a|b,'.repeat(131_072)}`)).toEqual({});
      expect(performance.now() - started).toBeLessThan(1000);
    },
  );
});
