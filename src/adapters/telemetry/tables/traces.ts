import { attributesCodec, type TableDeclaration } from './schema.ts';

const text = 'String';
const word = 'LowCardinality(String)';
const attributes = 'Map(LowCardinality(String), String)';

/** OpenTelemetry spans: the collector's ClickHouse exporter writes these very columns. */
export const traces: TableDeclaration = {
  name: 'otel_traces',
  signal: 'traces',
  columns: [
    ['Timestamp', 'DateTime64(9)', 'CODEC(Delta(8), ZSTD(1))'],
    ['TraceId', text],
    ['SpanId', text],
    ['ParentSpanId', text],
    ['TraceState', text],
    ['SpanName', word],
    ['SpanKind', word],
    ['ServiceName', word],
    ['ResourceAttributes', attributes, attributesCodec],
    ['ScopeName', text],
    ['ScopeVersion', text],
    ['SpanAttributes', attributes, attributesCodec],
    ['Duration', 'UInt64', 'CODEC(T64, ZSTD(1))'],
    ['StatusCode', word],
    ['StatusMessage', text],
    ['Events.Timestamp', 'Array(DateTime64(9))'],
    ['Events.Name', 'Array(LowCardinality(String))'],
    ['Events.Attributes', `Array(${attributes})`, attributesCodec],
    ['Links.TraceId', 'Array(String)'],
    ['Links.SpanId', 'Array(String)'],
    ['Links.TraceState', 'Array(String)'],
    ['Links.Attributes', `Array(${attributes})`, attributesCodec],
  ],
  indexes: [
    'idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1',
    'idx_res_attr_key mapKeys(ResourceAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_res_attr_value mapValues(ResourceAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_span_attr_key mapKeys(SpanAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_span_attr_value mapValues(SpanAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_duration Duration TYPE minmax GRANULARITY 1',
    'idx_lower_span_name lower(SpanName) TYPE tokenbf_v1(32768, 3, 0) GRANULARITY 8',
  ],
  partitionBy: 'toDate(Timestamp)',
  primaryKey: 'toStartOfHour(Timestamp), ServiceName, SpanName, toDateTime(Timestamp)',
  orderBy: 'toStartOfHour(Timestamp), ServiceName, SpanName, toDateTime(Timestamp), Timestamp',
  ageBy: 'toDateTime(Timestamp)',
};

/** From when to when a trace lasts, so that a trace is found without a time range. */
export const traceTimes: TableDeclaration = {
  name: 'otel_traces_trace_id_ts',
  signal: 'traces',
  columns: [
    ['TraceId', text],
    ['Start', 'DateTime', 'CODEC(Delta(4), ZSTD(1))'],
    ['End', 'DateTime', 'CODEC(Delta(4), ZSTD(1))'],
  ],
  indexes: ['idx_trace_id TraceId TYPE bloom_filter(0.01) GRANULARITY 1'],
  partitionBy: 'toDate(Start)',
  orderBy: 'TraceId, Start',
  ageBy: 'Start',
};
