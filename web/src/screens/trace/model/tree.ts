import type { TraceSpan } from '../../../api/queries/trace.ts';
import { severityOf } from '../../../view/severity.ts';

/** A span in its place. The nodes of a trace stand in the order of rows: parents first. */
export interface TraceNode {
  span: TraceSpan;
  /** Index of the parent; -1: a root. */
  parent: number;
  /** 0: a root. */
  depth: number;
  childCount: number;
  /** Number of nodes of the subtree, which stand from this one on. */
  size: number;
  /** Place among its siblings, from 1. */
  position: number;
  siblingCount: number;
  isError: boolean;
  /** Number of errors in the subtree, without this span. */
  errorsBelow: number;
  /** Why a span that names a parent is a root. */
  oddity: 'parent-missing' | 'loop' | undefined;
  /** How much earlier than its parent the span starts: clocks differ. 0 if it does not. */
  skewNanos: number;
}

export interface TraceTree {
  nodes: readonly TraceNode[];
  /** Index of the longest root, the earliest of equal ones; -1 without spans. */
  main: number;
  rootCount: number;
  /** Roots whose parent is not in the trace. */
  missingParents: number;
  /** Roots that name themselves or a span below them as parent. */
  loops: number;
  /** Indexes of failed spans, in the order of rows. */
  errors: readonly number[];
  /** Index by `_id`. */
  byRow: ReadonlyMap<string, number>;
  /** Index of the first node by `spanId`. */
  bySpan: ReadonlyMap<string, number>;
}

/**
 * Puts every span below its parent, siblings by start. A span is a root if it names no parent, if
 * its parent is not there, or if it is the earliest of spans that are each other's parents. Of spans
 * with one id, the first is the parent.
 */
export function buildTree(spans: readonly TraceSpan[]): TraceTree {
  const ordered = spans.toSorted(
    (a, b) => a.startNanos - b.startNanos || b.durationNanos - a.durationNanos,
  );
  const { roots, children } = familiesOf(ordered);
  const nodes: TraceNode[] = [];
  const placed = new Set<TraceSpan>();
  const place = (root: TraceSpan, oddity: TraceNode['oddity']): void => {
    const waiting: [span: TraceSpan, parent: number][] = [[root, -1]];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [span, parent] = next;
      if (!placed.has(span)) {
        placed.add(span);
        const index = nodes.push(nodeOf(span, parent, nodes[parent], oddity)) - 1;
        for (const child of (children.get(span) ?? []).toReversed()) {
          waiting.push([child, index]);
        }
      }
    }
  };
  for (const root of roots) {
    place(root, root.parentSpanId === '' ? undefined : 'parent-missing');
  }
  for (const span of ordered) {
    if (!placed.has(span)) {
      place(span, 'loop');
    }
  }
  countFamilies(nodes);
  return summed(nodes);
}

function familiesOf(ordered: readonly TraceSpan[]): {
  roots: TraceSpan[];
  children: Map<TraceSpan, TraceSpan[]>;
} {
  const byId = new Map<string, TraceSpan>();
  for (const span of ordered) {
    if (!byId.has(span.spanId)) {
      byId.set(span.spanId, span);
    }
  }
  const roots: TraceSpan[] = [];
  const children = new Map<TraceSpan, TraceSpan[]>();
  for (const span of ordered) {
    const parent = span.parentSpanId === '' ? undefined : byId.get(span.parentSpanId);
    if (!parent) {
      roots.push(span);
    } else if (!children.get(parent)?.push(span)) {
      children.set(parent, [span]);
    }
  }
  return { roots, children };
}

function nodeOf(
  span: TraceSpan,
  parent: number,
  above: TraceNode | undefined,
  oddity: TraceNode['oddity'],
): TraceNode {
  return {
    span,
    parent,
    depth: above ? above.depth + 1 : 0,
    childCount: 0,
    size: 1,
    position: 1,
    siblingCount: 1,
    isError: severityOf(span.statusCode) === 'error',
    errorsBelow: 0,
    oddity: above ? undefined : oddity,
    skewNanos: above ? Math.max(0, above.span.startNanos - span.startNanos) : 0,
  };
}

function countFamilies(nodes: TraceNode[]): void {
  for (const node of nodes.toReversed()) {
    const parent = nodes[node.parent];
    if (parent) {
      parent.size += node.size;
      parent.childCount += 1;
      parent.errorsBelow += node.errorsBelow + (node.isError ? 1 : 0);
    }
  }
  const rootCount = nodes.filter(({ parent }) => parent < 0).length;
  const positions = new Map<number, number>();
  for (const node of nodes) {
    node.position = (positions.get(node.parent) ?? 0) + 1;
    node.siblingCount = nodes[node.parent]?.childCount ?? rootCount;
    positions.set(node.parent, node.position);
  }
}

function summed(nodes: readonly TraceNode[]): TraceTree {
  const byRow = new Map<string, number>();
  const bySpan = new Map<string, number>();
  const errors: number[] = [];
  let main = -1;
  let rootCount = 0;
  let missingParents = 0;
  let loops = 0;
  for (const [index, { span, parent, isError, oddity }] of nodes.entries()) {
    byRow.set(span._id, index);
    if (!bySpan.has(span.spanId)) {
      bySpan.set(span.spanId, index);
    }
    if (isError) {
      errors.push(index);
    }
    if (parent < 0) {
      rootCount += 1;
      missingParents += oddity === 'parent-missing' ? 1 : 0;
      loops += oddity === 'loop' ? 1 : 0;
      const longest = nodes[main]?.span.durationNanos ?? -1;
      main = span.durationNanos > longest ? index : main;
    }
  }
  return { nodes, main, rootCount, missingParents, loops, errors, byRow, bySpan };
}

/** Indexes of the children of a node, in order. */
export function* childrenOf(nodes: readonly TraceNode[], index: number): Generator<number> {
  const end = index + (nodes[index]?.size ?? 0);
  for (let child = index + 1; child < end; child += nodes[child]?.size ?? 1) {
    yield child;
  }
}

/** Indexes of the nodes above a node, nearest first. */
export function* ancestorsOf(nodes: readonly TraceNode[], index: number): Generator<number> {
  for (let at = nodes[index]?.parent ?? -1; at >= 0; at = nodes[at]?.parent ?? -1) {
    yield at;
  }
}
