import { useRef, type KeyboardEvent } from 'react';
import type { DashboardFilter, Tile } from '../../../api/queries/dashboards.ts';
import type { Direction } from '../../../tiles/model/layout.ts';
import { noAlerts, type TileAlerts } from '../alerts/use-tile-alerts.ts';
import { growTile, stepTile } from '../edit/edits.ts';
import { copyTile } from './copy-tile.ts';
import type { TileActions } from './tile-actions.ts';
import { TileFrame } from './tile-frame.tsx';
import { useDrag } from './use-drag.ts';
import styles from './grid.module.css';

interface EditGridProps {
  tiles: readonly Tile[];
  filters: readonly DashboardFilter[];
  alerts: TileAlerts;
  actions: Omit<TileActions, 'onDragStart'>;
  onTiles(change: (before: Tile[]) => Tile[]): void;
}

const directions: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/**
 * The tiles while they are arranged. They keep their order in the document, so that the focus and
 * the pointer keep their tile.
 */
export function EditGrid({ tiles, filters, alerts, actions, onTiles }: EditGridProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const drag = useDrag(grid, tiles, (next) => onTiles(() => next));
  const onKeyDown = (event: KeyboardEvent, tile: Tile): void => {
    // Keys of a control within the tile are its own.
    if (event.target !== event.currentTarget) {
      return;
    }
    const direction = directions[event.key];
    const { id } = tile;
    if (direction) {
      event.preventDefault();
      onTiles(event.shiftKey ? growTile(id, direction) : stepTile(id, direction));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      actions.onEdit(id);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      actions.onRemove(id);
    } else if (event.key === 'c' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void copyTile(tile);
    } else if (event.key === 'd' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      actions.onDuplicate(id);
    }
  };
  return (
    <div ref={scroll} className={styles.scroll}>
      <div ref={grid} className={styles.grid} data-editing>
        {drag.shown.map((tile) => (
          <div
            key={tile.id}
            role="group"
            tabIndex={0}
            aria-roledescription="movable tile"
            aria-label={`${tile.name === '' ? 'Untitled' : tile.name}: column ${tile.x + 1}, row ${
              tile.y + 1
            }, ${tile.w} wide, ${tile.h} high`}
            data-tile={tile.id}
            data-dragged={tile.id === drag.draggedId || undefined}
            className={styles.place}
            style={{
              gridColumn: `${tile.x + 1} / span ${tile.w}`,
              gridRow: `${tile.y + 1} / span ${tile.h}`,
            }}
            onKeyDown={(event) => onKeyDown(event, tile)}
          >
            <TileFrame
              tile={tile}
              alerts={alerts.get(tile.id) ?? noAlerts}
              scroll={scroll}
              strangers={noStrangers}
              note={repetitionOf(tile, filters)}
              onOpen={actions.onEdit}
              editing={{
                ...actions,
                onDragStart: drag.start,
              }}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

const noStrangers: readonly DashboardFilter[] = [];

/** Copies are shown to viewers only: here they could not be told from tiles. */
function repetitionOf({ repeatBy }: Tile, filters: readonly DashboardFilter[]): string | undefined {
  const filter = filters.find(({ id }) => id !== undefined && id === repeatBy);
  return filter && `for each ${filter.name}`;
}
