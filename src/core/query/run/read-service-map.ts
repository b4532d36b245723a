import {
  mapMax,
  type NodeKind,
  type ServiceMap,
  type ServiceNode,
} from '../../../contract/query/service-map.ts';
import type { QueryResult, Value } from '../../../ports/telemetry.ts';
import type { Sql } from '../../../sql/sql.ts';
import {
  emitServiceEdges,
  emitServiceNodes,
  emitSpanCount,
  wholeRange,
} from '../emit/emit-service-map.ts';
import type { ServiceMapPlan } from '../plan/plan-service-map.ts';

type Run = (statement: Sql) => Promise<QueryResult>;
type Edge = ServiceMap['edges'][number];

/** Spans that a map is made of at most: the joins hold them in memory. */
const spansMax = 500_000;

/** The map of the traces in a range, or of a share of them. */
export async function readServiceMap(plan: ServiceMapPlan, run: Run): Promise<ServiceMap> {
  const { rows } = await run(emitSpanCount(plan, wholeRange(plan.range)));
  const divisor = divisorOf(Number(rows[0]?.[0] ?? 0));
  const sample = { range: plan.range, divisor };
  const [services, calls] = await Promise.all([
    run(emitServiceNodes(plan, sample, mapMax + 1)),
    run(emitServiceEdges(plan, sample, mapMax + 1)),
  ]);
  const edges = calls.rows.slice(0, mapMax).map(([caller, callee, kind, ...figures]): Edge => ({
    caller: String(caller),
    callee: String(callee),
    calleeKind: kind as NodeKind,
    ...figuresOf(figures, divisor),
  }));
  const nodes = services.rows.slice(0, mapMax).map(([name, ...figures]): ServiceNode => ({
    name: String(name),
    kind: 'service',
    ...figuresOf(figures, divisor),
  }));
  return {
    nodes: [...nodes, ...otherNodes(nodes, edges)].sort(byCalls),
    edges,
    sampleShare: 1 / divisor,
    truncated: services.rows.length > mapMax || calls.rows.length > mapMax,
  };
}

function byCalls(left: ServiceNode, right: ServiceNode): number {
  const [one, other] = [left, right].map(({ name, kind }) => JSON.stringify([name, kind]));
  return right.calls - left.calls || (one! < other! ? -1 : 1);
}

/** One of how many traces is read. A power of two, so that a smaller sample is part of a larger one. */
function divisorOf(spans: number): number {
  let divisor = 1;
  while (spans / divisor > spansMax) {
    divisor *= 2;
  }
  return divisor;
}

function figuresOf(
  [calls, errors, levels]: readonly Value[],
  divisor: number,
): Pick<Edge, 'calls' | 'errors' | 'p50Nanos' | 'p95Nanos' | 'p99Nanos'> {
  const counted = { calls: Number(calls) * divisor, errors: Number(errors) * divisor };
  const [p50, p95, p99] = Array.isArray(levels) ? levels.map(Number) : [];
  return counted.calls === 0 || p50 === undefined || p95 === undefined || p99 === undefined
    ? counted
    : { ...counted, p50Nanos: p50, p95Nanos: p95, p99Nanos: p99 };
}

/** What edges name and the range has no service for: other systems, and callers of before. */
function otherNodes(known: readonly ServiceNode[], edges: readonly Edge[]): ServiceNode[] {
  const keyOf = (kind: NodeKind, name: string): string => `${kind} ${name}`;
  const isKnown = new Set(known.map(({ kind, name }) => keyOf(kind, name)));
  const others = new Map<string, ServiceNode>();
  const other = (kind: NodeKind, name: string): ServiceNode | undefined => {
    const key = keyOf(kind, name);
    if (isKnown.has(key)) {
      return undefined;
    }
    const node = others.get(key) ?? { name, kind, calls: 0, errors: 0 };
    others.set(key, node);
    return node;
  };
  for (const { caller, callee, calleeKind, calls, errors } of edges) {
    other('service', caller);
    const node = other(calleeKind, callee);
    if (node) {
      node.calls += calls;
      node.errors += errors;
    }
  }
  return [...others.values()];
}
