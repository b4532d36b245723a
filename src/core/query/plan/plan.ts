import type { AggregateFunction } from '../../../contract/query/chart.ts';
import type { MetricDataType } from '../../../contract/source.ts';
import type { TimeRange } from './bucket.ts';
import type { Field } from '../expression/expression.ts';
import type { Condition, Operand } from '../where/condition.ts';

/**
 * A table as the engine knows it; always from a source of the workspace, never from a caller's
 * text.
 */
export interface Table {
  database: string;
  name: string;
}

/** The event time of a table. */
export interface EventTime {
  /** Full precision. */
  exact: Operand;
  /**
   * A column with the same time in whole seconds, cheaper to read; undefined where there is none.
   */
  seconds: Operand | undefined;
}

/** One aggregate of one requested series. */
export interface Measure {
  /** Index of the series in the request. */
  series: number;
  aggregate: Aggregate;
  condition: Condition;
}

export interface Aggregate {
  /** `rows` counts rows and points, whether they have a value or not. */
  fn: AggregateFunction | 'rows';
  /** What is aggregated; absent: rows are counted. */
  operand: Operand | undefined;
  /** Of quantile, 0..1. */
  level: number;
}

interface ScanBase {
  table: Table;
  time: EventTime;
  groups: Operand[];
  /** Undefined: the whole range is one bucket. */
  bucketMs: number | undefined;
  measures: Measure[];
}

/**
 * One pass over one table that answers all its measures. `rows`: logs and spans. `gauge`: last
 * value of each metric series and bucket, then the aggregate. `sum`: increase of each metric
 * series, then the aggregate. `histogram`, `exponential histogram` and `summary`: new observations.
 */
export type Scan = RowScan | MetricScan;

export type RowScan = ScanBase & {
  kind: 'rows';
  /**
   * Counts by minute, service and severity; used for whole minutes where they answer all measures
   * exactly.
   */
  rollup: Rollup | undefined;
};

export interface Rollup {
  table: Table;
  /** It counts every row from here on. */
  exactFromMs: number;
}

export type MetricScan = ScanBase & { kind: MetricDataType; columns: MetricColumns };

/** The columns of a metric table that its arithmetic needs; undefined where the table lacks one. */
export interface MetricColumns {
  /** What tells one metric series from another. */
  identity: Field[];
  value: Field | undefined;
  start: Field | undefined;
  temporality: Field | undefined;
  monotonic: Field | undefined;
  flags: Field | undefined;
}

/** What a chart request comes down to. Immutable; `emit` turns it into SQL, `run` into points. */
export interface Plan {
  /** Database of the workspace that asks. The engine refuses scans of any other. */
  tenant: string;
  scans: Scan[];
  seriesCount: number;
  grouped: boolean;
  range: TimeRange;
  bucketMs: number | undefined;
  ratio: boolean;
  /** Uses the current time, so that the same request may have another answer later. */
  volatile: boolean;
}
