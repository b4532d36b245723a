import { childrenOf, type TraceNode, type TraceTree } from './tree.ts';

/** A time during which one span decided when the trace ends. */
export interface PathSegment {
  /** Index of the node. */
  node: number;
  fromNanos: number;
  toNanos: number;
}

export interface CriticalPath {
  /** In order of time, without gaps, from the start to the end of the main root. */
  segments: readonly PathSegment[];
  /** Segments by node. */
  byNode: ReadonlyMap<number, readonly PathSegment[]>;
  /** Nodes with a segment, and every node above one of them. */
  nodes: ReadonlySet<number>;
}

/**
 * The chain of spans that determines when the main root ends: to shorten the trace, shorten one of
 * these.
 *
 * It is read backwards from the end of the root. The child that ended last decided until its own
 * start; before that, the child that ended last before this start did, and so on. Time in which no
 * child decides belongs to the span itself. A child counts only as far as it lies within its
 * parent: work that outlives the parent does not hold the parent up.
 *
 * This is the critical path of a request as in “CRISP: Critical Path Analysis of Large-Scale
 * Microservice Architectures” (Zhang and others, USENIX ATC 2022), for one trace.
 */
export function criticalPath({ nodes, main }: TraceTree): CriticalPath {
  const segments: PathSegment[] = [];
  const found = new Set<number>();
  const root = nodes[main]?.span;
  const frames: Frame[] = [];
  if (root) {
    const { startNanos, durationNanos } = root;
    frames.push(
      frameOf(nodes, { node: main, fromNanos: startNanos, toNanos: startNanos + durationNanos }),
    );
  }
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    found.add(frame.node);
    const child = latestBefore(frame);
    const ownFrom = child?.toNanos ?? frame.fromNanos;
    if (frame.cursorNanos > ownFrom) {
      segments.push({ node: frame.node, fromNanos: ownFrom, toNanos: frame.cursorNanos });
    }
    if (child) {
      frame.cursorNanos = child.fromNanos;
      frames.push(frameOf(nodes, child));
    } else {
      frames.pop();
    }
  }
  segments.reverse();
  return { segments, byNode: byNode(segments), nodes: found };
}

/** A span whose time is being divided, from its end backwards. */
interface Frame {
  node: number;
  fromNanos: number;
  /** Everything after this is divided. */
  cursorNanos: number;
  /** Children by end, the latest last. */
  children: PathSegment[];
}

function frameOf(nodes: readonly TraceNode[], { node, fromNanos, toNanos }: PathSegment): Frame {
  const children: PathSegment[] = [];
  for (const child of childrenOf(nodes, node)) {
    const span = nodes[child]?.span;
    if (span) {
      const from = Math.max(span.startNanos, fromNanos);
      const to = Math.min(span.startNanos + span.durationNanos, toNanos);
      if (from < to) {
        children.push({ node: child, fromNanos: from, toNanos: to });
      }
    }
  }
  children.sort((a, b) => a.toNanos - b.toNanos || b.fromNanos - a.fromNanos);
  return { node, fromNanos, cursorNanos: toNanos, children };
}

function latestBefore({ children, cursorNanos }: Frame): PathSegment | undefined {
  let child = children.pop();
  while (child && child.toNanos > cursorNanos) {
    child = children.pop();
  }
  return child;
}

function byNode(segments: readonly PathSegment[]): Map<number, PathSegment[]> {
  const found = new Map<number, PathSegment[]>();
  for (const segment of segments) {
    if (!found.get(segment.node)?.push(segment)) {
      found.set(segment.node, [segment]);
    }
  }
  return found;
}

/** How long the path runs through one span. */
export const pathNanos = (path: CriticalPath, node: number): number =>
  (path.byNode.get(node) ?? []).reduce(
    (sum, { fromNanos, toNanos }) => sum + toNanos - fromNanos,
    0,
  );
