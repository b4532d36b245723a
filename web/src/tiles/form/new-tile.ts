import type { Tile } from '../../api/queries/dashboards.ts';
import type { TileConfig, TileKind } from '../model/requests.ts';

/** Kinds of tiles, as people call them. */
export const kindNames = {
  line: 'Lines over time',
  stacked_bar: 'Stacked bars over time',
  number: 'Number',
  table: 'Table',
  pie: 'Pie',
  search: 'Rows of a search',
  markdown: 'Text',
} as const satisfies Record<TileKind, string>;
export type TileKindName = keyof typeof kindNames;

const sizes: Record<TileKindName, [w: number, h: number]> = {
  line: [12, 4],
  stacked_bar: [12, 4],
  number: [6, 3],
  table: [12, 5],
  pie: [8, 4],
  search: [24, 5],
  markdown: [8, 3],
};

/** A tile that shows something at once: how many rows there are. */
export function newTile(kind: TileKindName, sourceId: string | undefined): Omit<Tile, 'id'> {
  const [w, h] = sizes[kind];
  return { name: '', x: 0, y: 0, w, h, config: ofKind(kind, sourceId ?? '', undefined) };
}

/** The configuration as another kind: what both kinds have is kept. */
export function ofKind(
  kind: TileKindName,
  sourceId: string,
  before: TileConfig | undefined,
): TileConfig {
  if (kind === 'markdown') {
    return { displayType: kind, markdown: 'Write **Markdown** here.' };
  }
  const own = before && 'sourceId' in before ? before.sourceId : sourceId;
  if (kind === 'search') {
    return { displayType: kind, sourceId: own };
  }
  if (before && 'sourceId' in before && before.displayType !== 'search') {
    return { ...before, displayType: kind };
  }
  return { displayType: kind, sourceId: own, select: [{ aggFn: 'count' }] };
}
