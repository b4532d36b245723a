import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Span } from '../../view/time-range.ts';
import { ApiError } from '../api-error.ts';
import { api, askRows, type MissingShards, type Schemas } from '../client.ts';
import { fetchBatch, type BatchedRequest, type DataPoint, type TotalsResult } from './charts.ts';

export type ServiceMap = Schemas['ServiceMap'];
export type ServiceNode = Schemas['ServiceNode'];
export type ServiceEdge = Schemas['ServiceEdge'];
export type ServiceMapRequest = Schemas['ServiceMapRequest'];

/** What changes with each run, so that the same question is asked again. */
interface Asked<B> {
  body: B;
  runId: number;
}

/** What all questions have in common: an answer lasts until the next run, and stays meanwhile. */
const asked = {
  placeholderData: keepPreviousData,
  staleTime: Infinity,
  gcTime: 30_000,
} as const;

/** The range that an answer is of, and when it came. */
interface Answer extends MissingShards {
  span: Span;
  atMs: number;
}

export interface TotalsAnswer extends Answer {
  totals: TotalsResult[];
}

export interface PointsAnswer extends Answer {
  points: DataPoint[];
}

type TotalsBody = Extract<BatchedRequest, { type: 'totals' }>;
type SeriesBody = Extract<BatchedRequest, { type: 'series' }>;

const spanOf = ({ startTime, endTime }: Pick<SeriesBody, 'startTime' | 'endTime'>): Span => ({
  startMs: startTime,
  endMs: endTime,
});

/** Totals of several requests over one range, which share their scans. */
export const totalsQuery = ({ body, runId }: Asked<readonly [TotalsBody, ...TotalsBody[]]>) =>
  queryOptions({
    ...asked,
    queryKey: ['services', 'totals', body, runId],
    queryFn: async ({ signal }): Promise<TotalsAnswer> => {
      const { data, missingShards } = await fetchBatch([...body], signal);
      const totals = data.map((result) => {
        if (result.type === 'totals') {
          return result.totals;
        }
        throw faultOf(result);
      });
      return { totals, span: spanOf(body[0]), atMs: Date.now(), missingShards };
    },
  });

/** Points of one request. */
export const pointsQuery = ({ body, runId }: Asked<SeriesBody>) =>
  queryOptions({
    ...asked,
    queryKey: ['services', 'points', body, runId],
    queryFn: async ({ signal }): Promise<PointsAnswer> => {
      const { data, missingShards } = await fetchBatch([body], signal);
      const [result] = data;
      if (result?.type !== 'series') {
        throw faultOf(result);
      }
      return { points: result.points, span: spanOf(body), atMs: Date.now(), missingShards };
    },
  });

/** The services of a source and the calls between them. */
export const serviceMapQuery = ({ body, runId }: Asked<ServiceMapRequest>) =>
  queryOptions({
    ...asked,
    queryKey: ['services', 'map', body, runId],
    queryFn: async ({ signal }): Promise<ServiceMap & Answer> => ({
      ...(await askRows(api.POST('/services/map', { body, signal }))),
      span: spanOf(body),
      atMs: Date.now(),
    }),
  });

/** One request of a batch failed: the same as if it had been alone. */
function faultOf(result: { type: string; error?: unknown } | undefined): ApiError {
  return new ApiError(result?.type === 'error' ? 400 : 0, result?.error);
}
