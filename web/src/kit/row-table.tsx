import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { classNames } from './class-names.ts';
import { ColumnHead, type RowColumn } from './column-head.tsx';
import { useRowHeight } from './row-height.ts';
import styles from './row-table.module.css';

export interface RowTableProps {
  label: string;
  columns: readonly RowColumn[];
  rowCount: number;
  rowKey(index: number): string;
  cell(index: number, column: string): ReactNode;
  /** Class of a row, such as the colour of its edge. */
  rowClass?: (index: number) => string | undefined;
  /** The row that keys act on; -1: none. */
  active: number;
  onActive(index: number): void;
  /** The column of the cell that keys act on, if a row is active. */
  activeColumn?: string | undefined;
  onActiveColumn?: (column: string) => void;
  onOpen(index: number): void;
  isSelected?: (index: number) => boolean;
  /** Shift with a click or an arrow: all rows from one to the other, in any order. */
  onSelect?: (from: number, to: number) => void;
  /** Lines break, and rows are as high as they need. */
  wrap?: boolean;
  /** Whether the lines of one cell break. */
  isWrapped?: (index: number, column: string) => boolean;
  /** What stands below a row, as wide as the table is on screen. */
  detail?: { index: number; content: ReactNode } | undefined;
  onResize?: (column: string, width: number) => void;
  /** Called when the last rows come into view. */
  onEnd?: () => void;
  onScroll?: (top: number) => void;
  /** Below the last row: more is loading, or that this is the end. */
  foot?: ReactNode;
}

/** A table of any number of rows: only those in view are in the document. */
export function RowTable(props: RowTableProps) {
  const { columns, rowCount, active, wrap = false } = props;
  const id = useId();
  const scroll = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const rows = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // The head stands above the rows, and over them once they scroll.
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    getItemKey: props.rowKey,
    indexAttribute: 'data-item',
  });
  useNewHeights(rows, rowHeight, wrap);
  useSizes(rows, props, rowHeight);
  const detailHeight = useDetail(rows, props, rowHeight, scroll);
  useEnd(rows, rowCount, props.onEnd);
  useEffect(() => {
    if (active >= 0) {
      rows.scrollToIndex(active, { align: 'auto' });
    }
  }, [active, rows, detailHeight, props.detail?.index]);

  const template = columns
    .map(({ width, grows }) => (grows ? `minmax(${width}px, 1fr)` : `${width}px`))
    .join(' ');
  return (
    <div
      ref={scroll}
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length}
      aria-activedescendant={active >= 0 ? activeId(id, props) : undefined}
      className={styles.scroll}
      onKeyDown={(event) => onTableKey(event, props, scroll)}
      onScroll={(event) => props.onScroll?.(event.currentTarget.scrollTop)}
    >
      <div role="rowgroup" className={styles.head}>
        <div
          role="row"
          aria-rowindex={1}
          className={styles.headRow}
          style={{ gridTemplateColumns: template }}
        >
          {columns.map((column) => (
            <ColumnHead key={column.name} column={column} onResize={props.onResize} />
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((item) => (
          <Row
            key={item.key}
            id={`${id}-${item.index}`}
            item={item}
            template={template}
            table={props}
            measure={isHigh(props, item.index) ? rows.measureElement : undefined}
            detailHeight={detailHeight}
          />
        ))}
      </div>
      {props.foot !== undefined && <div className={styles.foot}>{props.foot}</div>}
    </div>
  );
}

/** Pixels, as in the styles. */
const headHeight = 28;

interface RowProps {
  id: string;
  item: VirtualItem;
  template: string;
  table: RowTableProps;
  measure: ((element: Element | null) => void) | undefined;
  detailHeight: number;
}

/** A row, with what stands below it. */
function Row({ item: { index, start }, measure, detailHeight, ...props }: RowProps) {
  const { detail } = props.table;
  const place = { transform: `translateY(${start - headHeight}px)` };
  if (detail?.index !== index) {
    return <Cells {...props} index={index} measure={measure} place={place} />;
  }
  return (
    <div
      ref={measure}
      data-item={index}
      role="presentation"
      className={styles.withDetail}
      style={place}
    >
      <Cells {...props} index={index} measure={undefined} place={{}} />
      <div role="row">
        <div
          role="gridcell"
          aria-colspan={props.table.columns.length}
          style={{ height: detailHeight }}
        >
          {detail.content}
        </div>
      </div>
    </div>
  );
}

interface CellsProps extends Pick<RowProps, 'id' | 'template' | 'table' | 'measure'> {
  index: number;
  place: CSSProperties;
}

