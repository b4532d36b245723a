import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceSpan } from '../../../api/queries/trace.ts';
import { criticalPath, pathNanos } from './critical-path.ts';
import { mapSize, traceMap } from './minimap-paths.ts';
import { nextError, revealed, treeMove, visibleRows } from './rows.ts';
import { wholeWindow } from './scale.ts';
import { servicesOf } from './services.ts';
import { ancestorsOf, buildTree, childrenOf } from './tree.ts';

type Given = [id: string, parent: string, start: number, duration: number];

const spanOf = (
  [spanId, parentSpanId, startNanos, durationNanos]: Given,
  at: number,
): TraceSpan => ({
  _id: `${at}-${spanId}`,
  spanId,
  parentSpanId,
  serviceName: `service-${at % 11}`,
  name: `span ${at}`,
  kind: 'Internal',
  startNanos,
  durationNanos,
  statusCode: at % 5 === 4 ? 'Error' : 'Unset',
  statusMessage: '',
  events: 0,
});

const treeOf = (...given: Given[]) => buildTree(given.map(spanOf));

/** Any spans: few ids, so that parents are shared, missing, doubled, and below themselves. */
const anySpans: fc.Arbitrary<TraceSpan[]> = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 15 }).map(String),
      fc.oneof(fc.constant(''), fc.integer({ min: 0, max: 18 }).map(String)),
      fc.nat(100),
      fc.nat(60),
    ),
    { maxLength: 40 },
  )
  .map((given) => given.map(spanOf));

describe('tree of a trace', () => {
  it('has every span once, below its parent, siblings by start', () => {
    fc.assert(
      fc.property(anySpans, (spans) => {
        const { nodes, rootCount } = buildTree(spans);
        expect(nodes.map(({ span }) => span._id).sort()).toEqual(
          spans.map(({ _id }) => _id).sort(),
        );
        for (const [index, node] of nodes.entries()) {
          const children = [...childrenOf(nodes, index)];
          expect(children.length).toBe(node.childCount);
          const starts = children.map((child) => nodes[child]?.span.startNanos ?? Number.NaN);
          expect(starts).toEqual(starts.toSorted((a, b) => a - b));
          for (const [at, child] of children.entries()) {
            const below = nodes[child];
            expect(below?.parent).toBe(index);
            expect(below?.depth).toBe(node.depth + 1);
            expect(below?.span.parentSpanId).toBe(node.span.spanId);
            expect([below?.position, below?.siblingCount]).toEqual([at + 1, children.length]);
          }
        }
        expect(nodes.filter(({ parent }) => parent < 0)).toHaveLength(rootCount);
        const isKnown = new Set(spans.map(({ spanId }) => spanId));
        for (const { span, parent, oddity } of nodes) {
          if (parent < 0 && span.parentSpanId !== '') {
            expect(oddity).toBe(isKnown.has(span.parentSpanId) ? 'loop' : 'parent-missing');
          }
        }
      }),
    );
  });

  it('says which parents are missing, and how far a clock is behind', () => {
    const tree = treeOf(['a', '', 10, 100], ['b', 'a', 4, 20], ['c', 'gone', 50, 10]);
    expect(tree.missingParents).toBe(1);
    expect(tree.nodes.map(({ span, skewNanos }) => [span.spanId, skewNanos])).toEqual([
      ['a', 0],
      ['b', 6],
      ['c', 0],
    ]);
  });

  it('keeps a chain of 20,000 spans, and spans that are their own parents', () => {
    const chain = Array.from({ length: 20_000 }, (_, at): Given => [`${at}`, `${at - 1}`, at, 9]);
    const { nodes, byRow, loops } = treeOf(...chain, ['me', 'me', 1, 1]);
    expect(nodes).toHaveLength(20_001);
    expect(byRow.size).toBe(20_001);
    expect(loops).toBe(1);
    expect(nodes[19_999]?.depth).toBe(19_999);
  });
});

