import type { Block, ColumnType } from './block/block.ts';

/** Rows of one table: a block in the engine's Native format. */
export interface EncodedRows {
  table: string;
  columns: readonly ColumnType[];
  data: Buffer;
  rows: number;
  /** Days its rows fall on: each is a partition of the table. */
  days: ReadonlySet<number>;
  /** Time of the oldest row: cached results for later times may be outdated. */
  oldestMs: number;
  /** Hash of `data`, the same for a repeated request. Absent if the rows have the time of arrival. */
  digest?: string;
}

/** The rows of one request, and the number of records that were refused. */
export interface Encoded {
  tables: EncodedRows[];
  /** Number of log records, spans or data points that were refused. */
  rejected: number;
  /** The reasons, for the sender; empty if nothing was refused. */
  message: string;
  /** Whether a row has the time of arrival, because its record has no time. */
  usesArrival: boolean;
}

export function encodedRows(block: Block, days: Days): EncodedRows {
  return {
    table: block.table,
    columns: block.columns,
    data: block.take(),
    rows: block.rows,
    days: days.seen,
    oldestMs: days.oldestMs,
  };
}

/**
 * Days one insert may touch: the engine refuses more than 100 partitions, and its days may begin at
 * another hour.
 */
export const maxDays = 90;

export const tooManyDays = `the records of one request span more than ${maxDays} days. Send fewer days in one request.`;

/** The days (UTC, since the epoch) of the rows written so far, and the time of the oldest. */
export class Days {
  readonly seen = new Set<number>();
  oldestMs = Infinity;
  private last = -1;

  /** False: the day of that time would be one too many. */
  tryAdd(timeMs: number): boolean {
    const day = Math.floor(timeMs / dayMs);
    if (!this.takes(day)) {
      return false;
    }
    if (timeMs < this.oldestMs) {
      this.oldestMs = timeMs;
    }
    return true;
  }

  private takes(day: number): boolean {
    if (day === this.last) {
      return true;
    }
    if (this.seen.size >= maxDays && !this.seen.has(day)) {
      return false;
    }
    this.seen.add(day);
    this.last = day;
    return true;
  }
}

const dayMs = 86_400_000;
const reasonsKept = 5;

/** Counts refused records and keeps the first few different reasons. */
export class Refusals {
  count = 0;
  private readonly reasons = new Set<string>();

  add(reason: string, count = 1): void {
    this.count += count;
    if (this.reasons.size < reasonsKept) {
      this.reasons.add(reason);
    }
  }

  get message(): string {
    return [...this.reasons].join('; ');
  }
}
