import { api, askPartial, type PartialResult, type Schemas } from '../client.ts';

export type ChartRequest = Schemas['ChartRequest'];
export type DataPoint = Schemas['DataPoint'];
export type TotalsRequest = Schemas['TotalsRequest'];
export type TotalsResult = Schemas['TotalsResult'];
export type BatchedRequest = Schemas['BatchedRequest'];
export type BatchedResult = Schemas['BatchedResult'];

/** Results of many requests, in their order. A request that failed has an error in its place. */
export const fetchBatch = (
  requests: BatchedRequest[],
  signal: AbortSignal,
): Promise<PartialResult<BatchedResult[]>> =>
  askPartial(api.POST('/charts/batch', { body: { requests }, signal }));
