/** A place for every node of a graph, in layers from left to right. The same graph has the same places. */

export interface GraphEdge {
  from: string;
  to: string;
}

export interface Point {
  x: number;
  y: number;
}

export interface Layout {
  /** Middle of each node. */
  nodes: ReadonlyMap<string, Point>;
  /** Points that an edge passes, from its caller to its callee, by place in the input. */
  edges: readonly Point[][];
  width: number;
  height: number;
}

export interface Sizes {
  nodeWidth: number;
  nodeHeight: number;
  /** Between layers. */
  columnGap: number;
  /** Between nodes of a layer. */
  rowGap: number;
}

/** A node, or the place where a long edge passes a layer. */
interface Slot {
  key: string;
  layer: number;
  isNode: boolean;
  /** Slots of the layers before and after that edges lead to. */
  before: Slot[];
  after: Slot[];
  y: number;
}

const sweeps = 12;
/** Where edges pass needs less room than a node. */
const passHeight = 10;

export function layoutOf(
  nodes: readonly string[],
  edges: readonly GraphEdge[],
  sizes: Sizes,
): Layout {
  const linked = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const forward = edges.map((edge) => edge);
  const order = nodes.filter((key) => linked.has(key)).toSorted();
  const turned = backEdges(order, forward);
  const layers = layersOf(order, forward, turned);
  const slots = new Map<string, Slot>();
  for (const key of order) {
    const layer = layers.get(key) ?? 0;
    slots.set(key, { key, layer, isNode: true, before: [], after: [], y: 0 });
  }
  const chains = forward.map((edge, index) => chainOf(edge, index, turned.has(index), slots));
  const columns = columnsOf([...slots.values()]);
  untangle(columns);
  straighten(columns, sizes);
  const alone = nodes.filter((key) => !linked.has(key)).toSorted();
  return placed({ columns, chains, turned, alone, sizes });
}

/** Edges that lead back to where a walk along edges came from: they would make circles. */
function backEdges(order: readonly string[], edges: readonly GraphEdge[]): Set<number> {
  const out = new Map<string, { to: string; index: number }[]>();
  const incoming = new Map<string, number>();
  edges.forEach(({ from, to }, index) => {
    out.set(from, [...(out.get(from) ?? []), { to, index }]);
    incoming.set(to, (incoming.get(to) ?? 0) + 1);
  });
  // Nodes that nobody calls first, then those that call more than they are called.
  const surplus = (key: string): number => (incoming.get(key) ?? 0) - (out.get(key)?.length ?? 0);
  const starts = order.toSorted(
    (one, other) =>
      Number(incoming.has(one)) - Number(incoming.has(other)) || surplus(one) - surplus(other),
  );
  const back = new Set<number>();
  const open = new Set<string>();
  const done = new Set<string>();
  for (const start of starts) {
    const path: { key: string; at: number }[] = [];
    const enter = (key: string): void => {
      open.add(key);
      path.push({ key, at: 0 });
    };
    if (!done.has(start)) {
      enter(start);
    }
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = out.get(top.key)?.[top.at++];
      if (!next) {
        open.delete(top.key);
        done.add(top.key);
        path.pop();
      } else if (open.has(next.to)) {
        back.add(next.index);
      } else if (!done.has(next.to)) {
        enter(next.to);
      }
    }
  }
  return back;
}

