import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { savedFilter } from '../../api/filters.ts';
import type { Alert } from '../../api/queries/alerts.ts';
import { dashboardQuery, type Dashboard } from '../../api/queries/dashboards.ts';
import { savedSearchesQuery, type SavedSearch } from '../../api/queries/saved-searches.ts';
import { sourcesQuery, type Source } from '../../api/queries/sources.ts';
import { groupFieldsOf, isOfValues, type ValueConfig } from '../../tiles/model/requests.ts';
import { searchOfValue } from '../../tiles/model/search-link.ts';
import { writeFilters } from '../../view/filters.ts';
import { splitList } from '../../view/split-list.ts';
import type { Span } from '../../view/time-range.ts';
import { formatValue } from '../../view/value-format.ts';

/** Where the rows of a window are: parameters of the search screen. */
export type RowsSearch = ReturnType<typeof searchOfValue>;

/** What an alert evaluates. */
export interface Subject {
  search?: SavedSearch | undefined;
  tile?: { dashboard: Dashboard; tile: Dashboard['tiles'][number] } | undefined;
  /** It has been read and does not exist any more. */
  isGone: boolean;
  /** What the values are grouped by; empty: there are no groups. */
  groupFields: readonly string[];
  format(value: number): string;
  /** Undefined: metrics have no rows, or the subject is not known. */
  rowsOf(span: Span, group: readonly string[]): RowsSearch;
}

/** The saved search or the tile of an alert. */
export function useSubject(alert: Alert): Subject {
  const { source, savedSearch, dashboard: dashboardId, tileId, groupBy } = alert;
  const isTile = source === 'tile';
  const searches = useQuery({ ...savedSearchesQuery, enabled: !isTile });
  const dashboards = useQuery({
    ...dashboardQuery(dashboardId ?? ''),
    enabled: isTile && dashboardId !== undefined,
  });
  const { data: sources } = useQuery(sourcesQuery);
  const dashboard = dashboards.data?.item;
  return useMemo(() => {
    const search = isTile ? undefined : searches.data?.find(({ id }) => id === savedSearch);
    const tile = dashboard?.tiles.find(({ id }) => id === tileId);
    const known = { search, sources, groupBy: splitList(groupBy ?? '') };
    if (dashboard && tile) {
      return tileSubject({ dashboard, tile }, known);
    }
    const isRead = isTile
      ? dashboards.error !== null || dashboard !== undefined
      : searches.isSuccess;
    return {
      search,
      isGone: isRead && search === undefined,
      groupFields: known.groupBy,
      format: (value) => formatValue(value),
      rowsOf: (span, group) => search && rowsOfSearch(search, known.groupBy, span, group),
    };
  }, [
    isTile,
    searches.data,
    searches.isSuccess,
    dashboard,
    dashboards.error,
    sources,
    savedSearch,
    tileId,
    groupBy,
  ]);
}

interface Known {
  sources: readonly Source[] | undefined;
  /** Of the alert itself. */
  groupBy: readonly string[];
}

function tileSubject(shown: NonNullable<Subject['tile']>, { sources, groupBy }: Known): Subject {
  const { config } = shown.tile;
  if (!isOfValues(config)) {
    return {
      tile: shown,
      isGone: false,
      groupFields: groupBy,
      format: (value) => formatValue(value),
      rowsOf: (span, group) =>
        config.displayType === 'search'
          ? rowsOfSearch(
              { filters: [], where: '', whereLanguage: 'lucene', ...config },
              groupBy,
              span,
              group,
            )
          : undefined,
    };
  }
  const grouped: ValueConfig = groupBy.length > 0 ? { ...config, groupBy: [...groupBy] } : config;
  const kind = sources?.find(({ id }) => id === config.sourceId)?.kind;
  return {
    tile: shown,
    isGone: false,
    groupFields: groupFieldsOf(grouped),
    format: (value) => formatValue(value, config.numberFormat),
    // Of several values the last one decides; of a ratio, the rows of the first value are shown.
    rowsOf: (span, group) =>
      kind &&
      searchOfValue(grouped, kind, {
        series: config.asRatio ? 0 : config.select.length - 1,
        group,
        span,
      }),
  };
}

type Question = Pick<SavedSearch, 'sourceId' | 'where' | 'whereLanguage' | 'filters'>;

function rowsOfSearch(
  { sourceId, where, whereLanguage, filters }: Question,
  groupBy: readonly string[],
  { startMs, endMs }: Span,
  group: readonly string[],
): RowsSearch {
  const ofGroup = groupBy.flatMap((field, index) => {
    const value = group[index];
    return value === undefined ? [] : [{ field, op: 'is' as const, values: [value] }];
  });
  const all = [...filters.map(savedFilter), ...ofGroup];
  return {
    source: sourceId,
    from: startMs,
    to: endMs,
    ...(where !== '' && { q: where }),
    ...(whereLanguage === 'sql' && { lang: 'sql' as const }),
    ...(all.length > 0 && { filters: writeFilters(all) }),
  };
}
