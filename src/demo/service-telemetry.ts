import type { Counter, Gauge, Histogram, HrTime, Tracer } from '@opentelemetry/api';
import type { Logger } from '@opentelemetry/api-logs';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { LoggerProvider, type ReadableLogRecord } from '@opentelemetry/sdk-logs';
import {
  MeterProvider,
  MetricReader,
  type DataPoint,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import type { ServiceName } from './shop.ts';

/**
 * One simulated service with an OpenTelemetry SDK of its own. Nothing is sent by it: what it made
 * is taken and exported by the demo, in its own time.
 */
export interface ServiceTelemetry {
  tracer: Tracer;
  logger: Logger;
  requests: Histogram;
  orders: Counter;
  carts: Gauge;
  memory: Gauge;
  /** The metrics as they stand, dated `timeMs`. */
  collect(timeMs: number): Promise<ResourceMetrics>;
}

/** Where all services leave what they made. */
export interface Outbox {
  spans: ReadableSpan[];
  logs: ReadableLogRecord[];
}

export function createServiceTelemetry(
  service: ServiceName,
  outbox: Outbox,
  startMs: number,
): ServiceTelemetry {
  const resource = resourceFromAttributes({
    'service.name': service,
    'service.namespace': 'shop',
    'service.version': '1.4.2',
    'deployment.environment.name': 'demo',
    'host.name': `${service}-0`,
  });
  const done = async (): Promise<void> => undefined;
  const tracing = new BasicTracerProvider({
    resource,
    sampler: new AlwaysOnSampler(),
    spanProcessors: [
      {
        onStart: () => undefined,
        onEnd: (span) => void outbox.spans.push(span),
        forceFlush: done,
        shutdown: done,
      },
    ],
  });
  const logging = new LoggerProvider({
    resource,
    processors: [
      { onEmit: (record) => void outbox.logs.push(record), forceFlush: done, shutdown: done },
    ],
  });
  const reader = new OnDemandReader();
  const meter = new MeterProvider({ resource, readers: [reader] }).getMeter('shop');
  return {
    tracer: tracing.getTracer('shop', '1.4.2'),
    logger: logging.getLogger('shop', '1.4.2'),
    requests: meter.createHistogram('http.server.request.duration', {
      description: 'How long requests take',
      unit: 's',
      advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] },
    }),
    orders: meter.createCounter('shop.orders', { description: 'Orders by outcome' }),
    carts: meter.createGauge('shop.carts.active', { description: 'Carts with something in them' }),
    memory: meter.createGauge('process.memory.usage', {
      description: 'Memory of the process',
      unit: 'By',
    }),
    async collect(timeMs) {
      const { resourceMetrics } = await reader.collect();
      return {
        ...resourceMetrics,
        scopeMetrics: resourceMetrics.scopeMetrics.map((scope) => ({
          ...scope,
          metrics: scope.metrics.map((metric) => dated(metric, startMs, timeMs)),
        })),
      };
    },
  };
}

/** Time of the simulation as the SDK writes it. */
export function hrTime(timeMs: number): HrTime {
  const seconds = Math.floor(timeMs / 1000);
  return [seconds, Math.round((timeMs - seconds * 1000) * 1e6)];
}

class OnDemandReader extends MetricReader {
  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}

/** The SDK dates points by the machine's clock; the past of the demo needs its own dates. */
function dated(metric: MetricData, startMs: number, timeMs: number): MetricData {
  const dataPoints = (metric.dataPoints as DataPoint<unknown>[]).map((point) => ({
    ...point,
    startTime: hrTime(startMs),
    endTime: hrTime(timeMs),
  }));
  return { ...metric, dataPoints } as MetricData;
}
