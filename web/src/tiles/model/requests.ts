import type { Schemas } from '../../api/client.ts';
import type { ChartRequest, TotalsRequest } from '../../api/queries/charts.ts';
import { bucketFor, granularities, type Bucket } from '../../view/buckets.ts';
import { splitList } from '../../view/split-list.ts';
import type { Span } from '../../view/time-range.ts';

export type TileConfig = Schemas['TileConfigResult'];
export type TileKind = TileConfig['displayType'];
/** A tile of values, whose kind the server charts. */
export type ValueConfig = Exclude<TileConfig, { displayType: 'search' | 'markdown' }>;
export type SearchConfig = Extract<TileConfig, { displayType: 'search' }>;

/** What every request of a tile is about, beside its own conditions. */
export interface TileScope {
  span: Span;
  /** Conditions of the dashboard: its saved query and its filters. */
  filters: readonly Schemas['Filter'][];
}

/** Series in one request. */
const seriesMax = 5;
/** Groups that a chart over time can tell apart. */
export const groupsOfLines = 20;
/** Slices of a pie, with "other". */
export const slicesMax = 8;
export const tableRowsMax = 200;
const bucketsMax = 60;

export const isOfValues = (config: TileConfig): config is ValueConfig =>
  config.displayType !== 'search' && config.displayType !== 'markdown';

export const isOverTime = ({ displayType }: ValueConfig): boolean =>
  displayType === 'line' || displayType === 'stacked_bar';

/** What an alert of the tile is grouped by. */
export const groupFieldsOf = ({ groupBy }: ValueConfig): string[] =>
  typeof groupBy === 'string' ? splitList(groupBy) : (groupBy ?? []);

/** What the values shown are grouped by. A number says one value: groups would be a table. */
export const groupsOf = (config: ValueConfig): string[] =>
  config.displayType === 'number' ? [] : groupFieldsOf(config);

/** Length of the tile's buckets: its own, unless it would give too many. */
export function bucketOfTile({ granularity }: ValueConfig, span: Span): Bucket {
  const own = granularities.find(([name]) => name === granularity);
  const isFitting = own !== undefined && (span.endMs - span.startMs) / own[1] <= 2000;
  return isFitting ? { name: own[0], ms: own[1] } : bucketFor(span, bucketsMax);
}

/** Requests for values over time, five series at once. */
export function seriesRequests(config: ValueConfig, scope: TileScope): ChartRequest[] {
  const isGrouped = groupsOf(config).length > 0;
  const parts = partsOf(config, scope);
  return parts.map((part) => ({
    ...part,
    granularity: bucketOfTile(config, scope.span).name,
    // A second request has an order of its own: it asks for more, so that the same groups come.
    ...(isGrouped && { limit: parts.length > 1 ? 100 : groupsOfLines }),
    other: config.displayType === 'stacked_bar' && parts.length === 1,
  }));
}

/** Requests for values over the whole range, five series at once. */
export function totalsRequests(config: ValueConfig, scope: TileScope): TotalsRequest[] {
  const isPie = config.displayType === 'pie';
  const parts = partsOf(config, scope);
  const limit = isPie ? slicesMax - 1 : tableRowsMax;
  return parts.map((part) => ({
    ...part,
    orderBy: { series: 0, direction: 'desc' as const },
    limit: parts.length > 1 ? 1000 : limit,
    other: isPie,
  }));
}

function partsOf(config: ValueConfig, { span, filters }: TileScope) {
  const groupBy = groupsOf(config);
  const series = config.select.map((value) => ({
    sourceId: config.sourceId,
    aggFn: value.aggFn,
    where: value.where ?? '',
    whereLanguage: value.whereLanguage ?? ('lucene' as const),
    filters: [...filters],
    groupBy,
    ...(value.valueExpression !== undefined && { field: value.valueExpression }),
    ...(value.level !== undefined && { level: value.level }),
    ...(value.metricName !== undefined && { metricName: value.metricName }),
    ...(value.metricType !== undefined && { metricDataType: value.metricType }),
  }));
  const count = Math.ceil(series.length / seriesMax);
  return Array.from({ length: count }, (_, index) => ({
    series: series.slice(index * seriesMax, (index + 1) * seriesMax),
    startTime: Math.floor(span.startMs),
    endTime: Math.ceil(span.endMs),
    seriesReturnType: config.asRatio ? ('ratio' as const) : ('column' as const),
  }));
}

export type RowsRequest = ReturnType<typeof rowsRequest>;

/** The request of a tile of rows. */
export function rowsRequest(config: SearchConfig, { span, filters }: TileScope) {
  const { sourceId, select, where, whereLanguage, orderBy } = config;
  return {
    sourceId,
    where: where ?? '',
    whereLanguage: whereLanguage ?? ('lucene' as const),
    filters: [...filters],
    startTime: Math.floor(span.startMs),
    endTime: Math.ceil(span.endMs),
    limit: 200,
    ...(select !== undefined && select !== '' && { select }),
    ...(orderBy !== undefined && orderBy !== '' && { orderBy }),
  };
}
