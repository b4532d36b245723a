import type { ServiceEdge, ServiceMap, ServiceNode } from '../../../api/queries/services.ts';
import { layoutOf, type Layout, type Sizes } from './layout.ts';

/** A service and another system may have one name. */
export const keyOf = (kind: ServiceNode['kind'], name: string): string => `${kind} ${name}`;

export const callerKey = ({ caller }: ServiceEdge): string => keyOf('service', caller);
export const calleeKey = ({ calleeKind, callee }: ServiceEdge): string => keyOf(calleeKind, callee);

/** A map with the places of its nodes and edges. */
export interface Graph {
  nodes: readonly ServiceNode[];
  edges: readonly ServiceEdge[];
  layout: Layout;
}

export const sizes: Sizes = { nodeWidth: 168, nodeHeight: 44, columnGap: 88, rowGap: 14 };

export function graphOf({ nodes, edges }: Pick<ServiceMap, 'nodes' | 'edges'>): Graph {
  const layout = layoutOf(
    nodes.map(({ kind, name }) => keyOf(kind, name)),
    edges.map((edge) => ({ from: callerKey(edge), to: calleeKey(edge) })),
    sizes,
  );
  return { nodes, edges, layout };
}

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

/**
 * The node that an arrow leads to: the nearest in that direction, and of those to the left and right
 * one that is linked, if there is any.
 */
export function neighbourOf(graph: Graph, key: string, direction: Direction): string | undefined {
  const { nodes, layout, edges } = graph;
  const here = layout.nodes.get(key);
  if (!here) {
    return undefined;
  }
  const isAcross = direction === 'ArrowLeft' || direction === 'ArrowRight';
  const sign = direction === 'ArrowLeft' || direction === 'ArrowUp' ? -1 : 1;
  const linked = new Set(
    edges.flatMap((edge) => {
      const [from, to] = [callerKey(edge), calleeKey(edge)];
      return [...(from === key ? [to] : []), ...(to === key ? [from] : [])];
    }),
  );
  const found = nodes
    .map((node) => keyOf(node.kind, node.name))
    .flatMap((other) => {
      const there = layout.nodes.get(other);
      if (!there || other === key) {
        return [];
      }
      const ahead = sign * (isAcross ? there.x - here.x : there.y - here.y);
      const aside = Math.abs(isAcross ? there.y - here.y : there.x - here.x);
      const isLinked = isAcross && linked.has(other);
      return ahead > 1 ? [{ other, isLinked, distance: ahead + 3 * aside }] : [];
    })
    .toSorted(
      (one, another) =>
        Number(another.isLinked) - Number(one.isLinked) || one.distance - another.distance,
    );
  return found[0]?.other;
}

/** The path of an edge: curves from the side of one node to the side of another. */
export function pathOf(points: readonly { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (!first || !last) {
    return '';
  }
  const isBack = last.x < first.x;
  const half = (isBack ? -1 : 1) * (sizes.nodeWidth / 2);
  // Calls that lead back run beside those that lead forward.
  const aside = isBack ? backOffset : 0;
  const stops = points.map(({ x, y }, index) => {
    const isStart = index === 0;
    const isEnd = index === points.length - 1;
    return {
      inX: isStart ? x + half : x - half,
      outX: isEnd ? x - half : x + half,
      y: y + aside,
    };
  });
  let path = '';
  stops.forEach((stop, index) => {
    const before = stops[index - 1];
    if (!before) {
      path += `M${stop.outX} ${stop.y}`;
      return;
    }
    const middle = (before.outX + stop.inX) / 2;
    path += `C${middle} ${before.y} ${middle} ${stop.y} ${stop.inX} ${stop.y}`;
    if (index < stops.length - 1) {
      path += `L${stop.outX} ${stop.y}`;
    }
  });
  return path;
}

const backOffset = 10;