/** Each node is one layer after the last of its callers; a node that nobody calls is near its callees. */
function layersOf(
  order: readonly string[],
  edges: readonly GraphEdge[],
  turned: ReadonlySet<number>,
): Map<string, number> {
  const callers = new Map<string, string[]>(order.map((key) => [key, []]));
  const callees = new Map<string, string[]>(order.map((key) => [key, []]));
  edges.forEach((edge, index) => {
    const [from, to] = turned.has(index) ? [edge.to, edge.from] : [edge.from, edge.to];
    if (from !== to) {
      callers.get(to)?.push(from);
      callees.get(from)?.push(to);
    }
  });
  const layers = new Map<string, number>();
  const waiting = new Map(order.map((key) => [key, callers.get(key)?.length ?? 0]));
  const ready = order.filter((key) => waiting.get(key) === 0);
  for (let key = ready.shift(); key !== undefined; key = ready.shift()) {
    const before = (callers.get(key) ?? []).map((one) => layers.get(one) ?? 0);
    layers.set(key, before.length === 0 ? 0 : Math.max(...before) + 1);
    for (const callee of callees.get(key) ?? []) {
      const left = (waiting.get(callee) ?? 1) - 1;
      waiting.set(callee, left);
      if (left === 0) {
        ready.push(callee);
      }
    }
  }
  for (const key of order) {
    const after = (callees.get(key) ?? []).map((one) => layers.get(one) ?? 0);
    if ((callers.get(key) ?? []).length === 0 && after.length > 0) {
      layers.set(key, Math.min(...after) - 1);
    }
  }
  return layers;
}

/** The slots of an edge from left to right: its ends, and one in each layer between them. */
function chainOf(
  { from, to }: GraphEdge,
  index: number,
  isTurned: boolean,
  slots: Map<string, Slot>,
): Slot[] {
  const ends = [slots.get(isTurned ? to : from), slots.get(isTurned ? from : to)];
  const [left, right] = ends;
  if (!left || !right || left === right) {
    return ends.filter((slot) => slot !== undefined);
  }
  const chain = [left];
  for (let layer = left.layer + 1; layer < right.layer; layer++) {
    const key = `${index} ${layer}`;
    const pass: Slot = { key, layer, isNode: false, before: [], after: [], y: 0 };
    // Names of nodes cannot be taken: this one has a prefix that no node has.
    slots.set(`\0${key}`, pass);
    chain.push(pass);
  }
  chain.push(right);
  chain.forEach((slot, at) => {
    const next = chain[at + 1];
    if (next) {
      slot.after.push(next);
      next.before.push(slot);
    }
  });
  return chain;
}

function columnsOf(slots: readonly Slot[]): Slot[][] {
  const columns: Slot[][] = [];
  for (const slot of slots) {
    (columns[slot.layer] ??= []).push(slot);
  }
  return Array.from({ length: columns.length }, (_, layer) => columns[layer] ?? []);
}

/** Orders each layer by the middle of its neighbours, to and fro, and keeps the order with the fewest crossings. */
function untangle(columns: Slot[][]): void {
  let best = columns.map((column) => [...column]);
  let fewest = crossings(columns);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    const isForth = sweep % 2 === 0;
    const layers = isForth ? columns.keys() : [...columns.keys()].toReversed();
    for (const layer of layers) {
      const column = columns[layer] ?? [];
      const neighbours = columns[isForth ? layer - 1 : layer + 1] ?? [];
      const places = new Map(neighbours.map((slot, place) => [slot, place]));
      const middles = new Map(
        column.map((slot, place) => {
          const own = (isForth ? slot.before : slot.after).map((one) => places.get(one) ?? 0);
          return [slot, own.length === 0 ? place : mean(own)];
        }),
      );
      columns[layer] = column.toSorted(
        (one, other) => (middles.get(one) ?? 0) - (middles.get(other) ?? 0),
      );
    }
    const count = crossings(columns);
    if (count < fewest) {
      fewest = count;
      best = columns.map((column) => [...column]);
    }
  }
  best.forEach((column, layer) => {
    columns[layer] = column;
  });
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Pairs of edges between neighbouring layers that cross. */
function crossings(columns: readonly Slot[][]): number {
  return columns.reduce((sum, column, layer) => {
    const places = new Map((columns[layer + 1] ?? []).map((slot, place) => [slot, place]));
    const ends = column.flatMap((slot) =>
      slot.after.map((one) => places.get(one) ?? 0).toSorted((a, b) => a - b),
    );
    return sum + inversions(ends);
  }, 0);
}

/** Pairs of numbers in the wrong order. */
function inversions(values: readonly number[]): number {
  let count = 0;
  for (let index = 0; index < values.length; index++) {
    for (let later = index + 1; later < values.length; later++) {
      count += Number((values[index] ?? 0) > (values[later] ?? 0));
    }
  }
  return count;
}

