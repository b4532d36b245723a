import type { ValueConfig } from '../../tiles/model/requests.ts';

export const metricTypeNames = [
  'gauge',
  'sum',
  'histogram',
  'exponential histogram',
  'summary',
] as const;
export type MetricType = (typeof metricTypeNames)[number];

export const aggregateNames = [
  'avg',
  'sum',
  'min',
  'max',
  'count',
  'last_value',
  'quantile',
] as const;
export type Aggregate = (typeof aggregateNames)[number];

const labels: Record<Aggregate, string> = {
  avg: 'Average',
  sum: 'Sum',
  min: 'Minimum',
  max: 'Maximum',
  count: 'Count',
  last_value: 'Last value',
  quantile: '95th percentile',
};

/** Functions that a type has a value for, the usual one first. */
const functions: Record<MetricType, readonly Aggregate[]> = {
  gauge: ['avg', 'sum', 'min', 'max', 'last_value', 'quantile', 'count'],
  sum: ['sum', 'avg', 'min', 'max', 'quantile', 'count'],
  histogram: ['quantile', 'count'],
  'exponential histogram': ['quantile', 'avg', 'sum', 'min', 'max', 'count'],
  summary: ['quantile', 'avg', 'sum', 'min', 'max', 'count'],
};

export const functionsOf = (type: MetricType): { value: Aggregate; label: string }[] =>
  functions[type].map((value) => ({ value, label: labels[value] }));

/** The function of the URL if the type has it, else the usual one. */
export function functionOf(type: MetricType, wanted: Aggregate | undefined): Aggregate {
  const known = functions[type];
  return known.find((one) => one === wanted) ?? known[0] ?? 'avg';
}

type Format = NonNullable<ValueConfig['numberFormat']>;

/** Units of UCUM, as OpenTelemetry names them, that have a format of their own. */
const formats: Record<string, Format> = {
  By: { output: 'byte' },
  KiBy: { output: 'byte', factor: 1024 },
  MiBy: { output: 'byte', factor: 1_048_576 },
  'By/s': { output: 'data_rate' },
  s: { output: 'duration' },
  ms: { output: 'duration', factor: 1e-3 },
  us: { output: 'duration', factor: 1e-6 },
  ns: { output: 'duration', factor: 1e-9 },
  '1': { output: 'number' },
  '%': { output: 'number', unit: '%' },
};

/** How values of a unit are written. `{request}` says what is counted. */
export function formatOfUnit(unit: string): Format {
  const known = Object.hasOwn(formats, unit) ? formats[unit] : undefined;
  const plain = unit.replaceAll(/[{}]/g, '').slice(0, 32);
  return known ?? { output: 'number', ...(plain !== '' && { unit: plain }) };
}
