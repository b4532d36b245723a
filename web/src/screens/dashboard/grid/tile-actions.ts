import type { PointerEvent } from 'react';
import type { Tile } from '../../../api/queries/dashboards.ts';
import type { DragKind } from './use-drag.ts';

/** What can be done with a tile that is being arranged. */
export interface TileActions {
  onEdit(id: string): void;
  onDuplicate(id: string): void;
  onRemove(id: string): void;
  onDragStart(event: PointerEvent, tile: Tile, kind: DragKind): void;
}
