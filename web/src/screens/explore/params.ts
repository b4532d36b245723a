import type { TimeBound } from '../../view/time-range.ts';
import { param } from '../../view/url-state.ts';

/** What the URL of the explorer says. */
export interface ExploreParams {
  from?: TimeBound | undefined;
  to?: TimeBound | undefined;
  /** The chart, as `pack` packs it. */
  c?: string | undefined;
}

export function readExploreParams(raw: Record<string, unknown>): ExploreParams {
  return {
    from: param.bound(raw, 'from'),
    to: param.bound(raw, 'to'),
    c: param.packed(raw, 'c'),
  };
}
