import {
  aggregateNames,
  metricTypeNames,
  type Aggregate,
  type MetricType,
} from './metric-kinds.ts';
import type { TimeBound } from '../../view/time-range.ts';
import { param } from '../../view/url-state.ts';

/** What the URL of the metrics says. */
export interface MetricsParams {
  source?: string | undefined;
  find?: string | undefined;
  /** The open metric. Without it, the list. */
  metric?: string | undefined;
  type?: MetricType | undefined;
  agg?: Aggregate | undefined;
  /** The attribute that splits the chart. */
  by?: string | undefined;
  from?: TimeBound | undefined;
  to?: TimeBound | undefined;
}

export function readMetricsParams(raw: Record<string, unknown>): MetricsParams {
  return {
    source: param.id(raw, 'source'),
    find: param.text(raw, 'find', 256),
    metric: param.text(raw, 'metric', 1024),
    type: param.oneOf(raw, 'type', metricTypeNames),
    agg: param.oneOf(raw, 'agg', aggregateNames),
    by: param.text(raw, 'by', 2048),
    from: param.bound(raw, 'from'),
    to: param.bound(raw, 'to'),
  };
}
