import { z } from 'zod';
import { AggregateFunction, Granularity } from '../query/chart.ts';
import { expressionMax, Where } from '../query/filter.ts';
import { ObjectId, WhereLanguage } from '../common.ts';
import { MetricDataType } from '../source.ts';

export const Expression = z.string().min(1).max(2048);

export const NumberFormat = z
  .object({
    output: z
      .enum([
        'number',
        'percent',
        'byte',
        'time',
        'duration',
        'currency',
        'data_rate',
        'throughput',
      ])
      .meta({ description: 'Unit in which the value is shown.' }),
    mantissa: z
      .int()
      .min(0)
      .max(10)
      .optional()
      .meta({ description: 'Number of decimal places (0–10).' }),
    thousandSeparated: z
      .boolean()
      .optional()
      .meta({ description: 'Separate groups of three digits.' }),
    average: z.boolean().optional().meta({ description: 'Abbreviate large numbers: 1.2k, 3.4m.' }),
    decimalBytes: z
      .boolean()
      .optional()
      .meta({ description: 'Use powers of 1000 instead of 1024.' }),
    factor: z
      .number()
      .optional()
      .meta({ description: 'Factor applied to the value before display.' }),
    currencySymbol: z
      .string()
      .max(8)
      .optional()
      .meta({ description: 'Currency symbol, for `currency` (at most 8 characters).' }),
    unit: z
      .string()
      .max(32)
      .optional()
      .meta({ description: 'Unit shown after the value (at most 32 characters).' }),
  })
  .meta({ id: 'NumberFormat' });

export const TileSelect = z
  .object({
    aggFn: AggregateFunction,
    valueExpression: Expression.optional().meta({
      description:
        'Column or expression to aggregate. Required for every function except `count`, unless `metricName` is set.',
    }),
    level: z.number().min(0).max(1).optional().meta({ description: 'Quantile level (0–1).' }),
    where: Where.optional(),
    whereLanguage: WhereLanguage.optional(),
    alias: z
      .string()
      .max(255)
      .optional()
      .meta({ description: 'Name of the value on the chart (at most 255 characters).' }),
    metricName: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .meta({ description: 'Name of the metric, for a metric source (1–1024 characters).' }),
    metricType: MetricDataType.optional(),
  })
  .superRefine(({ aggFn, valueExpression, metricName }, context) => {
    if (aggFn !== 'count' && valueExpression === undefined && metricName === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['valueExpression'],
        message: `is required for ${aggFn} (metrics: metricName)`,
      });
    }
  })
  .meta({ id: 'TileSelect' });
export type TileSelect = z.output<typeof TileSelect>;

/** One expression (or several, comma-separated), or a list of them. */
const GroupBy = z
  .union(
    [z.string().max(2048), z.array(Expression).max(10)],
    'must be a string or a list of at most 10 strings',
  )
  .meta({
    id: 'TileGroupBy',
    description:
      'Columns or expressions to group by: comma-separated text, or a list of at most 10.',
  });

const builder = {
  sourceId: ObjectId,
  select: z.array(TileSelect).min(1).max(20).meta({ description: 'Values to show (1–20).' }),
  groupBy: GroupBy.optional(),
  asRatio: z.boolean().optional().meta({
    description:
      'If true, show the first value divided by the second. Requires exactly two values.',
  }),
  numberFormat: NumberFormat.optional(),
  granularity: Granularity.optional(),
};

const config = <T extends string, Shape extends z.ZodRawShape>(displayType: T, shape: Shape) =>
  z.object({ displayType: z.literal(displayType), ...shape });

const built = <T extends string>(displayType: T) =>
  config(displayType, builder).superRefine(({ asRatio, select }, context) => {
    if (asRatio === true && select.length !== 2) {
      context.addIssue({
        code: 'custom',
        path: ['select'],
        message: 'must have exactly two values if asRatio is true',
      });
    }
  });

export const TileConfig = z
  .discriminatedUnion('displayType', [
    built('line'),
    built('stacked_bar'),
    built('number'),
    built('table'),
    built('pie'),
    config('search', {
      sourceId: ObjectId,
      select: z.string().max(expressionMax).optional().meta({
        description: 'Columns, comma-separated. Default: the columns that the source defines.',
      }),
      where: Where.optional(),
      whereLanguage: WhereLanguage.optional(),
      orderBy: z.string().max(2048).optional().meta({
        description:
          'Columns or expressions, each with optional ASC or DESC. Default: newest first.',
      }),
    }),
    config('markdown', {
      markdown: z
        .string()
        .max(65_536)
        .meta({ description: 'Markdown text (at most 65536 characters).' }),
    }),
  ])
  .meta({ id: 'TileConfig' });
export type TileConfig = z.output<typeof TileConfig>;

const place = {
  name: z
    .string()
    .max(1024)
    .default('')
    .meta({ description: 'Title of the tile (at most 1024 characters, default empty).' }),
  x: z.int().min(0).max(23).meta({ description: 'Left column on the grid (0–23).' }),
  y: z.int().min(0).max(100_000).meta({ description: 'Top row on the grid (0–100000).' }),
  w: z.int().min(1).max(24).meta({ description: 'Width in columns (1–24).' }),
  h: z.int().min(1).max(100_000).meta({ description: 'Height in rows (1–100000).' }),
  repeatBy: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({
      description:
        'Id of a filter of the dashboard (1–64 characters). The web interface shows the tile once ' +
        'for each value of this filter. An id that no filter has is ignored.',
    }),
  config: TileConfig,
};

export const TileInput = z
  .object({
    id: z.string().max(64).nullish().meta({
      description:
        'Id of an existing tile of this dashboard. The server replaces any other id with a new one.',
    }),
    ...place,
  })
  .meta({ id: 'TileInput', description: 'Tile on a grid of 24 columns.' });

export const Tile = z.object({ id: ObjectId, ...place }).meta({ id: 'Tile' });
export type Tile = z.output<typeof Tile>;
