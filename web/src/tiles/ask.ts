import { ChartBatches } from '../api/chart-batches.ts';
import { api, askPartial, type PartialResult, type Schemas } from '../api/client.ts';
import {
  fetchBatch,
  type ChartRequest,
  type DataPoint,
  type TotalsRequest,
  type TotalsResult,
} from '../api/queries/charts.ts';
import { Turns } from '../api/turns.ts';
import type { RowsRequest } from './model/requests.ts';

/** Asks for a part of a tile: in its turn, those in view first. */
export type Ask<B, R> = (
  body: B,
  isVisible: () => boolean,
  signal: AbortSignal,
) => Promise<PartialResult<R>>;

const callsAtOnce = 6;
const turns = new Turns(callsAtOnce);
const batches = new ChartBatches(turns, fetchBatch);

/** Values in time buckets. */
export const askSeries: Ask<ChartRequest, DataPoint[]> = async (body, isVisible, signal) => {
  const { data, ...rest } = await batches.ask({ type: 'series', ...body }, isVisible, signal);
  return { ...rest, data: data.type === 'series' ? data.points : [] };
};

/** Values over a whole range. */
export const askTotals: Ask<TotalsRequest, TotalsResult> = async (body, isVisible, signal) => {
  const { data, ...rest } = await batches.ask({ type: 'totals', ...body }, isVisible, signal);
  return { ...rest, data: data.type === 'totals' ? data.totals : { rows: [], groups: 0 } };
};

/** The first page of a search. */
export const askRows: Ask<RowsRequest, Schemas['SearchResult']> = (body, isVisible, signal) =>
  turns.take(() => askPartial(api.POST('/search', { body, signal })), isVisible, signal);
