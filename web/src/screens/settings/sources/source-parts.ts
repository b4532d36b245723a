import type { Source } from '../../../api/queries/sources.ts';

export type SourceKind = Source['kind'];

export const kinds: readonly { value: SourceKind; label: string }[] = [
  { value: 'log', label: 'Logs' },
  { value: 'trace', label: 'Traces' },
  { value: 'metric', label: 'Metrics' },
];

export const kindName = (kind: SourceKind): string =>
  kinds.find(({ value }) => value === kind)?.label ?? kind;

export const metricTypes = [
  'gauge',
  'sum',
  'histogram',
  'exponential histogram',
  'summary',
] as const;
export type MetricType = (typeof metricTypes)[number];

export type ExpressionName =
  | 'serviceNameExpression'
  | 'resourceAttributesExpression'
  | 'eventAttributesExpression'
  | 'bodyExpression'
  | 'severityTextExpression'
  | 'durationExpression'
  | 'traceIdExpression'
  | 'spanIdExpression'
  | 'parentSpanIdExpression'
  | 'spanNameExpression'
  | 'spanKindExpression'
  | 'statusCodeExpression'
  | 'statusMessageExpression'
  | 'implicitColumnExpression'
  | 'defaultTableSelectExpression';

/** A part of a row that the product shows or uses, and where it usually is. */
export interface Part {
  name: ExpressionName;
  label: string;
  hint?: string;
  /** The OpenTelemetry tables have it in this column, or these. */
  usual: string;
}

interface PartGroup {
  title: string;
  parts: readonly Part[];
}

const service: Part = { name: 'serviceNameExpression', label: 'Service', usual: 'ServiceName' };
const traceId: Part = { name: 'traceIdExpression', label: 'Trace id', usual: 'TraceId' };
const spanId: Part = { name: 'spanIdExpression', label: 'Span id', usual: 'SpanId' };

const attributes = (eventAttributes: string): PartGroup => ({
  title: 'Attributes',
  parts: [
    {
      name: 'resourceAttributesExpression',
      label: 'Resource attributes',
      usual: 'ResourceAttributes',
    },
    { name: 'eventAttributesExpression', label: 'Event attributes', usual: eventAttributes },
  ],
});

const search = (main: Part, columns: string): PartGroup => ({
  title: 'Search',
  parts: [
    {
      name: 'implicitColumnExpression',
      label: 'Words are found in',
      hint: `Words of a query without a field. Empty: ${main.label.toLowerCase()}.`,
      usual: main.usual,
    },
    {
      name: 'defaultTableSelectExpression',
      label: 'Columns',
      hint: 'Columns of the table of a search, separated by commas.',
      usual: columns,
    },
  ],
});

const body: Part = { name: 'bodyExpression', label: 'Message', usual: 'Body' };
const spanName: Part = { name: 'spanNameExpression', label: 'Span name', usual: 'SpanName' };

/** The parts of a row by kind of source, as the form shows them. */
export const partGroups: Readonly<Record<SourceKind, readonly PartGroup[]>> = {
  log: [
    {
      title: 'Record',
      parts: [
        body,
        { name: 'severityTextExpression', label: 'Severity', usual: 'SeverityText' },
        service,
      ],
    },
    { title: 'Trace of a record', parts: [traceId, spanId] },
    attributes('LogAttributes'),
    search(body, 'Timestamp, ServiceName, SeverityText, Body'),
  ],
  trace: [
    {
      title: 'Span',
      parts: [
        spanName,
        service,
        { name: 'spanKindExpression', label: 'Span kind', usual: 'SpanKind' },
        { name: 'statusCodeExpression', label: 'Status', usual: 'StatusCode' },
        { name: 'statusMessageExpression', label: 'Status message', usual: 'StatusMessage' },
        { name: 'durationExpression', label: 'Duration', usual: 'Duration' },
      ],
    },
    {
      title: 'Tree of spans',
      parts: [
        traceId,
        spanId,
        { name: 'parentSpanIdExpression', label: 'Parent span id', usual: 'ParentSpanId' },
      ],
    },
    attributes('SpanAttributes'),
    search(spanName, 'Timestamp, ServiceName, StatusCode, Duration, SpanName'),
  ],
  metric: [{ title: 'Point', parts: [service] }, attributes('Attributes')],
};

export const partsOf = (kind: SourceKind): readonly Part[] =>
  partGroups[kind].flatMap(({ parts }) => parts);

/** The column of the time in the OpenTelemetry tables. */
export const usualTime: Readonly<Record<SourceKind, string>> = {
  log: 'Timestamp',
  trace: 'Timestamp',
  metric: 'TimeUnix',
};

export const precisions = [
  { value: '9', label: 'Nanoseconds' },
  { value: '6', label: 'Microseconds' },
  { value: '3', label: 'Milliseconds' },
  { value: '0', label: 'Seconds' },
] as const;
export type Precision = 0 | 3 | 6 | 9;
