import type { Schemas } from '../../../api/client.ts';
import type {
  BatchedRequest,
  ChartRequest,
  DataPoint,
  TotalsResult,
} from '../../../api/queries/charts.ts';
import type { RowSource } from '../../../api/queries/sources.ts';
import { bucketFor, bucketStarts, type Bucket } from '../../../view/buckets.ts';
import type { Span } from '../../../view/time-range.ts';

export type SpanSource = Extract<RowSource, { kind: 'trace' }>;
type Filter = Schemas['Filter'];
type Series = ChartRequest['series'][number];

/** Requests, errors and durations of a service or an operation in a range. */
export interface Figures {
  name: string;
  calls: number;
  errors: number;
  /** Nanoseconds; undefined without calls. */
  p50: number | undefined;
  p95: number | undefined;
  p99: number | undefined;
}

/** The same over time: one value for each bucket. */
export interface Lines {
  calls: (number | null)[];
  errors: (number | null)[];
  p50: (number | null)[];
  p95: (number | null)[];
  p99: (number | null)[];
}

/** Columns of spans: what the source sets, else those of OpenTelemetry. */
export function columnsOf(source: SpanSource) {
  return {
    service: source.serviceNameExpression ?? 'ServiceName',
    name: source.spanNameExpression ?? 'SpanName',
    status: source.statusCodeExpression ?? 'StatusCode',
    message: source.statusMessageExpression ?? 'StatusMessage',
    duration: source.durationExpression ?? 'Duration',
    kind: source.spanKindExpression,
    parent: source.parentSpanIdExpression,
    /** Nanoseconds of one unit of the duration. */
    nanos: 10 ** (9 - (source.durationPrecision ?? 9)),
  };
}

export const is = (field: string, ...values: string[]): Extract<Filter, { type: 'field' }> => ({
  type: 'field',
  field,
  op: 'is',
  values,
});

/** Names as exporters write them now, and as older ones did. */
export const errorStatus = ['Error', 'STATUS_CODE_ERROR'];
const entryKinds = ['Server', 'Consumer', 'SPAN_KIND_SERVER', 'SPAN_KIND_CONSUMER'];

/**
 * The condition for requests to a service, in SQL: spans that serve a call or take a message, and
 * spans without a parent. Other spans are work that the service does for these.
 */
export function entryCondition(source: SpanSource): string {
  const { kind, parent } = columnsOf(source);
  const names = entryKinds.map((name) => `'${name}'`).join(', ');
  const parts = [
    ...(kind === undefined ? [] : [`${kind} IN (${names})`]),
    ...(parent === undefined ? [] : [`ifNull(toString(${parent}), '') = ''`]),
  ];
  return parts.join(' OR ');
}

/** What figures are of. */
export interface Scope {
  source: SpanSource;
  span: Span;
  spans: 'requests' | 'all';
  filters: readonly Filter[];
}

const levels = [0.5, 0.95, 0.99];
const bucketsMax = 60;

/** Calls, errors, and three quantiles of the duration. */
function seriesOf({ source, spans, filters }: Scope, groupBy: string[]): Series[] {
  const { duration, status } = columnsOf(source);
  const series = (more: Pick<Series, 'aggFn'> & Partial<Series>): Series => ({
    sourceId: source.id,
    where: spans === 'all' ? '' : entryCondition(source),
    whereLanguage: 'sql',
    filters: [...filters],
    groupBy,
    ...more,
  });
  return [
    series({ aggFn: 'count' }),
    series({ aggFn: 'count', filters: [...filters, is(status, ...errorStatus)] }),
    ...levels.map((level) => series({ aggFn: 'quantile', field: duration, level })),
  ];
}

const rangeOf = ({ span }: Scope) => ({
  startTime: Math.floor(span.startMs),
  endTime: Math.ceil(span.endMs),
  seriesReturnType: 'column' as const,
});

