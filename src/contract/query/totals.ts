import { z } from 'zod';
import { NoParams, NoQuery } from '../common.ts';
import { operation } from '../operation.ts';
import { checkSeries, Other, seriesInRange } from './chart.ts';

const OrderBy = z
  .object({
    series: z.int().min(0).max(4).default(0).meta({
      description: 'Index of the series whose value decides (default 0). 0 for a ratio.',
    }),
    direction: z
      .enum(['desc', 'asc'])
      .default('desc')
      .meta({ description: '`desc`: greatest first (default). `asc`: least first.' }),
  })
  .meta({ id: 'TotalsOrder', description: 'Groups without a value come last.' });

/** The fields of a request for totals. */
export const totalsRequest = {
  ...seriesInRange,
  orderBy: OrderBy.default({ series: 0, direction: 'desc' }),
  limit: z
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .meta({ description: 'Maximum number of groups to return (1–1000, default 100).' }),
  other: Other,
};

export const TotalsRequest = z
  .object(totalsRequest)
  .superRefine((request, context) => {
    checkSeries(request, context);
    const count = request.seriesReturnType === 'ratio' ? 1 : request.series.length;
    if (request.orderBy.series >= count) {
      context.addIssue({
        code: 'custom',
        path: ['orderBy', 'series'],
        message: `must be less than ${count}, the number of values in a row`,
      });
    }
  })
  .meta({ id: 'TotalsRequest' });
export type TotalsRequest = z.output<typeof TotalsRequest>;

const value = z.union([z.number(), z.null(), z.array(z.string())]);
const values = { '^series_[0-9]+\\.data$': { type: ['number', 'null'] } };

/** `group` if the request has groupBy, and `series_<n>.data` for each series with a value. */
export const TotalsRow = z
  .object({
    group: z
      .array(z.string())
      .optional()
      .meta({ description: 'Values of `groupBy`, in the same order.' }),
  })
  .catchall(value)
  .meta({ id: 'TotalsRow', patternProperties: values, additionalProperties: true });
export type TotalsRow = z.output<typeof TotalsRow>;

export const TotalsResult = z
  .object({
    rows: z.array(TotalsRow).meta({ description: 'One row for each group, in order.' }),
    other: TotalsRow.optional().meta({
      description:
        'All groups beyond `limit` as one, computed from their data. Absent if there are none.',
    }),
    groups: z.int().min(0).meta({ description: 'Number of all groups.' }),
  })
  .meta({
    id: 'TotalsResult',
    example: {
      rows: [
        { group: ['checkout'], 'series_0.data': 42 },
        { group: ['payment'], 'series_0.data': 7 },
      ],
      other: { 'series_0.data': 3 },
      groups: 4,
    },
  });
export type TotalsResult = z.output<typeof TotalsResult>;

export const queryTotals = operation({
  name: 'queryTotals',
  summary: 'Query totals',
  tag: 'Charts',
  scope: 'telemetry:query',
  object: { kind: 'chart' },
  description:
    'Returns up to five series over a whole time range: one row for each group, without buckets. ' +
    'A series without a value omits its key.',
  params: NoParams,
  query: NoQuery,
  body: TotalsRequest,
  result: TotalsResult,
  faults: ['not_found', 'timeout'],
  measured: true,
  example: {
    series: [
      {
        sourceId: '65f0c1d2e3a4b5c6d7e8f901',
        aggFn: 'count',
        where: 'SeverityText:error',
        groupBy: ['ServiceName'],
      },
    ],
    startTime: 1_767_225_600_000,
    endTime: 1_767_229_200_000,
    orderBy: { series: 0, direction: 'desc' },
    limit: 2,
  },
});
