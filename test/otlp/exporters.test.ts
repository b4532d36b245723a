import { Metadata } from '@grpc/grpc-js';
import {
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  context as contextApi,
  type Attributes,
} from '@opentelemetry/api';
import { OTLPLogExporter as LogsGrpc } from '@opentelemetry/exporter-logs-otlp-grpc';
import { OTLPLogExporter as LogsJson } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as LogsProto } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter as MetricsGrpc } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPMetricExporter as MetricsJson } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as MetricsProto } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as TracesGrpc } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as TracesJson } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as TracesProto } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchLogRecordProcessor,
  LoggerProvider,
  type LogRecordExporter,
} from '@opentelemetry/sdk-logs';
import {
  AggregationTemporality,
  AggregationType,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { key, openEngine, rowsOf, startOtlp, type Row } from './kit.ts';

let engine: Awaited<ReturnType<typeof openEngine>>;
let otlp: Awaited<ReturnType<typeof startOtlp>>;

beforeAll(async () => {
  engine = await openEngine();
  otlp = await startOtlp(engine.telemetry);
});
afterAll(async () => {
  await otlp?.stop();
  await engine?.close();
});

const headers = { authorization: `Bearer ${key}` };
const gzip = { compression: 'gzip' as never };
const http = (path: string) => ({ url: `${otlp.httpUrl}/v1/${path}`, headers });
const grpc = () => {
  const metadata = new Metadata();
  metadata.set('authorization', key);
  return { url: otlp.grpcUrl, metadata };
};

interface Transport {
  logs(): LogRecordExporter;
  traces(): SpanExporter;
  metrics(temporality: AggregationTemporality): PushMetricExporter;
}
const cumulative = AggregationTemporality.CUMULATIVE;
const delta = AggregationTemporality.DELTA;
const transports: Record<string, Transport> = {
  'HTTP protobuf': {
    logs: () => new LogsProto(http('logs')),
    traces: () => new TracesProto(http('traces')),
    metrics: (temporalityPreference) =>
      new MetricsProto({
        ...http('metrics'),
        temporalityPreference: temporalityPreference as never,
      }),
  },
  'HTTP JSON, gzip': {
    logs: () => new LogsJson({ ...http('logs'), ...gzip }),
    traces: () => new TracesJson({ ...http('traces'), ...gzip }),
    metrics: (temporalityPreference) =>
      new MetricsJson({
        ...http('metrics'),
        ...gzip,
        temporalityPreference: temporalityPreference as never,
      }),
  },
  'gRPC, gzip': {
    logs: () => new LogsGrpc({ ...grpc(), ...gzip }),
    traces: () => new TracesGrpc({ ...grpc(), ...gzip }),
    metrics: (temporalityPreference) =>
      new MetricsGrpc({
        ...grpc(),
        ...gzip,
        temporalityPreference: temporalityPreference as never,
      }),
  },
};

/** Every kind of attribute, with the text it is stored as. */
const zoo: Record<
  string,
  [value: string | number | boolean | (string | number | boolean)[], stored: string]
> = {
  text: ['plain', 'plain'],
  empty: ['', ''],
  unicode: ['ß☃𝄞 שלום\u0000\t"\\\' end', 'ß☃𝄞 שלום\u0000\t"\\\' end'],
  long: ['й'.repeat(5000), 'й'.repeat(5000)],
  'key.with.dots': [1, '1'],
  ключ: ['value', 'value'],
  safest: [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  negative: [Number.MIN_SAFE_INTEGER, '-9007199254740991'],
  double: [0.1, '0.1'],
  huge: [1.5e300, '1.5e+300'],
  yes: [true, 'true'],
  no: [false, 'false'],
  texts: [['a', 'é"'], '["a","é\\""]'],
  numbers: [[1, 2.5, -3], '[1,2.5,-3]'],
  none: [[], '[]'],
};
const attributes = Object.fromEntries(
  Object.entries(zoo).map(([name, [value]]) => [name, value]),
) as Attributes;
const stored = Object.fromEntries(Object.entries(zoo).map(([name, [, text]]) => [name, text]));

/** Distinguishes the rows of one test: the name of its service. */
const resource = (service: string) =>
  resourceFromAttributes(
    { 'service.name': service, 'host.name': 'höst' },
    { schemaUrl: 'https://example.com/resource/1' },
  );
const scope = { schemaUrl: 'https://example.com/scope/2' };
const find = (table: string, columns: string[], service: string, orderBy: string): Promise<Row[]> =>
  rowsOf(engine.telemetry, table, columns, orderBy, sql`ServiceName = ${service}`);

describe.each(Object.entries(transports))('logs over %s', (name, transport) => {
  test('a log record is stored as the SDK sent it', async () => {
    const service = `logs ${name}`;
    const provider = new LoggerProvider({
      resource: resource(service),
      processors: [new BatchLogRecordProcessor({ exporter: transport.logs() })],
    });
    const spanContext = {
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      traceFlags: TraceFlags.SAMPLED,
    };
    const logger = provider.getLogger('the scope', '1.2.3', scope);
    logger.emit({
      timestamp: [1_763_715_600, 123_456_789],
      severityNumber: 17,
      severityText: 'ERROR',
      body: 'payment «declined» 💳\n\ttwice',
      attributes,
      eventName: 'payment.declined',
      context: trace.setSpanContext(contextApi.active(), spanContext),
    });
    logger.emit({
      observedTimestamp: [1_763_715_601, 5],
      body: { deep: { list: [1, 'two', null, true] }, é: 2.5 },
    });
    await provider.forceFlush();
    await provider.shutdown();

    const columns = [
      'Timestamp',
      'TraceId',
      'SpanId',
      'TraceFlags',
      'SeverityText',
      'SeverityNumber',
      'ServiceName',
      'Body',
      'ResourceSchemaUrl',
      'ResourceAttributes',
      'ScopeSchemaUrl',
      'ScopeName',
      'ScopeVersion',
      'ScopeAttributes',
      'LogAttributes',
      'EventName',
    ];
    const [first, second] = await find('otel_logs', columns, service, 'Timestamp');
    expect(first).toEqual({
      Timestamp: '2025-11-21 09:00:00.123456789',
      TraceId: '0af7651916cd43dd8448eb211c80319c',
      SpanId: 'b7ad6b7169203331',
      TraceFlags: 1,
      SeverityText: 'ERROR',
      SeverityNumber: 17,
      ServiceName: service,
      Body: 'payment «declined» 💳\n\ttwice',
      ResourceSchemaUrl: 'https://example.com/resource/1',
      ResourceAttributes: { 'service.name': service, 'host.name': 'höst' },
      ScopeSchemaUrl: 'https://example.com/scope/2',
      ScopeName: 'the scope',
      ScopeVersion: '1.2.3',
      ScopeAttributes: {},
      LogAttributes: stored,
      EventName: 'payment.declined',
    });
    expect(second).toMatchObject({
      Body: '{"deep":{"list":[1,"two",null,true]},"é":2.5}',
      TraceId: '',
      SpanId: '',
      SeverityText: '',
      SeverityNumber: 0,
      LogAttributes: {},
    });
  });
});

describe.each(Object.entries(transports))('spans over %s', (name, transport) => {
  test('spans are stored with parent, events, links, status and duration as the SDK sent them', async () => {
    const service = `traces ${name}`;
    const provider = new BasicTracerProvider({
      resource: resource(service),
      spanProcessors: [new BatchSpanProcessor(transport.traces())],
    });
    const tracer = provider.getTracer('the scope', '1.2.3', scope);
    const linked = {
      traceId: '11111111111111111111111111111111',
      spanId: '2222222222222222',
      traceFlags: 1,
    };
    const parent = tracer.startSpan('GET /cart', {
      kind: SpanKind.SERVER,
      startTime: [1_763_715_600, 1],
      attributes,
      links: [{ context: linked, attributes: { why: 'retry' } }],
    });
    parent.addEvent('first', { n: 1 }, [1_763_715_600, 500]);
    parent.addEvent('второй', {}, [1_763_715_600, 600]);
    const child = tracer.startSpan(
      'SELECT',
      { kind: SpanKind.CLIENT, startTime: [1_763_715_601, 0] },
      trace.setSpan(contextApi.active(), parent),
    );
    child.setStatus({ code: SpanStatusCode.ERROR, message: 'no rows ☹' });
    child.end([1_763_715_601, 999]);
    parent.setStatus({ code: SpanStatusCode.OK });
    parent.end([1_763_715_602, 3]);
    await provider.forceFlush();
    await provider.shutdown();

    const columns = [
      'Timestamp',
      'TraceId',
      'SpanId',
      'ParentSpanId',
      'SpanName',
      'SpanKind',
      'ServiceName',
      'ResourceAttributes',
      'ScopeName',
      'ScopeVersion',
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
    ];
    const [first, second] = await find('otel_traces', columns, service, 'Timestamp');
    expect(first).toEqual({
      Timestamp: '2025-11-21 09:00:00.000000001',
      TraceId: parent.spanContext().traceId,
      SpanId: parent.spanContext().spanId,
      ParentSpanId: '',
      SpanName: 'GET /cart',
      SpanKind: 'Server',
      ServiceName: service,
      ResourceAttributes: { 'service.name': service, 'host.name': 'höst' },
      ScopeName: 'the scope',
      ScopeVersion: '1.2.3',
      SpanAttributes: stored,
      Duration: '2000000002',
      StatusCode: 'Ok',
      StatusMessage: '',
      'Events.Timestamp': ['2025-11-21 09:00:00.000000500', '2025-11-21 09:00:00.000000600'],
      'Events.Name': ['first', 'второй'],
      'Events.Attributes': [{ n: '1' }, {}],
      'Links.TraceId': [linked.traceId],
      'Links.SpanId': [linked.spanId],
      'Links.TraceState': [''],
      'Links.Attributes': [{ why: 'retry' }],
    });
    expect(second).toMatchObject({
      SpanName: 'SELECT',
      SpanKind: 'Client',
      ParentSpanId: parent.spanContext().spanId,
      TraceId: parent.spanContext().traceId,
      Duration: '999',
      StatusCode: 'Error',
      StatusMessage: 'no rows ☹',
    });
  });
});

describe.each(Object.entries(transports))('metrics over %s', (name, transport) => {
  test.each([
    ['cumulative', cumulative, 2],
    ['delta', delta, 1],
  ] as const)(
    'gauge, sum, histogram and exponential histogram are stored as the SDK sent them, %s',
    async (word, temporality, code) => {
      const service = `metrics ${name} ${word}`;
      const reader = new PeriodicExportingMetricReader({
        exporter: transport.metrics(temporality),
        exportIntervalMillis: 3_600_000,
      });
      const provider = new MeterProvider({
        resource: resource(service),
        readers: [reader],
        views: [
          { instrumentName: 'sizes', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } },
        ],
      });
      const meter = provider.getMeter('the scope', '1.2.3', scope);
      meter
        .createObservableGauge('temperature', { description: 'how warm', unit: 'Cel' })
        .addCallback((result) => result.observe(-12.5, { room: 'Küche' }));
      const requests = meter.createCounter('requests');
      requests.add(3, attributes);
      requests.add(4, attributes);
      const times = meter.createHistogram('times', {
        unit: 'ms',
        advice: { explicitBucketBoundaries: [1, 10, 100] },
      });
      for (const time of [0.5, 5, 50, 500, 7]) {
        times.record(time);
      }
      const sizes = meter.createHistogram('sizes');
      for (const size of [1, 2, 4, 0, -8]) {
        if (size >= 0) {
          sizes.record(size);
        }
      }
      await provider.forceFlush();
      await provider.shutdown();

      const shared = [
        'MetricName',
        'MetricDescription',
        'MetricUnit',
        'ServiceName',
        'ScopeName',
        'ScopeVersion',
        'ResourceSchemaUrl',
        'ScopeSchemaUrl',
        'ScopeDroppedAttrCount',
        'Attributes',
        'Flags',
      ];
      const sharedValues = {
        ServiceName: service,
        ScopeName: 'the scope',
        ScopeVersion: '1.2.3',
        ResourceSchemaUrl: 'https://example.com/resource/1',
        ScopeSchemaUrl: 'https://example.com/scope/2',
        ScopeDroppedAttrCount: 0,
        Flags: 0,
      };
      const [gauge] = await find(
        'otel_metrics_gauge',
        [...shared, 'Value', 'Exemplars.Value'],
        service,
        'TimeUnix',
      );
      expect(gauge).toEqual({
        ...sharedValues,
        MetricName: 'temperature',
        MetricDescription: 'how warm',
        MetricUnit: 'Cel',
        Attributes: { room: 'Küche' },
        Value: -12.5,
        'Exemplars.Value': [],
      });
      const [sum] = await find(
        'otel_metrics_sum',
        [...shared, 'Value', 'AggregationTemporality', 'IsMonotonic'],
        service,
        'TimeUnix',
      );
      expect(sum).toEqual({
        ...sharedValues,
        MetricName: 'requests',
        MetricDescription: '',
        MetricUnit: '',
        Attributes: stored,
        Value: 7,
        AggregationTemporality: code,
        IsMonotonic: true,
      });
      const [histogram] = await find(
        'otel_metrics_histogram',
        ['Count', 'Sum', 'BucketCounts', 'ExplicitBounds', 'Min', 'Max', 'AggregationTemporality'],
        service,
        'TimeUnix',
      );
      expect(histogram).toEqual({
        Count: '5',
        Sum: 562.5,
        BucketCounts: ['1', '2', '1', '1'],
        ExplicitBounds: [1, 10, 100],
        Min: 0.5,
        Max: 500,
        AggregationTemporality: code,
      });
      const [exponential] = await find(
        'otel_metrics_exponential_histogram',
        [
          'Count',
          'Sum',
          'ZeroCount',
          'PositiveBucketCounts',
          'NegativeBucketCounts',
          'Min',
          'Max',
          'AggregationTemporality',
        ],
        service,
        'TimeUnix',
      );
      expect(exponential).toMatchObject({
        Count: '4',
        Sum: 7,
        ZeroCount: '1',
        NegativeBucketCounts: [],
        Min: 0,
        Max: 4,
        AggregationTemporality: code,
      });
      expect(
        (exponential!['PositiveBucketCounts'] as string[]).reduce(
          (total, count) => total + Number(count),
          0,
        ),
      ).toBe(3);
    },
  );
});
