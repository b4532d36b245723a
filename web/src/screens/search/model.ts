import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isRowSource, sourcesQuery, type RowSource } from '../../api/queries/sources.ts';
import {
  savedSearchesQuery,
  savedSearchQuery,
  type SavedSearch,
} from '../../api/queries/saved-searches.ts';
import { queries } from '../../api/query-client.ts';
import type { Schemas } from '../../api/client.ts';
import { apiFilter, savedFilter } from '../../api/filters.ts';
import type { Condition } from '../../api/queries/search.ts';
import { readFilters, writeFilters, type Filter } from '../../view/filters.ts';
import { defaultRange, spanOf, type Span, type TimeRange } from '../../view/time-range.ts';
import { usePref } from '../../view/use-pref.ts';
import { splitList } from '../../view/split-list.ts';
import { compact } from '../../view/url-state.ts';
import { toast } from '../../kit/toast.tsx';
import { isLong, packAddress, plainAddress } from './address.ts';
import { defaultColumns } from './columns.ts';
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
  /** Another view that Back leaves. */
  turn(changes: Partial<SearchParams>): void;
  openSaved(search: SavedSearch): void;
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
  const { params, dropped } = route.useRouteContext({ select: ({ address }) => address });
  const [runAt, setRunAt] = useState(() => ({ id: 0, nowMs: Date.now() }));
  const [columnsBySource, setColumnsBySource] = usePref('columns');
  const { data: all, error, isPending, refetch } = useQuery(sourcesQuery);
  const sources = useMemo(() => (all ?? []).filter(isRowSource), [all]);
  const source = sources.find(({ id }) => id === params.source) ?? sources[0];

  const change = useChange(params);
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
  useDroppedNote(dropped, show);

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
    openSaved: (search) => {
      void queries.invalidateQueries(savedSearchQuery(search.id));
      ask({ ...paramsOfSaved(search), savedSearchId: search.id, live: undefined });
    },
    turn: (changes) => change(changes, false),
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

/** Writes changes to the URL; packs its long parameters if they are too long to read. */
function useChange(
  params: SearchParams,
): (changes: Partial<SearchParams>, replace: boolean) => void {
  const navigate = route.useNavigate();
  const latest = useRef(params);
  latest.current = params;
  const question = useRef(0);
  return useCallback(
    (changes, replace) => {
      const go = (address: SearchParams): void =>
        void navigate({
          search: (before: SearchParams) => compact({ ...before, ...changes, ...address }),
          replace,
        });
      if (!isLong(changes)) {
        go({});
        return;
      }
      const next = { ...latest.current, ...changes };
      const mine = ++question.current;
      const goPacked = async (): Promise<void> => {
        const packed = await packAddress(next);
        if (!packed) {
          toast('The query and its filters are too long for an address. Shorten them.', 'error');
        } else if (mine === question.current) {
          go(packed);
        }
      };
      const plain = plainAddress(next);
      if (plain) {
        go(plain);
      } else {
        void goPacked();
      }
    },
    [navigate],
  );
}

/** Says what of a packed link was not understood. */
function useDroppedNote(
  dropped: readonly string[],
  show: (changes: Partial<SearchParams>) => void,
): void {
  const names = dropped.join(', ');
  useEffect(() => {
    if (names !== '') {
      toast(`Left out, because the link has no valid value: ${names}.`);
    }
    if (names === 'c') {
      show({ c: undefined });
    }
  }, [names, show]);
}

/** A link that names a saved search and no question of its own shows that search. */
function useSavedSearch(
  params: SearchParams,
  show: (changes: Partial<SearchParams>) => void,
): void {
  const { savedSearchId, source } = params;
  const isBare = savedSearchId !== undefined && source === undefined;
  const { data: saved, isFetching } = useQuery({ ...savedSearchesQuery, enabled: isBare });
  const found = isBare ? saved?.find(({ id }) => id === savedSearchId) : undefined;
  const isGone = isBare && !isFetching && saved !== undefined && !found;
  useEffect(() => {
    if (found) {
      show(paramsOfSaved(found));
    } else if (isGone) {
      toast('The saved search of this link is deleted, or is of another team.');
      show({ savedSearchId: undefined });
    }
  }, [found, isGone, show]);
}

interface SavedQuestion {
  sourceId: string;
  where: string;
  whereLanguage: 'lucene' | 'sql';
  select: string;
  orderBy: string;
  filters: readonly Schemas['Filter'][];
}

/** The question of a saved search, for the URL. Undefined fields clear what the URL had. */
function paramsOfSaved(saved: SavedQuestion): Partial<SearchParams> {
  const filters = saved.filters.map(savedFilter);
  return {
    source: saved.sourceId,
    q: saved.where === '' ? undefined : saved.where,
    lang: saved.whereLanguage === 'sql' ? 'sql' : undefined,
    cols: saved.select === '' ? undefined : splitList(saved.select),
    order: saved.orderBy === '' ? undefined : saved.orderBy,
    filters: filters.length > 0 ? writeFilters(filters) : undefined,
  };
}
