import type { Tile } from '../../../api/queries/dashboards.ts';
import { withoutId } from '../../../tiles/exchange/export.ts';
import {
  bottomOf,
  gridColumns,
  resized,
  settled,
  stepped,
  type Direction,
} from '../../../tiles/model/layout.ts';
import { freshId } from './use-draft.ts';

/** Changes of the tiles of a draft. */

type Change = (tiles: Tile[]) => Tile[];

const withTile =
  (id: string, change: (tiles: Tile[], tile: Tile) => Tile[]): Change =>
  (tiles) => {
    const tile = tiles.find((one) => one.id === id);
    return tile ? change(tiles, tile) : tiles;
  };

export const stepTile = (id: string, direction: Direction): Change =>
  withTile(id, (tiles, tile) => stepped(tiles, tile, direction));

const growth: Record<Direction, [w: number, h: number]> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};

export const growTile = (id: string, direction: Direction): Change =>
  withTile(id, (tiles, tile) => {
    const [w, h] = growth[direction];
    return resized(tiles, tile, tile.w + w, tile.h + h);
  });

export const removeTile =
  (id: string): Change =>
  (tiles) =>
    settled(tiles.filter((tile) => tile.id !== id));

export const replaceTile =
  (changed: Tile): Change =>
  (tiles) =>
    tiles.map((tile) => (tile.id === changed.id ? changed : tile));

/** The tile once more: beside it if there is room, or else below. */
export const duplicateTile = (id: string, copyId: string): Change =>
  withTile(id, (tiles, tile) => {
    const right = tile.x + tile.w;
    const isBeside = right + tile.w <= gridColumns;
    const copy = {
      ...structuredClone(tile),
      id: copyId,
      x: isBeside ? right : tile.x,
      y: isBeside ? tile.y + 0.1 : tile.y + tile.h,
    };
    return settled([...tiles, copy]);
  });

/** Tiles of another place, below all others, in the arrangement that they had. */
export function pasteTiles(pasted: readonly Omit<Tile, 'id'>[]): Change {
  const arranged = settled(pasted.map((tile) => ({ ...tile, id: freshId() })));
  return (tiles) => {
    const bottom = bottomOf(tiles);
    return settled([...tiles, ...arranged.map((tile) => ({ ...tile, y: tile.y + bottom }))]);
  };
}

/** Tiles of a text that was copied here or elsewhere; undefined if it has none. */
export function tilesOfText(text: string): Omit<Tile, 'id'>[] | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    const list = Array.isArray(value) ? (value as unknown[]) : [value];
    const tiles = list.filter(isTile);
    return tiles.length > 0 && tiles.length === list.length ? tiles.map(withoutId) : undefined;
  } catch {
    return undefined;
  }
}

function isTile(value: unknown): value is Tile {
  const tile = value as Partial<Tile> | null;
  const place = [tile?.x, tile?.y, tile?.w, tile?.h];
  return place.every(Number.isInteger) && typeof tile?.config?.displayType === 'string';
}
