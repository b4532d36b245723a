import type { Source } from '../../api/queries/sources.ts';
import type { ValueConfig } from '../../tiles/model/requests.ts';
import { aggregates, metricTypes, outputs, type SeriesConfig } from '../../tiles/model/series.ts';
import { granularities } from '../../view/buckets.ts';

/** Series in one chart of the explorer: those of one request. */
export const seriesMax = 5;

export const displayTypes = [
  { value: 'line', label: 'Line' },
  { value: 'stacked_bar', label: 'Bars' },
  { value: 'number', label: 'Number' },
  { value: 'table', label: 'Table' },
  { value: 'pie', label: 'Pie' },
] as const satisfies { value: ValueConfig['displayType']; label: string }[];

/** The chart of a URL without one: the rows of the source over time. */
export const firstConfig = ({ id }: Source): ValueConfig => ({
  displayType: 'line',
  sourceId: id,
  select: [{ aggFn: 'count' }],
});

type Raw = Record<string, unknown>;

/** The chart in a text of a URL, or undefined if the text is none. Unknown members are dropped. */
export function readConfig(text: string): ValueConfig | undefined {
  const raw = parsed(text);
  const displayType = oneOf(raw['displayType'], displayTypes);
  const sourceId = textOf(raw['sourceId'], 24);
  const list = Array.isArray(raw['select']) ? (raw['select'] as unknown[]) : [];
  const select = list.map(readSeries);
  const found = select.filter((one) => one !== undefined);
  const isWhole = found.length === list.length && found.length >= 1 && found.length <= seriesMax;
  if (!displayType || !sourceId || !/^[0-9a-f]{24}$/.test(sourceId) || !isWhole) {
    return undefined;
  }
  const groupBy = Array.isArray(raw['groupBy'])
    ? raw['groupBy'].filter((one) => typeof one === 'string' && one !== '').slice(0, 10)
    : [];
  const granularity = granularities.find(([name]) => name === raw['granularity'])?.[0];
  const numberFormat = readFormat(raw['numberFormat']);
  return {
    displayType,
    sourceId,
    select: found,
    ...(groupBy.length > 0 && { groupBy }),
    ...(raw['asRatio'] === true && found.length === 2 && { asRatio: true }),
    ...(granularity && { granularity }),
    ...(numberFormat && { numberFormat }),
  };
}

function readSeries(value: unknown): SeriesConfig | undefined {
  const raw = objectOf(value);
  const aggFn = oneOf(raw['aggFn'], aggregates);
  if (!aggFn) {
    return undefined;
  }
  const level = numberOf(raw['level'], 0, 1);
  const metricType = oneOf(raw['metricType'], metricTypes);
  return {
    aggFn,
    ...(level !== undefined && { level }),
    ...texts(raw, { where: 8192, alias: 255, valueExpression: 2048, metricName: 1024 }),
    ...(raw['whereLanguage'] === 'sql' && { whereLanguage: 'sql' as const }),
    ...(metricType && { metricType }),
  };
}

function readFormat(value: unknown): ValueConfig['numberFormat'] {
  const raw = objectOf(value);
  const output = oneOf(raw['output'], outputs);
  const mantissa = numberOf(raw['mantissa'], 0, 10);
  const factor = numberOf(raw['factor'], -1e15, 1e15);
  return (
    output && {
      output,
      ...(mantissa !== undefined && Number.isInteger(mantissa) && { mantissa }),
      ...(factor !== undefined && { factor }),
      ...texts(raw, { unit: 32, currencySymbol: 8 }),
      ...(raw['decimalBytes'] === true && { decimalBytes: true }),
    }
  );
}

function parsed(text: string): Raw {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

const objectOf = (value: unknown): Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : {};

function textOf(value: unknown, maxLength: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= maxLength ? value : undefined;
}

function texts<N extends string>(raw: Raw, lengths: Record<N, number>): Partial<Record<N, string>> {
  const found: Partial<Record<N, string>> = {};
  for (const name of Object.keys(lengths) as N[]) {
    const text = textOf(raw[name], lengths[name]);
    if (text !== undefined) {
      found[name] = text;
    }
  }
  return found;
}

function numberOf(value: unknown, min: number, max: number): number | undefined {
  return typeof value === 'number' && value >= min && value <= max ? value : undefined;
}

function oneOf<T extends string>(value: unknown, choices: readonly { value: T }[]): T | undefined {
  return choices.find((choice) => choice.value === value)?.value;
}

/** Takes members out that say nothing, so that equal charts have equal texts. */
export function tidy(config: ValueConfig): ValueConfig {
  return readConfig(JSON.stringify(config)) ?? config;
}
