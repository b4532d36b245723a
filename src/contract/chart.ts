import { z } from 'zod';
import { NoParams, NoQuery, ObjectId, WhereLanguage } from './common.ts';
import { operation } from './operation.ts';
import { MetricDataType } from './source.ts';

/** The longest condition or expression a caller may send. */
export const expressionMax = 8192;

export const AggregateFunction = z
  .enum(['avg', 'count', 'count_distinct', 'last_value', 'max', 'min', 'quantile', 'sum'])
  .meta({ id: 'AggregateFunction' });
export type AggregateFunction = z.infer<typeof AggregateFunction>;

export const granularitiesMs = {
  '30s': 30_000,
  '1m': 60_000,
  '5m': 300_000,
  '10m': 600_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '2h': 7_200_000,
  '6h': 21_600_000,
  '12h': 43_200_000,
  '1d': 86_400_000,
  '2d': 172_800_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
} as const;

export const Granularity = z
  .enum([...(Object.keys(granularitiesMs) as (keyof typeof granularitiesMs)[]), 'auto'])
  .meta({
    id: 'Granularity',
    description: 'Size of a time bucket; auto is the smallest that yields at most 60 buckets',
  });
export type Granularity = z.infer<typeof Granularity>;

export const Where = z
  .string()
  .max(expressionMax)
  .meta({ description: 'Condition on the rows; empty matches all' });

/** Milliseconds since the epoch. Seconds sent by mistake have fewer than 13 digits and are refused. */
export const EpochMs = z
  .int()
  .min(1_000_000_000_000, 'must be milliseconds since 1970 (at least 13 digits)')
  .max(8_640_000_000_000_000)
  .meta({ id: 'EpochMs', example: 1_767_225_600_000 });

export const ChartSeries = z.object({
  sourceId: ObjectId,
  aggFn: AggregateFunction,
  where: Where.default(''),
  whereLanguage: WhereLanguage.default('lucene'),
  groupBy: z.array(z.string().min(1).max(2048)).max(10).default([]).meta({
    description:
      'Columns, map keys (Map.key.with.dots) or expressions; the same list on every series',
  }),
  field: z.string().min(1).max(2048).optional().meta({
    description: 'Column, map key or expression that is aggregated; only count can do without',
  }),
  level: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: 'Which quantile, 0 to 1; 0.5 where absent' }),
  metricName: z.string().min(1).max(1024).optional(),
  metricDataType: MetricDataType.optional().meta({
    description: 'Which table of a metric source; gauge where absent',
  }),
});
export type ChartSeries = z.output<typeof ChartSeries>;

export const ChartRequest = z
  .object({
    series: z.array(ChartSeries).min(1).max(5),
    startTime: EpochMs,
    endTime: EpochMs.meta({ description: 'Exclusive' }),
    granularity: Granularity.default('auto'),
    seriesReturnType: z.enum(['column', 'ratio']).default('column').meta({
      description: 'ratio: exactly two series, answered as the first divided by the second',
    }),
  })
  .superRefine((request, context) => {
    const issue = (path: (string | number)[], message: string): void =>
      context.addIssue({ code: 'custom', path, message });
    if (request.startTime >= request.endTime) {
      issue(['endTime'], 'must be after startTime');
    }
    if (request.seriesReturnType === 'ratio' && request.series.length !== 2) {
      issue(['series'], 'ratio needs exactly two series');
    }
    const groups = JSON.stringify(request.series[0]?.groupBy ?? []);
    request.series.forEach((series, index) => {
      if (JSON.stringify(series.groupBy) !== groups) {
        issue(['series', index, 'groupBy'], 'must be the same list on every series');
      }
    });
  })
  .meta({ id: 'ChartRequest' });
export type ChartRequest = z.output<typeof ChartRequest>;

/** `ts_bucket`, `group` where asked for, and `series_<n>.data` for each series that has a value there. */
export const DataPoint = z
  .object({
    ts_bucket: z
      .number()
      .meta({ description: 'Start of the bucket, milliseconds since the epoch' }),
    group: z.array(z.string()).optional().meta({ description: 'Values of groupBy, in its order' }),
  })
  .catchall(z.union([z.number(), z.null(), z.array(z.string())]))
  .meta({ id: 'DataPoint', example: { ts_bucket: 1_767_225_600_000, 'series_0.data': 42 } });
export type DataPoint = z.output<typeof DataPoint>;

export const querySeries = operation({
  name: 'querySeries',
  summary: 'Query time series',
  tag: 'Charts',
  scope: 'telemetry:query',
  description:
    'Up to five series over one time range, in buckets aligned to the epoch (UTC). Buckets without rows are left out; a series without a value in a bucket leaves out its key.',
  params: NoParams,
  query: NoQuery,
  body: ChartRequest,
  result: z.array(DataPoint),
  faults: ['not_found', 'timeout'],
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
    granularity: '1m',
  },
});
