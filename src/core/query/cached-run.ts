import { createHash } from 'node:crypto';
import { bucketCount, type TimeRange } from './bucket.ts';
import type { Scan } from './plan.ts';
import { byBucketAndGroup, type ScanRow } from './points.ts';
import type { ResultCache } from './result-cache.ts';
import type { RunScan } from './run-plan.ts';

export interface Closing {
  nowMs: number;
  /** How long after its end a bucket may still get rows in the ordinary way. */
  ingestDelayMs: number;
}

/** A range is kept in at most so many pieces, each of whole buckets. */
const cellsMax = 100;

/**
 * Runs a scan for the buckets that are not yet known and takes the closed ones from the cache: a chart that moves on with
 * the clock asks only for its newest buckets.
 */
export function cachedRun(
  run: RunScan,
  cache: ResultCache,
  { nowMs, ingestDelayMs }: Closing,
): RunScan {
  return async (scan, range) => {
    const scanName = nameOf(scan);
    const cells = cellsOf(scan, range);
    const key = (cell: TimeRange) => ({
      database: scan.table.database,
      scan: scanName,
      range: cell,
    });
    const closed = (cell: TimeRange): boolean => cell.toMs <= nowMs - ingestDelayMs;
    const known = cells.map((cell) => (closed(cell) ? cache.get(key(cell), nowMs) : undefined));
    const first = known.indexOf(undefined);
    if (first === -1) {
      return joined(known);
    }
    const last = known.lastIndexOf(undefined);
    const { mark } = cache;
    // In order once, so that no repeat has to put it in order again.
    const fresh = (await run(scan, { fromMs: cells[first]!.fromMs, toMs: cells[last]!.toMs })).sort(
      byBucketAndGroup,
    );
    const asked = cells.slice(first, last + 1);
    const parts = scan.bucketMs === undefined ? [fresh] : divided(fresh, asked);
    asked.forEach((cell, index) => {
      if (closed(cell)) {
        cache.set(key(cell), parts[index]!, nowMs, mark);
      }
    });
    return joined([...known.slice(0, first), fresh, ...known.slice(last + 1)]);
  };
}

/** What does not depend on the time of the asking. A reading's place among the series is the caller's business. */
function nameOf(scan: Scan): string {
  const { readings, ...rest } = scan.kind === 'rows' ? { ...scan, rollup: undefined } : scan;
  return createHash('sha256')
    .update(
      JSON.stringify([rest, readings.map(({ aggregate, condition }) => [aggregate, condition])]),
    )
    .digest('base64');
}

/**
 * The range in pieces of one bucket, or of 2, 4, 8, … where there are many. Increases depend on the point before the range,
 * so sums and histograms are kept whole; so is what has no buckets.
 */
function cellsOf({ kind, bucketMs }: Scan, range: TimeRange): TimeRange[] {
  if (kind === 'sum' || kind === 'histogram' || bucketMs === undefined) {
    return [range];
  }
  let pieceMs = bucketMs;
  while (bucketCount(pieceMs, range) > cellsMax) {
    pieceMs *= 2;
  }
  const cells: TimeRange[] = [];
  for (let fromMs = range.fromMs; fromMs < range.toMs;) {
    const toMs = Math.min(range.toMs, (Math.floor(fromMs / pieceMs) + 1) * pieceMs);
    cells.push({ fromMs, toMs });
    fromMs = toMs;
  }
  return cells;
}

/** A new list: what is kept is never handed out to be changed. */
const joined = (parts: (ScanRow[] | undefined)[]): ScanRow[] => parts.flatMap((rows) => rows!);

/** Ordered rows by the cell that their bucket belongs to; the first bucket may begin before the first cell. */
function divided(rows: ScanRow[], cells: TimeRange[]): ScanRow[][] {
  const parts = cells.map((): ScanRow[] => []);
  let cell = 0;
  for (const row of rows) {
    while (row.bucketMs >= cells[cell]!.toMs) {
      cell++;
    }
    parts[cell]!.push(row);
  }
  return parts;
}
