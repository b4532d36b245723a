import { SpanKind } from '@opentelemetry/api';
import type { Random } from './random.ts';

export const services = [
  'frontend',
  'recommendation',
  'cart',
  'checkout',
  'inventory',
  'payment',
  'shipping',
] as const;
export type ServiceName = (typeof services)[number];

/** One piece of work in one service, and what it asks of others while it lasts. */
export interface Work {
  service: ServiceName;
  name: string;
  kind: SpanKind;
  /** Median of the time it takes by itself. */
  ownMs: number;
  attributes?: Record<string, string | number | boolean>;
  /** One after the other. */
  calls?: readonly Work[];
  /** Written when it ends well. */
  message?: (random: Random) => string;
  /** Chance to fail by itself, and during an incident. */
  failure?: { usually: number; inIncident: number; reason: string };
  /** How many times longer it takes during an incident. */
  slowdown?: number;
}

/** What a visitor does, and how often in a hundred. */
export interface Visit {
  share: number;
  work: Work;
}

const products = ['teapot', 'lantern', 'kite', 'compass', 'blanket', 'ladder'];
const product = (random: Random): string => random.pick(products);

/** A call over the network: the caller's span around the callee's. */
function call(from: ServiceName, to: Work): Work {
  return {
    service: from,
    name: to.name,
    kind: SpanKind.CLIENT,
    ownMs: 0.8,
    attributes: { 'server.address': to.service, 'rpc.system.name': 'grpc' },
    calls: [to],
  };
}

function database(service: ServiceName, statement: string, ownMs: number): Work {
  return {
    service,
    name: statement.split(' ').slice(0, 2).join(' '),
    kind: SpanKind.CLIENT,
    ownMs,
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': statement },
  };
}

const recommend: Work = {
  service: 'recommendation',
  name: 'Recommendations/List',
  kind: SpanKind.SERVER,
  ownMs: 6,
  message: (random) => `recommended ${random.whole(2, 6)} products beside the ${product(random)}`,
};
const list: Work = {
  service: 'inventory',
  name: 'Inventory/List',
  kind: SpanKind.SERVER,
  ownMs: 3,
  calls: [database('inventory', 'SELECT products WHERE category = $1', 4)],
  failure: { usually: 0.002, inIncident: 0.002, reason: 'the connection pool is exhausted' },
};
const reserve: Work = {
  service: 'inventory',
  name: 'Inventory/Reserve',
  kind: SpanKind.SERVER,
  ownMs: 4,
  calls: [database('inventory', 'UPDATE stock SET reserved = reserved + $1', 7)],
  message: (random) => `reserved ${random.whole(1, 3)} × ${product(random)}`,
};
const addItem: Work = {
  service: 'cart',
  name: 'Cart/Add',
  kind: SpanKind.SERVER,
  ownMs: 2,
  calls: [
    {
      service: 'cart',
      name: 'HSET cart',
      kind: SpanKind.CLIENT,
      ownMs: 1,
      attributes: { 'db.system.name': 'redis' },
    },
  ],
  message: (random) => `added a ${product(random)} to the cart`,
};
const getCart: Work = {
  service: 'cart',
  name: 'Cart/Get',
  kind: SpanKind.SERVER,
  ownMs: 1.5,
  calls: [
    {
      service: 'cart',
      name: 'HGETALL cart',
      kind: SpanKind.CLIENT,
      ownMs: 1,
      attributes: { 'db.system.name': 'redis' },
    },
  ],
};
const charge: Work = {
  service: 'payment',
  name: 'Payment/Charge',
  kind: SpanKind.SERVER,
  ownMs: 5,
  calls: [
    {
      service: 'payment',
      name: 'POST bank',
      kind: SpanKind.CLIENT,
      ownMs: 60,
      slowdown: 12,
      attributes: { 'server.address': 'bank.example', 'http.request.method': 'POST' },
      failure: { usually: 0.01, inIncident: 0.45, reason: 'the bank did not answer in time' },
    },
  ],
  message: (random) => `charged ${(random.whole(900, 19_900) / 100).toFixed(2)} EUR`,
};
const ship: Work = {
  service: 'shipping',
  name: 'orders process',
  kind: SpanKind.CONSUMER,
  ownMs: 25,
  attributes: { 'messaging.system': 'rabbitmq', 'messaging.destination.name': 'orders' },
  message: (random) => `parcel ${random.whole(10_000, 99_999)} is on its way`,
};
const publish: Work = {
  service: 'checkout',
  name: 'orders publish',
  kind: SpanKind.PRODUCER,
  ownMs: 2,
  attributes: { 'messaging.system': 'rabbitmq', 'messaging.destination.name': 'orders' },
  calls: [ship],
};
const placeOrder: Work = {
  service: 'checkout',
  name: 'Checkout/PlaceOrder',
  kind: SpanKind.SERVER,
  ownMs: 6,
  calls: [call('checkout', getCart), call('checkout', reserve), call('checkout', charge), publish],
  message: (random) => `order ${random.whole(100_000, 999_999)} is placed`,
};

function page(name: string, ownMs: number, calls: readonly Work[]): Work {
  const [method, route] = name.split(' ') as [string, string];
  return {
    service: 'frontend',
    name,
    kind: SpanKind.SERVER,
    ownMs,
    attributes: { 'http.request.method': method, 'http.route': route },
    calls,
    message: () => name,
  };
}

export const visits: readonly Visit[] = [
  {
    share: 55,
    work: page('GET /products', 8, [call('frontend', list), call('frontend', recommend)]),
  },
  { share: 27, work: page('POST /cart', 4, [call('frontend', addItem)]) },
  { share: 18, work: page('POST /checkout', 9, [call('frontend', placeOrder)]) },
];
