import { useCallback, useEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { Hidden } from '../../../kit/text.tsx';
import { useRowHeight } from '../../../kit/row-height.ts';
import { TreeGrid, type TreeGridRow } from '../../../kit/tree-grid.tsx';
import { useMedia } from '../../../view/use-media.ts';
import { treeMove } from '../model/rows.ts';
import { tickLeft, ticksOf, type Tick } from '../model/scale.ts';
import { focusRows } from '../trace-keys.ts';
import type { TraceModel } from '../use-trace-model.ts';
import { SpanCells } from './span-cells.tsx';
import styles from './waterfall.module.css';

const template = 'minmax(0, 5fr) 76px minmax(0, 8fr)';
/** Two columns, and two lines a row. */
const smallTemplate = 'minmax(0, 11fr) minmax(0, 9fr)';
const smallHeight = 44;

/** The spans as a tree of rows, each with its place in time. */
export function Waterfall({ model }: { model: TraceModel }) {
  const { tree, rows, active, collapsed, window, path, services } = model;
  const isSmall = useMedia('(max-width: 640px)');
  const rowHeight = useRowHeight();
  const ticks = useMemo(() => ticksOf(window, isSmall ? 2 : 6), [window, isSmall]);
  useFirstFocus();

  const row = (index: number): TreeGridRow => {
    const node = tree.nodes[rows[index] ?? -1];
    const id = node?.span._id ?? String(index);
    return {
      key: id,
      level: (node?.depth ?? 0) + 1,
      position: node?.position ?? 1,
      siblingCount: node?.siblingCount ?? 1,
      isExpanded: node && node.childCount > 0 ? !collapsed.has(id) : undefined,
      className: node?.isError ? styles.failed : undefined,
    };
  };
  const onKey = (event: KeyboardEvent): void => {
    const move = treeMove(event.key, tree, rows, active, collapsed);
    if (move) {
      event.preventDefault();
      if (move.kind === 'select') {
        model.select(move.node);
      } else {
        model.setCollapsed(move.node, move.kind === 'collapse');
      }
    }
  };
  const latest = useRef(model);
  latest.current = model;
  // The same function each time, so that rows that look the same are not rendered again.
  const onToggle = useCallback((node: number, isCollapsed: boolean) => {
    latest.current.setCollapsed(node, isCollapsed);
    focusRows();
  }, []);
  const durationHead = (
    <span key="duration" className={styles.durationHead}>
      Duration
    </span>
  );
  const axis = <Axis key="time" ticks={ticks} />;
  return (
    <section className={styles.waterfall} aria-label="Spans">
      <TreeGrid
        label="Spans of the trace"
        head={isSmall ? ['Span', axis] : ['Span', durationHead, axis]}
        template={isSmall ? smallTemplate : template}
        rowCount={rows.length}
        rowHeight={isSmall ? Math.max(rowHeight, smallHeight) : rowHeight}
        row={row}
        cells={(index) => {
          const at = rows[index] ?? -1;
          const node = tree.nodes[at];
          return node ? (
            <SpanCells
              index={at}
              node={node}
              service={services.get(node.span.serviceName)}
              window={window}
              segments={path.byNode.get(at)}
              isCollapsed={collapsed.has(node.span._id)}
              isSmall={isSmall}
              onToggle={onToggle}
            />
          ) : null;
        }}
        active={rows.indexOf(active)}
        onOpen={(index) => model.open(rows[index] ?? -1)}
        onKey={onKey}
        backdrop={<Lines ticks={ticks} isSmall={isSmall} />}
      />
    </section>
  );
}

function Axis({ ticks }: { ticks: readonly Tick[] }) {
  return (
    <>
      <Hidden>Time after the start of the trace</Hidden>
      <span className={styles.axis} aria-hidden>
        {ticks.map(({ nanos, share, text }) => (
          <span key={nanos} className={styles.tick} style={{ left: tickLeft(share, text) }}>
            {text}
          </span>
        ))}
      </span>
    </>
  );
}

function Lines({ ticks, isSmall }: { ticks: readonly Tick[]; isSmall: boolean }) {
  return (
    <div
      className={styles.lines}
      style={{ gridTemplateColumns: isSmall ? smallTemplate : template }}
      aria-hidden
    >
      <div className={styles.plot}>
        {ticks.map(({ nanos, share }) => (
          <span key={nanos} className={styles.line} style={{ left: `${share * 100}%` }} />
        ))}
      </div>
    </div>
  );
}

/** Who comes from a link can use the arrow keys at once. */
function useFirstFocus(): void {
  useEffect(() => {
    if (document.activeElement === document.body) {
      focusRows();
    }
  }, []);
}
