import { ArrowDown, ArrowUp } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { GroupRow } from './model/merge.ts';
import styles from './tiles.module.css';

interface GroupGridProps {
  label: string;
  groupLabels: readonly string[];
  valueLabels: readonly string[];
  rows: readonly GroupRow[];
  format(value: number): string;
}

/** The column by which rows are sorted: a group column, or a value column after them. */
interface Order {
  column: number;
  isDescending: boolean;
}

/** Groups with their values. A click at a heading sorts; a bar shows the size of a value. */
export function GroupGrid({ label, groupLabels, valueLabels, rows, format }: GroupGridProps) {
  const groupCount = groupLabels.length;
  const [order, setOrder] = useState<Order>({ column: groupCount, isDescending: true });
  const sorted = useMemo(() => sortedRows(rows, groupCount, order), [rows, groupCount, order]);
  const largest = valueLabels.map((_, at) =>
    Math.max(0, ...rows.map(({ values }) => Math.abs(values[at] ?? 0))),
  );
  const heading = (text: string, column: number) => (
    <Heading
      key={column}
      text={text}
      column={column}
      isValue={column >= groupCount}
      order={order}
      onOrder={setOrder}
    />
  );
  return (
    <div className={styles.tableScroll} role="group" aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {groupLabels.map((text, column) => heading(text, column))}
            {valueLabels.map((text, at) => heading(text, groupCount + at))}
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ name, group, values }) => (
            <tr key={name}>
              {groupLabels.map((text, at) => (
                <td key={text} title={group[at]}>
                  {group[at] === '' ? '(empty)' : group[at]}
                </td>
              ))}
              {values.map((value, at) => (
                <td key={valueLabels[at]} className={styles.value}>
                  {value !== null && (largest[at] ?? 0) > 0 && (
                    <span
                      aria-hidden
                      className={styles.bar}
                      style={{ width: `${(Math.abs(value) / (largest[at] ?? 1)) * 100}%` }}
                    />
                  )}
                  <span>{value === null ? '–' : format(value)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function sortedRows(
  rows: readonly GroupRow[],
  groupCount: number,
  { column, isDescending }: Order,
) {
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((a, b) => {
    if (column < groupCount) {
      return sign * (a.group[column] ?? '').localeCompare(b.group[column] ?? '');
    }
    const [one, two] = [a.values[column - groupCount], b.values[column - groupCount]];
    if (one == null || two == null) {
      // Groups without a value come last, either way.
      return Number(one == null) - Number(two == null);
    }
    return sign * (one - two);
  });
}

interface HeadingProps {
  text: string;
  column: number;
  isValue: boolean;
  order: Order;
  onOrder(order: Order): void;
}

function Heading({ text, column, isValue, order, onOrder }: HeadingProps) {
  const isSorted = order.column === column;
  const Arrow = order.isDescending ? ArrowDown : ArrowUp;
  const direction = order.isDescending ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      className={isValue ? styles.value : undefined}
      aria-sort={isSorted ? direction : 'none'}
    >
      <button
        type="button"
        className={styles.heading}
        onClick={() => onOrder({ column, isDescending: isSorted ? !order.isDescending : isValue })}
      >
        <span>{text}</span>
        {isSorted && <Arrow size={12} aria-hidden />}
      </button>
    </th>
  );
}
