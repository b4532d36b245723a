import type { Dashboard, DashboardInput } from '../../api/queries/dashboards.ts';
import type { Source } from '../../api/queries/sources.ts';

/** A dashboard as a file. `sources` names the sources, whose ids mean nothing on another server. */
export interface DashboardFile {
  sightline: 'dashboard';
  dashboard: DashboardInput;
  sources: { id: string; name: string; kind: string }[];
}

export function exportedDashboard(
  dashboard: Dashboard,
  sources: readonly Pick<Source, 'id' | 'name' | 'kind'>[],
): DashboardFile {
  const input = inputOf(dashboard);
  const used = new Set(sourceIdsOf(input));
  return {
    sightline: 'dashboard',
    dashboard: input,
    sources: sources
      .filter(({ id }) => used.has(id))
      .map(({ id, name, kind }) => ({ id, name, kind })),
  };
}

/** A dashboard as the API takes it, with tiles of no identity. */
export function inputOf({ name, tiles, tags, filters, ...rest }: Dashboard): DashboardInput {
  return {
    name,
    tiles: tiles.map(withoutId),
    tags,
    filters,
    savedQuery: rest.savedQuery,
    savedQueryLanguage: rest.savedQueryLanguage,
  };
}

/** A tile of no identity, for another dashboard. */
export function withoutId<T extends { id: string }>(tile: T): Omit<T, 'id'> {
  const { id: _, ...rest } = tile;
  return rest;
}

/** Sources that tiles and filters refer to, each once. */
export function sourceIdsOf({ tiles = [], filters = [] }: Partial<DashboardInput>): string[] {
  const ofTiles = tiles.flatMap(({ config }) => ('sourceId' in config ? [config.sourceId] : []));
  return [...new Set([...ofTiles, ...filters.map(({ sourceId }) => sourceId)])];
}

/** The dashboard with other sources; an id without an entry stays. */
export function withSources(
  input: DashboardInput,
  byId: Readonly<Record<string, string>>,
): DashboardInput {
  const own = (id: string): string => byId[id] ?? id;
  return {
    ...input,
    tiles: (input.tiles ?? []).map((tile) =>
      'sourceId' in tile.config
        ? { ...tile, config: { ...tile.config, sourceId: own(tile.config.sourceId) } }
        : tile,
    ),
    filters: (input.filters ?? []).map((filter) => ({
      ...filter,
      sourceId: own(filter.sourceId),
    })),
  };
}
