import type { TileConfig, ValueConfig } from '../../model/requests.ts';
import type { WantedSource } from '../read-dashboard.ts';
import { conditionOf, quoted } from './conditions.ts';
import { listOf, objectOf, textOf, type Json } from './json.ts';
import type { Names } from './names.ts';
import { readLabels, readPromql, readRatio, type MetricQuery } from './promql.ts';

/** Stand for the data sources of Grafana until a person chooses. */
export const metricsSource: WantedSource = {
  id: '000000000000000000000001',
  name: 'Prometheus',
  kind: 'metric',
  isAnyOfKind: true,
};
export const logsSource: WantedSource = {
  id: '000000000000000000000002',
  name: 'Loki',
  kind: 'log',
  isAnyOfKind: true,
};

const kinds: Record<string, ValueConfig['displayType']> = {
  timeseries: 'line',
  graph: 'line',
  stat: 'number',
  singlestat: 'number',
  gauge: 'number',
  table: 'table',
  'table-old': 'table',
  bargauge: 'table',
  barchart: 'table',
  piechart: 'pie',
};

/** The tile of a panel, or undefined if nothing of it can be carried over. */
export function tileOfPanel(panel: Json, names: Names, losses: string[]): TileConfig | undefined {
  const type = textOf(panel['type']);
  const title = textOf(panel['title']) || 'Untitled';
  const lose = (text: string): undefined => {
    losses.push(`“${title}”: ${text}`);
    return undefined;
  };
  const tile = ofType(type, panel, names, lose);
  const lost = tile ? unsupportedParts(panel) : [];
  if (lost.length > 0) {
    lose(`${joined(lost)} ${lost.join() === ownTime ? 'is' : 'are'} left out.`);
  }
  return tile;
}

function ofType(type: string, panel: Json, names: Names, lose: Lose): TileConfig | undefined {
  if (type === 'text') {
    return textTile(panel, lose);
  }
  if (type === 'logs') {
    return logsTile(panel, names, lose);
  }
  const kind = kinds[type];
  return kind
    ? valueTile(kind, panel, names, lose)
    : lose(`there is no tile like the panel “${type}”.`);
}

const ownTime = 'its own time range';

/** What the panel has and no tile has. */
function unsupportedParts(panel: Json): string[] {
  const defaults = objectOf(objectOf(panel['fieldConfig'])?.['defaults']);
  const overrides = listOf(objectOf(panel['fieldConfig'])?.['overrides']);
  const steps = listOf(objectOf(defaults?.['thresholds'])?.['steps']);
  const parts: [string, boolean][] = [
    ['its thresholds', steps.length > 1],
    ['its value mappings', listOf(defaults?.['mappings']).length > 0],
    ['its overrides', overrides.length > 0],
    ['its transformations', listOf(panel['transformations']).length > 0],
    ['its links', listOf(panel['links']).length > 0],
    [ownTime, textOf(panel['timeFrom']) + textOf(panel['timeShift']) !== ''],
  ];
  return parts.filter(([, isThere]) => isThere).map(([name]) => name);
}

/** `its links`, `its links and its overrides` */
const joined = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

type Lose = (text: string) => undefined;

function textTile(panel: Json, lose: Lose): TileConfig {
  const options = objectOf(panel['options']) ?? panel;
  const markdown = textOf(options['content']).slice(0, 65_536);
  if (options['mode'] === 'html') {
    lose('HTML is shown as text.');
  }
  return { displayType: 'markdown', markdown };
}

const lokiQuery = /^\{([^}]*)\}\s*((?:\|=\s*"(?:[^"\\]|\\.)*"\s*)*)$/s;

function logsTile(panel: Json, names: Names, lose: Lose): TileConfig | undefined {
  const [target, ...more] = listOf(panel['targets']);
  const text = textOf(target?.['expr']).trim();
  const match = lokiQuery.exec(text);
  const labels = match && readLabels(match[1] ?? '');
  if (!labels) {
    return lose(`the query cannot be carried over: ${text || 'none'}`);
  }
  if (more.length > 0) {
    lose('only its first query is kept.');
  }
  const { where, lost } = conditionOf(labels, 'LogAttributes', names);
  for (const { label, op, value } of lost) {
    lose(`the test ${label}${op}"${value}" is left out.`);
  }
  const words = [...(match?.[2] ?? '').matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) =>
    quoted(word.replaceAll(/\\(.)/g, '$1')),
  );
  const condition = [where, ...words].filter(Boolean).join(' AND ');
  return { displayType: 'search', sourceId: logsSource.id, where: condition };
}

