import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, askPartial, type MissingShards, type Schemas } from '../client.ts';

export type Metric = Schemas['Metric'];
export type MetricType = Schemas['MetricDataType'];

interface MetricsOf {
  sourceId: string;
  /** Part of the name; empty: all. */
  find: string;
}

const pageSize = 200;
const choicesMax = 1000;

const fetchMetrics = async (
  { sourceId, find }: MetricsOf,
  page: { limit: number; offset: number },
  signal: AbortSignal,
): Promise<{ metrics: Metric[]; total: number } & MissingShards> => {
  const query = {
    limit: String(page.limit),
    offset: String(page.offset),
    ...(find !== '' && { find }),
  } as object;
  const answered = api.GET('/sources/{id}/metrics', {
    params: { path: { id: sourceId }, query },
    signal,
  });
  const { data: metrics, missingShards } = await askPartial(answered);
  const { response } = await answered;
  const total = Number(response.headers.get('x-total-count') ?? metrics.length);
  return { metrics, total, missingShards };
};

/** Metrics to choose from: the first thousand by name. */
export const metricsQuery = (of: MetricsOf) =>
  queryOptions({
    queryKey: ['metrics', of],
    queryFn: ({ signal }) => fetchMetrics(of, { limit: choicesMax, offset: 0 }, signal),
    staleTime: 60_000,
  });

/** Metrics with their last values, page after page. */
export const metricPagesQuery = (of: MetricsOf) =>
  infiniteQueryOptions({
    queryKey: ['metrics', 'pages', of],
    queryFn: ({ pageParam, signal }) =>
      fetchMetrics(of, { limit: pageSize, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const count = pages.reduce((sum, { metrics }) => sum + metrics.length, 0);
      return count < total ? count : undefined;
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
