import type { TimeBound } from '../../view/time-range.ts';
import { param } from '../../view/url-state.ts';

const tabs = ['deliveries', 'definition'] as const;
export type AlertTab = 'evaluations' | (typeof tabs)[number];

/** What the URL of an alert says. */
export interface AlertParams {
  from?: TimeBound | undefined;
  to?: TimeBound | undefined;
  /** Values of the group that is shown alone. */
  group?: string[] | undefined;
  /** End of the window that is explained, in milliseconds. */
  window?: number | undefined;
  tab?: (typeof tabs)[number] | undefined;
}

export function readAlertParams(raw: Record<string, unknown>): AlertParams {
  const window = param.bound(raw, 'window');
  return {
    from: param.bound(raw, 'from'),
    to: param.bound(raw, 'to'),
    group: param.values(raw, 'group'),
    window: typeof window === 'number' ? window : undefined,
    tab: param.oneOf(raw, 'tab', tabs),
  };
}
