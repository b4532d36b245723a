import { ancestorsOf, type TraceTree } from './tree.ts';

/**
 * Indexes of the nodes that have a row.
 * @param collapsed `_id` of spans whose children are hidden
 * @param only if given, the nodes to show; it contains every node above one of its own
 */
export function visibleRows(
  { nodes }: TraceTree,
  collapsed: ReadonlySet<string>,
  only?: ReadonlySet<number>,
): number[] {
  const rows: number[] = [];
  for (let index = 0; index < nodes.length;) {
    const node = nodes[index];
    const isShown = only?.has(index) ?? true;
    if (isShown) {
      rows.push(index);
    }
    const isSkipped = !isShown || (node !== undefined && collapsed.has(node.span._id));
    index += isSkipped ? (node?.size ?? 1) : 1;
  }
  return rows;
}

/** What a key does in the tree. */
export type TreeMove =
  | { kind: 'select'; node: number }
  | { kind: 'expand' | 'collapse'; node: number };

const page = 20;

/**
 * Keys of a tree grid: arrows up and down, Page, Home and End move by rows. Right opens a span or
 * goes to its first child, left closes it or goes to its parent.
 * @param rows as `visibleRows` returns them
 */
export function treeMove(
  key: string,
  tree: TraceTree,
  rows: readonly number[],
  active: number,
  collapsed: ReadonlySet<string>,
): TreeMove | undefined {
  const at = rows.indexOf(active);
  const targets: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: rows.length - 1,
  };
  const target = targets[key];
  if (target !== undefined) {
    const node = rows[Math.min(Math.max(target, 0), rows.length - 1)];
    return node === undefined ? undefined : { kind: 'select', node };
  }
  const node = tree.nodes[active];
  if (!node || at < 0) {
    return undefined;
  }
  const isCollapsed = collapsed.has(node.span._id);
  if (key === 'ArrowRight' && node.childCount > 0) {
    const below = rows[at + 1];
    const hasBelow = below !== undefined && tree.nodes[below]?.parent === active;
    if (isCollapsed) {
      return { kind: 'expand', node: active };
    }
    return hasBelow ? { kind: 'select', node: below } : undefined;
  }
  if (key === 'ArrowLeft') {
    if (node.childCount > 0 && !isCollapsed) {
      return { kind: 'collapse', node: active };
    }
    return node.parent < 0 ? undefined : { kind: 'select', node: node.parent };
  }
  return undefined;
}

/** The failed span after (1) or before (-1) a node, around the end. */
export function nextError(
  { errors }: TraceTree,
  active: number,
  direction: 1 | -1,
): number | undefined {
  return direction > 0
    ? (errors.find((index) => index > active) ?? errors[0])
    : (errors.findLast((index) => index < active) ?? errors.at(-1));
}

/** `collapsed` without the spans above a node, so that it has a row. */
export function revealed(
  tree: TraceTree,
  collapsed: ReadonlySet<string>,
  node: number,
): ReadonlySet<string> {
  const above = [...ancestorsOf(tree.nodes, node)]
    .map((index) => tree.nodes[index]?.span._id ?? '')
    .filter((id) => collapsed.has(id));
  return above.length === 0
    ? collapsed
    : new Set([...collapsed].filter((id) => !above.includes(id)));
}
