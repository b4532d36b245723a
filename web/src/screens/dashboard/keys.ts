import { useKeys } from '../../view/keys.ts';
import { fromSpan, shifted, zoomedOut } from '../../view/time-range.ts';
import type { DashboardModel } from './model.ts';

/** Shortcuts of a dashboard. */
export function useDashboardKeys(model: DashboardModel, openTime: () => void): void {
  const { span, params, run, show, setRange } = model;
  useKeys({
    t: openTime,
    r: run,
    e: () => show({ edit: true, tile: undefined }),
    v: () => show({ full: params.full ? undefined : true }),
    '[': () => setRange(fromSpan(shifted(span, -1))),
    ']': () => setRange(fromSpan(shifted(span, 1))),
    '-': () => setRange(fromSpan(zoomedOut(span, Date.now()))),
    Escape: () => params.full && show({ full: undefined }),
  });
}
