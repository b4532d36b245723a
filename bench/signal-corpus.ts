import { PbfWriter } from 'pbf';
import { draw, idOf, services, writeResource } from './log-corpus.ts';
import { writeAttribute } from './otlp-attribute.ts';

export interface Signal {
  name: string;
  path: string;
  table: string;
  /** Writes records into a message of their instrumentation scope. */
  write(scope: PbfWriter, ids: readonly number[], timeMs: (id: number) => number): void;
}

/** Data points of one metric in one request of a service. */
const pointsPerMetric = 20;
const recordsPerService = 500;

/** Fields of the messages are those of the OpenTelemetry protocol, version 1.7. */
export const signals: readonly Signal[] = [
  {
    name: 'spans',
    path: '/v1/traces',
    table: 'otel_traces',
    write(scope, ids, timeMs) {
      for (const id of ids) {
        scope.writeMessage(2, (_: undefined, span) => writeSpan(span, id, timeMs(id)), undefined);
      }
    },
  },
  metric('gauge', 5, (point, id) => point.writeDoubleField(4, draw(id, 3) / 1e6)),
  metric('sum', 7, (point, id) => point.writeDoubleField(4, id)),
  metric('histogram', 9, (point, id) => {
    const bounds = [5, 10, 25, 50, 75, 100, 250, 500, 1000];
    point.writeFixed64Field(4, 10 * (bounds.length + 1));
    point.writeDoubleField(5, draw(id, 4) / 1e6);
    point.writePackedFixed64(
      6,
      Array.from({ length: bounds.length + 1 }, () => 10),
    );
    point.writePackedDouble(7, bounds);
  }),
  metric('exponential_histogram', 10, (point, id) => {
    point.writeFixed64Field(4, 80);
    point.writeDoubleField(5, draw(id, 4) / 1e6);
    point.writeSVarintField(6, 3);
    point.writeMessage(
      8,
      (_: undefined, buckets) => {
        buckets.writeSVarintField(1, 4);
        buckets.writePackedVarint(
          2,
          Array.from({ length: 8 }, () => 10),
        );
      },
      undefined,
    );
  }),
  metric('summary', 11, (point, id) => {
    point.writeFixed64Field(4, 100);
    point.writeDoubleField(5, draw(id, 4) / 1e6);
    for (const quantile of [0.5, 0.9, 0.99]) {
      point.writeMessage(
        6,
        (_: undefined, value) => {
          value.writeDoubleField(1, quantile);
          value.writeDoubleField(2, quantile * 100);
        },
        undefined,
      );
    }
  }),
];

/** Requests of a signal, with times in the last hour. */
export function signalRequests(signal: Signal, records: number, perRequest: number): Buffer[] {
  const count = Math.ceil(records / perRequest);
  const startMs = Date.now() - 3_600_000;
  const timeMs = (id: number): number => startMs + (id * 3_600_000) / (count * perRequest);
  return Array.from({ length: count }, (_, batch) => {
    const request = new PbfWriter();
    for (let first = 0; first < perRequest; first += recordsPerService) {
      const length = Math.min(recordsPerService, perRequest - first);
      const ids = Array.from({ length }, (_none, n) => batch * perRequest + first + n);
      request.writeMessage(
        1,
        (_none: undefined, group) => {
          writeResource(group, ids[0]!);
          group.writeMessage(
            2,
            (_empty: undefined, scope) => signal.write(scope, ids, timeMs),
            undefined,
          );
        },
        undefined,
      );
    }
    return Buffer.from(request.finish());
  });
}

function writeSpan(span: PbfWriter, id: number, timeMs: number): void {
  const service = services[draw(id, 1) % services.length]!;
  const durationMs = draw(id, 2) % 800;
  span.writeBytesField(1, idOf('trace', Math.floor(id / 6)));
  span.writeBytesField(2, idOf('span', id).subarray(0, 8));
  span.writeBytesField(4, idOf('span', id - 1).subarray(0, 8));
  span.writeStringField(5, `GET /api/${service}`);
  span.writeVarintField(6, 1 + (id % 5));
  span.writeFixed64Field(7, timeMs * 1e6);
  span.writeFixed64Field(8, (timeMs + durationMs) * 1e6);
  writeAttribute(span, 9, 'http.route', `/api/${service}`);
  writeAttribute(span, 9, 'http.response.status_code', [200, 200, 404, 500][draw(id, 4) % 4]!);
  writeAttribute(span, 9, 'user.id', `u${draw(id, 5) % 200_000}`);
  writeAttribute(span, 9, 'thread.name', `worker-${draw(id, 6) % 16}`);
}

/**
 * A kind of metric: its field in `Metric`, and what distinguishes its data points. Each point is of
 * a series of its own.
 */
function metric(
  kind: string,
  field: number,
  writeValue: (point: PbfWriter, id: number) => void,
): Signal {
  const isHistogram = kind === 'histogram' || kind === 'exponential_histogram';
  const attributesField = { histogram: 9, exponential_histogram: 1 }[kind] ?? 7;
  const writePoint = (point: PbfWriter, id: number, timeMs: number): void => {
    writeAttribute(point, attributesField, 'http.route', `/api/${draw(id, 3) % 50}`);
    writeAttribute(point, attributesField, 'series', `s${draw(id, 5) % 10_000}`);
    point.writeFixed64Field(2, (timeMs - 60_000) * 1e6);
    point.writeFixed64Field(3, timeMs * 1e6);
    writeValue(point, id);
  };
  return {
    name: kind,
    path: '/v1/metrics',
    table: `otel_metrics_${kind}`,
    write(scope, ids, timeMs) {
      for (let first = 0; first < ids.length; first += pointsPerMetric) {
        scope.writeMessage(
          2,
          (_: undefined, to) => {
            to.writeStringField(1, `shop.metric.${draw(ids[first]!, 6) % 40}`);
            to.writeStringField(3, 'ms');
            to.writeMessage(
              field,
              (_none: undefined, data) => {
                for (const id of ids.slice(first, first + pointsPerMetric)) {
                  data.writeMessage(
                    1,
                    (_empty: undefined, point) => writePoint(point, id, timeMs(id)),
                    undefined,
                  );
                }
                if (kind === 'sum' || isHistogram) {
                  data.writeVarintField(2, 2);
                }
                if (kind === 'sum') {
                  data.writeBooleanField(3, true);
                }
              },
              undefined,
            );
          },
          undefined,
        );
      }
    },
  };
}
