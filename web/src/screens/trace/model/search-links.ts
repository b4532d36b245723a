import type { RowSource } from '../../../api/queries/sources.ts';
import type { RowsRequest } from '../../../api/queries/search.ts';
import type { Trace } from '../../../api/queries/trace.ts';
import { writeFilters, type FieldFilter } from '../../../view/filters.ts';

export type LogSource = Extract<RowSource, { kind: 'log' }>;
export type SpanSource = Extract<RowSource, { kind: 'trace' }>;

/** Records of a trace may be later than its last span: exporters and clocks differ. */
const marginMs = 600_000;

/** Where the rows of a trace are, as a range of the search. */
export function rangeOf({ startTime, endTime }: Trace): { from: number; to: number } {
  return { from: startTime - marginMs, to: endTime + marginMs };
}

const is = (field: string, value: string): FieldFilter => ({ field, op: 'is', values: [value] });

/** Filters for the logs of a trace, or of one of its spans. A source without span ids has none. */
export function logFilters(
  source: LogSource,
  traceId: string,
  spanId: string | undefined,
): FieldFilter[] | undefined {
  const { traceIdExpression, spanIdExpression } = source;
  if (traceIdExpression === undefined || (spanId !== undefined && spanIdExpression === undefined)) {
    return undefined;
  }
  const ofTrace = is(traceIdExpression, traceId);
  return spanId === undefined || spanIdExpression === undefined
    ? [ofTrace]
    : [ofTrace, is(spanIdExpression, spanId)];
}

/** The request for these logs, earliest first. */
export function logsRequest(
  source: LogSource,
  trace: Trace,
  filters: readonly FieldFilter[],
): RowsRequest {
  const { from, to } = rangeOf(trace);
  const columns = [
    source.severityTextExpression,
    source.serviceNameExpression,
    source.bodyExpression,
  ];
  return {
    sourceId: source.id,
    where: '',
    whereLanguage: 'lucene',
    filters: filters.map((filter) => ({ type: 'field' as const, ...filter })),
    startTime: from,
    endTime: to,
    select: columns.filter((name) => name !== undefined),
    orderBy: `${source.timestampValueExpression} ASC`,
  };
}

/** Parameters of the search screen for rows of a trace; `row` opens one of them. */
export function searchParams(
  source: RowSource,
  trace: Trace,
  filters: readonly FieldFilter[],
  row?: string,
): { source: string; filters: string; from: number; to: number; row: string | undefined } {
  return { source: source.id, filters: writeFilters(filters), ...rangeOf(trace), row };
}

/** Filters for the spans of a trace, and more. */
export function spanFilters(
  source: SpanSource,
  traceId: string,
  more: readonly FieldFilter[] = [],
): FieldFilter[] {
  return [is(source.traceIdExpression ?? 'TraceId', traceId), ...more];
}

export const valueFilter = (field: string, value: string): FieldFilter => is(field, value);
