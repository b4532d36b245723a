import type { TimeBound } from '../../view/time-range.ts';
import { param } from '../../view/url-state.ts';

/** Times between two refreshes. */
export const refreshes = { '10s': 10_000, '30s': 30_000, '1m': 60_000, '5m': 300_000 } as const;
export type Refresh = keyof typeof refreshes;

/** What the URL of a dashboard says. */
export interface DashboardParams {
  from?: TimeBound | undefined;
  to?: TimeBound | undefined;
  every?: Refresh | undefined;
  /** The dashboard without anything around it. */
  full?: true | undefined;
  /** The tile that is shown alone, or edited. */
  tile?: string | undefined;
  edit?: true | undefined;
  /** Values of a filter, by its id. */
  [variable: `v.${string}`]: string[] | undefined;
}

const variablesMax = 50;
/** Its id, and the value of a copy. */
const tileMax = 1000;

export function readDashboardParams(raw: Record<string, unknown>): DashboardParams {
  const names = Object.keys(raw).filter((name) => name.startsWith('v.'));
  const variables = names
    .slice(0, variablesMax)
    .map((name) => [name, param.list(raw, name)] as const);
  return {
    ...Object.fromEntries(variables),
    from: param.bound(raw, 'from'),
    to: param.bound(raw, 'to'),
    every: param.oneOf(raw, 'every', Object.keys(refreshes) as Refresh[]),
    full: param.flag(raw, 'full'),
    tile: param.text(raw, 'tile', tileMax),
    edit: param.flag(raw, 'edit'),
  };
}
