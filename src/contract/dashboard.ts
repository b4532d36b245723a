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

export const DashboardFilter = z
  .object({
    id: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'Id of the filter (1–64 characters).' }),
    type: z.literal('QUERY_EXPRESSION').optional(),
    name: z
      .string()
      .min(1)
      .max(255)
      .meta({ description: 'Label of the filter (1–255 characters).' }),
    expression: Expression.meta({
      description: 'Column or expression whose values the filter offers.',
    }),
    sourceId: ObjectId,
  })
  .meta({ id: 'DashboardFilter' });

/** A set: repeated tags are stored once. */
export const Tags = z
  .array(z.string().min(1).max(32))
  .max(50)
  .overwrite((tags) => [...new Set(tags)]);
const Name = z.string().min(1).max(1024);
const Tiles = z
  .array(TileInput)
  .max(500)
  .superRefine((tiles, context) => {
    for (const { index, others } of sharedIds(tiles)) {
      const named = others.map((other) => `tiles.${other}`).join(', ');
      context.addIssue({
        code: 'custom',
        path: [index, 'id'],
        message: `is also the id of ${named}. Give each tile its own id, or none`,
      });
    }
  });

/** Tiles whose id another tile has, too. */
function sharedIds(
  tiles: readonly { id?: string | null | undefined }[],
): { index: number; others: number[] }[] {
  const indexesById = new Map<string, number[]>();
  for (const [index, { id }] of tiles.entries()) {
    if (id != null && id !== '') {
      indexesById.set(id, [...(indexesById.get(id) ?? []), index]);
    }
  }
  return [...indexesById.values()]
    .filter(({ length }) => length > 1)
    .flatMap((indexes) =>
      indexes.map((index) => ({ index, others: indexes.filter((other) => other !== index) })),
    );
}

const Filters = z.array(DashboardFilter).max(50);

export const DashboardInput = z
  .object({
    name: Name.meta({ description: 'Name (1–1024 characters).' }),
    tiles: Tiles.default([]).meta({ description: 'Tiles (at most 500, default none).' }),
    tags: Tags.default([]).meta({
      description: 'Tags (at most 50, each 1–32 characters, default none).',
    }),
    filters: Filters.default([]).meta({
      description: 'Filters that a viewer can set (at most 50, default none).',
    }),
    savedQuery: Where.nullish(),
    savedQueryLanguage: WhereLanguage.nullish().meta({
      description: 'Language of `savedQuery` (default `lucene`).',
    }),
  })
  .meta({ id: 'DashboardInput' });
export type DashboardInput = z.output<typeof DashboardInput>;

export const DashboardChange = z
  .object({
    name: Name.optional().meta({ description: 'Name (1–1024 characters).' }),
    tiles: Tiles.optional().meta({ description: 'Tiles (at most 500).' }),
    tags: Tags.optional().meta({ description: 'Tags (at most 50, each 1–32 characters).' }),
    filters: Filters.optional().meta({
      description: 'Filters that a viewer can set (at most 50).',
    }),
    savedQuery: Where.nullish(),
    savedQueryLanguage: WhereLanguage.nullish().meta({ description: 'Language of `savedQuery`.' }),
  })
  .meta({
    id: 'DashboardChange',
    description:
      'Each field in the request replaces the stored field as a whole; ' +
      'omitted fields keep their value. Removing a tile deletes its alerts.',
  });
export type DashboardChange = z.output<typeof DashboardChange>;

export const Dashboard = z
  .object({
    id: ObjectId,
    name: z.string().meta({ description: 'Name.' }),
    tiles: z.array(Tile).meta({ description: 'Tiles of the dashboard.' }),
    tags: z.array(z.string()).meta({ description: 'Tags.' }),
    filters: z.array(DashboardFilter).meta({ description: 'Filters that a viewer can set.' }),
    savedQuery: z
      .string()
      .meta({ description: 'Condition that applies to every tile; empty if there is none.' }),
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
  description: 'Returns dashboards with their tiles, in creation order.',
  tag,
  scope: 'stack:read',
  object: { kind: 'dashboard' },
  params: NoParams,
  query: PageQuery,
  body: NoBody,
  result: z.array(Dashboard),
});
export const createDashboard = operation({
  name: 'createDashboard',
  summary: 'Create a dashboard',
  description:
    'The server assigns the ids of the dashboard and its tiles. Every source that a tile refers to must exist.',
  tag,
  scope: 'stack:write',
  object: { kind: 'dashboard' },
  params: NoParams,
  query: NoQuery,
  body: DashboardInput,
  result: Dashboard,
  example,
});
export const getDashboard = operation({
  name: 'getDashboard',
  summary: 'Get a dashboard',
  description: 'Returns the dashboard with its tiles.',
  tag,
  scope: 'stack:read',
  object: { kind: 'dashboard', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: Dashboard,
  faults: ['not_found'],
});
export const updateDashboard = operation({
  name: 'updateDashboard',
  readOnly: ['id', 'createdAt', 'updatedAt'],
  summary: 'Update a dashboard',
  description:
    'Each field in the request replaces the stored field. Removing a tile deletes its alerts.',
  tag,
  scope: 'stack:write',
  object: { kind: 'dashboard', id: 'id' },
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
  description: 'Also deletes the alerts of its tiles.',
  tag,
  scope: 'stack:write',
  object: { kind: 'dashboard', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: z.undefined(),
  faults: ['not_found'],
});
export const validateDashboard = operation({
  name: 'validateDashboard',
  summary: 'Validate a dashboard without saving it',
  description: 'Returns the same errors as create.',
  tag,
  scope: 'stack:read',
  object: { kind: 'dashboard' },
  params: NoParams,
  query: NoQuery,
  body: DashboardInput,
  result: z.object({ valid: z.literal(true) }).meta({ example: { valid: true } }),
  example,
});
