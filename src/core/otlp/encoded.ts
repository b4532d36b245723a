import type { RowWriter } from './row-writer.ts';

/** Rows of one table, in RowBinary. */
export interface EncodedRows {
  table: string;
  columns: readonly string[];
  data: Buffer;
  rows: number;
}

/** A request as rows, and what of it was refused. */
export interface Encoded {
  tables: EncodedRows[];
  /** Log records, spans or data points that were not taken. */
  rejected: number;
  /** Why, for the sender; '' when nothing was refused. */
  message: string;
}

export function encodedRows(table: { name: string; columns: readonly string[] }, out: RowWriter): EncodedRows {
  return { table: table.name, columns: table.columns, data: out.take(), rows: out.rows };
}

const reasonsKept = 5;

/** Counts refused records and keeps the first few different reasons. */
export class Refusals {
  count = 0;
  private readonly reasons = new Set<string>();

  add(reason: string, count = 1): void {
    this.count += count;
    if (this.reasons.size < reasonsKept) this.reasons.add(reason);
  }

  get message(): string {
    return [...this.reasons].join('; ');
  }
}
