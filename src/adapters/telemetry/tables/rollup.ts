import { qualified, sql, type Sql } from '../../../sql/sql.ts';
import { onCluster, type SchemaOptions, type TableDeclaration } from './schema.ts';

/** Log records by minute, service and severity. */
export const logsPerMinute: TableDeclaration = {
  name: 'otel_logs_1m',
  signal: 'logs',
  columns: [
    ['Minute', 'DateTime', 'CODEC(Delta(4), ZSTD(1))'],
    ['ServiceName', 'LowCardinality(String)'],
    ['SeverityText', 'LowCardinality(String)'],
    ['SeverityNumber', 'UInt8'],
    ['Count', 'UInt64', 'CODEC(T64, ZSTD(1))'],
  ],
  indexes: [],
  engine: 'SummingMergeTree',
  engineArguments: 'Count',
  partitionBy: 'toDate(Minute)',
  orderBy: 'Minute, ServiceName, SeverityText, SeverityNumber',
  ageBy: 'Minute',
};

/** Feeds the rollup from every insert into the logs. */
export function logsPerMinuteView(database: string, options: SchemaOptions): Sql {
  return sql`CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(database, 'otel_logs_1m_mv')}${onCluster(options)} TO ${qualified(database, logsPerMinute.name)}
AS SELECT toStartOfMinute(TimestampTime) AS Minute, ServiceName, SeverityText, SeverityNumber, count() AS Count
FROM ${qualified(database, 'otel_logs')}
GROUP BY Minute, ServiceName, SeverityText, SeverityNumber`;
}

/** Feeds the trace times from every insert into the spans. */
export function traceTimesView(database: string, options: SchemaOptions): Sql {
  return sql`CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(database, 'otel_traces_trace_id_ts_mv')}${onCluster(options)} TO ${qualified(database, 'otel_traces_trace_id_ts')}
AS SELECT TraceId, min(toDateTime(Timestamp)) AS Start, max(toDateTime(Timestamp)) AS End
FROM ${qualified(database, 'otel_traces')}
WHERE TraceId != ''
GROUP BY TraceId`;
}
