import type { Source } from '../../api/queries/sources.ts';
import type { ValueConfig } from './requests.ts';

export type SeriesConfig = ValueConfig['select'][number];

export const aggregates = [
  { value: 'count', label: 'Count' },
  { value: 'sum', label: 'Sum' },
  { value: 'avg', label: 'Average' },
  { value: 'min', label: 'Minimum' },
  { value: 'max', label: 'Maximum' },
  { value: 'quantile', label: 'Quantile' },
  { value: 'count_distinct', label: 'Distinct values' },
  { value: 'last_value', label: 'Last value' },
] as const satisfies { value: SeriesConfig['aggFn']; label: string }[];

export const metricTypes = [
  { value: 'gauge', label: 'Gauge' },
  { value: 'sum', label: 'Sum' },
  { value: 'histogram', label: 'Histogram' },
  { value: 'exponential histogram', label: 'Exponential histogram' },
  { value: 'summary', label: 'Summary' },
] as const satisfies { value: NonNullable<SeriesConfig['metricType']>; label: string }[];

export const outputs = [
  { value: 'number', label: 'Number' },
  { value: 'percent', label: 'Percent', hint: '0.5 is 50 %' },
  { value: 'byte', label: 'Bytes' },
  { value: 'data_rate', label: 'Bytes per second' },
  { value: 'throughput', label: 'Per second' },
  { value: 'duration', label: 'Duration', hint: 'from seconds' },
  { value: 'time', label: 'Clock', hint: 'from seconds' },
  { value: 'currency', label: 'Currency' },
] as const satisfies {
  value: NonNullable<ValueConfig['numberFormat']>['output'];
  label: string;
  hint?: string;
}[];

/**
 * The chart over another source. One of the same kind has the same fields; of another kind's chart
 * only the looks are kept.
 */
export function forSource(
  config: ValueConfig,
  before: Source | undefined,
  source: Source,
): ValueConfig {
  if (before?.kind === source.kind) {
    return { ...config, sourceId: source.id };
  }
  const { displayType, granularity } = config;
  return {
    displayType,
    sourceId: source.id,
    select: [{ aggFn: source.kind === 'metric' ? 'avg' : 'count' }],
    ...(granularity && { granularity }),
  };
}

/** Whether a chart of the source can be asked for: a metric needs its name. */
export const isComplete = (config: ValueConfig, kind: Source['kind']): boolean =>
  config.select.every(({ aggFn, metricName, valueExpression }) =>
    kind === 'metric'
      ? metricName !== undefined
      : aggFn === 'count' || valueExpression !== undefined,
  );

/** The API takes no empty names of fields and metrics; an empty alias says nothing. */
export function withoutEmptyTexts(series: SeriesConfig): SeriesConfig {
  const entries = Object.entries(series).filter(
    ([, value]) => typeof value !== 'string' || value.trim() !== '',
  );
  return Object.fromEntries(entries) as SeriesConfig;
}
