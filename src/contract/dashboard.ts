import { z } from 'zod';
import { AggregateFunction, expressionMax, Granularity, Where } from './chart.ts';
import {
  IdParams,
  NoBody,
  NoParams,
  NoQuery,
  ObjectId,
  PageQuery,
  Timestamp,
  WhereLanguage,
} from './common.ts';
import { operation } from './operation.ts';
import { MetricDataType } from './source.ts';

const Expression = z.string().min(1).max(2048);

export const NumberFormat = z
  .object({
    output: z.enum([
      'number',
      'percent',
      'byte',
      'time',
      'duration',
      'currency',
      'data_rate',
      'throughput',
    ]),
    mantissa: z.int().min(0).max(10).optional().meta({ description: 'Digits after the point' }),
    thousandSeparated: z.boolean().optional(),
    average: z.boolean().optional().meta({ description: 'Short form: 1.2k, 3.4m' }),
    decimalBytes: z.boolean().optional().meta({ description: 'Powers of 1000 rather than 1024' }),
    factor: z.number().optional().meta({ description: 'Multiplied with before it is shown' }),
    currencySymbol: z.string().max(8).optional(),
    unit: z.string().max(32).optional(),
  })
  .meta({ id: 'NumberFormat' });

export const TileSelect = z
  .object({
    aggFn: AggregateFunction,
    valueExpression: Expression.optional().meta({
      description: 'What is aggregated; only count, and metrics, can do without',
    }),
    level: z.number().min(0).max(1).optional().meta({ description: 'Which quantile, 0 to 1' }),
    where: Where.optional(),
    whereLanguage: WhereLanguage.optional(),
    alias: z.string().max(255).optional(),
    metricName: z.string().min(1).max(1024).optional(),
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
const GroupBy = z.union(
  [z.string().max(2048), z.array(Expression).max(10)],
  'must be text or a list of at most 10 texts',
);

const builder = {
  sourceId: ObjectId,
  select: z.array(TileSelect).min(1).max(20),
  groupBy: GroupBy.optional(),
  asRatio: z
    .boolean()
    .optional()
    .meta({ description: 'The first value divided by the second; needs exactly two' }),
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
        message: 'a ratio needs exactly two values',
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
      select: z
        .string()
        .max(expressionMax)
        .optional()
        .meta({ description: 'Columns, comma-separated; those of the source where absent' }),
      where: Where.optional(),
      whereLanguage: WhereLanguage.optional(),
      orderBy: z.string().max(2048).optional(),
    }),
    config('markdown', { markdown: z.string().max(65_536) }),
  ])
  .meta({ id: 'TileConfig' });
export type TileConfig = z.output<typeof TileConfig>;

const place = {
  name: z.string().max(1024).default(''),
  x: z.int().min(0).max(23),
  y: z.int().min(0).max(100_000),
  w: z.int().min(1).max(24),
  h: z.int().min(1).max(100_000),
  config: TileConfig,
};

export const TileInput = z
  .object({
    id: z.string().max(64).nullish().meta({
      description: 'An existing tile of this dashboard keeps its id; any other id is replaced',
    }),
    ...place,
  })
  .meta({ id: 'TileInput', description: 'A box on a grid of 24 columns' });

export const Tile = z.object({ id: ObjectId, ...place }).meta({ id: 'Tile' });
export type Tile = z.output<typeof Tile>;

export const DashboardFilter = z
  .object({
    id: z.string().min(1).max(64).optional(),
    type: z.literal('QUERY_EXPRESSION').optional(),
    name: z.string().min(1).max(255),
    expression: Expression.meta({ description: 'The column whose values are offered' }),
    sourceId: ObjectId,
  })
  .meta({ id: 'DashboardFilter' });

export const Tags = z.array(z.string().min(1).max(32)).max(50);
const Name = z.string().min(1).max(1024);
const Tiles = z.array(TileInput).max(500);
const Filters = z.array(DashboardFilter).max(50);

export const DashboardInput = z
  .object({
    name: Name,
    tiles: Tiles.default([]),
    tags: Tags.default([]),
    filters: Filters.default([]),
    savedQuery: Where.nullish(),
    savedQueryLanguage: WhereLanguage.nullish(),
  })
  .meta({ id: 'DashboardInput' });
