import { ArrowDown, ArrowUp, ChevronDown } from 'lucide-react';
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Menu } from './menu.tsx';
import styles from './row-table.module.css';

const minWidth = 48;
const maxWidth = 1200;
const stepWidth = 16;

export interface RowColumn {
  name: string;
  label: string;
  /** Pixels. The column with `grows` takes at least this and the room that is left. */
  width: number;
  grows?: boolean;
  align?: 'end';
  /** Actions on the column, for a menu at its header. */
  menu?: ReactNode;
  /** Sign of the order, shown after the label. */
  sorted?: 'ascending' | 'descending' | undefined;
}

interface ColumnHeadProps {
  column: RowColumn;
  onResize: ((column: string, width: number) => void) | undefined;
}

/** Name of a column with its menu, and the edge that changes its width. */
export function ColumnHead({ column, onResize }: ColumnHeadProps) {
  const { name, label, menu, sorted, align } = column;
  const Arrow = sorted === 'ascending' ? ArrowUp : ArrowDown;
  const content = (
    <>
      <span className={styles.headLabel}>{label}</span>
      {sorted && <Arrow size={12} aria-hidden />}
    </>
  );
  return (
    <div
      role="columnheader"
      aria-sort={sorted}
      className={classNames(styles.headCell, align === 'end' && styles.end)}
    >
      {menu === undefined ? (
        content
      ) : (
        <Menu
          trigger={
            <button type="button" className={styles.headButton}>
              {content}
              <ChevronDown size={12} aria-hidden className={styles.headMore} />
            </button>
          }
        >
          {menu}
        </Menu>
      )}
      {onResize && (
        <ResizeEdge column={column} onResize={(width) => onResize(name, limited(width))} />
      )}
    </div>
  );
}

const limited = (width: number): number =>
  Math.round(Math.min(Math.max(width, minWidth), maxWidth));

function ResizeEdge({ column, onResize }: { column: RowColumn; onResize(width: number): void }) {
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const edge = event.currentTarget;
    const startWidth = edge.parentElement?.offsetWidth ?? column.width;
    const startX = event.clientX;
    edge.setPointerCapture(event.pointerId);
    const move = (to: globalThis.PointerEvent): void => onResize(startWidth + to.clientX - startX);
    edge.addEventListener('pointermove', move);
    const stop = (): void => edge.removeEventListener('pointermove', move);
    edge.addEventListener('lostpointercapture', stop, { once: true });
    event.preventDefault();
  };
  const step = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = { ArrowLeft: -stepWidth, ArrowRight: stepWidth };
    const change = steps[event.key];
    if (change !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      onResize(column.width + change);
    }
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${column.label}`}
      aria-valuenow={column.width}
      aria-valuemin={minWidth}
      aria-valuemax={maxWidth}
      tabIndex={0}
      className={styles.edge}
      onPointerDown={drag}
      onKeyDown={step}
    />
  );
}