function valueTile(
  kind: ValueConfig['displayType'],
  panel: Json,
  names: Names,
  lose: Lose,
): TileConfig | undefined {
  const targets = listOf(panel['targets']).filter((target) => target['hide'] !== true);
  const [target] = targets;
  const ratio = targets.length === 1 ? readRatio(textOf(target?.['expr'])) : undefined;
  const found = ratio
    ? ratio.parts.map((query) => ({ query, alias: aliasOf(target ?? {}) }))
    : queriesOf(targets, lose);
  const [first] = found;
  if (!first) {
    return targets.length === 0 ? lose('it has no query.') : undefined;
  }
  const groups = first.query.groupBy.join();
  const alike = found.filter(({ query }) => query.groupBy.join() === groups).slice(0, 20);
  if (alike.length < found.length) {
    lose('queries that group by other labels than the first are left out.');
  }
  if (!ratio && alike.some(({ query }) => query.isCounter)) {
    lose('rate and increase become the increase in each bucket.');
  }
  const numberFormat = ratio?.isPercent ? hundredfold(formatOf(panel)) : formatOf(panel);
  return {
    displayType: kind === 'line' && isStacked(panel) ? 'stacked_bar' : kind,
    sourceId: metricsSource.id,
    select: alike.map(({ query, alias }) => valueOf(query, alias, names, lose)),
    groupBy: first.query.groupBy.map((label) => names.field(label, 'Attributes')),
    ...(ratio && { asRatio: true }),
    ...(numberFormat && { numberFormat }),
  };
}

interface NamedQuery {
  query: MetricQuery;
  alias: string;
}

function queriesOf(targets: readonly Json[], lose: Lose): NamedQuery[] {
  return targets.flatMap((target) => {
    const text = textOf(target['expr']).trim();
    const query = readPromql(text);
    if (!query) {
      lose(`the query cannot be carried over: ${text || 'not of Prometheus'}`);
    }
    return query ? [{ query, alias: aliasOf(target) }] : [];
  });
}

function valueOf(
  query: MetricQuery,
  alias: string,
  names: Names,
  lose: Lose,
): ValueConfig['select'][number] {
  const { where, lost } = conditionOf(query.labels, 'Attributes', names);
  for (const { label, op, value } of lost) {
    lose(`the test ${label}${op}"${value}" is left out.`);
  }
  const { metricName, metricType, aggFn } = metricOf(query, names);
  if (names.hasMetrics && metricType === undefined) {
    lose(`the source has no metric “${metricName}”. Choose another one in the tile.`);
  }
  return {
    aggFn,
    metricName,
    metricType: metricType ?? guessedType(query),
    ...(query.level !== undefined && { level: query.level }),
    ...(where !== '' && { where, whereLanguage: 'lucene' as const }),
    ...(alias !== '' && { alias }),
  };
}

const guessedType = ({ aggregate, isCounter }: MetricQuery): 'histogram' | 'sum' | 'gauge' => {
  if (aggregate === 'quantile') {
    return 'histogram';
  }
  return isCounter ? 'sum' : 'gauge';
};

/** The metric of the source, with its type. `x_count` counts the observations of a histogram. */
function metricOf({ metric, aggregate }: MetricQuery, names: Names) {
  const own = names.metric(metric);
  if (own) {
    return { metricName: own.name, metricType: own.type, aggFn: aggregate };
  }
  const counted = names.metric(metric.replace(/_count$/, ''));
  const isDistribution = counted !== undefined && !['gauge', 'sum'].includes(counted.type);
  return isDistribution
    ? { metricName: counted.name, metricType: counted.type, aggFn: 'count' as const }
    : { metricName: metric, metricType: undefined, aggFn: aggregate };
}

/** A legend without labels is a name. */
function aliasOf(target: Json): string {
  const legend = textOf(target['legendFormat']);
  return legend.includes('{{') || legend === '__auto' ? '' : legend.slice(0, 255);
}

function isStacked(panel: Json): boolean {
  const custom = objectOf(objectOf(objectOf(panel['fieldConfig'])?.['defaults'])?.['custom']);
  const mode = textOf(objectOf(custom?.['stacking'])?.['mode']);
  return (
    panel['stack'] === true || (mode !== '' && mode !== 'none') || custom?.['drawStyle'] === 'bars'
  );
}

type Format = NonNullable<ValueConfig['numberFormat']>;

const units: Record<string, Format> = {
  percentunit: { output: 'percent' },
  percent: { output: 'percent', factor: 0.01 },
  bytes: { output: 'byte' },
  decbytes: { output: 'byte', decimalBytes: true },
  binBps: { output: 'data_rate' },
  Bps: { output: 'data_rate', decimalBytes: true },
  s: { output: 'duration' },
  ms: { output: 'duration', factor: 1e-3 },
  µs: { output: 'duration', factor: 1e-6 },
  ns: { output: 'duration', factor: 1e-9 },
  reqps: { output: 'throughput' },
  ops: { output: 'throughput' },
  cps: { output: 'throughput' },
  currencyUSD: { output: 'currency', currencySymbol: '$' },
  currencyEUR: { output: 'currency', currencySymbol: '€' },
};

/** The format for a value that the query multiplies by 100. */
const hundredfold = (format: Format | undefined): Format => ({
  ...(format ?? { output: 'number' }),
  factor: (format?.factor ?? 1) * 100,
});

function formatOf(panel: Json): Format | undefined {
  const defaults = objectOf(objectOf(panel['fieldConfig'])?.['defaults']);
  const format = units[textOf(defaults?.['unit'])];
  const decimals = defaults?.['decimals'];
  const isPlaces = Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= 10;
  if (!format && !isPlaces) {
    return undefined;
  }
  return { ...(format ?? { output: 'number' }), ...(isPlaces && { mantissa: Number(decimals) }) };
}
