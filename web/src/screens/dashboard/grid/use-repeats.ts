import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import type { DashboardFilter, Tile } from '../../../api/queries/dashboards.ts';
import { sourcesQuery } from '../../../api/queries/sources.ts';
import type { Schemas } from '../../../api/client.ts';
import { repeated } from '../../../tiles/model/repeat.ts';
import type { Conditions } from '../conditions.ts';
import { filterValuesQuery, type FilteredDashboard } from '../filters/values.ts';
import { valuesOf, type DashboardModel } from '../model.ts';

/** A tile where it is shown. */
export interface ShownTile {
  key: string;
  tile: Tile;
  /** The condition of a copy. */
  only?: Schemas['Filter'];
}

/** The tiles, those that repeat once for each chosen value, or for each value if none is chosen. */
export function useRepeats(
  model: DashboardModel,
  dashboard: FilteredDashboard,
  { fits }: Conditions,
): ShownTile[] {
  const { tiles, filters } = dashboard;
  const { data: sources } = useQuery(sourcesQuery);
  const used = filters.filter(
    ({ id }) => id !== undefined && tiles.some(({ repeatBy }) => repeatBy === id),
  );
  const asked = used.filter((filter) => valuesOf(model.params, filter).length === 0);
  const found = useQueries({
    queries: asked.map((filter) =>
      filterValuesQuery({ model, dashboard, filter, search: '' }, sources),
    ),
    combine: (results) => results.map(({ data }) => data?.map(({ value }) => value)),
  });
  // Each refresh asks again: until then, the copies stay.
  const last = useRef(new Map<DashboardFilter, readonly string[]>());
  asked.forEach((filter, index) => {
    const values = found[index];
    if (values) {
      last.current.set(filter, values);
    }
  });
  const values = used.map((filter) => {
    const chosen = valuesOf(model.params, filter);
    return chosen.length > 0 ? chosen : (last.current.get(filter) ?? []);
  });
  return useMemo(
    () => shownTiles(tiles, used, values, fits),
    [tiles, filters, JSON.stringify(values), fits],
  );
}

function shownTiles(
  tiles: readonly Tile[],
  filters: readonly DashboardFilter[],
  values: readonly (readonly string[])[],
  fits: Conditions['fits'],
): ShownTile[] {
  const indexOf = ({ repeatBy, config }: Tile): number =>
    filters.findIndex(
      (filter) => repeatBy === filter.id && 'sourceId' in config && fits(filter, config.sourceId),
    );
  const shown = repeated(tiles, (tile) =>
    tile.repeatBy === undefined ? undefined : values[indexOf(tile)],
  );
  return shown.map(({ value, ...one }) => {
    const filter = filters[indexOf(one.tile)];
    return filter && value !== undefined ? { ...one, only: conditionOf(filter, value) } : one;
  });
}

const conditionOf = ({ expression }: DashboardFilter, value: string): Schemas['Filter'] => ({
  type: 'field',
  field: expression,
  op: 'is',
  values: [value],
});
