/**
 * Rows as an aligned text table; numbers to the right, cells longer than `widthMax` cut. Control characters are shown escaped, so that a log line
 * cannot drive the terminal.
 */
export function table(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  widthMax = 80,
): string {
  const cells = rows.map((row) => columns.map((_, index) => show(row[index])));
  const widths = columns.map((name, index) =>
    Math.min(widthMax, Math.max(name.length, ...cells.map((row) => row[index]!.length))),
  );
  const numeric = columns.map(
    (_, index) =>
      rows.length > 0 &&
      rows.every(
        (row) => row[index] === undefined || row[index] === null || typeof row[index] === 'number',
      ),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => pad(clip(cell, widths[index]!), widths[index]!, numeric[index]!))
      .join('  ')
      .trimEnd();
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join(
    '\n',
  );
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
