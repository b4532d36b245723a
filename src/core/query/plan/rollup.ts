import type { TimeRange } from './bucket.ts';
import { children, type Expression, type Field } from '../expression/expression.ts';
import type { EventTime, Rollup, RowScan } from './plan.ts';
import { readType } from '../fields/value-type.ts';
import type { Condition, Operand } from '../where/condition.ts';

/**
 * The table of log counts by minute, service and severity, beside `otel_logs` in the same database.
 */
export const logTable = 'otel_logs';
export const rollupTable = 'otel_logs_1m';
const minuteMs = 60_000;
const kept = new Set(['ServiceName', 'SeverityText', 'SeverityNumber']);

const minute: Operand = {
  expression: {
    kind: 'field',
    field: { kind: 'column', name: 'Minute', type: readType('DateTime') },
  },
  type: readType('DateTime'),
};

/** Time of the rollup's rows: the start of their minute. */
export const rollupTime: EventTime = { exact: minute, seconds: undefined };

/**
 * Whether the rollup answers every measure of the scan exactly: plain counts, by conditions and
 * groups on service and severity only, in buckets of whole minutes.
 */
export function rollupFits({ table, bucketMs, measures, groups, time }: RowScan): boolean {
  if (
    table.name !== logTable ||
    !time.seconds ||
    (bucketMs !== undefined && bucketMs % minuteMs !== 0)
  ) {
    return false;
  }
  if (
    !measures.every(
      ({ aggregate, condition }) =>
        aggregate.fn === 'count' && !aggregate.operand && conditionKept(condition),
    )
  ) {
    return false;
  }
  return groups.every(({ expression }) => expressionKept(expression));
}

/**
 * The rollup to use for this range, if any. A range that cuts through a minute needs the rows
 * themselves.
 */
export function rollupFor(scan: RowScan, { fromMs, toMs }: TimeRange): Rollup | undefined {
  const { rollup } = scan;
  return rollup &&
    fromMs % minuteMs === 0 &&
    toMs % minuteMs === 0 &&
    fromMs >= rollup.exactFromMs &&
    rollupFits(scan)
    ? rollup
    : undefined;
}

function conditionKept(condition: Condition): boolean {
  switch (condition.kind) {
    case 'all':
      return true;
    case 'and':
    case 'or':
      return condition.parts.every(conditionKept);
    case 'not':
      return conditionKept(condition.inner);
    case 'any':
      return false;
    case 'expression':
      return expressionKept(condition.expression);
    default:
      return expressionKept(condition.operand.expression);
  }
}

function expressionKept(expression: Expression): boolean {
  return expression.kind === 'field'
    ? fieldKept(expression.field)
    : children(expression).every(expressionKept);
}

const fieldKept = (field: Field): boolean => field.kind === 'column' && kept.has(field.name);
