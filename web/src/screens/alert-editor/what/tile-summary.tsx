import { Link } from '@tanstack/react-router';
import type { Dashboard, Tile } from '../../../api/queries/dashboards.ts';
import { kindNames } from '../../../tiles/form/new-tile.ts';
import { valueNames } from '../../../tiles/model/merge.ts';
import { groupsOf, isOfValues } from '../../../tiles/model/requests.ts';
import styles from '../alert-editor.module.css';

/** Kind, value and groups of a tile. */
export function TileSummary({ dashboard, tile }: { dashboard: Dashboard; tile: Tile }) {
  const { config } = tile;
  const isValues = isOfValues(config);
  const groups = isValues ? groupsOf(config) : [];
  return (
    <div className={styles.summary}>
      <dl>
        <dt>Kind</dt>
        <dd>{kindNames[config.displayType]}</dd>
        <dt>Value</dt>
        <dd>{isValues ? decidingValue(valueNames(config)) : 'Count of its rows'}</dd>
        {groups.length > 0 && (
          <>
            <dt>Groups</dt>
            <dd>{groups.join(', ')}</dd>
          </>
        )}
      </dl>
      <Link to="/dashboards/$id" params={{ id: dashboard.id }} search={{ tile: tile.id }}>
        Open the dashboard
      </Link>
    </div>
  );
}

function decidingValue(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${last} (the last of ${names.length})` : last;
}
