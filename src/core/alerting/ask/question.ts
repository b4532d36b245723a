import type { TileConfig, Tile, TileSelect } from '../../../contract/dashboard/tile.ts';
import type { Issue } from '../../../contract/errors.ts';
import { Fault } from '../../../contract/errors.ts';
import type { Source } from '../../../contract/source.ts';
import type { DocumentKind, StoredDocument } from '../../../ports/store/document-store.ts';
import {
  ExpressionError,
  splitGroupBy,
  type Plan,
  type Query,
  type SourcedSeries,
} from '../../query/index.ts';
import { times } from '../../verb/document.ts';
import type { AlertDefinition } from '../alert-definition.ts';

/** The query of an alert, checked against its source; the window is added for each evaluation. */
export interface Question {
  plan: Plan;
  /** How a row's value is made from its series: the last one, or the ratio of the first two. */
  value: 'last' | 'ratio';
  /** For each series: whether it is a count, so that no rows mean the value 0. */
  counts: boolean[];
  /** The group-by expressions, comma-separated; empty: no groups. */
  groupBy: string;
  sourceId: string;
}

/** An alert that cannot be evaluated. The message is safe to show to callers. */
export class InvalidAlert extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidAlert';
  }
}

/** An alert that names nothing to evaluate. This is no failure: its record shows what is missing. */
export class NothingToWatch extends InvalidAlert {}

export interface QuestionDependencies {
  find<K extends DocumentKind>(
    workspaceId: string,
    kind: K,
    id: string,
  ): StoredDocument<K> | undefined;
  query: Query;
}

/**
 * @throws InvalidAlert if an object that the alert refers to is missing or does not fit.
 * @throws Fault if the engine is unavailable.
 */
export async function buildQuestion(
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

/** The path belongs to the internal query request, so only its last name is shown. */
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
    throw new InvalidAlert(`the saved search ${definition.savedSearchId} does not exist`);
  }
  const search = stored.body;
  const source = sourceOf(definition, search.sourceId, deps);
  const groupBy = splitGroupBy(definition.groupBy);
  const plan = await planOf(
    [
      {
        source,
        aggFn: 'count',
        where: search.where,
        whereLanguage: search.whereLanguage,
        filters: search.filters,
        path: 'search',
      },
    ],
    groupBy,
    false,
    deps,
  );
  return {
    plan,
    value: 'last',
    counts: [true],
    groupBy: groupBy.join(', '),
    sourceId: source.id,
  };
}

async function tileQuestion(
  definition: AlertDefinition,
  deps: QuestionDependencies,
): Promise<Question> {
  const { config } = tileOf(definition, deps);
  if (config.displayType === 'markdown') {
    throw new InvalidAlert('its tile shows text, which has no value to evaluate');
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
      : // Of several values the last one decides, so the others are not queried.
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
    const missing = dashboardId === null ? 'dashboard (dashboardId)' : 'tile (tileId)';
    throw new NothingToWatch(`it names no ${missing}, so there is nothing to evaluate`);
  }
  const dashboard = deps.find(workspaceId, 'dashboard', dashboardId);
  if (!dashboard) {
    throw new InvalidAlert(`the dashboard ${dashboardId} does not exist`);
  }
  const tile = dashboard.body.tiles.find(({ id }) => id === tileId);
  if (!tile) {
    throw new InvalidAlert(`the tile ${tileId} does not exist on its dashboard`);
  }
  return tile;
}

function tileGroupBy(config: TileConfig): string {
  const groupBy = 'groupBy' in config ? (config.groupBy ?? '') : '';
  return typeof groupBy === 'string' ? groupBy : groupBy.join(', ');
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
    throw new InvalidAlert(`the source ${sourceId} does not exist`);
  }
  const known = sources.get(stored);
  if (known) {
    return known;
  }
  const source = {
    id: stored.id,
    team: stored.workspaceId,
    ...stored.body,
    ...times(stored),
  };
  sources.set(stored, source);
  return source;
}

/** Thousands of alerts watch the same source. */
const sources = new WeakMap<StoredDocument<'source'>, Source>();

/** The range is a placeholder: each evaluation replaces it with its window. */
function planOf(
  series: SourcedSeries[],
  groupBy: string[],
  ratio: boolean,
  { query }: QuestionDependencies,
): Promise<Plan> {
  return query.plan({ series, groupBy, range: { fromMs: 0, toMs: 1 }, bucketMs: undefined, ratio });
}
