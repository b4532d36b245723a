import { z } from 'zod';
import { Where } from '../query/filter.ts';
import {
  IdParams,
  NoBody,
  NoParams,
  NoQuery,
  ObjectId,
  PageQuery,
  Tags,
  Timestamp,
  WhereLanguage,
} from '../common.ts';
import { operation } from '../operation.ts';
import { Expression, TileInput, Tile } from './tile.ts';

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
    whereLanguage: WhereLanguage.optional().meta({
      description: 'Language of the conditions that the filter adds. Stored and returned.',
    }),
  })
  .meta({ id: 'DashboardFilter' });

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

const exampleTile = {
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
};

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
      tiles: [{ id: '65f0c1d2e3a4b5c6d7e8f905', ...exampleTile }],
    },
  });
export type Dashboard = z.output<typeof Dashboard>;

const tag = 'Dashboards';
const example = {
  name: 'Checkout',
  tiles: [exampleTile],
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
export const DashboardSummary = z
  .object({
    id: ObjectId,
    name: z.string().meta({ description: 'Name.' }),
    tags: z.array(z.string()).meta({ description: 'Tags.' }),
    tileCount: z.int().min(0).meta({ description: 'Number of tiles.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'DashboardSummary',
    example: {
      id: '65f0c1d2e3a4b5c6d7e8f904',
      name: 'Checkout',
      tags: ['shop'],
      tileCount: 12,
      createdAt: '2026-03-14T09:26:53.589Z',
      updatedAt: '2026-03-14T09:26:53.589Z',
    },
  });
export type DashboardSummary = z.output<typeof DashboardSummary>;

export const listDashboardSummaries = operation({
  name: 'listDashboardSummaries',
  summary: 'List dashboards without their tiles',
  description: 'Returns name, tags and number of tiles of each dashboard, in creation order.',
  tag,
  scope: 'stack:read',
  object: { kind: 'dashboard' },
  params: NoParams,
  query: PageQuery,
  body: NoBody,
  result: z.array(DashboardSummary),
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
  result: z
    .object({ valid: z.boolean().meta({ description: 'Always true: mistakes are a 400.' }) })
    .meta({ example: { valid: true } }),
  example,
});
