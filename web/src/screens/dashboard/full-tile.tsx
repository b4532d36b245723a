import { useMemo } from 'react';
import type { Alert } from '../../api/queries/alerts.ts';
import type { Tile } from '../../api/queries/dashboards.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { useScene } from '../../tiles/scene.ts';
import { TileContent } from '../../tiles/tile-content.tsx';
import { alerted } from './alerts/alerted.ts';
import styles from './dashboard.module.css';

interface FullTileProps {
  tile: Tile;
  alerts: readonly Alert[];
  onClose(): void;
}

const inView = { isNear: true, isVisible: () => true };

/** One tile over the whole window. */
export function FullTile({ tile, alerts, onClose }: FullTileProps) {
  const { span } = useScene();
  const { config, thresholds } = useMemo(
    () => alerted(tile.config, alerts, span),
    [tile.config, alerts, span],
  );
  const title = tile.name === '' ? 'Untitled' : tile.name;
  return (
    <Dialog title={title} look="full" open onOpenChange={onClose}>
      <div className={styles.alone}>
        <TileContent name={title} config={config} nearness={inView} thresholds={thresholds} />
      </div>
    </Dialog>
  );
}
