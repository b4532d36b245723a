import { lazy } from 'react';
import { Late } from '../kit/late.tsx';
import { isOfValues, type TileConfig } from './model/requests.ts';
import { RowsTile } from './rows-tile.tsx';
import type { Nearness } from './use-tile-query.ts';
import { ValueTile } from './value-tiles.tsx';
import styles from './tiles.module.css';

const MarkdownTile = lazy(() => import('./markdown-tile.tsx'));

interface TileContentProps {
  name: string;
  config: TileConfig;
  nearness: Nearness;
  thresholds?: readonly number[];
}

/** What a tile shows, of whatever kind it is. */
export function TileContent({ name, config, nearness, thresholds }: TileContentProps) {
  if (isOfValues(config)) {
    return (
      <ValueTile
        name={name}
        config={config}
        nearness={nearness}
        {...(thresholds && { thresholds })}
      />
    );
  }
  if (config.displayType === 'search') {
    return <RowsTile name={name} config={config} nearness={nearness} />;
  }
  const plain = (
    <div className={styles.plainText} role="group" aria-label="Text" tabIndex={0}>
      {config.markdown}
    </div>
  );
  return (
    <Late plain={plain} meanwhile={null}>
      <MarkdownTile text={config.markdown} />
    </Late>
  );
}
