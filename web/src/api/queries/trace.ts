import { queryOptions } from '@tanstack/react-query';
import { api, askRows, type MissingShards, type Schemas } from '../client.ts';
import { fetchRows, type RowsRequest } from './search.ts';

export type Trace = Schemas['Trace'] & Partial<MissingShards>;
export type TraceSpan = Schemas['Span'];

/** The spans of a trace. `at`: a time near it, in milliseconds. */
export const traceQuery = (traceId: string, at: number | undefined) =>
  queryOptions({
    queryKey: ['traces', traceId, at],
    queryFn: ({ signal }) => {
      const params = { path: { traceId }, query: at === undefined ? {} : { at } };
      return askRows(api.GET('/traces/{traceId}', { params, signal }));
    },
    // Comparing thousands of spans costs more than showing them again.
    structuralSharing: false,
    gcTime: 60_000,
  });

/** Logs shown for a span or a trace. */
export const traceLogsMax = 500;

export const traceLogsQuery = (request: RowsRequest) =>
  queryOptions({
    queryKey: ['traces', 'logs', request],
    queryFn: ({ signal }) => fetchRows({ ...request, limit: traceLogsMax }, signal),
    gcTime: 60_000,
  });