function Cells({ id, index, template, table, measure, place }: CellsProps) {
  const { columns, active, activeColumn, wrap, isSelected, isWrapped } = table;
  return (
    <div
      id={id}
      ref={measure}
      data-index={index}
      data-item={index}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected?.(index) ?? false}
      data-current={index === active || undefined}
      className={classNames(styles.row, wrap && styles.wrap, table.rowClass?.(index))}
      style={{ gridTemplateColumns: template, ...place }}
      onMouseDown={(event) => {
        // The browser would select text up to here.
        if (event.shiftKey && table.onSelect) {
          event.preventDefault();
        }
      }}
      onClick={(event) => {
        if (event.shiftKey && table.onSelect) {
          table.onSelect(active < 0 ? index : active, index);
          table.onActive(index);
          return;
        }
        // A click that ends a selection of text opens nothing.
        if (getSelection()?.isCollapsed !== false) {
          table.onActive(index);
          table.onOpen(index);
        }
      }}
    >
      {columns.map(({ name, align }, column) => (
        <div
          key={name}
          id={`${id}-${column}`}
          role="gridcell"
          data-current={(index === active && name === activeColumn) || undefined}
          className={classNames(
            styles.cell,
            align === 'end' && styles.end,
            isWrapped?.(index, name) && styles.wrapped,
          )}
          onClick={() => table.onActiveColumn?.(name)}
        >
          {table.cell(index, name)}
        </div>
      ))}
    </div>
  );
}

/** Id of the cell that keys act on, or of its row. */
function activeId(id: string, { active, activeColumn, columns }: RowTableProps): string {
  const column = columns.findIndex(({ name }) => name === activeColumn);
  return column < 0 ? `${id}-${active}` : `${id}-${active}-${column}`;
}

const isHigh = ({ wrap, columns, isWrapped, detail }: RowTableProps, index: number): boolean =>
  wrap === true ||
  detail?.index === index ||
  (isWrapped !== undefined && columns.some(({ name }) => isWrapped(index, name)));

/** Forgets the heights of rows once all of them have others. */
function useNewHeights(
  rows: Virtualizer<HTMLDivElement, Element>,
  rowHeight: number,
  wrap: boolean,
): void {
  const known = useRef({ rowHeight, wrap });
  // Before the effect that makes room for a detail.
  useLayoutEffect(() => {
    if (known.current.rowHeight !== rowHeight || known.current.wrap !== wrap) {
      known.current = { rowHeight, wrap };
      rows.measure();
    }
  }, [rows, rowHeight, wrap]);
}

/** A row whose last wrapped cell is one line again gets its height back. */
function useSizes(
  rows: Virtualizer<HTMLDivElement, Element>,
  props: RowTableProps,
  rowHeight: number,
): void {
  const before = useRef(new Set<number>());
  useEffect(() => {
    const high = new Set<number>();
    for (const { index } of rows.getVirtualItems()) {
      if (isHigh(props, index)) {
        high.add(index);
      } else if (before.current.has(index)) {
        rows.resizeItem(index, rowHeight);
      }
    }
    before.current = high;
  });
}

/** Pixels of a detail, if the table has room for it and three rows. */
const detailMax = 440;
const detailMin = 200;

/**
 * Makes room below a row before its detail is measured, and takes it back. Returns the height of
 * the detail: it does not change with its content, so that rows do not jump.
 */
function useDetail(
  rows: Virtualizer<HTMLDivElement, Element>,
  { detail, wrap }: RowTableProps,
  rowHeight: number,
  scroll: RefObject<HTMLDivElement | null>,
): number {
  const [height, setHeight] = useState(detailMax);
  const index = detail?.index ?? -1;
  useLayoutEffect(() => {
    if (index < 0) {
      return undefined;
    }
    const room = (scroll.current?.clientHeight ?? 0) - headHeight - 3 * rowHeight;
    const next = Math.min(detailMax, Math.max(detailMin, room));
    setHeight(next);
    rows.resizeItem(index, rowHeight + next);
    return () => rows.resizeItem(index, rowHeight);
  }, [rows, index, rowHeight, wrap, scroll]);
  return height;
}

function useEnd(
  rows: Virtualizer<HTMLDivElement, Element>,
  rowCount: number,
  onEnd: (() => void) | undefined,
): void {
  const last = rows.getVirtualItems().at(-1)?.index ?? -1;
  const isNear = rowCount > 0 && last >= rowCount - 40;
  useEffect(() => {
    if (isNear) {
      onEnd?.();
    }
  }, [isNear, rowCount, onEnd]);
}

function onTableKey(
  event: KeyboardEvent,
  props: RowTableProps,
  scroll: RefObject<HTMLDivElement | null>,
): void {
  const { active, rowCount, onActive, onOpen } = props;
  if (event.target !== scroll.current || event.metaKey || event.ctrlKey || event.altKey) {
    return;
  }
  const page = 20;
  const moves: Record<string, number> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: rowCount - 1,
  };
  const next = moves[event.key];
  if (next !== undefined && rowCount > 0) {
    event.preventDefault();
    const to = Math.min(Math.max(next, 0), rowCount - 1);
    if (event.shiftKey && active >= 0) {
      props.onSelect?.(active, to);
    }
    onActive(to);
  } else if (event.key === 'Enter' && active >= 0) {
    event.preventDefault();
    onOpen(active);
  } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    moveColumn(event, props);
  }
}

function moveColumn(
  event: KeyboardEvent,
  { active, activeColumn, columns, onActiveColumn }: RowTableProps,
): void {
  const at = columns.findIndex(({ name }) => name === activeColumn);
  const next = columns[at + (event.key === 'ArrowLeft' ? -1 : 1)];
  if (active >= 0 && next && onActiveColumn) {
    event.preventDefault();
    onActiveColumn(next.name);
  }
}
