import { spanIdOf, traceIdOf, type SpanRecord } from './spans.ts';
import { hostileText } from './telemetry.ts';

const server = 2;
const client = 3;
const producer = 4;
const consumer = 5;

interface Step {
  service: string;
  name: string;
  kind: number;
  /** Place of the parent in the list, from 1; 0: none. */
  parent: number;
  startMs: number;
  lengthMs: number;
  attributes?: Record<string, string>;
}

const step = (
  service: string,
  name: string,
  kind: number,
  parent: number,
  [startMs, lengthMs]: [number, number],
  attributes: Record<string, string> = {},
): Step => ({ service, name, kind, parent, startMs, lengthMs, attributes });

/** What one order does in a shop of seven services, two databases, a broker and a bank. */
const order: readonly Step[] = [
  step('frontend', 'POST /order', server, 0, [0, 400]),
  step('frontend', 'POST', client, 1, [5, 380], { 'server.address': 'checkout' }),
  step('checkout', 'POST /checkout', server, 2, [10, 370]),
  step('cart', 'GET /cart/{id}', server, 3, [20, 40]),
  step('cart', 'HGETALL', client, 4, [25, 8], { 'db.system': 'redis', 'server.address': 'cache' }),
  step('stock', 'POST /reservations', server, 3, [70, 60]),
  step('stock', 'UPDATE stock', client, 6, [75, 45], {
    'db.system': 'postgresql',
    'db.name': 'shop',
  }),
  step('payment', 'POST /charge', server, 3, [140, 200]),
  step('payment', 'POST bank', client, 8, [150, 180], { 'server.address': 'bank.example' }),
  step('checkout', 'orders publish', producer, 3, [350, 5], {
    'messaging.system': 'kafka',
    'messaging.destination.name': 'orders',
  }),
  step('email', 'orders process', consumer, 10, [360, 30]),
  step('email', 'SMTP', client, 11, [365, 20], { 'server.address': 'smtp.example' }),
  step('checkout', 'audit publish', producer, 3, [355, 4], {
    'messaging.system': 'kafka',
    'messaging.destination.name': 'audit',
  }),
];

/** Every tenth charge is refused. */
export const refusedEvery = 10;

/** Orders at equal distances over the last minutes, the same in every run but for the time. */
export function shopOrders(nowMs: number, count: number, minutes: number): SpanRecord[] {
  const orders = Array.from({ length: count }, (_, index) => {
    const start = nowMs - 1000 - Math.floor((index / count) * minutes * 60_000);
    const slower = 1 + (index % 7) / 10;
    const isRefused = index % refusedEvery === 0;
    return order.map((one, place): SpanRecord => {
      const failed = isRefused && (one.service === 'payment' || one.name === 'POST /order');
      return {
        traceId: traceIdOf(100_000 + index),
        spanId: spanIdOf(place + 1),
        ...(one.parent > 0 && { parentSpanId: spanIdOf(one.parent) }),
        service: one.service,
        name: one.name,
        kind: one.kind,
        startNanos: BigInt(start + one.startMs) * 1_000_000n,
        durationNanos: Math.round(one.lengthMs * slower * 1e6),
        ...(one.attributes && { attributes: one.attributes }),
        ...(failed && { error: one.service === 'payment' ? 'card declined' : '' }),
      };
    });
  });
  return [...orders.flat(), ...hostileCall(nowMs)];
}

/** A service and a system whose every text tries to be something else. */
function hostileCall(nowMs: number): SpanRecord[] {
  const traceId = traceIdOf(99_999);
  const startNanos = BigInt(nowMs - 5000) * 1_000_000n;
  const shared = { traceId, startNanos, durationNanos: 3_000_000, error: hostileText };
  return [
    { ...shared, spanId: spanIdOf(1), service: 'frontend', name: 'GET /', kind: server },
    {
      ...shared,
      spanId: spanIdOf(2),
      parentSpanId: spanIdOf(1),
      service: hostileText,
      name: hostileText,
      kind: server,
    },
    {
      ...shared,
      spanId: spanIdOf(3),
      parentSpanId: spanIdOf(2),
      service: hostileText,
      name: hostileText,
      kind: client,
      attributes: { 'db.system': hostileText, 'db.name': hostileText },
    },
  ];
}

/** One request through each of many services: a graph that is the same in every run. */
export function manyServices(nowMs: number, count: number): SpanRecord[] {
  return Array.from({ length: count * 3 }, (_, index): SpanRecord[] => {
    const traceId = traceIdOf(200_000 + index);
    const callee = index % count;
    const caller = Math.floor((callee * ((index % 3) + 1)) / 5);
    const startNanos = BigInt(nowMs - 2000 - index * 100) * 1_000_000n;
    const name = (place: number): string => `service-${String(place).padStart(2, '0')}`;
    const shared = { traceId, startNanos, kind: server };
    return [
      {
        ...shared,
        spanId: spanIdOf(1),
        service: name(caller),
        name: 'call',
        durationNanos: 9_000_000,
      },
      {
        ...shared,
        spanId: spanIdOf(2),
        parentSpanId: spanIdOf(1),
        service: name(callee),
        name: 'serve',
        durationNanos: 4_000_000 + index * 10_000,
        ...(callee % 17 === 3 && { error: 'broken' }),
      },
      ...(callee % 4 === 0
        ? [
            {
              ...shared,
              kind: client,
              spanId: spanIdOf(3),
              parentSpanId: spanIdOf(2),
              service: name(callee),
              name: 'SELECT',
              durationNanos: 1_000_000,
              attributes: { 'db.system': 'postgresql', 'db.name': `db-${callee % 8}` },
            },
          ]
        : []),
    ];
  }).flat();
}
