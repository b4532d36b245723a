import type { Issue } from '../../../contract/errors.ts';
import type { MetricDataType, Source } from '../../../contract/source.ts';
import type { Fields } from '../fields/fields.ts';
import type { MetricColumns, Table } from './plan.ts';
import { all, type Condition, type Operand } from '../where/condition.ts';
import type { AggregateFunction } from '../../../contract/query/chart.ts';

interface MetricSeries {
  source: Source;
  fields: Fields;
  aggFn: AggregateFunction;
  field?: string | undefined;
  metricName?: string | undefined;
  metricDataType?: MetricDataType | undefined;
  path: string;
}

type MetricSource = Extract<Source, { kind: 'metric' }>;

export function metricTable(source: MetricSource, type: MetricDataType): Table | undefined {
  const name = source.metricTables[type];
  return name === undefined ? undefined : { database: source.from.databaseName, name };
}

const distributionFunctions: AggregateFunction[] = [
  'quantile',
  'count',
  'sum',
  'avg',
  'min',
  'max',
];

/** The functions that a metric type supports; all, if it is not listed. */
const supportedFunctions: Partial<Record<MetricDataType, AggregateFunction[]>> = {
  histogram: ['quantile', 'count'],
  'exponential histogram': distributionFunctions,
  summary: distributionFunctions,
};

/** Mistakes in a series over metrics. */
export function metricIssues({
  source,
  aggFn,
  field,
  metricName,
  metricDataType = 'gauge',
  path,
}: MetricSeries): Issue[] {
  const issues: Issue[] = [];
  if (source.kind === 'metric' && metricTable(source, metricDataType) === undefined) {
    issues.push({
      path: `${path}.metricDataType`,
      message: `this source has no table for ${metricDataType} metrics`,
    });
  }
  if (metricName === undefined && aggFn !== 'count') {
    issues.push({ path: `${path}.metricName`, message: `is required for ${aggFn} over metrics` });
  }
  if (field !== undefined) {
    issues.push({
      path: `${path}.field`,
      message: 'is not allowed for metrics, whose value is aggregated; remove it',
    });
  }
  const supported = supportedFunctions[metricDataType];
  if (supported && !supported.includes(aggFn)) {
    issues.push({
      path: `${path}.aggFn`,
      message: `${metricDataType} metrics support ${supported.join(', ')}, not ${aggFn}`,
    });
  }
  return issues;
}

export function metricCondition({ fields, metricName }: MetricSeries): Condition {
  const field = fields.find('MetricName');
  if (metricName === undefined || !field) {
    return all;
  }
  return {
    kind: 'equals',
    operand: { expression: { kind: 'field', field }, type: field.type },
    value: metricName,
  };
}

export function metricOperand({ fields, metricDataType }: MetricSeries): Operand | undefined {
  const hasValue = metricDataType === undefined || !(metricDataType in supportedFunctions);
  const field = hasValue ? fields.find('Value') : undefined;
  return field && { expression: { kind: 'field', field }, type: field.type };
}

/** Columns that identify the metric series of a point. Tables may lack some of them. */
const identity = [
  'MetricName',
  'ServiceName',
  'ResourceAttributes',
  'ScopeName',
  'ScopeVersion',
  'Attributes',
];

export function metricColumns({ fields }: MetricSeries): MetricColumns {
  const find = (name: string) => fields.find(name);
  return {
    identity: identity.map(find).filter((field) => field !== undefined),
    value: find('Value'),
    start: find('StartTimeUnix'),
    temporality: find('AggregationTemporality'),
    monotonic: find('IsMonotonic'),
    flags: find('Flags'),
  };
}
