import type { ReactNode } from 'react';
import { Swatch } from './legend.tsx';
import { numbersOf, type TimeSeries } from './time-data.ts';
import styles from './numbers-table.module.css';

interface NumbersTableProps {
  label: string;
  series: readonly TimeSeries[];
  format(value: number): string;
  /** What can be done with a series, such as a link. */
  action?: (name: string) => ReactNode;
}

const columns = ['Minimum', 'Maximum', 'Average', 'Last'];

/** Least, greatest, mean and last value of each series. */
export function NumbersTable({ label, series, format, action }: NumbersTableProps) {
  return (
    <div className={styles.scroll} role="group" aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Series</th>
            {columns.map((column) => (
              <th key={column} scope="col" className={styles.value}>
                {column}
              </th>
            ))}
            {action && <td />}
          </tr>
        </thead>
        <tbody>
          {series.map(({ name, color, isDashed, values }) => {
            const numbers = numbersOf(values);
            const shown = numbers && [numbers.min, numbers.max, numbers.mean, numbers.last];
            return (
              <tr key={name}>
                <th scope="row">
                  <span className={styles.name}>
                    <Swatch color={color} isDashed={isDashed} />
                    <span className={styles.text}>{name}</span>
                  </span>
                </th>
                {columns.map((column, index) => (
                  <td key={column} className={styles.value}>
                    {shown ? format(shown[index] ?? 0) : '–'}
                  </td>
                ))}
                {action && <td className={styles.action}>{action(name)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
