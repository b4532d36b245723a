import type { Source } from '../../../contract/source.ts';
import { compileOperand } from '../fields/compile.ts';
import type { Fields } from '../fields/fields.ts';
import type { EventTime } from './plan.ts';
import { fieldOperand } from '../where/condition.ts';

/**
 * The OpenTelemetry exporter's log table keeps whole seconds beside the nanoseconds, under this
 * name.
 */
const secondsColumn = 'TimestampTime';

const known = new WeakMap<Fields, Map<string, EventTime>>();

/**
 * The same object for the same expression over the same columns. @throws ExpressionError when the
 * source's time expression does not fit its table.
 */
export function eventTime(source: Source, fields: Fields): EventTime {
  let times = known.get(fields);
  if (!times) {
    known.set(fields, (times = new Map()));
  }
  let time = times.get(source.timestampValueExpression);
  if (!time) {
    times.set(source.timestampValueExpression, (time = timeOf(source, fields)));
  }
  return time;
}

function timeOf(source: Source, fields: Fields): EventTime {
  const exact = compileOperand(source.timestampValueExpression, fields);
  const isTimestamp =
    exact.expression.kind === 'field' &&
    exact.expression.field.kind === 'column' &&
    exact.expression.field.name === 'Timestamp';
  const seconds = isTimestamp ? fields.find(secondsColumn) : undefined;
  return {
    exact,
    seconds:
      seconds?.type.base === 'time' && seconds.type.precision === 0
        ? fieldOperand(seconds)
        : undefined,
  };
}
