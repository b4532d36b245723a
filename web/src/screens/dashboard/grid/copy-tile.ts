import type { Tile } from '../../../api/queries/dashboards.ts';
import { copy } from '../../../kit/state.tsx';
import { withoutId } from '../../../tiles/exchange/export.ts';

/** Copies a tile, for this or another dashboard. */
export const copyTile = (tile: Tile): Promise<void> =>
  copy(JSON.stringify(withoutId(tile), undefined, 2), 'Tile');