export type DashboardInput = z.output<typeof DashboardInput>;

export const DashboardChange = z
  .object({
    name: Name.optional(),
    tiles: Tiles.optional(),
    tags: Tags.optional(),
    filters: Filters.optional(),
    savedQuery: Where.nullish(),
    savedQueryLanguage: WhereLanguage.nullish(),
  })
  .meta({
    id: 'DashboardChange',
    description:
      'What is given is replaced whole, what is absent stays. A tile that disappears takes its alerts with it',
  });
export type DashboardChange = z.output<typeof DashboardChange>;

export const Dashboard = z
  .object({
    id: ObjectId,
    name: z.string(),
    tiles: z.array(Tile),
    tags: z.array(z.string()),
    filters: z.array(DashboardFilter),
    savedQuery: z.string().meta({ description: 'Condition on every tile; empty: none' }),
    savedQueryLanguage: WhereLanguage,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Dashboard',
    example: {
      id: '65f0c1d2e3a4b5c6d7e8f904',
      name: 'Checkout',
      tags: ['shop'],
      filters: [],
      savedQuery: '',
      savedQueryLanguage: 'lucene',
      createdAt: '2026-03-14T09:26:53.589Z',
      updatedAt: '2026-03-14T09:26:53.589Z',
      tiles: [
        {
          id: '65f0c1d2e3a4b5c6d7e8f905',
          name: 'Errors',
          x: 0,
          y: 0,
          w: 12,
          h: 4,
          config: {
            displayType: 'line',
            sourceId: '65f0c1d2e3a4b5c6d7e8f901',
            select: [{ aggFn: 'count', where: 'SeverityText:error' }],
            groupBy: 'ServiceName',
          },
        },
      ],
    },
  });
export type Dashboard = z.output<typeof Dashboard>;

const tag = 'Dashboards';
const example = {
  name: 'Checkout',
  tiles: [
    {
      name: 'Errors',
      x: 0,
      y: 0,
      w: 12,
      h: 4,
      config: {
        displayType: 'line',
        sourceId: '65f0c1d2e3a4b5c6d7e8f901',
        select: [{ aggFn: 'count', where: 'SeverityText:error' }],
        groupBy: 'ServiceName',
      },
    },
  ],
  tags: ['shop'],
};

export const listDashboards = operation({
  name: 'listDashboards',
  summary: 'List dashboards',
  tag,
  scope: 'stack:read',
  params: NoParams,
  query: PageQuery,
  body: NoBody,
  result: z.array(Dashboard),
});
export const createDashboard = operation({
  name: 'createDashboard',
  summary: 'Create a dashboard',
  tag,
  scope: 'stack:write',
  params: NoParams,
  query: NoQuery,
  body: DashboardInput,
  result: Dashboard,
  example,
});
export const getDashboard = operation({
  name: 'getDashboard',
  summary: 'Get a dashboard',
  tag,
  scope: 'stack:read',
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: Dashboard,
  faults: ['not_found'],
});
export const updateDashboard = operation({
  name: 'updateDashboard',
  summary: 'Change a dashboard',
  tag,
  scope: 'stack:write',
  params: IdParams,
  query: NoQuery,
  body: DashboardChange,
  result: Dashboard,
  faults: ['not_found'],
  example: { name: 'Checkout and payment' },
});
export const deleteDashboard = operation({
  name: 'deleteDashboard',
  summary: 'Delete a dashboard',
  description: 'The alerts of its tiles go with it.',
  tag,
  scope: 'stack:write',
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: z.undefined(),
  faults: ['not_found'],
});
export const validateDashboard = operation({
  name: 'validateDashboard',
  summary: 'Check a dashboard without storing it',
  description: 'Answers the very errors that creating it would.',
  tag,
  scope: 'stack:read',
  params: NoParams,
  query: NoQuery,
  body: DashboardInput,
  result: z.object({ valid: z.literal(true) }).meta({ example: { valid: true } }),
  example,
});
