import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { lengthOfInterval } from '../../alerting/interval.ts';
import type { Alert, AlertEvaluation } from '../../api/queries/alerts.ts';
import {
  fromSpan,
  isRelative,
  quickRanges,
  spanOf,
  zoomedOut,
  type Span,
  type TimeRange,
} from '../../view/time-range.ts';
import { compact } from '../../view/url-state.ts';
import { usePagePanel } from '../../view/use-page-panel.ts';
import type { AlertParams } from './params.ts';

const route = getRouteApi('/inside/alerts/$id');

/** What the page shows of an alert, read from the URL. */
export interface AlertModel {
  params: AlertParams;
  range: TimeRange;
  /** The range at the last refresh. */
  span: Span;
  intervalMs: number;
  run(): void;
  /** A new question: Back returns to the last one. */
  ask(changes: Partial<AlertParams>): void;
  /** Another view of the same question. */
  show(changes: Partial<AlertParams>): void;
  setRange(range: TimeRange): void;
  zoomOut(): void;
  /** Explains the window with this end. */
  openWindow(endMs: number): void;
  closeWindow(): void;
  /** Explains the next window of a list, or the one before. */
  stepWindow(evaluations: readonly AlertEvaluation[], by: 1 | -1): void;
}

export function useAlertModel({ interval, lastEvaluatedAt }: Alert): AlertModel {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const router = useRouter();
  const intervalMs = lengthOfInterval(interval);
  const [nowMs, setNowMs] = useState(() => Date.now());
  const run = useCallback(() => setNowMs(Date.now()), []);
  const change = useCallback(
    (changes: Partial<AlertParams>, replace: boolean) => {
      void navigate({
        search: (before: AlertParams) => compact({ ...before, ...changes }),
        replace,
      });
    },
    [navigate],
  );
  const usual = useMemo(() => usualRange(intervalMs), [intervalMs]);
  const range = useMemo(
    () => ({ from: params.from ?? usual.from, to: params.to ?? usual.to }),
    [params.from, params.to, usual],
  );
  const span = useMemo(() => spanOf(range, nowMs), [range, nowMs]);
  const setRange = ({ from, to }: TimeRange): void => {
    run();
    const isUsual = from === usual.from && to === usual.to;
    change(isUsual ? { from: undefined, to: undefined } : { from, to }, false);
  };
  // A relative range follows the evaluations.
  const follows = isRelative(range);
  useEffect(() => {
    if (follows && lastEvaluatedAt !== undefined) {
      run();
    }
  }, [follows, lastEvaluatedAt, run]);
  const panel = usePagePanel(params.window !== undefined, () => router.history.back());
  const openWindow = (endMs: number): void =>
    panel.open((replace) => change({ window: endMs }, replace));
  return {
    params,
    range,
    span,
    intervalMs,
    run,
    ask: (changes) => change(changes, false),
    show: (changes) => change(changes, true),
    setRange,
    zoomOut: () => setRange(fromSpan(zoomedOut(span, Date.now()))),
    openWindow,
    closeWindow: () => panel.close(() => change({ window: undefined }, true)),
    stepWindow: (evaluations, by) => {
      const at = evaluations.findIndex(({ windowEnd }) => Date.parse(windowEnd) === params.window);
      const next = evaluations[at + by] ?? (at < 0 ? evaluations[0] : undefined);
      if (next) {
        openWindow(Date.parse(next.windowEnd));
      }
    },
  };
}

const windowsShown = 60;

/** The shortest of the quick ranges that has enough windows. */
export function usualRange(intervalMs: number): TimeRange {
  const fitting = quickRanges.find(({ range }) => {
    const { startMs, endMs } = spanOf(range, 0);
    return endMs - startMs >= windowsShown * intervalMs;
  });
  return (fitting ?? quickRanges.at(-1)!).range;
}
