import { z } from 'zod';
import { NoParams, NoQuery, ObjectId } from '../common.ts';
import { operation } from '../operation.ts';
import { MetricDataType } from '../source.ts';
import { rowConditions } from './filter.ts';
import { orderedRange, range } from './range.ts';

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
    description:
      'Length of a time bucket. `auto` selects the shortest length that yields at most 60 buckets.',
  });
export type Granularity = z.infer<typeof Granularity>;

export const ChartSeries = z
  .object({
    sourceId: ObjectId,
    aggFn: AggregateFunction,
    ...rowConditions,
    groupBy: z.array(z.string().min(1).max(2048)).max(10).default([]).meta({
      description:
        'Columns, map keys (`Map.key.with.dots`) or expressions to group by. Every series must have the same list.',
    }),
    field: z.string().min(1).max(2048).optional().meta({
      description:
        'Column, map key or expression to aggregate. Required for every function except `count`.',
    }),
    level: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'Quantile level (0–1, default 0.5).' }),
    metricName: z.string().min(1).max(1024).optional().meta({
      description:
        'Name of the metric (1–1024 characters). Required for a metric source, except with `count`.',
    }),
    metricDataType: MetricDataType.optional().meta({
      description: 'Metric type, which selects the table of a metric source (default `gauge`).',
    }),
  })
  .meta({ id: 'ChartSeries' });
export type ChartSeries = z.output<typeof ChartSeries>;

/** The series of a request and their range. */
export const seriesInRange = {
  series: z.array(ChartSeries).min(1).max(5).meta({ description: 'Series to return (1–5).' }),
  ...range,
  seriesReturnType: z
    .enum(['column', 'ratio'])
    .default('column')
    .meta({
      description:
        '`column` returns each series. `ratio` requires exactly two series and returns the ' +
        'first divided by the second.',
    }),
};
const SeriesInRange = z.object(seriesInRange);

/** For `superRefine`. */
export function checkSeries(
  request: z.output<typeof SeriesInRange>,
  context: z.RefinementCtx,
): void {
  const issue = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path, message });
  orderedRange(request, context);
  if (request.seriesReturnType === 'ratio' && request.series.length !== 2) {
    issue(['series'], 'must have exactly two series if seriesReturnType is ratio');
  }
  const groups = JSON.stringify(request.series[0]?.groupBy ?? []);
  request.series.forEach((series, index) => {
    if (JSON.stringify(series.groupBy) !== groups) {
      issue(['series', index, 'groupBy'], 'must be the same list in every series');
    }
  });
}

export const Other = z.boolean().default(true).meta({
  description: 'Whether to return the groups beyond `limit` together (default true).',
});

/** The fields of a chart request. */
export const chartRequest = {
  ...seriesInRange,
  granularity: Granularity.default('auto'),
  limit: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({
      description:
        'Maximum number of groups (1–100): those with the greatest value of the first series ' +
        'over the whole range. Default: every group.',
    }),
  other: Other,
};

export const ChartRequest = z
  .object(chartRequest)
  .superRefine(checkSeries)
  .meta({ id: 'ChartRequest' });
export type ChartRequest = z.output<typeof ChartRequest>;

/**
 * `ts_bucket`, `group` if the request has groupBy, and `series_<n>.data` for each series with a
 * value in the bucket.
 */
export const DataPoint = z
  .object({
    ts_bucket: z
      .number()
      .meta({ description: 'Start of the bucket, in milliseconds since the Unix epoch.' }),
    group: z.array(z.string()).optional().meta({
      description: 'Values of `groupBy`, in the same order; empty for the groups beyond `limit`.',
    }),
    // No literal: generators for Java cannot compile a constant that is a boolean.
    other: z
      .boolean()
      .optional()
      .meta({ description: '`true` on the point of all groups beyond `limit`, else absent.' }),
  })
  .catchall(z.union([z.number(), z.null(), z.array(z.string()), z.boolean()]))
  .meta({
    id: 'DataPoint',
    // Client generators cannot compile typed additional properties that may be null.
    patternProperties: { '^series_[0-9]+\\.data$': { type: ['number', 'null'] } },
    additionalProperties: true,
    example: { ts_bucket: 1_767_225_600_000, 'series_0.data': 42 },
  });
export type DataPoint = z.output<typeof DataPoint>;

export const querySeries = operation({
  name: 'querySeries',
  summary: 'Query time series',
  tag: 'Charts',
  scope: 'telemetry:query',
  object: { kind: 'chart' },
  description:
    'Returns up to five series over one time range, ' +
    'in buckets aligned to the Unix epoch (UTC). Buckets without rows are omitted. ' +
    'A series without a value in a bucket omits its key.',
  params: NoParams,
  query: NoQuery,
  body: ChartRequest,
  result: z.array(DataPoint),
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
    granularity: '1m',
  },
});
