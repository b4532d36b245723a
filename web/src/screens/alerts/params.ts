import { stateFilters, type StateFilter } from '../../alerting/states.ts';
import { param } from '../../view/url-state.ts';

/** What the URL of the list of alerts says. */
export interface AlertsParams {
  state?: StateFilter | undefined;
  tag?: string | undefined;
  find?: string | undefined;
}

export function readAlertsParams(raw: Record<string, unknown>): AlertsParams {
  return {
    state: param.oneOf(raw, 'state', stateFilters),
    tag: param.text(raw, 'tag', 32),
    find: param.text(raw, 'find', 200),
  };
}
