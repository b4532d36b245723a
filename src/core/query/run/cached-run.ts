import { createHash } from 'node:crypto';
import { bucketCount, type TimeRange } from '../plan/bucket.ts';
import type { Scan } from '../plan/plan.ts';
import { byBucketAndGroup, type ScanRow } from './points.ts';
import type { ResultCache } from './result-cache.ts';
import type { RunScan } from './run-plan.ts';

export interface Closing {
  /** Database of the workspace that asks: nobody gets what another workspace may read. */
  tenant: string;
  nowMs: number;
  /** Time after its end during which a bucket normally still gets rows. */
  ingestDelayMs: number;
  /** Whether every result so far has the rows of all shards. */
  isWhole(): boolean;
}

/** Maximum number of cache entries for a range. Each entry covers whole buckets. */
const cellsMax = 100;

/**
 * Takes closed buckets from the cache and runs the scan only for the others. A chart that moves on
 * with the clock then queries only its newest buckets.
 */
export function cachedRun(
  run: RunScan,
  cache: ResultCache,
  { tenant, nowMs, ingestDelayMs, isWhole }: Closing,
): RunScan {
  return async (scan, range) => {
    const scanName = nameOf(tenant, scan);
    const cells = cellsOf(scan, range);
    const key = (cell: TimeRange) => ({
      database: scan.table.database,
      scan: scanName,
      range: cell,
    });
    const closed = (cell: TimeRange): boolean => cell.toMs <= nowMs - ingestDelayMs;
    const known = cells.map((cell) => (closed(cell) ? cache.get(key(cell), nowMs) : undefined));
    const first = known.indexOf(undefined);
    const last = known.lastIndexOf(undefined);
    const missing = first === -1 ? [] : cells.slice(first, last + 1);
    const [firstMissing] = missing;
    const lastMissing = missing.at(-1);
    if (!firstMissing || !lastMissing) {
      return joined(known);
    }
    const { mark } = cache;
    // Sort once here, so that repeated queries need not sort again.
    const fresh = (await run(scan, { fromMs: firstMissing.fromMs, toMs: lastMissing.toMs })).sort(
      byBucketAndGroup,
    );
    const parts = scan.bucketMs === undefined ? [fresh] : divided(fresh, missing);
    missing.forEach((cell, index) => {
      if (closed(cell) && isWhole()) {
        cache.set(key(cell), parts[index] ?? [], nowMs, mark);
      }
    });
    return joined([...known.slice(0, first), fresh, ...known.slice(last + 1)]);
  };
}

/**
 * A hash of everything that does not depend on the time. It leaves out the order of the series,
 * which belongs to the caller.
 */
function nameOf(tenant: string, scan: Scan): string {
  const { measures, ...rest } = scan.kind === 'rows' ? { ...scan, rollup: undefined } : scan;
  return createHash('sha256')
    .update(
      JSON.stringify([
        tenant,
        rest,
        measures.map(({ aggregate, condition }) => [aggregate, condition]),
      ]),
    )
    .digest('base64');
}

/**
 * Splits the range into cells of one bucket, or of 2, 4, 8, … if there are many. Sums and
 * distributions stay whole, because increases depend on the point before the range. So do scans without buckets.
 */
function cellsOf({ kind, bucketMs }: Scan, range: TimeRange): TimeRange[] {
  if ((kind !== 'rows' && kind !== 'gauge') || bucketMs === undefined) {
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

/** Makes a new list, so that callers cannot change cached rows. */
const joined = (parts: (ScanRow[] | undefined)[]): ScanRow[] => parts.flatMap((rows) => rows ?? []);

/** Divides sorted rows by cell. The first bucket may start before the first cell. */
function divided(rows: ScanRow[], cells: TimeRange[]): ScanRow[][] {
  let next = 0;
  return cells.map(({ toMs }) => {
    const part: ScanRow[] = [];
    for (let row = rows[next]; row && row.bucketMs < toMs; row = rows[++next]) {
      part.push(row);
    }
    return part;
  });
}
