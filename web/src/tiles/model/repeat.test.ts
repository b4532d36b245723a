import { describe, expect, it } from 'vitest';
import { repeated, type Repeatable } from './repeat.ts';

const tile = (
  id: string,
  place: [number, number, number, number],
  repeatBy?: string,
): Repeatable => {
  const [x, y, w, h] = place;
  return { id, name: id, x, y, w, h, ...(repeatBy !== undefined && { repeatBy }) };
};
const values: Record<string, string[]> = { region: ['eu', 'us', ''], nothing: [] };
const placesOf = (tiles: readonly Repeatable[]) =>
  repeated(tiles, ({ repeatBy }) => (repeatBy === undefined ? undefined : values[repeatBy])).map(
    ({ tile: { name, x, y }, value }) => [name, x, y, value],
  );

describe('tiles that repeat', () => {
  it('are side by side, then below, and move the tiles underneath', () => {
    const tiles = [
      tile('Head', [0, 0, 24, 1]),
      tile('Rate', [0, 1, 12, 4], 'region'),
      tile('Foot', [0, 5, 24, 2]),
    ];
    expect(placesOf(tiles)).toEqual([
      ['Head', 0, 0, undefined],
      ['Rate · eu', 0, 1, 'eu'],
      ['Rate · us', 12, 1, 'us'],
      ['Rate · (empty)', 0, 5, ''],
      ['Foot', 0, 9, undefined],
    ]);
  });

  it('stay at their left edge', () => {
    expect(placesOf([tile('A', [0, 0, 8, 2]), tile('B', [8, 0, 16, 2], 'region')])).toEqual([
      ['A', 0, 0, undefined],
      ['B · eu', 8, 0, 'eu'],
      ['B · us', 8, 2, 'us'],
      ['B · (empty)', 8, 4, ''],
    ]);
  });

  it.each(['nothing', 'gone'])('are shown once if the filter has no values: %s', (filter) => {
    expect(placesOf([tile('A', [0, 0, 8, 2], filter)])).toEqual([['A', 0, 0, undefined]]);
  });

  it('are at most 24 copies', () => {
    const many = Array.from({ length: 30 }, (_, index) => String(index));
    expect(repeated([tile('A', [0, 0, 8, 2], 'many')], () => many)).toHaveLength(24);
  });
});
