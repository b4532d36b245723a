import { describe, expect, it } from 'vitest';
import type { ListedObject } from '../../../../ports/store/object-ledger.ts';
import { lookAgain } from './look-again.ts';

const listed = (name: string, etag = `"${name}"`): ListedObject => ({
  name,
  etag,
  bytes: 1,
  modifiedAtMs: 0,
});
const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `in/${String(from + index).padStart(6, '0')}`);

/** A service that holds these, in pages of `pageSize`. */
function service(names: readonly string[], pageSize = 1000) {
  const held = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const requests = { pages: 0, looks: 0 };
  return {
    requests,
    async *list(prefix: string, _signal: AbortSignal, after = ''): AsyncGenerator<ListedObject[]> {
      const all = held.filter(
        (name) =>
          name.startsWith(prefix) && Buffer.compare(Buffer.from(name), Buffer.from(after)) > 0,
      );
      for (let start = 0; start === 0 || start < all.length; start += pageSize) {
        requests.pages++;
        yield all.slice(start, start + pageSize).map((name) => listed(name));
      }
    },
    look: async (name: string): Promise<ListedObject | undefined> => {
      requests.looks++;
      return held.includes(name) ? listed(name) : undefined;
    },
  };
}

const { signal } = new AbortController();

describe('looking again at objects that were read', () => {
  it('neighbours cost one page and one look', async () => {
    const here = service(numbered(0, 10_000));
    const names = numbered(4000, 4500);
    const objects = await lookAgain(here, names.toReversed(), signal);
    expect(objects).toEqual(new Map(names.map((name) => [name, `"${name}"`])));
    expect(here.requests).toEqual({ pages: 1, looks: 1 });
  });

  it('those that are gone are not found, whether by listing or alone', async () => {
    const there = numbered(0, 300).filter((_, index) => index % 7 !== 0);
    const objects = await lookAgain(service(there), numbered(0, 300), signal);
    expect([...objects.keys()].sort()).toEqual(there);
    expect((await lookAgain(service(['a']), ['a', 'b'], signal)).size).toBe(1);
  });

  it('names far apart are looked at one by one after a few pages', async () => {
    const names = numbered(0, 100_000).filter((_, index) => index % 2000 === 0);
    const here = service(numbered(0, 100_000));
    expect((await lookAgain(here, names, signal)).size).toBe(names.length);
    expect(here.requests.pages).toBe(3);
    expect(here.requests.looks).toBeLessThanOrEqual(names.length);
  });

  it('names with characters of several bytes are found in the order of their bytes', async () => {
    const names = Array.from(
      { length: 60 },
      (_, index) => `${['a', 'ü', '😀', '\uFFFD', '😁'][index % 5]!}${index}`,
    );
    const here = service(names, 10);
    expect((await lookAgain(here, names, signal)).size).toBe(60);
  });
});
