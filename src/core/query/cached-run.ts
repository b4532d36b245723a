import { createHash } from 'node:crypto';
import { bucketCount, type TimeRange } from './bucket.ts';
import type { Scan } from './plan.ts';
import type { ScanRow } from './points.ts';
import type { ResultCache } from './result-cache.ts';
import type { RunScan } from './run-plan.ts';

export interface Closing {
  nowMs: number;
  /** How long after its end a bucket may still get rows in the ordinary way. */
  ingestDelayMs: number;
}

/** More buckets than this are kept as one. */
const cellsMax = 2000;

/**
 * Runs a scan for the buckets that are not yet known and takes the closed ones from the cache: a chart that moves on with
 * the clock asks only for its newest buckets.
 */
export function cachedRun(run: RunScan, cache: ResultCache, { nowMs, ingestDelayMs }: Closing): RunScan {
  return async (scan, range) => {
    const scanName = nameOf(scan);
    const cells = cellsOf(scan, range);
    const key = (cell: TimeRange) => ({ database: scan.table.database, scan: scanName, range: cell });
    const closed = (cell: TimeRange): boolean => cell.toMs <= nowMs - ingestDelayMs;
    const known = cells.map((cell) => (closed(cell) ? cache.get(key(cell), nowMs) : undefined));
    const first = known.indexOf(undefined);
    if (first === -1) return known.flatMap((rows) => rows!);
    const last = known.lastIndexOf(undefined);
    const { mark } = cache;
    const fresh = await run(scan, { fromMs: cells[first]!.fromMs, toMs: cells[last]!.toMs });
    const asked = cells.slice(first, last + 1);
    const parts = divided(fresh, asked, scan.bucketMs);
    asked.forEach((cell, index) => { if (closed(cell)) cache.set(key(cell), parts[index]!, nowMs, mark); });
    return [...known.slice(0, first), fresh, ...known.slice(last + 1)].flatMap((rows) => rows!);
  };
}

/** What does not depend on the time of the asking. A reading's place among the series is the caller's business. */
function nameOf(scan: Scan): string {
  const { readings, ...rest } = scan.kind === 'rows' ? { ...scan, rollup: undefined } : scan;
  return createHash('sha256').update(JSON.stringify([rest, readings.map(({ aggregate, condition }) => [aggregate, condition])])).digest('base64');
}

/**
 * Buckets cut to the range. Increases depend on the point before the range, so sums and histograms are kept whole; so is
 * what has no buckets, or too many.
 */
function cellsOf({ kind, bucketMs }: Scan, range: TimeRange): TimeRange[] {
  const alone = kind === 'sum' || kind === 'histogram' || bucketMs === undefined;
  if (alone || bucketCount(bucketMs, range) > cellsMax) return [range];
  const cells: TimeRange[] = [];
  for (let fromMs = range.fromMs; fromMs < range.toMs;) {
    const toMs = Math.min(range.toMs, (Math.floor(fromMs / bucketMs) + 1) * bucketMs);
    cells.push({ fromMs, toMs });
    fromMs = toMs;
  }
  return cells;
}

function divided(rows: ScanRow[], cells: TimeRange[], bucketMs: number | undefined): ScanRow[][] {
  if (cells.length === 1) return [rows];
  const byBucket = new Map<number, ScanRow[]>();
  for (const row of rows) {
    const found = byBucket.get(row.bucketMs);
    if (found) found.push(row);
    else byBucket.set(row.bucketMs, [row]);
  }
  return cells.map(({ fromMs }) => byBucket.get(Math.floor(fromMs / bucketMs!) * bucketMs!) ?? []);
}
