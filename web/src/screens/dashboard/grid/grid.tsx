import { useRef } from 'react';
import type { DashboardFilter } from '../../../api/queries/dashboards.ts';
import { Narrowed } from '../../../tiles/narrowed.tsx';
import { noAlerts, type TileAlerts } from '../alerts/use-tile-alerts.ts';
import { TileFrame } from './tile-frame.tsx';
import type { ShownTile } from './use-repeats.ts';
import styles from './grid.module.css';

interface GridProps {
  shown: readonly ShownTile[];
  alerts: TileAlerts;
  strangersOf(sourceId: string): readonly DashboardFilter[];
  onOpen(id: string): void;
}

/** The tiles at their places, from top to bottom in the document, too. */
export function Grid({ shown, alerts, strangersOf, onOpen }: GridProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const fromTop = shown.toSorted(({ tile: a }, { tile: b }) => a.y - b.y || a.x - b.x);
  return (
    <div ref={scroll} className={styles.scroll} data-tiles>
      <div className={styles.grid}>
        {fromTop.map(({ key, tile, only }) => (
          <div
            key={key}
            className={styles.place}
            style={{
              gridColumn: `${tile.x + 1} / span ${tile.w}`,
              gridRow: `${tile.y + 1} / span ${tile.h}`,
              ['--rows' as string]: tile.h,
            }}
          >
            <Narrowed only={only}>
              <TileFrame
                tile={tile}
                alerts={alerts.get(tile.id) ?? noAlerts}
                scroll={scroll}
                strangers={
                  'sourceId' in tile.config ? strangersOf(tile.config.sourceId) : noStrangers
                }
                address={key}
                onOpen={onOpen}
              />
            </Narrowed>
          </div>
        ))}
      </div>
    </div>
  );
}

const noStrangers: readonly DashboardFilter[] = [];
