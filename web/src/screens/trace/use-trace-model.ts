import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Trace } from '../../api/queries/trace.ts';
import { usePagePanel } from '../../view/use-page-panel.ts';
import { nextError, revealed, visibleRows } from './model/rows.ts';
import { clampWindow, isWhole, type TimeWindow } from './model/scale.ts';
import { partsOf, type TraceParts } from './model/trace-parts.ts';
import type { TraceNode } from './model/tree.ts';
import { readView, writeView, type Tab, type TraceView } from './model/view.ts';
import type { Show, TraceParams } from './params.ts';

/** A trace as it is looked at, and what changes that. */
export interface TraceModel extends TraceParts {
  params: TraceParams;
  view: TraceView;
  /** The part of the trace that fills the width. */
  window: TimeWindow;
  collapsed: ReadonlySet<string>;
  /** Indexes of the nodes that have a row. */
  rows: readonly number[];
  /** Index of the node that keys act on; -1: none. */
  active: number;
  /** The open span. */
  opened: TraceNode | undefined;
  select(node: number): void;
  open(node: number): void;
  close(): void;
  setCollapsed(node: number, isCollapsed: boolean): void;
  setAllCollapsed(isCollapsed: boolean): void;
  setWindow(window: TimeWindow): void;
  setTab(tab: Tab): void;
  setCritical(isCritical: boolean): void;
  /** Moves by rows. */
  step(by: number): void;
  /** Moves to the next (1) or previous (-1) failed span. */
  stepError(direction: 1 | -1): void;
}

const plainView: TraceView = { isCritical: false, window: undefined, tab: 'attributes' };
const none: ReadonlySet<string> = new Set();

export function useTraceModel(trace: Trace, params: TraceParams, show: Show): TraceModel {
  const parts = useMemo(() => partsOf(trace), [trace]);
  const { tree, path, whole } = parts;
  const view = useMemo(() => readView(params.view ?? '') ?? plainView, [params.view]);
  const nodeBySpan = (id: string | undefined): TraceNode | undefined =>
    tree.nodes[tree.bySpan.get(id ?? '') ?? -1];
  const [collapsed, setCollapsedIds] = useState(none);
  const [row, setRow] = useState(() => (nodeBySpan(params.span) ?? tree.nodes[0])?.span._id);
  const active = tree.byRow.get(row ?? '') ?? -1;
  const rows = useMemo(
    () => visibleRows(tree, collapsed, view.isCritical ? path.nodes : undefined),
    [tree, collapsed, view.isCritical, path],
  );
  const setView = (changes: Partial<TraceView>): void =>
    show({ view: writeView({ ...view, ...changes }) });
  /** Makes it the row that keys act on, and makes sure that it is a row. */
  const moveTo = (node: number): void => {
    setCollapsedIds((before) => revealed(tree, before, node));
    setRow(tree.nodes[node]?.span._id);
    if (view.isCritical && !path.nodes.has(node)) {
      setView({ isCritical: false });
    }
  };
  const url = useSpanInUrl(params.span, show, (id) => moveTo(tree.bySpan.get(id) ?? -1));
  const router = useRouter();
  const page = usePagePanel(params.span !== undefined, () => router.history.back());
  const select = (node: number): void => {
    const spanId = tree.nodes[node]?.span.spanId;
    if (spanId !== undefined) {
      moveTo(node);
      if (params.span !== undefined) {
        url.writeLater(spanId);
      }
    }
  };
  return {
    ...parts,
    params,
    view,
    window: view.window ? clampWindow(view.window, whole) : whole,
    collapsed,
    rows,
    active,
    opened: tree.bySpan.has(params.span ?? '') ? tree.nodes[active] : undefined,
    select,
    open: (node) => {
      moveTo(node);
      page.open((replace) => url.write(tree.nodes[node]?.span.spanId, replace));
    },
    close: () =>
      page.close(() => {
        url.write(undefined);
        setView({ tab: 'attributes' });
      }),
    setCollapsed: (node, isCollapsed) => {
      const found = tree.nodes[node];
      setCollapsedIds((before) => withId(before, found?.span._id ?? '', isCollapsed));
      if (found && isCollapsed && active > node && active < node + found.size) {
        select(node);
      }
    },
    setAllCollapsed: (isCollapsed) => {
      const parents = tree.nodes.filter(({ childCount }) => childCount > 0);
      setCollapsedIds(isCollapsed ? new Set(parents.map(({ span }) => span._id)) : none);
    },
    setWindow: (window) => {
      const next = clampWindow(window, whole);
      setView({ window: isWhole(next, whole) ? undefined : next });
    },
    setTab: (tab) => setView({ tab }),
    setCritical: (isCritical) => setView({ isCritical }),
    step: (by) => {
      const at = Math.min(Math.max(rows.indexOf(active) + by, 0), rows.length - 1);
      select(rows[at] ?? -1);
    },
    stepError: (direction) => select(nextError(tree, active, direction) ?? -1),
  };
}

function withId(ids: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(ids);
  if (isIn) {
    next.add(id);
  } else {
    next.delete(id);
  }
  return next;
}

/** Browsers refuse addresses that change with every repeat of a held key. */
const followMs = 150;

/**
 * Writes the open span to the URL, and tells when the URL names another one: Back, or a link.
 * @param onOther gets the id of the span that the URL names now
 */
function useSpanInUrl(
  spanId: string | undefined,
  show: Show,
  onOther: (spanId: string) => void,
): {
  write(spanId: string | undefined, replace?: boolean): void;
  /** Once keys rest. */
  writeLater(spanId: string): void;
} {
  const written = useRef(spanId);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const other = useRef(onOther);
  other.current = onOther;
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (spanId !== written.current) {
      clearTimeout(timer.current);
      written.current = spanId;
      if (spanId !== undefined) {
        other.current(spanId);
      }
    }
  }, [spanId]);
  const write = useCallback(
    (next: string | undefined, replace = true): void => {
      clearTimeout(timer.current);
      written.current = next;
      show({ span: next }, replace);
    },
    [show],
  );
  const writeLater = useCallback(
    (next: string): void => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => write(next), followMs);
    },
    [write],
  );
  return { write, writeLater };
}
