import type { AggregateFunction } from '../../../contract/query/chart.ts';
import type { Issue } from '../../../contract/errors.ts';
import type { MetricDataType, Source } from '../../../contract/source.ts';
import type { TimeRange } from './bucket.ts';
import {
  collect,
  compileOperand,
  compileRows,
  isVolatile,
  type RowConditions,
} from '../fields/compile.ts';
import { eventTime } from './event-time.ts';
import type { Fields } from '../fields/fields.ts';
import {
  metricColumns,
  metricCondition,
  metricIssues,
  metricOperand,
  metricTable,
} from './metric-series.ts';
import type { Aggregate, Plan, Measure, Scan, Table } from './plan.ts';
import { conjuncts, joined, type Condition, type Operand } from '../where/condition.ts';

/** One requested series, with its source and the columns of the table it reads. */
export interface SeriesInput extends RowConditions {
  source: Source;
  fields: Fields;
  aggFn: AggregateFunction;
  field?: string | undefined;
  level?: number | undefined;
  metricName?: string | undefined;
  metricDataType?: MetricDataType | undefined;
  /** Path of the series in the request (`series.0`), for errors. */
  path: string;
}

export interface SeriesRequest {
  /** Database of the workspace that asks. */
  tenant: string;
  series: SeriesInput[];
  groupBy: string[];
  range: TimeRange;
  /** Undefined: one bucket, the whole range. */
  bucketMs: number | undefined;
  ratio: boolean;
}

/** The table that a series reads. Undefined if a metric source has none for the metric type. */
export function tableOf({
  source,
  metricDataType,
}: Pick<SeriesInput, 'source' | 'metricDataType'>): Table | undefined {
  if (source.kind !== 'metric') {
    return { database: source.from.databaseName, name: source.from.tableName };
  }
  return metricTable(source, metricDataType ?? 'gauge');
}

/** Plans a request, or returns all its mistakes. */
export function planSeries(request: SeriesRequest): Plan | { issues: Issue[] } {
  const issues: Issue[] = [];
  const drafts = request.series.map((series, index) => draft(series, index, request, issues));
  if (issues.length > 0) {
    return { issues };
  }
  const whole = drafts.filter((scan) => scan !== undefined);
  const parts = whole.flatMap((scan) => [
    ...scan.groups,
    ...scan.measures.flatMap((measure) => [measure.condition, measure.aggregate.operand]),
  ]);
  const { tenant, range, bucketMs, ratio, series, groupBy } = request;
  return {
    tenant,
    scans: merged(whole),
    seriesCount: series.length,
    grouped: groupBy.length > 0,
    range,
    bucketMs,
    ratio,
    volatile: parts.some(isVolatile),
  };
}

/** Plans one series as a scan of its own. `merged` joins scans that can run as one. */
function draft(
  series: SeriesInput,
  index: number,
  { groupBy, bucketMs }: SeriesRequest,
  issues: Issue[],
): Scan | undefined {
  const { source, fields, path } = series;
  const table = tableOf(series);
  const time = collect(issues, `${path}.sourceId`, () => eventTime(source, fields));
  const condition = compileRows(source, fields, series, issues, `${path}.`);
  const groups = groupBy.map((text, place) =>
    collect(issues, `${path}.groupBy.${place}`, () => compileOperand(text, fields)),
  );
  const aggregate =
    source.kind === 'metric' ? metricAggregate(series, issues) : rowAggregate(series, issues);
  if (!table || !time || !condition || !aggregate || groups.includes(undefined)) {
    return undefined;
  }
  const measure: Measure = {
    series: index,
    aggregate,
    condition:
      source.kind === 'metric' ? joined('and', [metricCondition(series), condition]) : condition,
  };
  // Both objects list all members: spreading would cost more than everything else here, and alerts
  // plan a hundred thousand of these.
  return source.kind === 'metric'
    ? {
        kind: series.metricDataType ?? 'gauge',
        table,
        time,
        groups: groups as Operand[],
        bucketMs,
        measures: [measure],
        columns: metricColumns(series),
      }
    : {
        kind: 'rows',
        table,
        time,
        groups: groups as Operand[],
        bucketMs,
        measures: [measure],
        rollup: undefined,
      };
}

function rowAggregate(
  { aggFn, field, level, fields, path }: SeriesInput,
  issues: Issue[],
): Aggregate | undefined {
  if (field === undefined && aggFn !== 'count') {
    issues.push({
      path: `${path}.field`,
      message: `is required for ${aggFn}: name the column or expression to aggregate`,
    });
    return undefined;
  }
  const operand =
    field === undefined
      ? undefined
      : collect(issues, `${path}.field`, () => compileOperand(field, fields));
  if (field !== undefined && !operand) {
    return undefined;
  }
  if (
    operand &&
    aggFn !== 'count' &&
    aggFn !== 'count_distinct' &&
    ['map', 'array'].includes(operand.type.base)
  ) {
    issues.push({
      path: `${path}.field`,
      message: `${aggFn} needs a number; "${field}" is a ${operand.type.base}`,
    });
    return undefined;
  }
  return { fn: aggFn, operand, level: level ?? 0.5 };
}

function metricAggregate(series: SeriesInput, issues: Issue[]): Aggregate | undefined {
  const mistakes = metricIssues(series);
  issues.push(...mistakes);
  return mistakes.length > 0
    ? undefined
    : { fn: series.aggFn, operand: metricOperand(series), level: series.level ?? 0.5 };
}

/**
 * Scans over one table, kind and time become one; what all conditions share is kept once by the
 * emitter.
 */
function merged(scans: Scan[]): Scan[] {
  const result: Scan[] = [];
  const names: string[] = [];
  for (const scan of scans) {
    // One alone needs no name: alerts plan a hundred thousand of these.
    const name = scans.length > 1 ? scannedRows(scan) : '';
    const index = names.indexOf(name);
    const partner = result[index];
    if (partner) {
      result[index] = { ...partner, measures: [...partner.measures, ...scan.measures] };
    } else {
      names.push(name);
      result.push(scan);
    }
  }
  return result;
}

/**
 * Names the rows that a scan passes. Scans with the same name, groups and buckets can be one. Sums
 * and distributions compare each point with the one before it, so their conditions must be equal.
 */
export function scannedRows({ kind, table, time, measures }: Scan): string {
  const condition = kind === 'rows' || kind === 'gauge' ? undefined : measures[0]?.condition;
  return JSON.stringify([kind, table.database, table.name, time, condition]);
}

/** The parts that all conditions share, and the rest of each condition. */
export function factored(conditions: Condition[]): { common: Condition[]; rest: Condition[] } {
  const keyed = conditions.map(
    (condition) => new Map(conjuncts(condition).map((part) => [JSON.stringify(part), part])),
  );
  const shared = [...(keyed[0] ?? [])].filter(([key]) => keyed.every((parts) => parts.has(key)));
  const sharedKeys = new Set(shared.map(([key]) => key));
  const rest = keyed.map((parts) =>
    joined(
      'and',
      [...parts].filter(([key]) => !sharedKeys.has(key)).map(([, part]) => part),
    ),
  );
  return { common: shared.map(([, part]) => part), rest };
}