/** One row for each group, most calls first. */
export const totalsRequest = (
  scope: Scope,
  groupBy: string[],
  limit: number,
): Extract<BatchedRequest, { type: 'totals' }> => ({
  type: 'totals',
  series: seriesOf(scope, groupBy),
  ...rangeOf(scope),
  orderBy: { series: 0, direction: 'desc' },
  limit,
  other: false,
});

/** The number of spans of each group. */
export const countsRequest = (
  scope: Scope,
  groupBy: string[],
  limit: number,
): Extract<BatchedRequest, { type: 'totals' }> => ({
  ...totalsRequest(scope, groupBy, limit),
  series: seriesOf(scope, groupBy).slice(0, 1),
});

export const bucketOf = (span: Span): Bucket => bucketFor(span, bucketsMax);

/** Values over time of each group. */
export const linesRequest = (
  scope: Scope,
  groupBy: string[],
): Extract<BatchedRequest, { type: 'series' }> => ({
  type: 'series',
  series: seriesOf(scope, groupBy),
  ...rangeOf(scope),
  granularity: bucketOf(scope.span).name,
  other: false,
});

type Values = TotalsResult['rows'][number] | DataPoint;

function valueAt(row: Values, index: number): number | undefined {
  const value = row[`series_${index}.data`];
  return typeof value === 'number' ? value : undefined;
}

/** @param nanos nanoseconds of one unit of the duration */
export function figuresOf({ rows }: TotalsResult, nanos: number): Figures[] {
  return rows.map((row) => {
    const level = (index: number): number | undefined => {
      const value = valueAt(row, index);
      return value === undefined ? undefined : value * nanos;
    };
    return {
      name: row.group?.[0] ?? '',
      calls: valueAt(row, 0) ?? 0,
      errors: valueAt(row, 1) ?? 0,
      p50: level(2),
      p95: level(3),
      p99: level(4),
    };
  });
}

/** Points, the range that they are of, and when they came. */
interface PointsOfRange {
  points: readonly DataPoint[];
  span: Span;
  atMs: number;
}

/** Values over time by group: calls in a second, share of errors, nanoseconds. */
export function linesOf({ points, span, atMs }: PointsOfRange, nanos: number): Map<string, Lines> {
  const { ms: bucketMs } = bucketOf(span);
  const starts = bucketStarts(span, bucketMs);
  const byGroup = new Map<string, Map<number, DataPoint>>();
  for (const point of points) {
    const name = point.group?.[0] ?? '';
    const own = byGroup.get(name) ?? new Map<number, DataPoint>();
    byGroup.set(name, own.set(point.ts_bucket, point));
  }
  const lines = new Map<string, Lines>();
  for (const [name, own] of byGroup) {
    const each = (value: (point: DataPoint) => number | undefined) =>
      starts.map((startMs) => {
        const point = own.get(startMs);
        return (point && value(point)) ?? null;
      });
    const level = (index: number) =>
      each((point) => {
        const value = valueAt(point, index);
        return value === undefined ? undefined : value * nanos;
      });
    lines.set(name, {
      calls: starts.map((startMs) => {
        const seconds = coveredSeconds(startMs, bucketMs, span, atMs);
        const calls = valueAt(own.get(startMs) ?? { ts_bucket: startMs }, 0) ?? 0;
        // The first moments of a bucket say little, and their spans are still on the way.
        return seconds >= bucketMs / 2000 ? calls / seconds : null;
      }),
      errors: each((point) => (valueAt(point, 1) ?? 0) / Math.max(1, valueAt(point, 0) ?? 1)),
      p50: level(2),
      p95: level(3),
      p99: level(4),
    });
  }
  return lines;
}

/** Buckets at the ends of a range, and the one of now, are only partly within it. */
function coveredSeconds(startMs: number, bucketMs: number, span: Span, nowMs: number): number {
  const from = Math.max(startMs, span.startMs);
  const to = Math.min(startMs + bucketMs, span.endMs, Math.max(nowMs, startMs));
  return (to - from) / 1000;
}

/** Seconds of a range up to now. */
export const secondsOf = ({ startMs, endMs }: Span, nowMs: number): number =>
  Math.max(1, (Math.min(endMs, nowMs) - startMs) / 1000);
