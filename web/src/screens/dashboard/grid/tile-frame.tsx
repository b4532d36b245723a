import { memo, useId, useMemo, useRef, useState, type RefObject } from 'react';
import type { Alert } from '../../../api/queries/alerts.ts';
import type { DashboardFilter, Tile } from '../../../api/queries/dashboards.ts';
import { AsTable } from '../../../tiles/as-table.tsx';
import { isOfValues } from '../../../tiles/model/requests.ts';
import { useScene } from '../../../tiles/scene.ts';
import { TileContent } from '../../../tiles/tile-content.tsx';
import { useFormat } from '../../../tiles/use-format.ts';
import { alerted } from '../alerts/alerted.ts';
import { TileBell } from '../alerts/tile-bell.tsx';
import type { TileActions } from './tile-actions.ts';
import { TileMenu } from './tile-menu.tsx';
import { useNearness } from './use-nearness.ts';
import styles from './grid.module.css';

interface TileFrameProps {
  tile: Tile;
  /** Its alerts, by urgency. */
  alerts: readonly Alert[];
  scroll: RefObject<HTMLElement | null>;
  /** Chosen filters that do not apply to the tile. */
  strangers: readonly DashboardFilter[];
  /** Its name in the URL, if that is not its id. */
  address?: string;
  /** What else the title says. */
  note?: string | undefined;
  onOpen(address: string): void;
  editing?: TileActions;
}

/** A tile with its title and its actions. */
export const TileFrame = memo((props: TileFrameProps) => {
  const { tile, alerts, scroll, strangers, address = tile.id, note, onOpen, editing } = props;
  const frame = useRef<HTMLElement>(null);
  const nearness = useNearness(frame, scroll);
  const id = useId();
  const [isTableOpen, setTableOpen] = useState(false);
  const { name } = tile;
  const { span } = useScene();
  const { config, thresholds } = useMemo(
    () => alerted(tile.config, alerts, span),
    [tile.config, alerts, span],
  );
  const format = useFormat(isOfValues(config) ? config.numberFormat : undefined);
  const title = name === '' ? 'Untitled' : name;
  return (
    <section
      ref={frame}
      className={styles.tile}
      aria-labelledby={id}
      data-kind={config.displayType}
    >
      <header
        className={styles.tileHead}
        data-handle={editing ? true : undefined}
        onPointerDown={(event) => {
          const isControl = event.target instanceof Element && event.target.closest('a, button');
          if (!isControl) {
            editing?.onDragStart(event, tile, 'move');
          }
        }}
      >
        <h2 id={id} className={name === '' ? styles.untitled : undefined} title={name}>
          {title}
        </h2>
        <TileBell alerts={alerts} format={format} />
        {strangers.length > 0 && (
          <span className={styles.stranger}>
            not by {strangers.map((filter) => filter.name).join(', ')}
          </span>
        )}
        {note !== undefined && <span className={styles.stranger}>{note}</span>}
        <TileMenu
          tile={tile}
          title={title}
          editing={editing}
          onOpen={() => onOpen(address)}
          onTable={isOfValues(config) ? () => setTableOpen(true) : undefined}
        />
      </header>
      <div className={styles.tileBody}>
        <TileContent name={title} config={config} nearness={nearness} thresholds={thresholds} />
      </div>
      {editing && (
        <div
          aria-hidden
          className={styles.corner}
          onPointerDown={(event) => editing.onDragStart(event, tile, 'resize')}
        />
      )}
      {isTableOpen && isOfValues(config) && (
        <AsTable name={title} config={config} onClose={() => setTableOpen(false)} />
      )}
    </section>
  );
});
