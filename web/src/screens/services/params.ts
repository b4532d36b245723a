import type { TimeBound } from '../../view/time-range.ts';
import { param } from '../../view/url-state.ts';
import { orderNames, type OrderName } from './model/order.ts';

/** What the URL of the services says. */
export interface ServicesParams {
  source?: string | undefined;
  /** The open service. Without it, all of them. */
  service?: string | undefined;
  view?: 'map' | undefined;
  find?: string | undefined;
  sort?: OrderName | undefined;
  /** Least first. */
  up?: true | undefined;
  /** Which spans of a service count: absent, only requests to it. */
  spans?: 'all' | undefined;
  from?: TimeBound | undefined;
  to?: TimeBound | undefined;
}

export function readServicesParams(raw: Record<string, unknown>): ServicesParams {
  return {
    source: param.id(raw, 'source'),
    service: param.text(raw, 'service', 1024),
    view: param.oneOf(raw, 'view', ['map']),
    find: param.text(raw, 'find', 256),
    sort: param.oneOf(raw, 'sort', orderNames),
    up: param.flag(raw, 'up'),
    spans: param.oneOf(raw, 'spans', ['all']),
    from: param.bound(raw, 'from'),
    to: param.bound(raw, 'to'),
  };
}

/** What every page of services keeps: the source and the time. */
export type SharedParams = Pick<ServicesParams, 'source' | 'from' | 'to'>;
