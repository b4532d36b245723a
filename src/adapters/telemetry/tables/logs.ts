import { attributesCodec, type TableDeclaration } from './schema.ts';

const text = 'String';
const word = 'LowCardinality(String)';
const attributes = 'Map(LowCardinality(String), String)';

/** OpenTelemetry log records: the collector's ClickHouse exporter writes these very columns. */
export const logs: TableDeclaration = {
  name: 'otel_logs',
  signal: 'logs',
  columns: [
    ['Timestamp', 'DateTime64(9)', 'CODEC(Delta(8), ZSTD(1))'],
    ['TimestampTime', 'DateTime', 'DEFAULT toDateTime(Timestamp) CODEC(Delta(4), ZSTD(1))'],
    ['TraceId', text],
    ['SpanId', text],
    ['TraceFlags', 'UInt8'],
    ['SeverityText', word],
    ['SeverityNumber', 'UInt8'],
    ['ServiceName', word],
    ['Body', text],
    ['ResourceSchemaUrl', word],
    ['ResourceAttributes', attributes, attributesCodec],
    ['ScopeSchemaUrl', word],
    ['ScopeName', text],
    ['ScopeVersion', word],
    ['ScopeAttributes', attributes, attributesCodec],
    ['LogAttributes', attributes, attributesCodec],
    ['EventName', text],
  ],
  indexes: [
    'idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1',
    'idx_res_attr_key mapKeys(ResourceAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_res_attr_value mapValues(ResourceAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_scope_attr_key mapKeys(ScopeAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_scope_attr_value mapValues(ScopeAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_log_attr_key mapKeys(LogAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_log_attr_value mapValues(LogAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    'idx_lower_body lower(Body) TYPE tokenbf_v1(16384, 3, 0) GRANULARITY 1',
  ],
  partitionBy: 'toDate(TimestampTime)',
  primaryKey: 'toStartOfHour(TimestampTime), ServiceName, TimestampTime',
  orderBy: 'toStartOfHour(TimestampTime), ServiceName, TimestampTime, Timestamp',
  ageBy: 'TimestampTime',
};
