import type { TileConfig, Tile, TileSelect } from '../../contract/dashboard.ts';
import type { Issue } from '../../contract/errors.ts';
import { Fault } from '../../contract/errors.ts';
import type { SavedSearch } from '../../contract/saved-search.ts';
import type { Source } from '../../contract/source.ts';
import type { StoredDocument } from '../../ports/store.ts';
import {
  compileWhere,
  ExpressionError,
  fieldsOf,
  joined,
  splitGroupBy,
  type Condition,
  type Plan,
  type Query,
  type SourcedSeries,
} from '../query/index.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import type { AlertDefinition } from './alert-definition.ts';

/** What an alert asks the engine, checked; the window comes in when it is asked. */
export interface Question {
  plan: Plan;
  /** How the value of a row is made of its series. */
  value: 'last' | 'ratio';
  /** Whether each series counts, so that no rows are 0 of them. */
  counts: boolean[];
  /** Text of what the groups are groups of; empty: no groups. */
  groupBy: string;
  sourceId: string;
}

/** Why an alert cannot be evaluated; the message is safe to show. */
export class InvalidAlert extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidAlert';
  }
}

/** It does not say what it watches: not a failure, but nothing to do. Its record says so by itself. */
export class NothingToWatch extends InvalidAlert {}

export interface QuestionDependencies {
  find(workspaceId: string, kind: StoredDocument['kind'], id: string): StoredDocument | undefined;
  query: Query;
  telemetry: Telemetry;
}

/**
 * @throws InvalidAlert where something it refers to is missing or does not fit.
 * @throws Fault where the engine is away.
 */
export async function question(
  definition: AlertDefinition,
  deps: QuestionDependencies,
): Promise<Question> {
  try {
    return definition.source === 'tile'
      ? await tileQuestion(definition, deps)
      : await searchQuestion(definition, deps);
  } catch (error) {
    if (error instanceof ExpressionError) {
      throw new InvalidAlert(error.publicText);
    }
    if (error instanceof Fault && error.code === 'bad_request') {
      throw new InvalidAlert(error.issues?.map(readable).join('; ') ?? error.message);
    }
    throw error;
  }
}

/** Paths are those of our own request to the query engine, which nobody knows: only the last word helps. */
function readable({ path, message }: Issue): string {
  const word = path.split('.').findLast((part) => !/^\d+$/.test(part));
  return word === undefined || word === '' ? message : `${word}: ${message}`;
}

async function searchQuestion(
  definition: AlertDefinition,
  deps: QuestionDependencies,
): Promise<Question> {
  if (definition.savedSearchId === null) {
    throw new NothingToWatch(
      'it names no saved search (savedSearchId), so there is nothing to evaluate',
    );
  }
  const stored = deps.find(definition.workspaceId, 'savedSearch', definition.savedSearchId);
  if (!stored) {
    throw new InvalidAlert(`the saved search ${definition.savedSearchId} is gone`);
  }
  const search = stored.body as unknown as SavedSearch;
  const source = sourceOf(definition, search.sourceId, deps);
  const groupBy = splitGroupBy(definition.groupBy);
  const plan = await planOf(
    [
      {
        source,
        aggFn: 'count',
        where: search.where,
        whereLanguage: search.whereLanguage,
        path: 'search',
      },
    ],
    groupBy,
    false,
    deps,
  );
  const filters = search.filters ?? [];
  const whole =
    filters.length === 0 ? plan : narrowed(plan, await filterConditions(source, filters, deps));
  return {
    plan: whole,
    value: 'last',
    counts: [true],
    groupBy: groupBy.join(', '),
    sourceId: source.id,
  };
}

async function filterConditions(
  source: Source,
  filters: SavedSearch['filters'],
  { telemetry }: QuestionDependencies,
): Promise<Condition[]> {
  const fields = fieldsOf(await telemetry.columns(source.from.databaseName, source.from.tableName));
  return filters.map(({ type, condition }) => compileWhere(source, fields, condition, type));
}

