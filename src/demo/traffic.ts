import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api';
import { SeverityNumber } from '@opentelemetry/api-logs';
import type { Random } from './random.ts';
import { isIncident, visitsPerSecond } from './schedule.ts';
import { hrTime, type ServiceTelemetry } from './service-telemetry.ts';
import { services, visits, type ServiceName, type Work } from './shop.ts';

/** How one piece of work went. */
interface Outcome {
  endMs: number;
  /** Why it failed; undefined when it did not. */
  failure: string | undefined;
}

/** Visitors of the shop, and what the services make of them. */
export class Traffic {
  private readonly telemetry: Record<ServiceName, ServiceTelemetry>;
  private readonly random: Random;
  private nextVisitMs: number;

  constructor(telemetry: Record<ServiceName, ServiceTelemetry>, random: Random, startMs: number) {
    this.telemetry = telemetry;
    this.random = random;
    this.nextVisitMs = startMs;
  }

  /** Everything that happens before `untilMs` and has not happened yet. */
  advance(untilMs: number): void {
    while (this.nextVisitMs < untilMs) {
      this.visit(this.nextVisitMs);
      this.nextVisitMs +=
        (-Math.log(1 - this.random.next()) * 1000) / visitsPerSecond(this.nextVisitMs);
    }
  }

  /** What is measured now and then rather than at each visit. */
  measure(timeMs: number): void {
    this.telemetry.cart.carts.record(
      Math.round(visitsPerSecond(timeMs) * 25 + this.random.whole(-5, 5)),
    );
    for (const [index, service] of services.entries()) {
      const leak = service === 'payment' && isIncident(timeMs) ? 80e6 : 0;
      this.telemetry[service].memory.record(
        Math.round(60e6 + index * 12e6 + 5e6 * Math.sin(timeMs / 240_000 + index) + leak),
      );
    }
  }

  private visit(startMs: number): void {
    let draw = this.random.next() * 100;
    const chosen = visits.find(({ share }) => (draw -= share) < 0) ?? visits[0]!;
    const { work } = chosen;
    const { endMs, failure } = this.perform(work, startMs, ROOT_CONTEXT);
    const status = failure === undefined ? 200 : 502;
    this.telemetry.frontend.requests.record((endMs - startMs) / 1000, {
      'http.route': String(work.attributes?.['http.route']),
      'http.response.status_code': status,
    });
    if (work.name === 'POST /checkout') {
      this.telemetry.checkout.orders.add(1, {
        outcome: failure === undefined ? 'placed' : 'failed',
      });
    }
  }

  private perform(work: Work, startMs: number, parent: Context): Outcome {
    const { tracer } = this.telemetry[work.service];
    const incident = isIncident(startMs);
    const span = tracer.startSpan(
      work.name,
      { kind: work.kind, startTime: hrTime(startMs), attributes: { ...work.attributes } },
      parent,
    );
    const context = trace.setSpan(parent, span);
    const ownMs = this.random.duration(work.ownMs) * (incident ? (work.slowdown ?? 1) : 1);
    let nowMs = startMs + ownMs / 2;
    let failure: string | undefined;
    for (const next of work.calls ?? []) {
      // A consumer works on its own: nobody waits for it, and its failures are not its producer's.
      const outcome = this.perform(next, nowMs, context);
      if (next.kind === SpanKind.CONSUMER) {
        continue;
      }
      nowMs = outcome.endMs;
      failure = outcome.failure;
      if (failure !== undefined) {
        break;
      }
    }
    nowMs += ownMs / 2;
    if (failure === undefined && this.random.next() < chanceOfFailure(work, incident)) {
      failure = work.failure!.reason;
    }
    if (failure !== undefined) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
      if (work.failure) {
        span.addEvent('exception', { 'exception.message': failure }, hrTime(nowMs));
      }
    }
    if (work.attributes?.['http.route'] !== undefined) {
      span.setAttribute('http.response.status_code', failure === undefined ? 200 : 502);
    }
    span.end(hrTime(nowMs));
    this.report(work, context, nowMs, nowMs - startMs, failure);
    return { endMs: nowMs, failure };
  }

  private report(
    work: Work,
    context: Context,
    timeMs: number,
    tookMs: number,
    failure: string | undefined,
  ): void {
    const { logger } = this.telemetry[work.service];
    const shared = { timestamp: hrTime(timeMs), context };
    const attributes = { operation: work.name, 'duration.ms': Math.round(tookMs * 10) / 10 };
    if (failure !== undefined) {
      if (work.kind === SpanKind.SERVER || work.failure) {
        logger.emit({
          ...shared,
          severityNumber: SeverityNumber.ERROR,
          severityText: 'ERROR',
          body: `${work.name} failed: ${failure}`,
          attributes: { ...attributes, 'error.type': 'upstream' },
        });
      }
    } else if (tookMs > 500 && work.kind === SpanKind.SERVER) {
      logger.emit({
        ...shared,
        severityNumber: SeverityNumber.WARN,
        severityText: 'WARN',
        body: `${work.name} was slow: ${Math.round(tookMs)} ms`,
        attributes,
      });
    } else if (work.message) {
      logger.emit({
        ...shared,
        severityNumber: SeverityNumber.INFO,
        severityText: 'INFO',
        body: work.message(this.random),
        attributes,
      });
    }
  }
}

function chanceOfFailure({ failure }: Work, incident: boolean): number {
  if (!failure) {
    return 0;
  }
  return incident ? failure.inIncident : failure.usually;
}
