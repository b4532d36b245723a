/**
 * A table of the OpenTelemetry ClickHouse exporter, and the columns an encoder writes, in the order
 * it writes them.
 */
export interface Table {
  name: string;
  columns: readonly string[];
}

/** What `writeShared` writes. */
const shared = ['ResourceAttributes', 'ServiceName', 'ScopeName', 'ScopeVersion'];

export const logsTable: Table = {
  name: 'otel_logs',
  columns: [
    ...shared,
    'ResourceSchemaUrl',
    'ScopeAttributes',
    'ScopeSchemaUrl',
    'Timestamp',
    'TraceId',
    'SpanId',
    'TraceFlags',
    'SeverityText',
    'SeverityNumber',
    'Body',
    'LogAttributes',
    'EventName',
  ],
};

export const tracesTable: Table = {
  name: 'otel_traces',
  columns: [
    ...shared,
    'Timestamp',
    'TraceId',
    'SpanId',
    'ParentSpanId',
    'TraceState',
    'SpanName',
    'SpanKind',
    'SpanAttributes',
    'Duration',
    'StatusCode',
    'StatusMessage',
    'Events.Timestamp',
    'Events.Name',
    'Events.Attributes',
    'Links.TraceId',
    'Links.SpanId',
    'Links.TraceState',
    'Links.Attributes',
  ],
};

/** What is written once for all points of a metric, then what every point begins with. */
const metric = [
  ...shared,
  'ResourceSchemaUrl',
  'ScopeAttributes',
  'ScopeDroppedAttrCount',
  'ScopeSchemaUrl',
  'MetricName',
  'MetricDescription',
  'MetricUnit',
];
const point = ['Attributes', 'StartTimeUnix', 'TimeUnix', 'Flags'];
const exemplars = [
  'Exemplars.FilteredAttributes',
  'Exemplars.TimeUnix',
  'Exemplars.Value',
  'Exemplars.SpanId',
  'Exemplars.TraceId',
];

export const metricTables = {
  gauge: { name: 'otel_metrics_gauge', columns: [...metric, ...point, 'Value', ...exemplars] },
  sum: {
    name: 'otel_metrics_sum',
    columns: [...metric, ...point, 'Value', ...exemplars, 'AggregationTemporality', 'IsMonotonic'],
  },
  histogram: {
    name: 'otel_metrics_histogram',
    columns: [
      ...metric,
      ...point,
      'Count',
      'Sum',
      'BucketCounts',
      'ExplicitBounds',
      'Min',
      'Max',
      ...exemplars,
      'AggregationTemporality',
    ],
  },
  exponentialHistogram: {
    name: 'otel_metrics_exponential_histogram',
    columns: [
      ...metric,
      ...point,
      'Count',
      'Sum',
      'Scale',
      'ZeroCount',
      'PositiveOffset',
      'PositiveBucketCounts',
      'NegativeOffset',
      'NegativeBucketCounts',
      'Min',
      'Max',
      ...exemplars,
      'AggregationTemporality',
    ],
  },
  summary: {
    name: 'otel_metrics_summary',
    columns: [
      ...metric,
      ...point,
      'Count',
      'Sum',
      'ValueAtQuantiles.Quantile',
      'ValueAtQuantiles.Value',
    ],
  },
} satisfies Record<string, Table>;
