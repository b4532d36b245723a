import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import {
  defaultRange,
  fromSpan,
  spanOf,
  zoomedOut,
  type Span,
  type TimeRange,
} from '../../view/time-range.ts';
import { compact } from '../../view/url-state.ts';
import { usePref } from '../../view/use-pref.ts';
import { zoneName } from '../../view/zone.ts';
import type { SpanSource } from './model/figures.ts';
import type { ServicesParams } from './params.ts';

const route = getRouteApi('/inside/services');

/** The source and the time that all pages of services share, read from the URL. */
export interface ServicesModel {
  params: ServicesParams;
  source: SpanSource;
  /** Every source of spans. */
  sources: readonly SpanSource[];
  range: TimeRange;
  /** The range at the last run. */
  span: Span;
  runId: number;
  zone: string;
  run(): void;
  setRange(range: TimeRange): void;
  zoomOut(): void;
  /** Another view of the same question. */
  show(changes: Partial<ServicesParams>): void;
  /** Another question: Back returns to the last one. */
  ask(changes: Partial<ServicesParams>): void;
}

export function useServices(source: SpanSource, sources: readonly SpanSource[]): ServicesModel {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const [runAt, setRunAt] = useState(() => ({ id: 0, nowMs: Date.now() }));
  const [zonePref] = usePref('zone');
  const run = (): void => setRunAt(({ id }) => ({ id: id + 1, nowMs: Date.now() }));
  const change = (changes: Partial<ServicesParams>, replace: boolean): void => {
    void navigate({
      search: (before: ServicesParams) => compact({ ...before, ...changes }),
      replace,
    });
  };
  const ask = (changes: Partial<ServicesParams>): void => change(changes, false);
  const setRange = ({ from, to }: TimeRange): void => {
    run();
    ask({
      from: from === defaultRange.from ? undefined : from,
      to: to === defaultRange.to ? undefined : to,
    });
  };
  const from = params.from ?? defaultRange.from;
  const to = params.to ?? defaultRange.to;
  const span = useMemo(() => spanOf({ from, to }, runAt.nowMs), [from, to, runAt]);
  return {
    params,
    source,
    sources,
    range: { from, to },
    span,
    runId: runAt.id,
    zone: zoneName(zonePref),
    run,
    setRange,
    zoomOut: () => setRange(fromSpan(zoomedOut(span, Date.now()))),
    show: (changes) => change(changes, true),
    ask,
  };
}
