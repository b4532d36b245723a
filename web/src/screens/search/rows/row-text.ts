import type { SearchRow } from '../../../api/queries/search.ts';
import { cellText, csvText } from '../../../view/csv.ts';
import { rowTimeMs } from '../columns.ts';

export type RowFormat = 'text' | 'json' | 'ndjson' | 'csv';

/** Rows for the clipboard: times in UTC, and the values of the shown columns. */
export function rowsAsText(
  rows: readonly SearchRow[],
  columns: readonly string[],
  format: RowFormat,
): string {
  const plain = rows.map((row) => ({
    time: new Date(rowTimeMs(row._id ?? '0-')).toISOString(),
    ...Object.fromEntries(columns.map((name) => [name, row[name]])),
  }));
  switch (format) {
    case 'json':
      return JSON.stringify(plain, null, 2);
    case 'ndjson':
      return plain.map((row) => JSON.stringify(row)).join('\n');
    case 'csv':
      return csvText(
        ['time', ...columns],
        plain.map((row) => Object.values(row)),
      );
    case 'text':
      return plain.map((row) => Object.values(row).map(cellText).join('  ')).join('\n');
  }
}
