import { describe, expect, it } from 'vitest';
import { layoutOf, type GraphEdge, type Layout, type Sizes } from './layout.ts';

const sizes: Sizes = { nodeWidth: 100, nodeHeight: 40, columnGap: 50, rowGap: 10 };
const edges = (...texts: string[]): GraphEdge[] =>
  texts.map((text) => {
    const [from = '', to = ''] = text.split('>');
    return { from, to };
  });
const nodesOf = (list: readonly GraphEdge[]): string[] => [
  ...new Set(list.flatMap(({ from, to }) => [from, to])),
];
const laidOut = (list: readonly GraphEdge[], more: readonly string[] = []): Layout =>
  layoutOf([...nodesOf(list), ...more], list, sizes);
const layerOf = ({ nodes }: Layout, key: string): number =>
  ((nodes.get(key)?.x ?? NaN) - sizes.nodeWidth / 2) / (sizes.nodeWidth + sizes.columnGap);

/** Fifty services, as a random but fixed graph. */
function large(): GraphEdge[] {
  let state = 9;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
  return Array.from({ length: 120 }, () => ({ from: `s${next(50)}`, to: `s${next(50)}` })).filter(
    ({ from, to }) => from !== to,
  );
}

function overlaps({ nodes }: Layout): string[] {
  const all = [...nodes];
  return all.flatMap(([key, a], index) =>
    all
      .slice(index + 1)
      .filter(
        ([, b]) =>
          Math.abs(a.x - b.x) < sizes.nodeWidth && Math.abs(a.y - b.y) < sizes.nodeHeight - 1e-6,
      )
      .map(([other]) => `${key} ${other}`),
  );
}

describe('a layout', () => {
  it('puts callees after their callers, and a caller near what it calls', () => {
    const layout = laidOut(edges('web>cart', 'cart>db', 'web>db', 'job>db'));
    expect(['web', 'cart', 'db', 'job'].map((key) => layerOf(layout, key))).toEqual([0, 1, 2, 1]);
  });

  it('leads long edges through the layers between', () => {
    const layout = laidOut(edges('web>cart', 'cart>db', 'web>db'));
    expect(layout.edges.map((points) => points.length)).toEqual([2, 2, 3]);
    expect(layout.edges[2]?.[0]).toEqual(layout.nodes.get('web'));
    expect(layout.edges[2]?.at(-1)).toEqual(layout.nodes.get('db'));
    expect(layout.edges[2]?.[1]?.y).not.toBe(layout.nodes.get('cart')?.y);
  });

  it('stands circles and calls to itself', () => {
    const list = edges('a>b', 'b>c', 'c>a', 'c>c');
    const layout = laidOut(list);
    expect(overlaps(layout)).toEqual([]);
    expect(layout.edges[2]?.[0]).toEqual(layout.nodes.get('c'));
    expect(layout.edges[2]?.at(-1)).toEqual(layout.nodes.get('a'));
  });

  it('draws two chains without a crossing', () => {
    const layout = laidOut(edges('a>z', 'b>y', 'z>p', 'y>q'));
    const y = (key: string): number => layout.nodes.get(key)?.y ?? NaN;
    const signs = [y('a') - y('b'), y('z') - y('y'), y('p') - y('q')].map(Math.sign);
    expect(new Set(signs).size).toBe(1);
  });

  it('is the same for the same graph in any order, within its bounds, without overlaps', () => {
    const list = large();
    const layout = laidOut(list, ['alone', 'alone too']);
    const other = layoutOf([...nodesOf(list), 'alone too', 'alone'].toReversed(), list, sizes);
    expect(other).toEqual(layout);
    expect(layout.nodes.size).toBe(nodesOf(list).length + 2);
    expect(overlaps(layout)).toEqual([]);
    for (const { x, y } of layout.nodes.values()) {
      expect(x).toBeGreaterThanOrEqual(sizes.nodeWidth / 2);
      expect(x).toBeLessThanOrEqual(layout.width - sizes.nodeWidth / 2);
      expect(y).toBeGreaterThanOrEqual(sizes.nodeHeight / 2 - 1e-6);
      expect(y).toBeLessThanOrEqual(layout.height - sizes.nodeHeight / 2 + 1e-6);
    }
  });

  it('of nothing has no size, and of nodes without edges is rows', () => {
    expect(layoutOf([], [], sizes)).toEqual({ nodes: new Map(), edges: [], width: 0, height: 0 });
    const rows = layoutOf(['a', 'b', 'c', 'd', 'e', 'f'], [], sizes);
    expect(rows.nodes.get('f')).toEqual({ x: 50, y: 70 });
    expect([rows.width, rows.height]).toEqual([700, 90]);
  });
});
