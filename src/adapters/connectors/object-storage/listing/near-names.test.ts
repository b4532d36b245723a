import { describe, expect, it } from 'vitest';
import { groupsToList, ListedLately, type NearNames } from './near-names.ts';

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `in/${String(from + index).padStart(6, '0')}`);
const near = (names: readonly string[], fromStart = true, toEnd = true): NearNames => ({
  names,
  fromStart,
  toEnd,
});
const shown = (names: readonly string[], seen: NearNames): [string, number][] =>
  groupsToList(names, seen).map(({ prefix, names: some }) => [prefix, some.length]);

describe('names that are quicker listed', () => {
  it('neighbours are one group, whatever order they come in', () => {
    expect(shown(numbered(4000, 4100).toReversed(), near(numbered(0, 10_000)))).toEqual([
      ['in/0040', 100],
    ]);
    expect(shown(numbered(0, 200), near(numbered(0, 200)))).toEqual([['in/000', 200]]);
  });

  it('a group is never listed where more may begin like it than was seen', () => {
    const wanted = numbered(0, 100);
    for (const [seen, expected] of [
      [near(numbered(0, 100), true, true), [['in/0000', 100]]],
      [near(numbered(0, 100), true, false), []],
      [near(numbered(0, 100), false, true), []],
      [near(numbered(0, 101), true, false), [['in/0000', 100]]],
      [near([], true, true), []],
    ] as const) {
      expect(shown(wanted, seen)).toEqual(expected);
    }
  });

  it('a boundary of round numbers is no reason to list everything', () => {
    expect(shown(numbered(9950, 10_050), near(numbered(9000, 11_000), false, false))).toEqual([
      ['in/0099', 50],
      ['in/0100', 50],
    ]);
  });

  it('a batch that ends within one folder and goes on in the next lists these two and not all of them', () => {
    const folders = Array.from(
      { length: 8000 },
      (_, index) =>
        `in/${String(Math.floor(index / 700)).padStart(3, '0')}/${String(index).padStart(6, '0')}`,
    );
    expect(shown(folders.slice(1000, 2000), near(folders))).toEqual([
      ['in/002/001', 600],
      ['in/001/001', 400],
    ]);
    // Where longer prefixes show as much, one listing does.
    expect(shown(folders.slice(0, 8000), near(folders))).toEqual([['in/0', 8000]]);
  });

  it('names far apart, and a few names, stand alone', () => {
    expect(
      shown(
        numbered(0, 100_000).filter((_, index) => index % 1000 === 0),
        near(numbered(0, 100_000)),
      ),
    ).toEqual([]);
    expect(shown(numbered(0, 19), near(numbered(0, 19)))).toEqual([]);
  });

  it('a prefix ends between characters', () => {
    const names = Array.from(
      { length: 40 },
      (_, index) => `x/${index < 20 ? '😀' : '😁'}${String(index).padStart(2, '0')}`,
    );
    expect(groupsToList(names, near(names)).map(({ prefix }) => prefix)).toEqual(['x/']);
  });

  it('a service that lists in another order than that of bytes is not relied on', () => {
    const ordered = new ListedLately();
    ordered.add(['a', 'b', '\uFFFD', '😀']);
    ordered.add(['😁']);
    expect(ordered.near(true)).toEqual({
      names: ['a', 'b', '\uFFFD', '😀', '😁'],
      fromStart: true,
      toEnd: true,
    });
    const other = new ListedLately();
    other.add(['b', 'a']);
    expect(other.near(true)).toBeUndefined();
  });

  it('what was listed long ago is forgotten', () => {
    const lately = new ListedLately();
    for (let page = 0; page < 50; page++) {
      lately.add(numbered(page * 10, page * 10 + 10));
    }
    expect(lately.near(false)).toMatchObject({ fromStart: false, toEnd: false });
    expect(lately.near(false)!.names.length).toBeLessThan(200);
  });
});
