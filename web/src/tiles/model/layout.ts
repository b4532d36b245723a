/** Place of a tile on a grid of 24 columns. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export const gridColumns = 24;
const heightMax = 100;

const centre = ({ y, h }: Box): number => y + h / 2;

/**
 * The tiles without overlaps and gaps above them: each as high as the tiles above allow. The list
 * keeps its order.
 *
 * @param place where a tile belongs from top to bottom, if not at its centre.
 */
export function settled<T extends Box>(
  tiles: readonly T[],
  place: (tile: T) => number = centre,
): T[] {
  const tops = Array.from({ length: gridColumns }, () => 0);
  const made = new Map<T, T>();
  const fromTop = tiles.toSorted((a, b) => place(a) - place(b) || a.x - b.x);
  for (const tile of fromTop) {
    const w = clamp(tile.w, 1, gridColumns);
    const x = clamp(tile.x, 0, gridColumns - w);
    const y = Math.max(...tops.slice(x, x + w));
    tops.fill(y + tile.h, x, x + w);
    made.set(tile, { ...tile, x, y, w });
  }
  return tiles.map((tile) => made.get(tile) ?? tile);
}

/** Places a tile at a column and row; others make room. */
export function moved<T extends Box>(tiles: readonly T[], tile: T, x: number, y: number): T[] {
  const target = { ...tile, x: clamp(x, 0, gridColumns - tile.w), y };
  const own = centre(target) - 0.25;
  return settled(swapped(tiles, tile, target), (one) => (one === target ? own : centre(one)));
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** Moves a tile by one column, or past the tile above or below. */
export function stepped<T extends Box>(tiles: readonly T[], tile: T, direction: Direction): T[] {
  if (direction === 'left' || direction === 'right') {
    return moved(tiles, tile, tile.x + (direction === 'left' ? -1 : 1), tile.y);
  }
  const isUp = direction === 'up';
  const beyond = tiles
    .filter((one) => one !== tile && one.x < tile.x + tile.w && tile.x < one.x + one.w)
    .filter((one) => (isUp ? one.y < tile.y : one.y > tile.y))
    .toSorted((a, b) => (isUp ? b.y - a.y : a.y - b.y))[0];
  if (!beyond) {
    return [...tiles];
  }
  const own = centre(beyond) + (isUp ? -0.25 : 0.25);
  return settled(tiles, (one) => (one === tile ? own : centre(one)));
}

/** Gives a tile another size; tiles below make room. */
export function resized<T extends Box>(tiles: readonly T[], tile: T, w: number, h: number): T[] {
  const target = {
    ...tile,
    w: clamp(w, 1, gridColumns - tile.x),
    h: clamp(h, 1, heightMax),
  };
  // By its upper edge: it keeps its place, and those that it runs into go below it.
  return settled(swapped(tiles, tile, target), (one) => (one === target ? tile.y : centre(one)));
}

/** The first row below all tiles. */
export const bottomOf = (tiles: readonly Box[]): number =>
  Math.max(0, ...tiles.map(({ y, h }) => y + h));

const swapped = <T>(tiles: readonly T[], one: T, other: T): T[] =>
  tiles.map((tile) => (tile === one ? other : tile));

const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(Math.round(value), low), Math.max(low, high));
