import { hostileText } from './telemetry.ts';

/** A point of a gauge or a sum of the tests. */
export interface MetricPoint {
  name: string;
  unit: string;
  /** A cumulative sum; else a gauge. */
  isSum?: boolean;
  service: string;
  attributes: Record<string, string>;
  atMs: number;
  value: number;
}

const cumulative = 2;
const nanos = (ms: number): string => `${Math.floor(ms)}000000`;

/** Body of `POST /v1/metrics` (OTLP in JSON). */
export function metricsBody(points: readonly MetricPoint[]): object {
  const pair = (key: string, value: string) => ({ key, value: { stringValue: value } });
  return {
    resourceMetrics: points.map(({ name, unit, isSum, service, attributes, atMs, value }) => {
      const point = {
        timeUnixNano: nanos(atMs),
        startTimeUnixNano: nanos(atMs - 3_600_000),
        asDouble: value,
        attributes: Object.entries(attributes).map(([key, text]) => pair(key, text)),
      };
      const sum = { aggregationTemporality: cumulative, isMonotonic: true, dataPoints: [point] };
      return {
        resource: { attributes: [pair('service.name', service)] },
        scopeMetrics: [
          {
            scope: { name: 'shop' },
            metrics: [{ name, unit, ...(isSum ? { sum } : { gauge: { dataPoints: [point] } }) }],
          },
        ],
      };
    }),
  };
}

const gib = 1_073_741_824;

/** Half an hour of a shop: memory by state, requests, and one metric of hostile text. */
export function shopMetrics(nowMs: number): MetricPoint[] {
  const minutes = Array.from({ length: 30 }, (_, index) => index);
  const points = minutes.flatMap((minute): MetricPoint[] => {
    const atMs = nowMs - (30 - minute) * 60_000 + 1000;
    const memory = (service: string, state: string, value: number): MetricPoint => ({
      name: 'process.memory.usage',
      unit: 'By',
      service,
      attributes: { state },
      atMs,
      value,
    });
    return [
      memory('cart', 'used', gib * (1 + minute / 30)),
      memory('cart', 'free', gib * (3 - minute / 30)),
      memory('checkout', 'used', gib * 1.4),
      {
        name: 'http.server.requests',
        unit: '{request}',
        isSum: true,
        service: 'checkout',
        attributes: { 'http.route': minute % 2 === 0 ? '/cart' : '/order' },
        atMs,
        value: minute * 120,
      },
      {
        name: 'http.server.queue',
        unit: 'ms',
        service: 'checkout',
        attributes: {},
        atMs,
        value: 20 + ((minute * 7) % 13),
      },
    ];
  });
  const hostile: MetricPoint = {
    name: hostileText,
    unit: hostileText,
    service: hostileText,
    attributes: { [hostileText]: hostileText },
    atMs: nowMs - 60_000,
    value: 1,
  };
  return [...points, hostile];
}
