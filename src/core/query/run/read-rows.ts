import type { Value } from '../../../ports/telemetry.ts';
import type { TimeRange } from '../plan/bucket.ts';
import { firstBucketMs } from '../emit/emit-time.ts';
import { histogramQuantile, type Histogram } from './histogram.ts';
import type { Scan } from '../plan/plan.ts';
import type { ScanRow } from './points.ts';

/** Rows of the engine, `bucket, groups, values`, as scan rows. */
export function readRows(scan: Scan, range: TimeRange, rows: readonly Value[][]): ScanRow[] {
  return rows.map((row) => {
    const { bucketMs, group, rest } = key(scan, range, row);
    return {
      bucketMs,
      group,
      values: scan.measures.map(({ aggregate }, index) => readValue(rest[index], aggregate.fn)),
    };
  });
}

/**
 * Rows of the engine, `bucket, groups, bounds, counts, count, points, known points`: several with
 * different bounds may make one scan row. No observations among known points are a count of 0.
 */
export function readHistograms(scan: Scan, range: TimeRange, rows: readonly Value[][]): ScanRow[] {
  const entries = new Map<
    string,
    {
      bucketMs: number;
      group: string[];
      histograms: Histogram[];
      count: number;
      points: number;
      known: number;
    }
  >();
  for (const row of rows) {
    const { bucketMs, group, rest } = key(scan, range, row);
    const name = `${bucketMs}\0${JSON.stringify(group)}`;
    let entry = entries.get(name);
    if (!entry) {
      entries.set(
        name,
        (entry = { bucketMs, group, histograms: [], count: 0, points: 0, known: 0 }),
      );
    }
    entry.histograms.push({ bounds: numbers(rest[0]), counts: numbers(rest[1]) });
    entry.count += Number(rest[2]);
    entry.points += Number(rest[3]);
    entry.known += Number(rest[4]);
  }
  return [...entries.values()].map(({ bucketMs, group, histograms, count, points, known }) => ({
    bucketMs,
    group,
    values: scan.measures.map(({ aggregate: { fn, level } }) => {
      switch (fn) {
        case 'rows':
          return points;
        case 'count':
          return known > 0 ? count : null;
        default:
          return histogramQuantile(histograms, level);
      }
    }),
  }));
}

export function key(
  { bucketMs, groups }: Scan,
  range: TimeRange,
  row: readonly Value[],
): { bucketMs: number; group: string[]; rest: readonly Value[] } {
  const start =
    bucketMs === undefined
      ? range.fromMs
      : firstBucketMs(bucketMs, range) + Number(row[0]) * bucketMs;
  const groupAt = bucketMs === undefined ? 0 : 1;
  return {
    bucketMs: start,
    group: row.slice(groupAt, groupAt + groups.length).map(String),
    rest: row.slice(groupAt + groups.length),
  };
}

export const numbers = (value: Value | undefined): number[] =>
  Array.isArray(value) ? value.map(Number) : [];

/** Counting nothing is no value: the series has no rows there. */
function readValue(value: Value | undefined, fn: string): number | null {
  if (typeof value !== 'number') {
    return null;
  }
  return value === 0 && ['rows', 'count', 'count_distinct'].includes(fn) ? null : value;
}
