import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeFilters } from '../../view/filters.ts';
import { pack } from '../../view/packed.ts';
import { compact, parseSearch, stringifySearch } from '../../view/url-state.ts';
import { packAddress, plainAddress, readAddress } from './address.ts';
import { readSearchParams, type SearchParams } from './params.ts';

const hexText = (length: number): fc.Arbitrary<string> =>
  fc.string({ minLength: length, maxLength: length, unit: fc.constantFrom(...'0123456789abcdef') });
const filters = fc
  .array(
    fc.record({
      field: fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
      op: fc.constantFrom('is' as const, 'is_not' as const),
      values: fc.array(hexText(16), { minLength: 1, maxLength: 30 }),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map(writeFilters);
const params: fc.Arbitrary<SearchParams> = fc.record(
  {
    filters,
    q: fc.string({ minLength: 1, maxLength: 400, unit: 'grapheme' }),
    cols: fc.array(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 40 }),
    row: hexText(32).map((hash) => `1763800000000000000-${hash}`),
    from: fc.constant('now-7d' as const),
  },
  { requiredKeys: [] },
);

/** The address as the router writes it into the URL. */
async function urlOf(state: SearchParams): Promise<string | undefined> {
  const address = plainAddress(state) ?? (await packAddress(state));
  return address && stringifySearch({ ...state, ...address });
}
const read = (url: string) => readAddress(readSearchParams(parseSearch(url)));

describe('address of a search', () => {
  it('has at most 4,000 characters and is read back, or does not exist', async () => {
    let packed = 0;
    await fc.assert(
      fc.asyncProperty(params, async (state) => {
        const url = await urlOf(state);
        if (url !== undefined) {
          packed += Number(/[?&]c=/.test(url));
          expect(`/search${url}`.length).toBeLessThanOrEqual(4000);
          const address = await read(url);
          expect(compact(address.params)).toEqual(compact(state));
          expect(address.dropped).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
    expect(packed).toBeGreaterThan(5);
  }, 60_000);

  it('keeps filters readable up to 1,500 characters', () => {
    const of = (count: number): SearchParams => ({
      filters: writeFilters([
        { field: 'ServiceName', op: 'is', values: Array.from({ length: count }, String) },
      ]),
    });
    expect(plainAddress(of(60))).toBeDefined();
    expect(plainAddress({ q: 'x'.repeat(1600) })).toBeUndefined();
  });

  it('does not exist for more filters than a reader takes', async () => {
    const many = Array.from({ length: 51 }, (_, index) => ({
      field: `f${index}`,
      op: 'exists' as const,
    }));
    expect(await urlOf({ filters: writeFilters(many) })).toBeUndefined();
    expect(await urlOf({ filters: writeFilters(many.slice(1)) })).toBeDefined();
  });

  it('names what a packed text has that is not understood', async () => {
    const c = await pack('q=order&filters=perl|x&from=yesterday');
    expect(await readAddress({ c, source: 'ab' })).toEqual({
      params: { q: 'order', source: 'ab' },
      dropped: ['filters', 'from'],
    });
    expect(await readAddress({ c: 'AAAA', q: 'cart' })).toEqual({
      params: { q: 'cart' },
      dropped: ['c'],
    });
  });
});
