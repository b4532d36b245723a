import type { TimeRange } from '../plan/bucket.ts';
import type { ScanRow } from './points.ts';

export interface CacheOptions {
  /** Maximum size of the cache; 0 turns it off. Default 64 MiB. */
  maxBytes?: number | undefined;
  /**
   * Maximum time that a cached result may be stale if late rows arrived through another process.
   * Milliseconds, default 30,000.
   */
  ttlMs?: number | undefined;
  /**
   * Time after its end during which a bucket normally still gets rows. Milliseconds, default 5000.
   */
  ingestDelayMs?: number | undefined;
}

/** One closed stretch of time of one scan. */
export interface CellKey {
  database: string;
  /** What is asked, without the time. */
  scan: string;
  range: TimeRange;
}

interface Entry {
  rows: ScanRow[];
  bytes: number;
  storedAtMs: number;
  database: string;
  toMs: number;
}

/** Late rows that came in while a query may have been running. */
interface Late {
  number: number;
  database: string;
  sinceMs: number;
}

const lateKept = 1000;

/**
 * Results of closed buckets, least recently used out first, bounded in bytes. A result is dropped
 * when rows of its time arrive late through this process (`forget`); rows that arrive any other way
 * show after `ttlMs` at the latest.
 */
export class ResultCache {
  private readonly entries = new Map<string, Entry>();
  private readonly maxBytes: number;
  private readonly ttlMs: number;
  private bytes = 0;
  private late: Late[] = [];
  private lateCount = 0;

  constructor(maxBytes: number, ttlMs: number) {
    this.maxBytes = maxBytes;
    this.ttlMs = ttlMs;
  }

  get(key: CellKey, nowMs: number): ScanRow[] | undefined {
    const name = nameOf(key);
    const entry = this.entries.get(name);
    if (!entry) {
      return undefined;
    }
    this.entries.delete(name);
    if (nowMs - entry.storedAtMs >= this.ttlMs) {
      this.bytes -= entry.bytes;
      return undefined;
    }
    this.entries.set(name, entry);
    return entry.rows;
  }

  /** How much late data has been seen; handed to `set` by who queried meanwhile. */
  get mark(): number {
    return this.lateCount;
  }

  /**
   * Keeps a result that was asked for when `mark` was current, unless late rows have touched it
   * since.
   */
  set(key: CellKey, rows: ScanRow[], nowMs: number, mark: number): void {
    const oldest = this.late[0]?.number ?? this.lateCount;
    if (
      mark < oldest ||
      this.late.some(
        ({ number, database, sinceMs }) =>
          number >= mark && database === key.database && sinceMs < key.range.toMs,
      )
    ) {
      return;
    }
    const name = nameOf(key);
    const bytes = 2 * name.length + 200 + rows.reduce((sum, row) => sum + rowBytes(row), 0);
    if (bytes > this.maxBytes / 4) {
      return;
    }
    this.drop(name);
    this.entries.set(name, {
      rows,
      bytes,
      storedAtMs: nowMs,
      database: key.database,
      toMs: key.range.toMs,
    });
    this.bytes += bytes;
    for (const eldest of this.entries.keys()) {
      if (this.bytes <= this.maxBytes) {
        break;
      }
      this.drop(eldest);
    }
  }

  /**
   * Rows from `sinceMs` on have been added to the database: results that end after that are out of
   * date.
   */
  forget(database: string, sinceMs: number): void {
    this.late.push({ number: this.lateCount++, database, sinceMs });
    if (this.late.length > lateKept) {
      this.late.shift();
    }
    for (const [name, entry] of this.entries) {
      if (entry.database === database && entry.toMs > sinceMs) {
        this.drop(name);
      }
    }
  }

  private drop(name: string): void {
    const entry = this.entries.get(name);
    if (!entry) {
      return;
    }
    this.entries.delete(name);
    this.bytes -= entry.bytes;
  }
}

const nameOf = ({ scan, range }: CellKey): string => `${scan} ${range.fromMs} ${range.toMs}`;

const rowBytes = ({ group, values }: ScanRow): number =>
  120 + group.reduce((sum, text) => sum + 40 + 2 * text.length, 0) + 16 * values.length;
