import type { SearchRow } from '../../../api/queries/search.ts';
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
      return [
        ['time', ...columns].map(csvCell).join(','),
        ...plain.map((row) => Object.values(row).map(csvCell).join(',')),
      ].join('\n');
    case 'text':
      return plain.map((row) => Object.values(row).map(textOf).join('  ')).join('\n');
  }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A cell that no spreadsheet runs as a formula. */
function csvCell(value: unknown): string {
  const text = textOf(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