function narrowed(plan: Plan, conditions: Condition[]): Plan {
  return {
    ...plan,
    scans: plan.scans.map((scan) => ({
      ...scan,
      ...(scan.kind === 'rows' && { rollup: undefined }),
      readings: scan.readings.map((reading) => ({
        ...reading,
        condition: joined('and', [reading.condition, ...conditions]),
      })),
    })),
  };
}

async function tileQuestion(
  definition: AlertDefinition,
  deps: QuestionDependencies,
): Promise<Question> {
  const { config } = tileOf(definition, deps);
  if (config.displayType === 'markdown') {
    throw new InvalidAlert('its tile shows text, which has no value');
  }
  const source = sourceOf(definition, config.sourceId, deps);
  const groupBy = splitGroupBy(
    definition.groupBy === '' ? tileGroupBy(config) : definition.groupBy,
  );
  const ratio = 'asRatio' in config && config.asRatio === true;
  const series =
    config.displayType === 'search'
      ? [
          {
            source,
            aggFn: 'count' as const,
            where: config.where ?? '',
            whereLanguage: config.whereLanguage ?? ('lucene' as const),
            path: 'tile',
          },
        ]
      : // Of several values the last column decides; the others need not be asked for.
        (ratio ? config.select : config.select.slice(-1)).map((select, index) =>
          seriesOf(select, source, index),
        );
  return {
    plan: await planOf(series, groupBy, ratio, deps),
    value: ratio ? 'ratio' : 'last',
    counts: series.map(({ aggFn }) => aggFn === 'count' || aggFn === 'count_distinct'),
    groupBy: groupBy.join(', '),
    sourceId: source.id,
  };
}

function tileOf(
  { dashboardId, tileId, workspaceId }: AlertDefinition,
  deps: QuestionDependencies,
): Tile {
  if (dashboardId === null || tileId === null) {
    throw new NothingToWatch(
      `it names no ${dashboardId === null ? 'dashboard (dashboardId)' : 'tile (tileId)'}, so there is nothing to evaluate`,
    );
  }
  const dashboard = deps.find(workspaceId, 'dashboard', dashboardId);
  if (!dashboard) {
    throw new InvalidAlert(`the dashboard ${dashboardId} is gone`);
  }
  const tile = (dashboard.body as unknown as { tiles: Tile[] }).tiles.find(
    ({ id }) => id === tileId,
  );
  if (!tile) {
    throw new InvalidAlert(`the tile ${tileId} is gone from its dashboard`);
  }
  return tile;
}

function tileGroupBy(config: TileConfig): string {
  const groupBy = 'groupBy' in config ? config.groupBy : undefined;
  return groupBy === undefined ? '' : typeof groupBy === 'string' ? groupBy : groupBy.join(', ');
}

function seriesOf(select: TileSelect, source: Source, index: number): SourcedSeries {
  return {
    source,
    aggFn: select.aggFn,
    field: select.valueExpression,
    level: select.level,
    where: select.where ?? '',
    whereLanguage: select.whereLanguage ?? 'lucene',
    metricName: select.metricName,
    metricDataType: select.metricType,
    path: `select.${index}`,
  };
}

function sourceOf(
  { workspaceId }: AlertDefinition,
  sourceId: string,
  deps: QuestionDependencies,
): Source {
  const stored = deps.find(workspaceId, 'source', sourceId);
  if (!stored) {
    throw new InvalidAlert(`the source ${sourceId} is gone`);
  }
  const known = sources.get(stored);
  if (known) {
    return known;
  }
  const source = { id: stored.id, ...stored.body } as unknown as Source;
  sources.set(stored, source);
  return source;
}

/** Thousands of alerts watch the same source. */
const sources = new WeakMap<StoredDocument, Source>();

/** The range is a stand-in: the window replaces it. */
function planOf(
  series: SourcedSeries[],
  groupBy: string[],
  ratio: boolean,
  { query }: QuestionDependencies,
): Promise<Plan> {
  return query.plan({ series, groupBy, range: { fromMs: 0, toMs: 1 }, bucketMs: undefined, ratio });
}
