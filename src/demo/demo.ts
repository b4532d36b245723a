import { setTimeout as wait } from 'node:timers/promises';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { Clock, Log } from '../ports/ambient.ts';
import { createRandom } from './random.ts';
import { createServiceTelemetry, type Outbox, type ServiceTelemetry } from './service-telemetry.ts';
import { services, type ServiceName } from './shop.ts';
import { Traffic } from './traffic.ts';

export interface DemoOptions {
  /** The OTLP/HTTP receiver, without a path: `http://127.0.0.1:4318`. */
  otlpUrl: string;
  /** Asked before each request, so that a new key counts at once. Never rejects. */
  ingestionKey: () => Promise<string>;
  clock: Clock;
  log: Log;
  /** Ends the demo. */
  signal: AbortSignal;
  /** How much of the past there is when it starts. */
  backfillMinutes?: number;
  seed?: number;
}

export interface Demo {
  /** Resolves when the past is sent (or the demo was ended). */
  backfilled: Promise<void>;
  /** Resolves when the demo has ended. */
  ended: Promise<void>;
}

const tickMs = 2000;
const metricsEveryMs = 20_000;
const backfillStepMs = 60_000;
/** Steps of the past that are on their way at a time. */
const backfillAhead = 4;

/**
 * A small shop that lives in simulated services and sends what they do over OTLP, the last half
 * hour first.
 */
export function startDemo(options: DemoOptions): Demo {
  const demo = new Simulation(options);
  const backfilled = demo.backfill();
  return { backfilled, ended: backfilled.then(() => demo.live()) };
}

class Simulation {
  private readonly options: DemoOptions;
  private readonly outbox: Outbox = { spans: [], logs: [] };
  private readonly telemetry: Record<ServiceName, ServiceTelemetry>;
  private readonly traffic: Traffic;
  private readonly sender: Sender;
  private nowMs: number;
  private metricsMs: number;

  constructor(options: DemoOptions) {
    this.options = options;
    this.nowMs = options.clock.now() - (options.backfillMinutes ?? 30) * 60_000;
    this.metricsMs = this.nowMs;
    this.telemetry = Object.fromEntries(
      services.map((service) => [
        service,
        createServiceTelemetry(service, this.outbox, this.nowMs),
      ]),
    ) as Record<ServiceName, ServiceTelemetry>;
    this.traffic = new Traffic(
      this.telemetry,
      createRandom(options.seed ?? 20_251_121),
      this.nowMs,
    );
    this.sender = createSender(options);
  }

  async backfill(): Promise<void> {
    const running = new Set<Promise<void>>();
    while (!this.options.signal.aborted && this.nowMs < this.options.clock.now()) {
      const made = await this.advance(
        Math.min(this.nowMs + backfillStepMs, this.options.clock.now()),
      );
      const sending = this.send(made).finally(() => running.delete(sending));
      running.add(sending);
      if (running.size >= backfillAhead) {
        await Promise.race(running);
      }
    }
    await Promise.all(running);
  }

  async live(): Promise<void> {
    const { signal, clock } = this.options;
    while (!signal.aborted) {
      await wait(tickMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) {
        await this.send(await this.advance(clock.now()));
      }
    }
  }

  /** Lets the shop live until then, and answers what came of it. */
  private async advance(untilMs: number): Promise<Made> {
    const metrics: ResourceMetrics[] = [];
    while (this.nowMs < untilMs) {
      this.nowMs = Math.min(untilMs, this.metricsMs + metricsEveryMs);
      this.traffic.advance(this.nowMs);
      if (this.nowMs - this.metricsMs < metricsEveryMs) {
        continue;
      }
      this.metricsMs = this.nowMs;
      this.traffic.measure(this.nowMs);
      metrics.push(
        ...(await Promise.all(
          services.map((service) => this.telemetry[service].collect(this.nowMs)),
        )),
      );
    }
    return { spans: this.outbox.spans.splice(0), logs: this.outbox.logs.splice(0), metrics };
  }

  private async send({ spans, logs, metrics }: Made): Promise<void> {
    const { sender } = this;
    await Promise.all([
      spans.length > 0 && sender.spans(spans),
      logs.length > 0 && sender.logs(logs),
      ...metrics.map((one) => sender.metrics(one)),
    ]);
  }
}

interface Made extends Outbox {
  metrics: ResourceMetrics[];
}

interface Sender {
  spans(spans: Outbox['spans']): Promise<void>;
  logs(logs: Outbox['logs']): Promise<void>;
  metrics(metrics: ResourceMetrics): Promise<void>;
}

interface Exporter<T> {
  export(items: T, done: (result: { code: number; error?: Error }) => void): void;
}

/**
 * The SDK's own exporters. They try again by themselves; what is lost in the end is only worth a
 * line in the log.
 */
function createSender({ otlpUrl, ingestionKey, log, signal }: DemoOptions): Sender {
  const to = (path: string) => ({
    url: `${otlpUrl}/v1/${path}`,
    headers: async () => ({ authorization: `Bearer ${await ingestionKey()}` }),
    concurrencyLimit: 200,
  });
  const sending =
    <T>(what: string, exporter: Exporter<T>) =>
    (items: T): Promise<void> =>
      new Promise((resolve) => {
        exporter.export(items, ({ code, error }) => {
          if (code !== 0 && !signal.aborted) {
            log.warn({ err: error, what }, 'demo telemetry rejected');
          }
          resolve();
        });
      });
  return {
    spans: sending('spans', new OTLPTraceExporter(to('traces'))),
    logs: sending('logs', new OTLPLogExporter(to('logs'))),
    metrics: sending('metrics', new OTLPMetricExporter(to('metrics'))),
  };
}
