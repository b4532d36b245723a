import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Sparkline } from '../../../charts/sparkline.tsx';
import { classNames } from '../../../kit/class-names.ts';
import { Hidden } from '../../../kit/text.tsx';
import { formatDuration } from '../../../view/number-format.ts';
import { formatRate, formatShare } from '../model/format.ts';
import type { Figures, Lines } from '../model/figures.ts';
import type { Order, OrderName } from '../model/order.ts';
import styles from '../services.module.css';

interface FiguresTableProps {
  label: string;
  /** Head of the first column. */
  nameLabel: string;
  rows: readonly Figures[];
  /** Values over time by name; undefined while they are not read. */
  lines: ReadonlyMap<string, Lines> | undefined;
  /** Seconds of the range. */
  seconds: number;
  order: Order;
  onOrder(order: Order): void;
  title(row: Figures): ReactNode;
  /** What can be done with a row; absent: nothing. */
  actions?: (row: Figures) => ReactNode;
}

interface Column {
  name: OrderName;
  label: string;
  /** Left out on small screens. */
  isExtra?: boolean;
}

const columns: readonly Column[] = [
  { name: 'calls', label: 'Requests', isExtra: true },
  { name: 'errors', label: 'Errors' },
  { name: 'p50', label: 'p50', isExtra: true },
  { name: 'p95', label: 'p95', isExtra: true },
  { name: 'p99', label: 'p99', isExtra: true },
];

/** Requests, errors and durations by name, with their course over the range. */
export function FiguresTable({
  label,
  nameLabel,
  rows,
  order,
  onOrder,
  ...props
}: FiguresTableProps) {
  const head = (column: Column) => (
    <Head key={column.name} column={column} order={order} onOrder={onOrder} />
  );
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {head({ name: 'name', label: nameLabel })}
          {columns.map(head)}
          {props.actions && (
            <th scope="col">
              <Hidden>Actions</Hidden>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <FiguresRow key={row.name} {...props} row={row} lines={props.lines?.get(row.name)} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Pick<FiguresTableProps, 'seconds' | 'title' | 'actions'> {
  row: Figures;
  lines: Lines | undefined;
}

function FiguresRow({ row, lines, seconds, title, actions }: RowProps) {
  const { calls, errors, p50, p95, p99 } = row;
  const isIdle = calls === 0;
  const duration = (value: number | undefined): string =>
    value === undefined ? '–' : formatDuration(value);
  const rate = isIdle ? 'No requests' : formatRate(calls / seconds);
  return (
    <tr>
      <th scope="row" className={styles.title}>
        <span className={styles.name}>{title(row)}</span>
        <span className={styles.small}>{isIdle ? rate : `${rate}, p95 ${duration(p95)}`}</span>
      </th>
      <Value isExtra line={lines?.calls}>
        {isIdle ? '–' : rate}
      </Value>
      <Value line={lines?.errors} isBad={errors > 0}>
        {isIdle ? '–' : formatShare(errors / calls)}
      </Value>
      <Value isExtra>{duration(p50)}</Value>
      <Value isExtra line={lines?.p95}>
        {duration(p95)}
      </Value>
      <Value isExtra>{duration(p99)}</Value>
      {actions && <td className={styles.actions}>{actions(row)}</td>}
    </tr>
  );
}

interface ValueProps {
  isExtra?: boolean;
  isBad?: boolean;
  /** The course of the value; absent: the column has none. */
  line?: readonly (number | null)[] | undefined;
  children: string;
}

function Value({ isExtra, isBad, line, children }: ValueProps) {
  return (
    <td className={classNames(styles.value, isExtra && styles.extra)}>
      {line ? (
        <span className={styles.figure}>
          <span className={styles.spark}>
            <Sparkline values={line} />
          </span>
          <span className={isBad ? styles.bad : undefined}>{children}</span>
        </span>
      ) : (
        <span className={isBad ? styles.bad : undefined}>{children}</span>
      )}
    </td>
  );
}

interface HeadProps extends Pick<FiguresTableProps, 'order' | 'onOrder'> {
  column: Column;
}

/** A press orders by the column, another one turns the order, a third returns to worst first. */
function Head({ column: { name, label, isExtra }, order, onOrder }: HeadProps) {
  const isOrdered = order.column === name;
  const startsUp = name === 'name';
  const next: Order =
    isOrdered && order.isUp !== startsUp
      ? { column: undefined, isUp: false }
      : { column: name, isUp: isOrdered ? !startsUp : startsUp };
  const Arrow = order.isUp ? ArrowUp : ArrowDown;
  const direction = order.isUp ? 'ascending' : 'descending';
  return (
    <th
      scope="col"
      aria-sort={isOrdered ? direction : undefined}
      className={classNames(!startsUp && styles.value, isExtra && styles.extra)}
    >
      <button type="button" className={styles.head} onClick={() => onOrder(next)}>
        {label}
        {isOrdered && <Arrow size={12} aria-hidden />}
      </button>
    </th>
  );
}
