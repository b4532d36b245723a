/**
 * Rows as an aligned text table; numbers to the right, cells longer than `widthMax` cut. Control
 * characters are shown escaped, so that a log line cannot drive the terminal.
 */
export function table(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  widthMax = 80,
): string {
  const cells = rows.map((row) => columns.map((_, index) => show(row[index])));
  const layouts = columns.map((name, index) => ({
    width: Math.min(
      widthMax,
      Math.max(name.length, ...cells.map((row) => row[index]?.length ?? 0)),
    ),
    numeric:
      rows.length > 0 &&
      rows.every(
        (row) => row[index] === undefined || row[index] === null || typeof row[index] === 'number',
      ),
  }));
  const line = (row: readonly string[]): string =>
    layouts
      .map(({ width, numeric }, index) => pad(clip(row[index] ?? '', width), width, numeric))
      .join('  ')
      .trimEnd();
  const rule = layouts.map(({ width }) => '-'.repeat(width));
  return [columns, rule, ...cells].map(line).join('\n');
}

function show(value: unknown): string {
  if (value === undefined || value === null) {
    return '';
  }
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/\p{Cc}/gu, (char) => JSON.stringify(char).slice(1, -1));
}

const clip = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text;
const pad = (text: string, width: number, right: boolean): string =>
  right ? text.padStart(width) : text.padEnd(width);
