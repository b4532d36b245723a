import type { Dashboard, Tile } from '../../../api/queries/dashboards.ts';
import type { SavedSearch } from '../../../api/queries/saved-searches.ts';
import { groupsOf, isOfValues } from '../../../tiles/model/requests.ts';
import { formatCount } from '../../../view/number-format.ts';
import { formatValue } from '../../../view/value-format.ts';
import type { AlertDraft } from './draft.ts';
import type { Lists } from './use-lists.ts';

/** The object that an alert evaluates. */
export interface Watched {
  search?: SavedSearch | undefined;
  dashboard?: Dashboard | undefined;
  tile?: Tile | undefined;
  /** Source of its rows. */
  sourceId: string | undefined;
  /** Name of the alert if the person enters none. */
  name: string;
  /** Groups of the tile. The alert has them unless it names its own. */
  ownGroups: string;
  format(value: number): string;
}

/** The part of a draft that names the object. */
type Subject = Pick<AlertDraft, 'source' | 'savedSearchId' | 'dashboardId' | 'tileId'>;

export function watchedOf(draft: Subject, lists: Lists): Watched {
  if (draft.source === 'search') {
    const search = lists.searches.find(({ id }) => id === draft.savedSearchId);
    const name = search?.name ?? '';
    return { search, sourceId: search?.sourceId, name, ownGroups: '', format: formatCount };
  }
  const dashboard = lists.dashboards.find(({ id }) => id === draft.dashboardId);
  const tile = dashboard?.tiles.find(({ id }) => id === draft.tileId);
  const config = tile?.config;
  const isValues = config !== undefined && isOfValues(config);
  const format = isValues ? config.numberFormat : undefined;
  return {
    dashboard,
    tile,
    sourceId: config && 'sourceId' in config ? config.sourceId : undefined,
    name: tile ? titleOf(tile) : '',
    ownGroups: isValues ? groupsOf(config).join(', ') : '',
    format: (value) => (format ? formatValue(value, format) : formatCount(value)),
  };
}

export const titleOf = ({ name }: Pick<Tile, 'name'>): string => (name === '' ? 'Untitled' : name);

/** Tiles that have a value to evaluate: all but text. */
export const tilesToWatch = ({ tiles }: Dashboard): Tile[] =>
  tiles.filter(({ config }) => config.displayType !== 'markdown');

/** `Failed payments`, or `Orders of Shop` for a tile. */
export function watchedText(draft: AlertDraft, lists: Lists): string {
  const { search, dashboard, tile } = watchedOf(draft, lists);
  if (draft.source === 'search') {
    return search?.name ?? draft.savedSearchId ?? '';
  }
  return `${tile ? titleOf(tile) : (draft.tileId ?? '')} of ${dashboard?.name ?? draft.dashboardId ?? ''}`;
}
