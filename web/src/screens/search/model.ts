import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { isRowSource, sourcesQuery, type RowSource } from '../../api/queries/sources.ts';
import { savedSearchesQuery } from '../../api/queries/saved-searches.ts';
import type { Schemas } from '../../api/client.ts';
import type { Condition } from '../../api/queries/search.ts';
import { readFilters, writeFilters, type Filter } from '../../view/filters.ts';
import { defaultRange, spanOf, type Span, type TimeRange } from '../../view/time-range.ts';
import { usePref } from '../../view/use-pref.ts';
import { compact } from '../../view/url-state.ts';
import { defaultColumns, splitSelect } from './columns.ts';
import type { SearchParams } from './params.ts';

const route = getRouteApi('/inside/search');

/** The question that the screen shows and its parts, read from the URL. */
export interface SearchModel {
  params: SearchParams;
  sources: readonly RowSource[];
  source: RowSource | undefined;
  range: TimeRange;
  /** The range at the time of the last run. */
  span: Span;
  filters: Filter[];
  columns: string[];
  condition: Condition | undefined;
  /** Changes at each run, so that the same question is asked again. */
  runId: number;
  /** Asks again, with relative times moved to now. */
  run(): void;
  /** A new question: Back returns to the last one. */
  ask(changes: Partial<SearchParams>): void;
  /** Another view of the same question. */
  show(changes: Partial<SearchParams>): void;
  setFilters(filters: Filter[]): void;
  setColumns(columns: string[]): void;
  setRange(range: TimeRange): void;
}

/** The model of a team that has something to search. */
export type ReadyModel = SearchModel & { source: RowSource; condition: Condition };

export function useSearchModel(): {
  model: SearchModel;
  isLoading: boolean;
  error: Error | null;
  retry: () => void;
} {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const [runAt, setRunAt] = useState(() => ({ id: 0, nowMs: Date.now() }));
  const [columnsBySource, setColumnsBySource] = usePref('columns');
  const { data: all, error, isPending, refetch } = useQuery(sourcesQuery);
  const sources = useMemo(() => (all ?? []).filter(isRowSource), [all]);
  const source = sources.find(({ id }) => id === params.source) ?? sources[0];

  const change = useCallback(
    (changes: Partial<SearchParams>, replace: boolean) => {
      void navigate({
        search: (before: SearchParams) => compact({ ...before, ...changes }),
        replace,
      });
    },
    [navigate],
  );
  const show = useCallback((changes: Partial<SearchParams>) => change(changes, true), [change]);
  const run = useCallback(() => setRunAt(({ id }) => ({ id: id + 1, nowMs: Date.now() })), []);
  const ask = useCallback(
    (changes: Partial<SearchParams>) => {
      run();
      change({ row: undefined, ...changes }, false);
    },
    [change, run],
  );
  useSavedSearch(params, show);

  const range = useMemo(
    () => ({ from: params.from ?? defaultRange.from, to: params.to ?? defaultRange.to }),
    [params.from, params.to],
  );
  const span = useMemo(() => spanOf(range, runAt.nowMs), [range, runAt]);
  const filters = useMemo(
    () => (params.filters && readFilters(params.filters)) || [],
    [params.filters],
  );
  const condition = useMemo<Condition | undefined>(
    () =>
      source && {
        sourceId: source.id,
        where: params.q ?? '',
        whereLanguage: params.lang ?? 'lucene',
        filters: filters.map(apiFilter),
        startTime: span.startMs,
        endTime: span.endMs,
      },
    [source, params.q, params.lang, filters, span],
  );
  const columns =
    params.cols ?? (source && columnsBySource[source.id]) ?? (source ? defaultColumns(source) : []);

  const model: SearchModel = {
    params,
    sources,
    source,
    range,
    span,
    filters,
    columns,
    condition,
    runId: runAt.id,
    run,
    ask,
    show,
    setFilters: (next) => ask({ filters: next.length > 0 ? writeFilters(next) : undefined }),
    setColumns: (next) => {
      if (source) {
        setColumnsBySource({ ...columnsBySource, [source.id]: next });
      }
      show({ cols: next });
    },
    setRange: ({ from, to }) =>
      ask({
        from: from === defaultRange.from ? undefined : from,
        to: to === defaultRange.to ? undefined : to,
      }),
  };
  return { model, isLoading: isPending, error, retry: () => void refetch() };
}

/** A link that names a saved search and no question of its own shows that search. */
function useSavedSearch(
  params: SearchParams,
  show: (changes: Partial<SearchParams>) => void,
): void {
  const { savedSearchId, source } = params;
  const isBare = savedSearchId !== undefined && source === undefined;
  const { data: saved } = useQuery({ ...savedSearchesQuery, enabled: isBare });
  const found = isBare ? saved?.find(({ id }) => id === savedSearchId) : undefined;
  useEffect(() => {
    if (found) {
      show(paramsOfSaved(found));
    }
  }, [found, show]);
}

interface SavedQuestion {
  sourceId: string;
  where: string;
  whereLanguage: 'lucene' | 'sql';
  select: string;
  orderBy: string;
  filters: readonly Schemas['Filter'][];
}

/** A filter as the API takes it. */
export function apiFilter(filter: Filter): Schemas['Filter'] {
  return filter.field === undefined
    ? { type: filter.op, condition: filter.condition }
    : { type: 'field', ...filter };
}

function savedFilter(filter: Schemas['Filter']): Filter {
  if (filter.type === 'field') {
    const { type: _, ...rest } = filter;
    return rest;
  }
  return { op: filter.type, condition: filter.condition };
}

/** The question of a saved search, for the URL. Undefined fields clear what the URL had. */
export function paramsOfSaved(saved: SavedQuestion): Partial<SearchParams> {
  const filters = saved.filters.map(savedFilter);
  return {
    source: saved.sourceId,
    q: saved.where === '' ? undefined : saved.where,
    lang: saved.whereLanguage === 'sql' ? 'sql' : undefined,
    cols: saved.select === '' ? undefined : splitSelect(saved.select),
    order: saved.orderBy === '' ? undefined : saved.orderBy,
    filters: filters.length > 0 ? writeFilters(filters) : undefined,
  };
}
