/** How a field is written, in JSON and on the wire. */
export type Scalar =
  | 'string'
  | 'bytes'
  | 'hex'
  | 'bool'
  | 'int64'
  | 'uint64'
  | 'fixed64'
  | 'sfixed64'
  | 'double'
  | 'uint32'
  | 'fixed32'
  | 'sint32';

export interface Field {
  number: number;
  type: Scalar | MessageName;
  repeated: boolean;
}

export type Message = Readonly<Record<string, Field>>;

export type MessageName = keyof typeof declared;

type Declared = readonly [number: number, type: string];

/**
 * The messages of the OpenTelemetry protocol as JSON names them, with the numbers of their fields:
 * what is needed to turn OTLP/JSON into the binary encoding. `[]` after a type: repeated. Ids are
 * hexadecimal in JSON, other bytes base64.
 */
const declared = {
  ExportLogsRequest: { resourceLogs: [1, 'ResourceLogs[]'] },
  ExportTraceRequest: { resourceSpans: [1, 'ResourceSpans[]'] },
  ExportMetricsRequest: { resourceMetrics: [1, 'ResourceMetrics[]'] },

  AnyValue: {
    stringValue: [1, 'string'],
    boolValue: [2, 'bool'],
    intValue: [3, 'int64'],
    doubleValue: [4, 'double'],
    arrayValue: [5, 'ArrayValue'],
    kvlistValue: [6, 'KeyValueList'],
    bytesValue: [7, 'bytes'],
  },
  ArrayValue: { values: [1, 'AnyValue[]'] },
  KeyValueList: { values: [1, 'KeyValue[]'] },
  KeyValue: { key: [1, 'string'], value: [2, 'AnyValue'] },
  Resource: { attributes: [1, 'KeyValue[]'], droppedAttributesCount: [2, 'uint32'] },
  Scope: {
    name: [1, 'string'],
    version: [2, 'string'],
    attributes: [3, 'KeyValue[]'],
    droppedAttributesCount: [4, 'uint32'],
  },

  ResourceLogs: {
    resource: [1, 'Resource'],
    scopeLogs: [2, 'ScopeLogs[]'],
    schemaUrl: [3, 'string'],
  },
  ScopeLogs: { scope: [1, 'Scope'], logRecords: [2, 'LogRecord[]'], schemaUrl: [3, 'string'] },
  LogRecord: {
    timeUnixNano: [1, 'fixed64'],
    observedTimeUnixNano: [11, 'fixed64'],
    severityNumber: [2, 'uint32'],
    severityText: [3, 'string'],
    body: [5, 'AnyValue'],
    attributes: [6, 'KeyValue[]'],
    droppedAttributesCount: [7, 'uint32'],
    flags: [8, 'fixed32'],
    traceId: [9, 'hex'],
    spanId: [10, 'hex'],
    eventName: [12, 'string'],
  },

  ResourceSpans: {
    resource: [1, 'Resource'],
    scopeSpans: [2, 'ScopeSpans[]'],
    schemaUrl: [3, 'string'],
  },
  ScopeSpans: { scope: [1, 'Scope'], spans: [2, 'Span[]'], schemaUrl: [3, 'string'] },
  Span: {
    traceId: [1, 'hex'],
    spanId: [2, 'hex'],
    traceState: [3, 'string'],
    parentSpanId: [4, 'hex'],
    flags: [16, 'fixed32'],
    name: [5, 'string'],
    kind: [6, 'uint32'],
    startTimeUnixNano: [7, 'fixed64'],
    endTimeUnixNano: [8, 'fixed64'],
    attributes: [9, 'KeyValue[]'],
    droppedAttributesCount: [10, 'uint32'],
    events: [11, 'SpanEvent[]'],
    droppedEventsCount: [12, 'uint32'],
    links: [13, 'SpanLink[]'],
    droppedLinksCount: [14, 'uint32'],
    status: [15, 'SpanStatus'],
  },
  SpanEvent: {
    timeUnixNano: [1, 'fixed64'],
    name: [2, 'string'],
    attributes: [3, 'KeyValue[]'],
    droppedAttributesCount: [4, 'uint32'],
  },
  SpanLink: {
    traceId: [1, 'hex'],
    spanId: [2, 'hex'],
    traceState: [3, 'string'],
    attributes: [4, 'KeyValue[]'],
    droppedAttributesCount: [5, 'uint32'],
    flags: [6, 'fixed32'],
  },
  SpanStatus: { message: [2, 'string'], code: [3, 'uint32'] },

  ResourceMetrics: {
    resource: [1, 'Resource'],
    scopeMetrics: [2, 'ScopeMetrics[]'],
    schemaUrl: [3, 'string'],
  },
  ScopeMetrics: { scope: [1, 'Scope'], metrics: [2, 'Metric[]'], schemaUrl: [3, 'string'] },
  Metric: {
    name: [1, 'string'],
    description: [2, 'string'],
    unit: [3, 'string'],
    gauge: [5, 'Gauge'],
    sum: [7, 'Sum'],
    histogram: [9, 'Histogram'],
    exponentialHistogram: [10, 'ExponentialHistogram'],
    summary: [11, 'Summary'],
  },
  Gauge: { dataPoints: [1, 'NumberDataPoint[]'] },
  Sum: {
    dataPoints: [1, 'NumberDataPoint[]'],
    aggregationTemporality: [2, 'uint32'],
    isMonotonic: [3, 'bool'],
  },
  Histogram: { dataPoints: [1, 'HistogramDataPoint[]'], aggregationTemporality: [2, 'uint32'] },
  ExponentialHistogram: {
    dataPoints: [1, 'ExponentialHistogramDataPoint[]'],
    aggregationTemporality: [2, 'uint32'],
  },
  Summary: { dataPoints: [1, 'SummaryDataPoint[]'] },
  NumberDataPoint: {
    attributes: [7, 'KeyValue[]'],
    startTimeUnixNano: [2, 'fixed64'],
    timeUnixNano: [3, 'fixed64'],
    asDouble: [4, 'double'],
    asInt: [6, 'sfixed64'],
    exemplars: [5, 'Exemplar[]'],
    flags: [8, 'uint32'],
  },
  HistogramDataPoint: {
    attributes: [9, 'KeyValue[]'],
    startTimeUnixNano: [2, 'fixed64'],
    timeUnixNano: [3, 'fixed64'],
    count: [4, 'fixed64'],
    sum: [5, 'double'],
    bucketCounts: [6, 'fixed64[]'],
    explicitBounds: [7, 'double[]'],
    exemplars: [8, 'Exemplar[]'],
    flags: [10, 'uint32'],
    min: [11, 'double'],
    max: [12, 'double'],
  },
  ExponentialHistogramDataPoint: {
    attributes: [1, 'KeyValue[]'],
    startTimeUnixNano: [2, 'fixed64'],
    timeUnixNano: [3, 'fixed64'],
    count: [4, 'fixed64'],
    sum: [5, 'double'],
    scale: [6, 'sint32'],
    zeroCount: [7, 'fixed64'],
    positive: [8, 'Buckets'],
    negative: [9, 'Buckets'],
    flags: [10, 'uint32'],
    exemplars: [11, 'Exemplar[]'],
    min: [12, 'double'],
    max: [13, 'double'],
    zeroThreshold: [14, 'double'],
  },
  Buckets: { offset: [1, 'sint32'], bucketCounts: [2, 'uint64[]'] },
  SummaryDataPoint: {
    attributes: [7, 'KeyValue[]'],
    startTimeUnixNano: [2, 'fixed64'],
    timeUnixNano: [3, 'fixed64'],
    count: [4, 'fixed64'],
    sum: [5, 'double'],
    quantileValues: [6, 'QuantileValue[]'],
    flags: [8, 'uint32'],
  },
  QuantileValue: { quantile: [1, 'double'], value: [2, 'double'] },
  Exemplar: {
    filteredAttributes: [7, 'KeyValue[]'],
    timeUnixNano: [2, 'fixed64'],
    asDouble: [3, 'double'],
    asInt: [6, 'sfixed64'],
    spanId: [4, 'hex'],
    traceId: [5, 'hex'],
  },
} as const satisfies Record<string, Record<string, Declared>>;

export const messages = Object.fromEntries(
  Object.entries(declared).map(([name, fields]) => [name, message(fields)]),
) as Record<MessageName, Message>;

function message(fields: Record<string, Declared>): Message {
  return Object.fromEntries(
    Object.entries(fields).map(([name, [number, type]]) => {
      const repeated = type.endsWith('[]');
      return [
        name,
        { number, type: (repeated ? type.slice(0, -2) : type) as Field['type'], repeated },
      ];
    }),
  );
}
