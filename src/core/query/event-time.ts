import type { Source } from '../../contract/source.ts';
import { compileOperand } from './compile.ts';
import type { Fields } from './fields.ts';
import type { EventTime } from './plan.ts';

/** The OpenTelemetry exporter's log table keeps whole seconds beside the nanoseconds, under this name. */
const secondsColumn = 'TimestampTime';

/** @throws ExpressionError when the source's time expression does not fit its table. */
export function eventTime(source: Source, fields: Fields): EventTime {
  const exact = compileOperand(source.timestampValueExpression, fields);
  const isTimestamp = exact.expression.kind === 'field' && exact.expression.field.kind === 'column' && exact.expression.field.name === 'Timestamp';
  const seconds = isTimestamp ? fields.find(secondsColumn) : undefined;
  return { exact, seconds: seconds?.type.base === 'time' && seconds.type.precision === 0 ? { expression: { kind: 'field', field: seconds }, type: seconds.type } : undefined };
}
