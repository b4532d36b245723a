import { z } from 'zod';
import { NoParams, NoQuery } from '../common.ts';
import { faultCodes, type FaultCode } from '../errors.ts';
import { operation } from '../operation.ts';
import { chartRequest, DataPoint } from './chart.ts';
import { totalsRequest, TotalsResult } from './totals.ts';

const SeriesInBatch = z
  .object({ type: z.literal('series'), ...chartRequest })
  .meta({ id: 'BatchSeries', description: 'A request as of `POST /charts/series`.' });

const TotalsInBatch = z
  .object({ type: z.literal('totals'), ...totalsRequest })
  .meta({ id: 'BatchTotals', description: 'A request as of `POST /charts/totals`.' });

export const BatchRequest = z
  .object({
    requests: z
      .array(
        z.discriminatedUnion('type', [SeriesInBatch, TotalsInBatch]).meta({ id: 'BatchedRequest' }),
      )
      .min(1)
      .max(100)
      .meta({ description: 'Requests, such as those of one dashboard (1–100).' }),
  })
  .meta({ id: 'BatchRequest' });
export type BatchRequest = z.output<typeof BatchRequest>;

const FaultInBatch = z
  .object({
    message: z.string().meta({ description: 'What failed, why, and what to do.' }),
    code: z
      .enum(Object.keys(faultCodes) as [FaultCode, ...FaultCode[]])
      .meta({ description: 'Code of the error.' }),
    errors: z
      .array(
        z
          .object({
            path: z
              .string()
              .meta({ description: 'Path in the request, such as `series.0.where`.' }),
            message: z.string().meta({ description: 'What is wrong there.' }),
          })
          .meta({ id: 'BatchFieldError' }),
      )
      .optional()
      .meta({ description: 'Every invalid field.' }),
  })
  .meta({ id: 'BatchError' });

export const BatchResult = z.array(
  z
    .discriminatedUnion('type', [
      z
        .object({
          type: z.literal('series'),
          points: z.array(DataPoint).meta({ description: 'As of `POST /charts/series`.' }),
        })
        .meta({ id: 'BatchPoints' }),
      z.object({ type: z.literal('totals'), totals: TotalsResult }).meta({ id: 'BatchedTotals' }),
      z.object({ type: z.literal('error'), error: FaultInBatch }).meta({ id: 'BatchFault' }),
    ])
    .meta({
      id: 'BatchedResult',
      example: { type: 'series', points: [{ ts_bucket: 1_767_225_600_000, 'series_0.data': 42 }] },
    }),
);
export type BatchResult = z.output<typeof BatchResult>;

const count = { sourceId: '65f0c1d2e3a4b5c6d7e8f901', aggFn: 'count' };
const range = { startTime: 1_767_225_600_000, endTime: 1_767_229_200_000 };

export const queryBatch = operation({
  name: 'queryBatch',
  summary: 'Query many charts at once',
  tag: 'Charts',
  scope: 'telemetry:query',
  object: { kind: 'chart' },
  description:
    'Answers up to 100 requests in as few scans as their ranges and sources allow. The results are ' +
    'those of the single requests, in the same order. A request that fails has an error in place of ' +
    'its result, and the others are answered.',
  params: NoParams,
  query: NoQuery,
  body: BatchRequest,
  result: BatchResult,
  measured: true,
  example: {
    requests: [
      { type: 'series', series: [{ ...count, groupBy: ['ServiceName'] }], ...range },
      { type: 'totals', series: [{ ...count, where: 'SeverityText:error' }], ...range },
    ],
  },
});
