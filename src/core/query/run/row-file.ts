import type { ExportFormat } from '../../../contract/query/export.ts';
import type { Column, Value } from '../../../ports/telemetry.ts';

/** Maximum number of rows of an export. */
export const exportLimit = 1_000_000;

export interface ExportedFile {
  /** Number of rows in the file. */
  rows: number;
  /** Whether more rows match than the file has. */
  truncated: boolean;
}

/** Writes rows as a file, piece by piece. */
export class RowFile {
  readonly #format: ExportFormat;
  readonly #names: readonly string[];
  readonly #put: (text: string) => Promise<void>;
  #rows = 0;
  #begun = false;
  #truncated = false;

  constructor(
    format: ExportFormat,
    columns: readonly { name: string }[],
    put: (text: string) => Promise<void>,
  ) {
    this.#format = format;
    this.#names = columns.map(({ name }) => name);
    this.#put = put;
  }

  /** Takes the next rows; those beyond the limit of exports are left out. */
  async take(rows: readonly Value[][], columns: readonly Column[]): Promise<void> {
    const taken = rows.slice(0, exportLimit - this.#rows);
    this.#truncated ||= taken.length < rows.length;
    this.#rows += taken.length;
    const numeric = columns.map(({ type }) => isNumeric(type));
    const text = taken.map((row) =>
      this.#format === 'csv'
        ? csvLine(row.map((value, index) => csvCell(value, numeric[index] ?? false)))
        : ndjsonLine(this.#names, row),
    );
    await this.#put(this.#head() + text.join(''));
  }

  /** Completes the file. */
  async end(): Promise<ExportedFile> {
    if (!this.#begun) {
      await this.#put(this.#head());
    }
    return { rows: this.#rows, truncated: this.#truncated };
  }

  #head(): string {
    const isFirst = !this.#begun;
    this.#begun = true;
    return isFirst && this.#format === 'csv'
      ? csvLine(this.#names.map((name) => csvCell(name, false)))
      : '';
  }
}

const ndjsonLine = (names: readonly string[], row: readonly Value[]): string =>
  `${JSON.stringify(Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])))}\n`;

/** RFC 4180. */
const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/**
 * A cell that no spreadsheet runs as a formula: such text gets a `'` in front. Lists, maps and
 * tuples are JSON; NULL is empty.
 */
function csvCell(value: Value, numeric: boolean): string {
  const text = textOf(value);
  const safe = !numeric && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function textOf(value: Value): string {
  if (value === null) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Whether values of the type are numbers, which may begin with a minus. */
const isNumeric = (type: string): boolean =>
  /^(?:(?:Nullable|LowCardinality)\()*(?:U?Int|B?Float|Decimal)\d*(?:\([\d, ]*\))?\)*$/.test(type);
