import type { ServiceMap } from '../../src/contract/query/service-map.ts';

/** A span as the tests of the map insert it. */
export interface MapSpan {
  TraceId: string;
  SpanId: string;
  ParentSpanId: string;
  ServiceName: string;
  SpanKind: string;
  StatusCode: string;
  Duration: number;
  SpanAttributes: Record<string, string>;
  atMs: number;
}

export interface Range {
  fromMs: number;
  toMs: number;
}

type Node = ServiceMap['nodes'][number];
type Edge = ServiceMap['edges'][number];
type Figures = Omit<Edge, 'caller' | 'callee' | 'calleeKind'>;

const marginMs = 300_000;
const within = (spans: readonly MapSpan[], fromMs: number, toMs: number): MapSpan[] =>
  spans.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);

interface Call {
  caller: string;
  callee: string;
  calleeKind: Edge['calleeKind'];
  span: MapSpan;
}

/** The map as plain loops over all spans make it. Ids of spans must be unique. */
export function expectedMap(
  spans: readonly MapSpan[],
  { fromMs, toMs }: Range,
): Pick<ServiceMap, 'nodes' | 'edges'> {
  const own = within(spans, fromMs, toMs);
  const calls = [
    ...answered(own, within(spans, fromMs - marginMs, toMs)),
    ...unanswered(own, within(spans, fromMs, toMs + marginMs)),
  ];
  const edges = [
    ...grouped(calls, ({ caller, callee, calleeKind }) => [caller, callee, calleeKind]),
  ]
    .map(([, [first, ...rest]]): Edge => {
      const { caller, callee, calleeKind } = first!;
      return { caller, callee, calleeKind, ...figures([first!, ...rest].map(({ span }) => span)) };
    })
    .sort(byCalls(({ caller, callee, calleeKind }) => [caller, callee, calleeKind]));
  const isEntry = (span: MapSpan): boolean =>
    ['Server', 'Consumer'].includes(span.SpanKind) || span.ParentSpanId === '';
  const services = [...grouped(own, ({ ServiceName }) => [ServiceName])].map(([, list]): Node => ({
    name: list[0]!.ServiceName,
    kind: 'service',
    ...figures(list.filter(isEntry)),
  }));
  const nodes = [...services, ...others(services, edges)];
  return { nodes: nodes.sort(byCalls(({ name, kind }) => [name, kind])), edges };
}

function answered(own: readonly MapSpan[], parents: readonly MapSpan[]): Call[] {
  const byId = new Map(parents.map((span) => [`${span.TraceId} ${span.SpanId}`, span]));
  return own.flatMap((span): Call[] => {
    const parent = byId.get(`${span.TraceId} ${span.ParentSpanId}`);
    return parent && parent.ServiceName !== span.ServiceName
      ? [{ caller: parent.ServiceName, callee: span.ServiceName, calleeKind: 'service', span }]
      : [];
  });
}

function unanswered(own: readonly MapSpan[], children: readonly MapSpan[]): Call[] {
  const below = grouped(children, (span) => [span.TraceId, span.ParentSpanId]);
  const clients = own
    .filter(({ SpanKind }) => SpanKind === 'Client' || SpanKind === 'Producer')
    .map((span) => {
      const services = (below.get(JSON.stringify([span.TraceId, span.SpanId])) ?? [])
        .map(({ ServiceName }) => ServiceName)
        .filter((name) => name !== span.ServiceName)
        .sort();
      return { span, peer: peerOf(span), reached: services[0] };
    })
    .filter(({ peer: [name] }) => name !== '');
  const ofPeer = grouped(clients, ({ peer }) => peer);
  return clients
    .filter(({ reached }) => reached === undefined)
    .map(({ span, peer }): Call => {
      const reached = (ofPeer.get(JSON.stringify(peer)) ?? []).flatMap((one) => one.reached ?? []);
      const [only, ...more] = new Set(reached);
      const caller = span.ServiceName;
      return only !== undefined && more.length === 0
        ? { caller, callee: only, calleeKind: 'service', span }
        : { caller, callee: peer[0], calleeKind: peer[1], span };
    })
    .filter(({ caller, callee, calleeKind }) => calleeKind !== 'service' || caller !== callee);
}

function peerOf({ SpanAttributes: set }: MapSpan): [name: string, kind: Edge['calleeKind']] {
  const first = (...names: string[]): string => names.map((name) => set[name]).find(Boolean) ?? '';
  const database = first('db.system.name', 'db.system');
  const messaging = first('messaging.system');
  const address = first('server.address', 'net.peer.name', 'network.peer.address');
  if (database !== '') {
    const detail = first('db.namespace', 'db.name') || address;
    return [first('peer.service') || `${database} ${detail}`.trim(), 'database'];
  }
  if (messaging !== '') {
    const detail = first('messaging.destination.name', 'messaging.destination');
    return [first('peer.service') || `${messaging} ${detail}`.trim(), 'messaging'];
  }
  return [first('peer.service') || address, 'external'];
}

function others(services: readonly Node[], edges: readonly Edge[]): Node[] {
  const names = new Set(services.map(({ name }) => name));
  const ends = edges.flatMap(({ caller, callee, calleeKind }) => [
    ['service', caller] as const,
    [calleeKind, callee] as const,
  ]);
  const missing = ends.filter(([kind, name]) => kind !== 'service' || !names.has(name));
  return [...grouped(missing, (end) => [...end])].map(([, [end]]) => {
    const [kind, name] = end!;
    const own = edges.filter(({ callee, calleeKind }) => callee === name && calleeKind === kind);
    const sum = (part: 'calls' | 'errors'): number => own.reduce((all, one) => all + one[part], 0);
    return { name, kind, calls: sum('calls'), errors: sum('errors') };
  });
}

function figures(spans: readonly MapSpan[]): Figures {
  const errors = spans.filter(({ StatusCode }) => StatusCode === 'Error').length;
  const sorted = spans.map(({ Duration }) => Duration).sort((left, right) => left - right);
  return sorted.length === 0
    ? { calls: 0, errors }
    : {
        calls: sorted.length,
        errors,
        p50Nanos: quantile(sorted, 0.5),
        p95Nanos: quantile(sorted, 0.95),
        p99Nanos: quantile(sorted, 0.99),
      };
}

/** Between its neighbours in proportion, in the order of operations of the engine: to the last bit. */
function quantile(sorted: readonly number[], level: number): number {
  const at = (sorted.length - 1) * level;
  const left = Math.floor(at);
  const [low = 0, high = low] = sorted.slice(left, left + 2);
  return low * (left + 1 - at) + high * (at - left);
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = JSON.stringify(keyOf(item));
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

const byCalls =
  <T extends { calls: number }>(textsOf: (item: T) => string[]) =>
  (left: T, right: T): number => {
    const others = textsOf(right);
    const order = textsOf(left).map((text, index) => compared(text, others[index]!));
    return right.calls - left.calls || (order.find((one) => one !== 0) ?? 0);
  };

const compared = (left: string, right: string): number =>
  Number(left > right) - Number(left < right);
