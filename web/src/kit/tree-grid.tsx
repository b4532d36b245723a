import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './tree-grid.module.css';

export interface TreeGridRow {
  key: string;
  /** From 1. */
  level: number;
  /** Place among its siblings, from 1. */
  position: number;
  siblingCount: number;
  /** undefined: a row without rows below. */
  isExpanded: boolean | undefined;
  className?: string | undefined;
}

interface TreeGridProps {
  label: string;
  /** Contents of the header cells. */
  head: readonly ReactNode[];
  /** Widths of the columns, as in CSS. */
  template: string;
  rowCount: number;
  /** Pixels. */
  rowHeight: number;
  row(index: number): TreeGridRow;
  /** Cells of a row, each with the role `gridcell`. */
  cells(index: number): ReactNode;
  /** The row that keys act on; -1: none. */
  active: number;
  onOpen(index: number): void;
  /** Keys of the grid, but for Enter. */
  onKey(event: KeyboardEvent): void;
  /** Behind the rows, as high as all of them. */
  backdrop?: ReactNode;
}

/** A tree of any number of rows: only those in view are in the document. */
export function TreeGrid({ rowCount, rowHeight, active, ...props }: TreeGridProps) {
  const id = useId();
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // The head stands above the rows, and over them once they scroll.
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
  });
  useEffect(() => rows.measure(), [rows, rowHeight]);
  useEffect(() => {
    if (active >= 0) {
      rows.scrollToIndex(active, { align: 'auto' });
    }
  }, [active, rows]);

  const items = rows.getVirtualItems();
  const isInDocument = items.some(({ index }) => index === active);
  const onKeyDown = (event: KeyboardEvent): void => {
    const isOther = event.metaKey || event.ctrlKey || event.altKey;
    if (event.target !== scroll.current || isOther) {
      return;
    }
    if (event.key === 'Enter' && active >= 0) {
      event.preventDefault();
      props.onOpen(active);
    } else {
      props.onKey(event);
    }
  };
  return (
    <div
      ref={scroll}
      role="treegrid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={rowCount + 1}
      aria-colcount={props.head.length}
      aria-activedescendant={isInDocument ? `${id}-${active}` : undefined}
      className={styles.scroll}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" className={styles.head}>
        <div
          role="row"
          aria-rowindex={1}
          className={styles.headRow}
          style={{ gridTemplateColumns: props.template }}
        >
          {props.head.map((cell, index) => (
            <div key={index} role="columnheader" className={styles.headCell}>
              {cell}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: rows.getTotalSize() }}>
        {props.backdrop}
        {items.map(({ index, start }) => {
          const row = props.row(index);
          return (
            <div
              key={row.key}
              id={`${id}-${index}`}
              data-index={index}
              role="row"
              aria-rowindex={index + 2}
              aria-level={row.level}
              aria-posinset={row.position}
              aria-setsize={row.siblingCount}
              aria-expanded={row.isExpanded}
              aria-selected={index === active}
              className={classNames(styles.row, row.className)}
              style={{
                gridTemplateColumns: props.template,
                height: rowHeight,
                transform: `translateY(${start - headHeight}px)`,
              }}
              onClick={() => props.onOpen(index)}
            >
              {props.cells(index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

const headHeight = 28;
