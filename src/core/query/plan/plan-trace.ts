import { invalid, type Issue } from '../../../contract/errors.ts';
import type { Source } from '../../../contract/source.ts';
import { collect, compileOperand } from '../fields/compile.ts';
import type { Fields } from '../fields/fields.ts';
import type { Operand } from '../where/condition.ts';
import { eventTime } from './event-time.ts';
import type { EventTime, Table } from './plan.ts';
import { contentColumns } from './plan-search.ts';

export type TraceSource = Extract<Source, { kind: 'trace' }>;

/** Where the parts of a span are in a table; undefined where the table lacks one. */
export interface TracePlan {
  table: Table;
  /** The OpenTelemetry exporter keeps the times of traces in a table of this name. */
  timesTable: Table;
  time: EventTime;
  traceId: Operand;
  /** In the order of `spanTexts`. */
  texts: (Operand | undefined)[];
  duration: Operand | undefined;
  /** Factor from the unit of `duration` to nanoseconds. */
  durationFactor: number;
  eventNames: Operand | undefined;
  /** The columns that make up the content of a row. */
  content: string[];
}

/** Texts of a span: their setting in the source, and the column of the OpenTelemetry tables. */
export const spanTexts = [
  ['spanIdExpression', 'SpanId'],
  ['parentSpanIdExpression', 'ParentSpanId'],
  ['serviceNameExpression', 'ServiceName'],
  ['spanNameExpression', 'SpanName'],
  ['spanKindExpression', 'SpanKind'],
  ['statusCodeExpression', 'StatusCode'],
  ['statusMessageExpression', 'StatusMessage'],
] as const;

/** @throws Fault bad_request if the source does not fit its table */
export function planTrace(source: TraceSource, fields: Fields): TracePlan {
  const issues: Issue[] = [];
  const part = (set: string | undefined, usual: string): Operand | undefined => {
    const text = set ?? (fields.find(usual) ? usual : undefined);
    return text === undefined
      ? undefined
      : collect(issues, 'sourceId', () => compileOperand(text, fields));
  };
  const time = collect(issues, 'sourceId', () => eventTime(source, fields));
  const traceId = part(source.traceIdExpression, 'TraceId');
  const texts = spanTexts.map(([setting, column]) => part(source[setting], column));
  const duration = part(source.durationExpression, 'Duration');
  if (!traceId && issues.length === 0) {
    issues.push({
      path: 'sourceId',
      message: 'the source has no trace id; set its traceIdExpression',
    });
  }
  if (!time || !traceId || issues.length > 0) {
    throw invalid(issues);
  }
  const { databaseName: database, tableName } = source.from;
  return {
    table: { database, name: tableName },
    timesTable: { database, name: `${tableName}_trace_id_ts` },
    time,
    traceId,
    texts,
    duration,
    durationFactor: 10 ** (9 - (source.durationPrecision ?? 9)),
    eventNames: part(undefined, 'Events.Name'),
    content: contentColumns(fields),
  };
}
