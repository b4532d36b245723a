import { hostileText } from './telemetry.ts';

/** A span of the tests. */
export interface SpanRecord {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  service: string;
  name: string;
  kind?: number;
  /** Nanoseconds since the Unix epoch. */
  startNanos: bigint;
  durationNanos: number;
  attributes?: Record<string, string>;
  error?: string;
  events?: { name: string; atNanos: bigint; attributes: Record<string, string> }[];
  links?: { traceId: string; spanId: string }[];
}

const errorCode = 2;

/** Body of `POST /v1/traces` (OTLP in JSON). */
export function spansBody(spans: readonly SpanRecord[]): object {
  const pairs = (values: Record<string, string> = {}): object[] =>
    Object.entries(values).map(([key, value]) => ({ key, value: { stringValue: value } }));
  const byService = new Map<string, SpanRecord[]>();
  for (const span of spans) {
    byService.set(span.service, [...(byService.get(span.service) ?? []), span]);
  }
  return {
    resourceSpans: [...byService].map(([service, own]) => ({
      resource: { attributes: pairs({ 'service.name': service, 'host.name': `${service}-0` }) },
      scopeSpans: [
        {
          scope: { name: 'shop', version: '1.4.2' },
          spans: own.map((span) => ({
            traceId: span.traceId,
            spanId: span.spanId,
            parentSpanId: span.parentSpanId ?? '',
            name: span.name,
            kind: span.kind ?? 1,
            startTimeUnixNano: String(span.startNanos),
            endTimeUnixNano: String(span.startNanos + BigInt(span.durationNanos)),
            attributes: pairs(span.attributes),
            ...(span.error !== undefined && {
              status: { code: errorCode, message: span.error },
            }),
            events: (span.events ?? []).map(({ name, atNanos, attributes }) => ({
              name,
              timeUnixNano: String(atNanos),
              attributes: pairs(attributes),
            })),
            links: span.links ?? [],
          })),
        },
      ],
    })),
  };
}

const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0');
export const traceIdOf = (value: number): string => hex(value, 32);
export const spanIdOf = (value: number): string => hex(value, 16);

type Step = [service: string, name: string, parent: number, startMs: number, lengthMs: number];

const server = 2;
const client = 3;

/** An order in a shop: what a service does, its parent by place in this list, and when. */
const order: readonly Step[] = [
  ['frontend', 'POST /order', 0, 0, 846],
  ['frontend', 'validate form', 1, 4, 9],
  ['checkout', 'POST /checkout', 1, 18, 802],
  ['checkout', 'load cart', 3, 22, 61],
  ['cart', 'GET /cart/{id}', 4, 27, 52],
  ['cart', 'SELECT cart_items', 5, 33, 38],
  ['checkout', 'price items', 3, 86, 118],
  ['catalog', 'GET /prices', 7, 90, 42],
  ['catalog', 'GET price:1', 8, 95, 0.8],
  ['catalog', 'GET price:2', 8, 97, 0.9],
  ['catalog', 'GET price:3', 8, 99, 1.1],
  ['catalog', 'SELECT prices', 8, 102, 27],
  ['currency', 'Convert', 7, 136, 58],
  ['currency', 'GET rates', 13, 139, 51],
  ['checkout', 'reserve stock', 3, 88, 96],
  ['stock', 'POST /reservations', 15, 93, 86],
  ['stock', 'UPDATE stock', 16, 101, 64],
  ['checkout', 'charge card', 3, 208, 441],
  ['payment', 'POST /charge', 18, 214, 428],
  ['payment', 'check fraud', 19, 221, 96],
  ['fraud', 'score', 20, 226, 84],
  ['payment', 'POST bank.example/charges', 19, 322, 301],
  ['payment', 'POST bank.example/charges', 19, 626, 12],
  ['checkout', 'send receipt', 3, 655, 158],
  ['email', 'POST /receipts', 24, 661, 147],
  ['email', 'render template', 25, 668, 39],
  ['email', 'SMTP', 25, 711, 93],
  ['frontend', 'flag: new-receipt', 1, 824, 0],
];

/** An order that the bank refused at first: errors, events, a link, a missing parent, a wrong clock. */
export function orderTrace(startMs: number, traceId: string, linkedTraceId: string): SpanRecord[] {
  const start = BigInt(startMs) * 1_000_000n;
  const at = (ms: number): bigint => start + BigInt(Math.round(ms * 1e6));
  const spans = order.map(([service, name, parent, fromMs, lengthMs], index): SpanRecord => ({
    traceId,
    spanId: spanIdOf(index + 1),
    ...(parent > 0 && { parentSpanId: spanIdOf(parent) }),
    service,
    name,
    kind: /^(POST|GET) \//.test(name) ? server : client,
    startNanos: at(fromMs),
    durationNanos: Math.round(lengthMs * 1e6),
    attributes: { 'order.id': '4711', 'thread.id': String(index % 4) },
  }));
  const refused = spans[21];
  if (refused) {
    refused.error = 'the bank did not answer within 300 ms';
    refused.attributes = {
      'http.request.method': 'POST',
      'url.full': 'https://bank.example/charges',
      'order.id': '4711',
    };
    refused.events = [
      {
        name: 'exception',
        atNanos: at(622),
        attributes: {
          'exception.type': 'TimeoutError',
          'exception.message': hostileText,
          'exception.stacktrace':
            'TimeoutError: no answer\n    at charge (bank.ts:42)\n    at pay (payment.ts:17)',
        },
      },
    ];
    refused.links = [{ traceId: linkedTraceId, spanId: spanIdOf(1) }];
  }
  return [
    ...spans,
    {
      traceId,
      spanId: spanIdOf(100),
      parentSpanId: spanIdOf(5),
      service: 'cart',
      name: 'clock of another host',
      startNanos: at(20),
      durationNanos: 11_000_000,
      error: '',
    },
    {
      traceId,
      spanId: spanIdOf(101),
      parentSpanId: spanIdOf(999),
      service: hostileText,
      name: hostileText,
      startNanos: at(700),
      durationNanos: 40_000_000,
      attributes: { [hostileText]: hostileText },
    },
  ];
}

/** A trace of any size, the same in every run but for its time: seven calls a call. */
export function largeTrace(startMs: number, traceId: string, count: number): SpanRecord[] {
  const start = BigInt(startMs) * 1_000_000n;
  const spans: { from: number; length: number }[] = [];
  return Array.from({ length: count }, (_, index): SpanRecord => {
    const parent = Math.floor((index - 1) / 7);
    const above = spans[parent];
    const slot = (index - 1) % 7;
    const from = above ? above.from + Math.floor(above.length * (0.02 + slot * 0.135)) : 0;
    const length = above ? Math.floor(above.length * (0.07 + slot * 0.01)) : 8_000_000_000;
    spans.push({ from, length });
    return {
      traceId,
      spanId: spanIdOf(index + 1),
      ...(above && { parentSpanId: spanIdOf(parent + 1) }),
      service: `service-${index % 12}`,
      name: `step ${index}`,
      startNanos: start + BigInt(from),
      durationNanos: length,
      attributes: { 'step.number': String(index) },
      ...(index % 997 === 500 && { error: `step ${index} failed` }),
    };
  });
}
