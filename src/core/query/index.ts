import type { QueryOptions } from './charts.ts';
import { Query } from './query.ts';

/** The query engine: charts, search, fields, and the checks of what callers write. */
export function createQuery(options: QueryOptions): Query {
  return new Query(options);
}

export type {
  AskContext,
  BatchedRequest,
  QueryOptions,
  ResolveSource,
  RunContext,
  SourcedRequest,
  SourcedSeries,
} from './charts.ts';
export type { Query } from './query.ts';
export { compileOperand } from './fields/compile.ts';
export { emitCondition } from './emit/emit-condition.ts';
export { emitExpression } from './emit/emit-expression.ts';
export { emitRange } from './emit/emit-time.ts';
export { ExpressionError } from './fields/expression-error.ts';
export type { WorkspaceDatabase } from './fields/text-checks.ts';
export type { WrittenText } from './fields/written-text.ts';
export { fieldsOf, type Fields } from './fields/fields.ts';
export { splitGroupBy } from './fields/group-by.ts';
export type { Plan, Scan, Measure, Table } from './plan/plan.ts';
export type { SeriesRow } from './run/points.ts';
export { exportLimit } from './run/row-file.ts';
export { newMeter } from './run/run-plan.ts';
export type { NumberLiteral } from './where/literal.ts';
export { conjuncts, joined, type Condition, type Operand } from './where/condition.ts';
