import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Hidden } from './text.tsx';
import styles from './list-table.module.css';

interface ListColumn {
  label: string;
  /** Left out on small screens; the first column repeats what matters of it. */
  isExtra?: boolean;
  /** The column of buttons, whose label only screen readers need. */
  isActions?: boolean;
  /** In pixels, so that figures that differ from load to load move no other column. */
  width?: number;
}

interface ListTableProps {
  label: string;
  columns: readonly ListColumn[];
  /** `ListRow`s. */
  children: ReactNode;
}

/** A short list with columns. Lists of many rows are `RowTable`s. */
export function ListTable({ label, columns, children }: ListTableProps) {
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.label}
              scope="col"
              style={{ width: column.width }}
              className={classNames(column.isExtra && styles.extra, column.isActions && styles.end)}
            >
              {column.isActions ? <Hidden>{column.label}</Hidden> : column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

interface TitleCellProps {
  title: ReactNode;
  /** Second line. */
  note?: ReactNode;
  /** Second line on small screens, for what the extra columns say. */
  smallNote?: ReactNode;
}

/** The first cell of a row: what the row is. */
export function TitleCell({ title, note, smallNote }: TitleCellProps) {
  return (
    <th scope="row" className={styles.title}>
      <span className={styles.name}>{title}</span>
      {note !== undefined && <span className={styles.note}>{note}</span>}
      {smallNote !== undefined && (
        <span className={classNames(styles.note, styles.small)}>{smallNote}</span>
      )}
    </th>
  );
}

/** Another cell; `isExtra` as its column. */
export function Cell({ isExtra, children }: { isExtra?: boolean; children: ReactNode }) {
  return <td className={classNames(isExtra && styles.extra)}>{children}</td>;
}

export function ActionsCell({ children }: { children: ReactNode }) {
  return (
    <td className={styles.end}>
      <div className={styles.actions}>{children}</div>
    </td>
  );
}