/** Gives each slot a height near its neighbours, in the order of its layer. */
function straighten(columns: readonly Slot[][], sizes: Sizes): void {
  for (const column of columns) {
    spread(
      column,
      column.map(() => 0),
      sizes,
    );
  }
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const isForth = sweep % 2 === 0;
    for (const column of isForth ? columns : columns.toReversed()) {
      const wanted = column.map((slot) => {
        const near = isForth ? slot.before : slot.after;
        return near.length === 0 ? slot.y : mean(near.map(({ y }) => y));
      });
      spread(column, wanted, sizes);
    }
  }
}

/**
 * Places the slots of a layer as near to where they want to be as their order and distances allow:
 * the least squares of it, by pooling those that would overlap.
 */
function spread(column: readonly Slot[], wanted: readonly number[], sizes: Sizes): void {
  const offsets: number[] = [];
  column.forEach((slot, index) => {
    const above = column[index - 1];
    const room = above?.isNode && slot.isNode ? sizes.rowGap : 0;
    const gap = above ? (heightOf(above, sizes) + heightOf(slot, sizes)) / 2 + room : 0;
    offsets.push((offsets.at(-1) ?? 0) + gap);
  });
  const pools: { sum: number; count: number }[] = [];
  column.forEach((_, index) => {
    let pool = { sum: (wanted[index] ?? 0) - (offsets[index] ?? 0), count: 1 };
    for (let last = pools.at(-1); last; last = pools.at(-1)) {
      if (last.sum / last.count <= pool.sum / pool.count) {
        break;
      }
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
      pools.pop();
    }
    pools.push(pool);
  });
  const places = pools.flatMap(({ sum, count }) =>
    Array.from({ length: count }, () => sum / count),
  );
  column.forEach((slot, index) => {
    slot.y = (places[index] ?? 0) + (offsets[index] ?? 0);
  });
}

const heightOf = ({ isNode }: Slot, { nodeHeight }: Sizes): number =>
  isNode ? nodeHeight : passHeight;

interface Parts {
  columns: readonly Slot[][];
  chains: readonly Slot[][];
  turned: ReadonlySet<number>;
  /** Nodes without edges. */
  alone: readonly string[];
  sizes: Sizes;
}

/** Moves everything to positive numbers; nodes without edges stand below in rows. */
function placed({ columns, chains, turned, alone, sizes }: Parts): Layout {
  const { nodeWidth, nodeHeight, columnGap, rowGap } = sizes;
  const slots = columns.flat();
  const top = Math.min(0, ...slots.map((slot) => slot.y - heightOf(slot, sizes) / 2));
  const bottom = Math.max(0, ...slots.map((slot) => slot.y + heightOf(slot, sizes) / 2)) - top;
  const xOf = (layer: number): number => layer * (nodeWidth + columnGap) + nodeWidth / 2;
  const point = ({ layer, y }: Slot): Point => ({ x: xOf(layer), y: y - top });
  const nodes = new Map(
    slots.filter(({ isNode }) => isNode).map((slot) => [slot.key, point(slot)]),
  );
  const perRow = Math.max(columns.length, Math.min(alone.length, aloneInRow));
  const start = slots.length === 0 ? 0 : bottom + 2 * rowGap;
  alone.forEach((key, index) => {
    const row = Math.floor(index / perRow);
    const y = start + row * (nodeHeight + rowGap) + nodeHeight / 2;
    nodes.set(key, { x: xOf(index % perRow), y });
  });
  const rows = Math.ceil(alone.length / Math.max(1, perRow));
  const wide = Math.max(columns.length, Math.min(alone.length, perRow));
  return {
    nodes,
    edges: chains.map((chain, index) => {
      const points = chain.map(point);
      return turned.has(index) ? points.toReversed() : points;
    }),
    width: Math.max(0, wide * (nodeWidth + columnGap) - columnGap),
    height: rows === 0 ? bottom : start + rows * (nodeHeight + rowGap) - rowGap,
  };
}

/** Nodes without edges in one row, if there are no layers. */
const aloneInRow = 5;
