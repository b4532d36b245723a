import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Dashboard, DashboardFilter } from '../../api/queries/dashboards.ts';
import {
  defaultRange,
  fromSpan,
  spanOf,
  zoomedOut,
  type Span,
  type TimeRange,
} from '../../view/time-range.ts';
import { compact } from '../../view/url-state.ts';
import { refreshes, type DashboardParams } from './params.ts';

const route = getRouteApi('/inside/dashboards/$id');

/** The question that the dashboard asks, read from the URL. */
export interface DashboardModel {
  id: string;
  params: DashboardParams;
  range: TimeRange;
  /** The range at the last refresh. */
  span: Span;
  /** Changes at each refresh. */
  runId: number;
  run(): void;
  /** A new question: Back returns to the last one. */
  ask(changes: Partial<DashboardParams>): void;
  /** Another view of the same question. */
  show(changes: Partial<DashboardParams>): void;
  setRange(range: TimeRange): void;
  zoomOut(): void;
}

export function useDashboardModel(): DashboardModel {
  const { id } = route.useParams();
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const [runAt, setRunAt] = useState(() => ({ id: 0, nowMs: Date.now() }));
  const run = useCallback(() => setRunAt((one) => ({ id: one.id + 1, nowMs: Date.now() })), []);
  useRefresh(params.every === undefined ? undefined : refreshes[params.every], run);

  const change = useCallback(
    (changes: Partial<DashboardParams>, replace: boolean) => {
      void navigate({
        search: (before: DashboardParams) => compact({ ...before, ...changes }),
        replace,
      });
    },
    [navigate],
  );
  const show = useCallback((changes: Partial<DashboardParams>) => change(changes, true), [change]);
  const ask = useCallback((changes: Partial<DashboardParams>) => change(changes, false), [change]);
  const range = useMemo(
    () => ({ from: params.from ?? defaultRange.from, to: params.to ?? defaultRange.to }),
    [params.from, params.to],
  );
  const span = useMemo(() => spanOf(range, runAt.nowMs), [range, runAt]);
  const setRange = useCallback(
    ({ from, to }: TimeRange) => {
      run();
      ask({
        from: from === defaultRange.from ? undefined : from,
        to: to === defaultRange.to ? undefined : to,
      });
    },
    [ask, run],
  );
  const zoomOut = useCallback(
    () => setRange(fromSpan(zoomedOut(span, Date.now()))),
    [setRange, span],
  );
  return { id, params, range, span, runId: runAt.id, run, ask, show, setRange, zoomOut };
}

/** Runs again and again while the page is seen, and at once when it is seen again. */
function useRefresh(everyMs: number | undefined, run: () => void): void {
  useEffect(() => {
    if (everyMs === undefined) {
      return undefined;
    }
    let lastMs = Date.now();
    const tick = (): void => {
      if (document.visibilityState === 'visible' && Date.now() - lastMs >= everyMs - 500) {
        lastMs = Date.now();
        run();
      }
    };
    const timer = setInterval(tick, everyMs);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [everyMs, run]);
}

/** Name of a filter in the URL. */
export const variableOf = ({ id, name }: DashboardFilter): `v.${string}` => `v.${id ?? name}`;

/** Values that the person chose for a filter. */
export const valuesOf = (params: DashboardParams, filter: DashboardFilter): readonly string[] =>
  params[variableOf(filter)] ?? [];

/** Filters of the dashboard that have values. */
export function chosenFilters(dashboard: Pick<Dashboard, 'filters'>, params: DashboardParams) {
  return dashboard.filters.filter((filter) => valuesOf(params, filter).length > 0);
}
