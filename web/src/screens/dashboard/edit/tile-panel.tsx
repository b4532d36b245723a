import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { DashboardFilter, Tile } from '../../../api/queries/dashboards.ts';
import { IconButton } from '../../../kit/button.tsx';
import { TileForm } from '../../../tiles/form/tile-form.tsx';
import styles from './edit.module.css';

interface TilePanelProps {
  tile: Tile;
  /** What the tile can be repeated for. */
  filters: readonly DashboardFilter[];
  onChange(tile: Tile): void;
  onClose(): void;
}

/** The editor of a tile, beside the dashboard. */
export function TilePanel({ tile, filters, onChange, onClose }: TilePanelProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.querySelector('input')?.focus(), [tile.id]);
  const close = (): void => {
    onClose();
    document.querySelector<HTMLElement>(`[data-tile="${tile.id}"]`)?.focus();
  };
  return (
    <aside
      ref={panel}
      className={styles.panel}
      aria-label="Tile"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) {
          close();
        }
      }}
    >
      <div className={styles.panelHead}>
        <h2>Tile</h2>
        <IconButton label="Close the tile" size="small" onClick={close}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
      <div className={styles.panelBody}>
        <TileForm key={tile.id} tile={tile} filters={filters} onChange={onChange} />
      </div>
    </aside>
  );
}
