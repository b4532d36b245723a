import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFilters, withValue, withoutValue, writeFilters, type Filter } from './filters.ts';
import { param, parseSearch, stringifySearch } from './url-state.ts';

const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });

const filter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    field: text,
    op: fc.constantFrom('is' as const, 'is_not' as const),
    values: fc.array(fc.string({ maxLength: 20 }), { minLength: 1, maxLength: 5 }),
  }),
  fc.record({ field: text, op: fc.constantFrom('exists' as const, 'not_exists' as const) }),
  fc.record({ field: text, op: fc.constant('between' as const), min: text, max: text }),
  fc.record({ op: fc.constantFrom('lucene' as const, 'sql' as const), condition: text }),
);

describe('state in the URL', () => {
  it('reads back any filters and lists that it wrote', () => {
    fc.assert(
      fc.property(
        fc.array(filter, { minLength: 1, maxLength: 5 }),
        fc.array(text, { minLength: 1 }),
        (filters, cols) => {
          const query = stringifySearch({ filters: writeFilters(filters), cols });
          const raw = parseSearch(query);
          expect(readFilters(raw['filters'] ?? '')).toEqual(filters);
          expect(param.list(raw, 'cols')).toEqual(cols);
        },
      ),
    );
  });

  it('reads back values that may be empty', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 20 }), { minLength: 1 }), (values) => {
        const raw = parseSearch(stringifySearch({ group: values }));
        expect(param.values(raw, 'group')).toEqual(values);
      }),
    );
  });

  it('never throws on hostile text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (hostile) => {
        readFilters(hostile);
        param.list({ cols: hostile }, 'cols');
        param.bound({ from: hostile }, 'from');
      }),
    );
  });

  it.each(['//evil', '/\\evil', 'https://evil', 'javascript:alert(1)', '/a\nb', '\\evil', 'x'])(
    'is no own path: %s',
    (path) => expect(param.ownPath({ next: path }, 'next')).toBeUndefined(),
  );

  it('keeps an own path', () => {
    expect(param.ownPath({ next: '/search?q=a+b' }, 'next')).toBe('/search?q=a+b');
  });

  it('adds and removes values of a filter, and turns one around', () => {
    const one = withValue([], 'is', 'ServiceName', 'cart');
    const two = withValue(one, 'is', 'ServiceName', 'payment');
    expect(two).toEqual([{ field: 'ServiceName', op: 'is', values: ['cart', 'payment'] }]);
    expect(withoutValue(two, 'ServiceName', 'cart')).toEqual([
      { field: 'ServiceName', op: 'is', values: ['payment'] },
    ]);
    expect(withValue(one, 'is_not', 'ServiceName', 'cart')).toEqual([
      { field: 'ServiceName', op: 'is_not', values: ['cart'] },
    ]);
  });
});
