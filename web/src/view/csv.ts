/** A table as CSV, the names of its columns first. */
export const csvText = (
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): string => [columns, ...rows].map((row) => row.map(csvCell).join(',')).join('\n');

/** A cell that no spreadsheet runs as a formula. */
function csvCell(value: unknown): string {
  const text = cellText(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A value in one cell: objects as JSON, nothing as empty text. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
