import { gridColumns, settled, type Box } from './layout.ts';

/** A tile that may be shown once for each value of a filter. */
export interface Repeatable extends Box {
  id: string;
  name: string;
  repeatBy?: string;
}

/** A tile where it is shown. `value`: the copy for this value alone. */
export interface Shown<T> {
  key: string;
  tile: T;
  value?: string;
}

const copiesMax = 24;

/**
 * The tiles with those that repeat once for each value, side by side and then in rows below. The
 * tiles underneath move down.
 *
 * @param valuesOf values of a filter by its id; undefined: there is no such filter
 */
export function repeated<T extends Repeatable>(
  tiles: readonly T[],
  valuesOf: (tile: T) => readonly string[] | undefined,
): Shown<T>[] {
  const placed = settled(tiles);
  const groups = placed.map((tile) => copiesOf(tile, valuesOf(tile)));
  const moved = groups.flatMap((copies, index) => {
    const own = placed[index];
    const above = groups.filter((_, at) => isAbove(placed[at], own));
    const rows = above.reduce((sum, group) => sum + addedRows(group), 0);
    return copies.map((copy) => ({ ...copy, tile: { ...copy.tile, y: copy.tile.y + rows } }));
  });
  const places = settled(moved.map(({ tile }) => tile));
  return moved.map((one, index) => ({ ...one, tile: places[index] ?? one.tile }));
}

function copiesOf<T extends Repeatable>(
  tile: T,
  values: readonly string[] | undefined,
): Shown<T>[] {
  if (values === undefined || values.length === 0) {
    return [{ key: tile.id, tile }];
  }
  const columns = Math.max(1, Math.floor((gridColumns - tile.x) / tile.w));
  return values.slice(0, copiesMax).map((value, index) => ({
    key: `${tile.id} ${value}`,
    value,
    tile: {
      ...tile,
      name: [tile.name, value === '' ? '(empty)' : value].filter(Boolean).join(' · '),
      x: tile.x + (index % columns) * tile.w,
      y: tile.y + Math.floor(index / columns) * tile.h,
    },
  }));
}

const isAbove = (one: Box | undefined, other: Box | undefined): boolean =>
  one !== undefined && other !== undefined && one.y + one.h <= other.y;

/** Rows that the copies of a tile take beyond its own. */
function addedRows<T extends Box>(copies: readonly Shown<T>[]): number {
  const [first, last] = [copies[0], copies.at(-1)];
  return first && last ? last.tile.y - first.tile.y : 0;
}
