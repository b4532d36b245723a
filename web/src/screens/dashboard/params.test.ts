import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact, droppedParams, parseSearch, stringifySearch } from '../../view/url-state.ts';
import { readDashboardParams, type DashboardParams } from './params.ts';

const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
const state: fc.Arbitrary<DashboardParams> = fc
  .tuple(
    fc.record(
      {
        from: fc.constantFrom('now-30m', 1_700_000_000_000),
        to: fc.constantFrom('now', 1_700_000_900_000),
        every: fc.constantFrom('10s' as const, '5m' as const),
        full: fc.constant(true as const),
        tile: fc.constant('a'.repeat(24)),
        edit: fc.constant(true as const),
      },
      { requiredKeys: [] },
    ),
    fc.dictionary(text, fc.array(text, { minLength: 1, maxLength: 6 }), { maxKeys: 4 }),
  )
  .map(([rest, values]) => ({
    ...rest,
    ...Object.fromEntries(Object.entries(values).map(([id, list]) => [`v.${id}`, list])),
  }));

describe('URL of a dashboard', () => {
  it('brings back every state', () => {
    fc.assert(
      fc.property(state, (wanted) => {
        const read = readDashboardParams(parseSearch(stringifySearch({ ...wanted })));
        expect(compact(read)).toEqual(wanted);
      }),
    );
  });

  it('drops what is broken, and says so', () => {
    const raw = parseSearch('?every=1s&from=yesterday&v.service=cart,payment');
    const read = readDashboardParams(raw);
    expect(read['v.service']).toEqual(['cart', 'payment']);
    expect(droppedParams(raw, { ...read })).toEqual(['every', 'from']);
  });
});
