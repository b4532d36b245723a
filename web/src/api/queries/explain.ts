import { queryOptions, skipToken } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../client.ts';

/** The statements of a chart. Nothing is run. */
export const explainQuery = (body: Schemas['ChartRequest'] | undefined) =>
  queryOptions({
    queryKey: ['explain', body],
    queryFn: body ? ({ signal }) => ask(api.POST('/charts/explain', { body, signal })) : skipToken,
    staleTime: Infinity,
    gcTime: 60_000,
  });
