import type { ChartRequest } from '../../src/contract/query/chart.ts';
import { ChartRequest as ChartRequestSchema } from '../../src/contract/query/chart.ts';
import { Source, type SourceInput } from '../../src/contract/source.ts';
import { createQuery, type Query } from '../../src/core/query/index.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

export const ids = {
  logs: 'a'.repeat(24),
  traces: 'b'.repeat(24),
  metrics: 'c'.repeat(24),
  unknown: 'd'.repeat(24),
} as const;

/** 2026-01-01T00:00:00Z. */
export const t0 = 1_767_225_600_000;

const record = {
  team: 'e'.repeat(24),
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

export function testSources(database: string): Record<string, Source> {
  const inputs: Record<string, SourceInput | Record<string, unknown>> = {
    [ids.logs]: {
      kind: 'log',
      name: 'Logs',
      from: { databaseName: database, tableName: 'otel_logs' },
      bodyExpression: 'Body',
      severityTextExpression: 'SeverityText',
      serviceNameExpression: 'ServiceName',
      defaultTableSelectExpression: 'Timestamp, ServiceName, SeverityText, Body',
    },
    [ids.traces]: {
      kind: 'trace',
      name: 'Traces',
      from: { databaseName: database, tableName: 'otel_traces' },
      spanNameExpression: 'SpanName',
      durationExpression: 'Duration',
      durationPrecision: 9,
    },
    [ids.metrics]: {
      kind: 'metric',
      name: 'Metrics',
      from: { databaseName: database, tableName: 'otel_metrics' },
      metricTables: {
        gauge: 'otel_metrics_gauge',
        sum: 'otel_metrics_sum',
        histogram: 'otel_metrics_histogram',
        'exponential histogram': 'otel_metrics_exponential_histogram',
        summary: 'otel_metrics_summary',
      },
    },
  };
  return Object.fromEntries(
    Object.entries(inputs).map(([id, input]) => [id, Source.parse({ ...input, ...record, id })]),
  );
}

export interface QueryKit extends TestTelemetry {
  query: Query;
  sources: Record<string, Source>;
  /** The clock's time; starts a year after `t0`, so that every bucket is closed. */
  now: { ms: number };
  chart(
    request: Partial<Omit<ChartRequest, 'series'>> & { series: Record<string, unknown>[] },
  ): ReturnType<Query['series']>;
}

/** The engine, the query engine over it, and one source of each kind. */
export async function openQueryKit(): Promise<QueryKit> {
  const kit = await openTestTelemetry();
  const sources = testSources(kit.database);
  const now = { ms: t0 + 365 * 86_400_000 };
  const query = createQuery({
    telemetry: kit.telemetry,
    workspaceDatabase: () => Promise.resolve(kit.database),
    clock: { now: () => now.ms },
    limits: { timeoutMs: 20_000, maxMemoryBytes: 1_000_000_000 },
  });
  return {
    ...kit,
    query,
    sources,
    now,
    chart: (request) =>
      query.series(
        ChartRequestSchema.parse({
          startTime: t0,
          endTime: t0 + 3_600_000,
          granularity: '5m',
          ...request,
        }),
        (id) => Promise.resolve(sources[id]),
      ),
  };
}

/** Nanoseconds as the engine reads them into a DateTime64(9). */
export function time(ms: number, nanos = 0): string {
  return `${new Date(ms).toISOString().slice(0, -1).replace('T', ' ')}${String(nanos).padStart(6, '0')}`;
}

export type LogRow = {
  Timestamp: string;
  ServiceName: string;
  SeverityText: string;
  SeverityNumber: number;
  Body: string;
  LogAttributes: Record<string, string>;
  TraceId: string;
};

export function log(atMs: number, row: Partial<LogRow> = {}): LogRow {
  return {
    Timestamp: time(atMs),
    ServiceName: 'checkout',
    SeverityText: 'info',
    SeverityNumber: 9,
    Body: '',
    LogAttributes: {},
    TraceId: '',
    ...row,
  };
}