describe('critical path', () => {
  it('divides the whole time of the main root among spans, each within its own', () => {
    fc.assert(
      fc.property(anySpans, (spans) => {
        const tree = buildTree(spans);
        const path = criticalPath(tree);
        const root = tree.nodes[tree.main]?.span;
        let at = root?.startNanos ?? 0;
        for (const { node, fromNanos, toNanos } of path.segments) {
          const span = tree.nodes[node]?.span;
          expect(fromNanos).toBe(at);
          expect(toNanos).toBeGreaterThan(fromNanos);
          expect(fromNanos).toBeGreaterThanOrEqual(span?.startNanos ?? Infinity);
          expect(toNanos).toBeLessThanOrEqual((span?.startNanos ?? 0) + (span?.durationNanos ?? 0));
          at = toNanos;
          for (const above of ancestorsOf(tree.nodes, node)) {
            expect(path.nodes.has(above)).toBe(true);
          }
        }
        expect(at - (root?.startNanos ?? 0)).toBe(root?.durationNanos ?? 0);
        const shares = tree.nodes.map((_, node) => pathNanos(path, node));
        expect(shares.reduce((sum, one) => sum + one, 0)).toBe(root?.durationNanos ?? 0);
      }),
    );
  });

  const names = (...given: Given[]): string => {
    const tree = treeOf(...given);
    return criticalPath(tree)
      .segments.map(
        ({ node, fromNanos, toNanos }) =>
          `${tree.nodes[node]?.span.spanId} ${fromNanos}-${toNanos}`,
      )
      .join(', ');
  };

  it.each<[string, Given[], string]>([
    [
      'calls one after the other',
      [
        ['root', '', 0, 100],
        ['first', 'root', 10, 30],
        ['second', 'root', 50, 40],
      ],
      'root 0-10, first 10-40, root 40-50, second 50-90, root 90-100',
    ],
    [
      'of calls at the same time, the last to end',
      [
        ['root', '', 0, 100],
        ['short', 'root', 10, 30],
        ['long', 'root', 10, 80],
      ],
      'root 0-10, long 10-90, root 90-100',
    ],
    [
      'the call that held up the start of the last one',
      [
        ['root', '', 0, 100],
        ['early', 'root', 0, 20],
        ['beside', 'root', 10, 60],
        ['last', 'root', 60, 40],
      ],
      'early 0-20, root 20-60, last 60-100',
    ],
    [
      'calls of calls',
      [
        ['root', '', 0, 100],
        ['call', 'root', 10, 80],
        ['deep', 'call', 30, 20],
      ],
      'root 0-10, call 10-30, deep 30-50, call 50-90, root 90-100',
    ],
    [
      'work that outlives its parent only as long as the parent waits',
      [
        ['root', '', 0, 100],
        ['background', 'root', 80, 500],
        ['later', 'root', 120, 10],
      ],
      'root 0-80, background 80-100',
    ],
    [
      'a child whose clock is behind only as far as its parent lasts',
      [
        ['root', '', 50, 100],
        ['skewed', 'root', 0, 80],
      ],
      'skewed 50-80, root 80-150',
    ],
    [
      'the longest of several roots',
      [
        ['short', '', 0, 10],
        ['long', '', 5, 50],
        ['orphan', 'gone', 100, 1],
      ],
      'long 5-55',
    ],
    ['nothing of a root without length', [['root', '', 0, 0]], ''],
  ])('takes %s', (_, given, expected) => {
    expect(names(...given)).toBe(expected);
  });
});

describe('rows of a trace', () => {
  it('hide what is below a collapsed span and nothing else', () => {
    fc.assert(
      fc.property(anySpans, fc.array(fc.nat(39)), (spans, chosen) => {
        const tree = buildTree(spans);
        const collapsed = new Set(chosen.map((at) => tree.nodes[at]?.span._id ?? ''));
        const rows = new Set(visibleRows(tree, collapsed));
        for (const [index] of tree.nodes.entries()) {
          const isHidden = [...ancestorsOf(tree.nodes, index)].some((above) =>
            collapsed.has(tree.nodes[above]?.span._id ?? ''),
          );
          expect(rows.has(index)).toBe(!isHidden);
          expect(visibleRows(tree, revealed(tree, collapsed, index))).toContain(index);
        }
        const path = criticalPath(tree);
        expect(visibleRows(tree, new Set(), path.nodes)).toEqual(
          [...path.nodes].sort((a, b) => a - b),
        );
      }),
    );
  });

  it('are walked by every key without leaving them', () => {
    const keys = 'ArrowDown ArrowUp ArrowLeft ArrowRight Home End PageDown PageUp'.split(' ');
    fc.assert(
      fc.property(anySpans, fc.array(fc.constantFrom(...keys)), (spans, pressed) => {
        const tree = buildTree(spans);
        const collapsed = new Set<string>();
        let active = -1;
        for (const key of pressed) {
          const rows = visibleRows(tree, collapsed);
          const move = treeMove(key, tree, rows, active, collapsed);
          const id = tree.nodes[move?.node ?? -1]?.span._id ?? '';
          if (move?.kind === 'select') {
            expect(rows).toContain(move.node);
            active = move.node;
          } else if (move?.kind === 'collapse') {
            collapsed.add(id);
          } else if (move) {
            expect(collapsed.delete(id)).toBe(true);
          }
        }
      }),
    );
  });

  it('lead from error to error, around the end', () => {
    const tree = buildTree(Array.from({ length: 12 }, (_, at) => spanOf([`${at}`, '', at, 1], at)));
    expect(tree.errors).toEqual([4, 9]);
    expect([-1, 4, 9].map((at) => nextError(tree, at, 1))).toEqual([4, 9, 4]);
    expect([-1, 4, 9].map((at) => nextError(tree, at, -1))).toEqual([9, 9, 4]);
    expect(nextError(treeOf(['a', '', 0, 1]), 0, 1)).toBeUndefined();
  });
});

describe('overview of a trace', () => {
  it('has a stroke for every span, and a bounded number of them', () => {
    fc.assert(
      fc.property(anySpans, (spans) => {
        const tree = buildTree(spans);
        const { paths } = traceMap(tree, wholeWindow(160));
        const lines = new Set(
          paths.flatMap(({ d }) => [...d.matchAll(/M\d+ ([\d.]+)H/g)].map(([, y]) => y)),
        );
        expect(lines.size).toBe(spans.length);
      }),
    );
    const many = Array.from({ length: 10_000 }, (_, at) => spanOf([`${at}`, '', at, 5000], at));
    const tree = buildTree(many);
    const { paths } = traceMap(tree, wholeWindow(15_000));
    const strokes = paths.reduce((sum, { d }) => sum + d.split('M').length - 1, 0);
    expect(strokes).toBe(servicesOf(tree).size * mapSize.height);
  });

  it('gives eight services a colour each, and dashes the next eight', () => {
    const spans = Array.from({ length: 11 }, (_, at) => spanOf([`${at}`, '', at, 1], at));
    const services = [...servicesOf(buildTree(spans)).values()];
    const looks = new Set(services.map(({ color, isDashed }) => `${color}${isDashed}`));
    expect(looks.size).toBe(11);
    expect(services[8]).toMatchObject({ color: 'var(--series-1)', isDashed: true });
  });
});
