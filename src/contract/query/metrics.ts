import { z } from 'zod';
import { IdParams, NoBody, PageQuery } from '../common.ts';
import { operation } from '../operation.ts';
import { MetricDataType } from '../source.ts';

export const MetricsQuery = PageQuery.extend({
  find: z
    .string()
    .max(256)
    .optional()
    .meta({ description: 'Part of the name, in any case (at most 256 characters).' }),
});
export type MetricsQuery = z.output<typeof MetricsQuery>;

export const Metric = z
  .object({
    name: z.string().meta({ description: 'Name of the metric.' }),
    type: MetricDataType,
    unit: z.string().meta({ description: 'Unit as it was sent; empty if there is none.' }),
    lastValue: z
      .number()
      .optional()
      .meta({
        description:
          'Value of the newest point of any series; of distributions, its number of observations. ' +
          'Absent if it is not a finite number.',
      }),
    lastTime: z.number().meta({
      description: 'Time of the newest point, in milliseconds since the Unix epoch.',
    }),
  })
  .meta({
    id: 'Metric',
    example: {
      name: 'system.memory.usage',
      type: 'gauge',
      unit: 'By',
      lastValue: 1_073_741_824,
      lastTime: 1_767_225_612_345,
    },
  });
export type Metric = z.output<typeof Metric>;

export const listMetrics = operation({
  name: 'listMetrics',
  summary: 'List the metrics of a source',
  tag: 'Sources',
  scope: 'telemetry:query',
  object: { kind: 'source', id: 'id' },
  description:
    'Returns every metric in the tables of a metric source, by name. A name that has points of ' +
    'several types is listed once for each.',
  params: IdParams,
  query: MetricsQuery,
  body: NoBody,
  result: z.array(Metric),
  faults: ['not_found', 'timeout'],
  measured: true,
});
