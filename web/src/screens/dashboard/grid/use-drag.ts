import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';
import type { Tile } from '../../../api/queries/dashboards.ts';
import { gridColumns, moved, resized } from '../../../tiles/model/layout.ts';

export type DragKind = 'move' | 'resize';

interface Drag {
  kind: DragKind;
  tile: Tile;
  fromX: number;
  fromY: number;
}

export interface Dragging {
  /** The tiles as they would be if the pointer were let go now. */
  shown: readonly Tile[];
  /** The tile that follows the pointer. */
  draggedId: string | undefined;
  start(event: PointerEvent, tile: Tile, kind: DragKind): void;
}

/** Moves and resizes tiles with the pointer. Escape takes it back. */
export function useDrag(
  grid: RefObject<HTMLElement | null>,
  tiles: readonly Tile[],
  onTiles: (tiles: Tile[]) => void,
): Dragging {
  const [drag, setDrag] = useState<Drag>();
  const [preview, setPreview] = useState<Tile[]>();
  const commit = useRef(onTiles);
  commit.current = onTiles;
  useEffect(() => {
    if (!drag) {
      return undefined;
    }
    const end = (): void => {
      setDrag(undefined);
      setPreview(undefined);
    };
    const onMove = (event: globalThis.PointerEvent): void =>
      setPreview(arranged(tiles, drag, event, grid.current));
    const onUp = (event: globalThis.PointerEvent): void => {
      // What the last move showed may not be painted yet: the pointer itself says where it is.
      const next = arranged(tiles, drag, event, grid.current);
      if (next) {
        commit.current(next);
      }
      end();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') {
        end();
      }
    };
    window.addEventListener('pointermove', onMove);
    window.addEventListener('pointerup', onUp);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerup', onUp);
      window.removeEventListener('keydown', onKey);
    };
  }, [drag, grid, tiles]);
  return {
    shown: preview ?? tiles,
    draggedId: drag?.tile.id,
    start(event, tile, kind) {
      if (event.button === 0) {
        event.preventDefault();
        setDrag({ kind, tile, fromX: event.clientX, fromY: event.clientY });
      }
    },
  };
}

/** The tiles with the pointer where it is now; undefined: it has not left its cell. */
function arranged(
  tiles: readonly Tile[],
  { kind, tile, fromX, fromY }: Drag,
  { clientX, clientY }: globalThis.PointerEvent,
  grid: HTMLElement | null,
): Tile[] | undefined {
  const cell = cellOf(grid);
  const columns = Math.round((clientX - fromX) / cell.width);
  const rows = Math.round((clientY - fromY) / cell.height);
  if (columns === 0 && rows === 0) {
    return undefined;
  }
  return kind === 'move'
    ? moved(tiles, tile, tile.x + columns, tile.y + rows)
    : resized(tiles, tile, tile.w + columns, tile.h + rows);
}

/** Size of a cell of the grid with its gap, in pixels. */
function cellOf(grid: HTMLElement | null): { width: number; height: number } {
  if (!grid) {
    return { width: 1, height: 1 };
  }
  const { columnGap, gridAutoRows } = getComputedStyle(grid);
  const gap = Number.parseFloat(columnGap) || 0;
  return {
    width: (grid.clientWidth + gap) / gridColumns,
    height: (Number.parseFloat(gridAutoRows) || 1) + gap,
  };
}
