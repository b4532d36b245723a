import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceMapRequest, type ServiceMap } from '../../src/contract/query/service-map.ts';
import { Source } from '../../src/contract/source.ts';
import { identifier, qualified, sql } from '../../src/sql/sql.ts';
import { seeded } from '../kit/random-input.ts';
import { ids, openQueryKit, t0, time, type QueryKit } from './query-kit.ts';
import { expectedMap, type MapSpan } from './service-map-oracle.ts';

let kit: QueryKit;
type TraceSource = Extract<Source, { kind: 'trace' }>;
let source: TraceSource;
const hostile = `x' OR '1'='1 \\ "`;

const minute = 60_000;
const range = { fromMs: t0, toMs: t0 + 30 * minute };
/** Each part of the tests has times of its own. */
const later = (hours: number) => ({
  fromMs: t0 + hours * 60 * minute,
  toMs: t0 + hours * 60 * minute + 10 * minute,
});

const services = ['web', 'cart', 'checkout', 'payment', 'mail', hostile];
const peers: Record<string, string>[] = [
  {},
  { 'db.system': 'postgresql', 'db.name': 'orders' },
  { 'db.system.name': 'redis', 'server.address': 'cache-0' },
  { 'messaging.system': 'kafka', 'messaging.destination.name': 'orders' },
  { 'server.address': 'bank.example' },
  { 'peer.service': hostile, 'db.system': 'mysql' },
];
const kinds = ['Server', 'Client', 'Internal', 'Producer', 'Consumer'];

/** Traces of a few spans each; some parents are missing, some calls cross the ends of the range. */
function randomSpans(traces: number): MapSpan[] {
  const random = seeded(7);
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
  return Array.from({ length: traces }, (_, trace) => {
    const start = t0 - 10 * minute + random() * 50 * minute;
    return Array.from({ length: 1 + Math.floor(random() * 9) }, (_unused, index): MapSpan => {
      const parent = Math.floor(random() * (index + 0.2));
      const isLost = random() < 0.05;
      return {
        TraceId: `trace-${trace}`,
        SpanId: `span-${index}`,
        ParentSpanId: index === 0 ? '' : `span-${isLost ? 99 : Math.min(parent, index - 1)}`,
        ServiceName: pick(services),
        SpanKind: pick(kinds),
        StatusCode: random() < 0.2 ? 'Error' : pick(['Ok', 'Unset']),
        Duration: Math.floor(random() * 1e9),
        SpanAttributes: pick(peers),
        atMs: Math.floor(start + random() * index * 2 * minute),
      };
    });
  }).flat();
}

const insert = (spans: readonly MapSpan[]): Promise<void> =>
  kit.insert(
    'otel_traces',
    spans.map(({ atMs, ...span }) => ({ ...span, Timestamp: time(atMs) })),
  );

const mapOf = (
  { fromMs, toMs }: { fromMs: number; toMs: number },
  over: object = {},
  from = source,
): Promise<ServiceMap> =>
  kit.query.serviceMap(
    ServiceMapRequest.parse({ sourceId: ids.traces, startTime: fromMs, endTime: toMs, ...over }),
    from,
  );

let made = 0;
const span = (over: Partial<MapSpan>): MapSpan => ({
  TraceId: 'trace',
  SpanId: `id-${made++}`,
  ParentSpanId: '',
  ServiceName: 'web',
  SpanKind: 'Server',
  StatusCode: 'Unset',
  Duration: 1000,
  SpanAttributes: {},
  atMs: t0,
  ...over,
});

beforeAll(async () => {
  kit = await openQueryKit();
  source = kit.sources[ids.traces] as TraceSource;
});
afterAll(() => kit.close());

