import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bottomOf, moved, resized, settled, stepped, type Box } from './layout.ts';

interface Named extends Box {
  id: string;
}

const box = (id: string, x: number, y: number, w: number, h: number): Named => ({ id, x, y, w, h });
const at = (tiles: readonly Named[], id: string): Named => tiles.find((tile) => tile.id === id)!;

const anyTiles = fc
  .array(
    fc.record({
      x: fc.integer({ min: 0, max: 23 }),
      y: fc.integer({ min: 0, max: 60 }),
      w: fc.integer({ min: 1, max: 24 }),
      h: fc.integer({ min: 1, max: 12 }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((boxes) => boxes.map((one, index): Named => ({ id: String(index), ...one })));

function isSound(tiles: readonly Box[]): void {
  for (const [index, one] of tiles.entries()) {
    expect(one.x).toBeGreaterThanOrEqual(0);
    expect(one.x + one.w).toBeLessThanOrEqual(24);
    for (const other of tiles.slice(index + 1)) {
      const isApart =
        one.x + one.w <= other.x ||
        other.x + other.w <= one.x ||
        one.y + one.h <= other.y ||
        other.y + other.h <= one.y;
      expect(isApart).toBe(true);
    }
  }
}

describe('layout of tiles', () => {
  it('has no overlap, whatever was stored', () => {
    fc.assert(
      fc.property(anyTiles, (tiles) => {
        const made = settled(tiles);
        isSound(made);
        expect(made.map(({ id }) => id)).toEqual(tiles.map(({ id }) => id));
        expect(settled(made)).toEqual(made);
      }),
    );
  });

  it('stays sound after any move and any size', () => {
    fc.assert(
      fc.property(anyTiles, fc.nat(), fc.integer(), fc.nat(90), (tiles, pick, x, y) => {
        const made = settled(tiles);
        const tile = made[pick % made.length]!;
        isSound(moved(made, tile, x, y));
        isSound(resized(made, tile, x, y));
        isSound(stepped(made, tile, (['left', 'right', 'up', 'down'] as const)[pick % 4]!));
      }),
    );
  });

  const pair = [box('a', 0, 0, 12, 4), box('b', 0, 4, 12, 4)];

  it('moves past the tile below and back', () => {
    const down = stepped(pair, pair[0]!, 'down');
    expect([at(down, 'a').y, at(down, 'b').y]).toEqual([4, 0]);
    const up = stepped(down, at(down, 'a'), 'up');
    expect([at(up, 'a').y, at(up, 'b').y]).toEqual([0, 4]);
  });

  it('moves by a column, not past the edge', () => {
    expect(at(stepped(pair, pair[0]!, 'right'), 'a').x).toBe(1);
    expect(at(stepped(pair, pair[0]!, 'left'), 'a').x).toBe(0);
  });

  it('pushes the tile below when one grows', () => {
    const grown = resized(pair, pair[0]!, 12, 9);
    expect(at(grown, 'b').y).toBe(9);
    expect(bottomOf(grown)).toBe(13);
  });

  it('keeps its place when it grows over a smaller tile beside it', () => {
    const beside = [box('a', 0, 0, 12, 4), box('b', 12, 0, 6, 3)];
    const grown = resized(beside, beside[0]!, 18, 5);
    expect(at(grown, 'a')).toEqual(box('a', 0, 0, 18, 5));
    expect(at(grown, 'b').y).toBe(5);
  });

  it('leaves tiles beside it alone', () => {
    const beside = [...pair, box('c', 12, 0, 12, 2)];
    expect(at(moved(beside, beside[0]!, 0, 9), 'c')).toEqual(box('c', 12, 0, 12, 2));
  });
});
