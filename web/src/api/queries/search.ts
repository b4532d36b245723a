import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, ask, askRows, type MissingShards, type Schemas } from '../client.ts';

export type SearchRow = Record<string, unknown> & { _id?: string };
export type RowsResult = Schemas['SearchResult'] & MissingShards;
export type SearchColumn = Schemas['SearchColumn'];
export type Filter = Schemas['FieldFilter'];

/** Which rows: a condition over one source in one range. */
export interface Condition {
  sourceId: string;
  where: string;
  whereLanguage: 'lucene' | 'sql';
  filters: Schemas['Filter'][];
  startTime: number;
  endTime: number;
}

export interface RowsRequest extends Condition {
  select: string[];
  orderBy?: string;
}

const firstPage = 200;
const nextPage = 1000;

/** Rows of a condition, page after page. */
export const rowsQuery = (request: RowsRequest, runId: number) =>
  infiniteQueryOptions({
    queryKey: ['search', 'rows', request, runId],
    queryFn: ({ pageParam, signal }) =>
      fetchRows({ ...request, limit: pageParam ? nextPage : firstPage, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.cursor,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
  });

interface RowsPage extends RowsRequest {
  limit: number;
  cursor?: string | undefined;
}

export function fetchRows(request: RowsPage, signal?: AbortSignal) {
  const { cursor, ...rest } = request;
  const body = { ...rest, ...(cursor !== undefined && { cursor }) };
  return askRows(api.POST('/search', { body, ...(signal && { signal }) }));
}

/** Counts over time, by one expression. */
export const histogramQuery = (
  condition: Condition,
  groupBy: string | undefined,
  granularity: Schemas['Granularity'],
  runId: number,
) =>
  queryOptions({
    queryKey: ['search', 'histogram', condition, groupBy, granularity, runId],
    queryFn: ({ signal }) => {
      const { startTime, endTime, ...series } = condition;
      const one = { ...series, aggFn: 'count' as const, groupBy: groupBy ? [groupBy] : [] };
      const body = {
        series: [one],
        startTime,
        endTime,
        granularity,
        other: false,
        seriesReturnType: 'column' as const,
      };
      return ask(api.POST('/charts/series', { body, signal }));
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
  });

/** All columns of one row. */
export const rowQuery = (sourceId: string, id: string) =>
  queryOptions({
    queryKey: ['search', 'row', sourceId, id],
    queryFn: ({ signal }) => ask(api.POST('/search/row', { body: { sourceId, id }, signal })),
    staleTime: Infinity,
  });