describe('a map of services', () => {
  it('of random traces is the one that plain loops make', async () => {
    const spans = randomSpans(600);
    await insert(spans);
    const { nodes, edges, ...rest } = await mapOf(range);
    const expected = expectedMap(spans, range);
    expect(edges.length).toBeGreaterThan(40);
    expect(new Set(edges.map(({ calleeKind }) => calleeKind)).size).toBe(4);
    expect(nodes).toEqual(expected.nodes);
    expect(edges).toEqual(expected.edges);
    expect(rest).toEqual({ sampleShare: 1, truncated: false });
  });

  it('takes only spans that match', async () => {
    const spans = randomSpans(600).filter(({ StatusCode }) => StatusCode !== 'Ok');
    const { nodes, edges } = await mapOf(range, {
      filters: [{ type: 'field', field: 'StatusCode', op: 'is_not', values: ['Ok'] }],
    });
    expect({ nodes, edges }).toEqual(expectedMap(spans, range));
  });

  it('without a span is empty', async () => {
    const empty = { nodes: [], edges: [], sampleShare: 1, truncated: false };
    expect(await mapOf(later(1000))).toEqual(empty);
  });

  it('counts a call whose other end is just outside the range', async () => {
    const { fromMs, toMs } = later(2);
    const parent = span({ TraceId: 'start', atMs: fromMs - minute });
    const late = span({
      TraceId: 'end',
      SpanKind: 'Client',
      atMs: toMs - 1000,
      SpanAttributes: { 'server.address': 'cart' },
    });
    await insert([
      parent,
      span({ TraceId: 'start', ParentSpanId: parent.SpanId, ServiceName: 'cart', atMs: fromMs }),
      late,
      span({ TraceId: 'end', ParentSpanId: late.SpanId, ServiceName: 'cart', atMs: toMs + minute }),
    ]);
    const { edges } = await mapOf({ fromMs, toMs });
    expect(edges.map(({ caller, callee, calls }) => [caller, callee, calls])).toEqual([
      ['web', 'cart', 1],
    ]);
  });

  it('leads a call that nobody answered to the service that its address reaches', async () => {
    const { fromMs, toMs } = later(4);
    const client = (TraceId: string, over: Partial<MapSpan> = {}): MapSpan =>
      span({
        TraceId,
        SpanKind: 'Client',
        atMs: fromMs,
        SpanAttributes: { 'server.address': 'pay.internal' },
        ...over,
      });
    const answered = client('a');
    await insert([
      answered,
      span({ TraceId: 'a', ParentSpanId: answered.SpanId, ServiceName: 'pay', atMs: fromMs }),
      client('b', { StatusCode: 'Error' }),
      client('c', { SpanAttributes: { 'server.address': 'nobody.internal' } }),
    ]);
    const { edges } = await mapOf({ fromMs, toMs });
    expect(
      edges.map(({ callee, calleeKind, calls, errors }) => [callee, calleeKind, calls, errors]),
    ).toEqual([
      ['pay', 'service', 2, 1],
      ['nobody.internal', 'external', 1, 0],
    ]);
  });

  it('counts a span that was stored twice for its parent once', async () => {
    const { fromMs, toMs } = later(6);
    const parent = span({ TraceId: 'twice', atMs: fromMs });
    const child = { TraceId: 'twice', ParentSpanId: parent.SpanId, ServiceName: 'cart' };
    await insert([parent, parent, span({ ...child, atMs: fromMs })]);
    const { edges } = await mapOf({ fromMs, toMs });
    expect(edges.map(({ callee, calls }) => [callee, calls])).toEqual([['cart', 1]]);
  });
});

describe('a map of another table', () => {
  const other = (over: object): TraceSource =>
    Source.parse({
      ...source,
      from: { databaseName: kit.database, tableName: 'calls' },
      timestampValueExpression: 'at',
      traceIdExpression: 'trace',
      spanIdExpression: 'id',
      parentSpanIdExpression: 'parent',
      serviceNameExpression: 'lower(app)',
      spanNameExpression: undefined,
      durationExpression: 'ms',
      durationPrecision: 3,
      ...over,
    }) as TraceSource;

  it('needs no kinds, status or attributes', async () => {
    const table = qualified(kit.database, 'calls');
    await kit.command(
      sql`CREATE TABLE ${table} (at DateTime, trace UUID, id UInt64, parent Nullable(UInt64),
        app String, ms Float64) ENGINE = MergeTree ORDER BY ${identifier('at')}`,
    );
    const trace = '7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f';
    await kit.insert('calls', [
      { at: t0 / 1000, trace, id: 1, parent: null, app: 'Web', ms: 20 },
      { at: t0 / 1000, trace, id: 2, parent: 1, app: 'CART', ms: 1.5 },
    ]);
    const { nodes, edges } = await mapOf(range, {}, other({}));
    expect(edges).toEqual([
      {
        caller: 'web',
        callee: 'cart',
        calleeKind: 'service',
        calls: 1,
        errors: 0,
        p50Nanos: 1_500_000,
        p95Nanos: 1_500_000,
        p99Nanos: 1_500_000,
      },
    ]);
    expect(nodes.map(({ name, calls }) => [name, calls])).toEqual([
      ['web', 1],
      ['cart', 0],
    ]);
  });

  it('without ids of parents is refused, and the error names the setting', async () => {
    await expect(mapOf(range, {}, other({ parentSpanIdExpression: undefined }))).rejects.toThrow(
      'sourceId: must be a source that sets parentSpanIdExpression',
    );
  });

  it('names every mistake of the conditions', async () => {
    await expect(mapOf(range, { where: 'Nope:1' })).rejects.toThrow('where: ');
  });
});

it('of more than half a million spans is made of whole traces, and says of how many', async () => {
  const { fromMs, toMs } = later(24);
  await kit.command(
    sql`INSERT INTO ${qualified(kit.database, 'otel_traces')}
      (Timestamp, TraceId, SpanId, ParentSpanId, ServiceName, SpanKind, Duration)
      SELECT fromUnixTimestamp64Milli(toInt64(${fromMs} + intDiv(number, 2) % 300000)),
        toString(intDiv(number, 2)), toString(number), if(number % 2 = 0, '', toString(number - 1)),
        if(number % 2 = 0, 'front', 'back'), 'Server', 1000
      FROM numbers(600000)`,
  );
  const { nodes, edges, sampleShare } = await mapOf({ fromMs, toMs });
  expect(sampleShare).toBe(0.5);
  const [edge] = edges;
  // Every trace of the sample has its call.
  expect(edges).toHaveLength(1);
  expect(nodes.map(({ name, calls }) => [name, calls])).toEqual([
    ['back', edge?.calls],
    ['front', edge?.calls],
  ]);
  expect(Math.abs((edge?.calls ?? 0) - 300_000)).toBeLessThan(6000);
});
