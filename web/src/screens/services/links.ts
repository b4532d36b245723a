import type { RowSource, Source } from '../../api/queries/sources.ts';
import { writeFilters, type FieldFilter } from '../../view/filters.ts';
import type { TimeBound } from '../../view/time-range.ts';
import { compact } from '../../view/url-state.ts';
import { columnsOf, errorStatus, type SpanSource } from './model/figures.ts';

interface Times {
  from?: TimeBound | undefined;
  to?: TimeBound | undefined;
}

const is = (field: string, values: string[]): FieldFilter => ({ field, op: 'is', values });

const searchOf = (source: RowSource, filters: readonly FieldFilter[], { from, to }: Times) =>
  compact({ source: source.id, filters: writeFilters(filters), from, to });

/** Parameters of the search for spans of a service; `more` narrows them. */
export const spansSearch = (
  source: SpanSource,
  service: string,
  times: Times,
  more: readonly FieldFilter[] = [],
) => searchOf(source, [is(columnsOf(source).service, [service]), ...more], times);

export const hasFailed = (source: SpanSource): FieldFilter =>
  is(columnsOf(source).status, errorStatus);

export const operationIs = (source: SpanSource, name: string): FieldFilter =>
  is(columnsOf(source).name, [name]);

export const messageIs = (source: SpanSource, text: string): FieldFilter =>
  is(columnsOf(source).message, [text]);

/** Parameters of the search for the logs of a service; undefined without a source that knows services. */
export function logsSearch(sources: readonly Source[], service: string, times: Times) {
  const logs = sources.find(
    (source): source is Extract<Source, { kind: 'log' }> =>
      source.kind === 'log' && source.serviceNameExpression !== undefined,
  );
  const field = logs?.serviceNameExpression;
  return logs && field !== undefined ? searchOf(logs, [is(field, [service])], times) : undefined;
}
