import type { DataPoint } from '../../../contract/query/chart.ts';
import type { Plan, Scan } from '../plan/plan.ts';

/**
 * Result of a scan in one bucket and group. `values` has one entry per measure; null if there is no
 * value.
 */
export interface ScanRow {
  bucketMs: number;
  group: string[];
  values: (number | null)[];
}

/** The same over all series of a plan. */
export interface SeriesRow {
  bucketMs: number;
  group: string[];
  /** By index of the series in the request; null: no value. */
  values: (number | null)[];
}

/**
 * Merges the results of all scans, ascending by bucket, then group. `results[n]` belongs to
 * `plan.scans[n]`.
 */
export function seriesRows(plan: Plan, results: readonly (readonly ScanRow[])[]): SeriesRow[] {
  const [scan, ...others] = plan.scans;
  const rows =
    scan && others.length === 0
      ? placed(scan, plan.seriesCount, results[0] ?? [])
      : merged(plan, results);
  const present = rows.filter(hasValue);
  return isOrdered(present) ? present : present.sort(byBucketAndGroup);
}

function hasValue({ values }: SeriesRow): boolean {
  for (const value of values) {
    if (value !== null) {
      return true;
    }
  }
  return false;
}

/** One scan has one row for each bucket and group already. */
function placed(
  { measures }: Scan,
  seriesCount: number,
  rows: readonly ScanRow[],
): readonly SeriesRow[] {
  if (measures.every(({ series }, index) => series === index) && measures.length === seriesCount) {
    return rows;
  }
  return rows.map(({ bucketMs, group, values }) => {
    const row: SeriesRow = {
      bucketMs,
      group,
      values: Array.from<null>({ length: seriesCount }).fill(null),
    };
    measures.forEach(({ series }, measure) => {
      row.values[series] = values[measure] ?? null;
    });
    return row;
  });
}

function merged(plan: Plan, results: readonly (readonly ScanRow[])[]): SeriesRow[] {
  const rows = new Map<string, SeriesRow>();
  plan.scans.forEach((scan, index) => {
    for (const { bucketMs, group, values } of results[index] ?? []) {
      const key = `${bucketMs}\0${JSON.stringify(group)}`;
      let row = rows.get(key);
      if (!row) {
        rows.set(
          key,
          (row = {
            bucketMs,
            group,
            values: Array.from<null>({ length: plan.seriesCount }).fill(null),
          }),
        );
      }
      scan.measures.forEach(({ series }, measure) => {
        row.values[series] = values[measure] ?? null;
      });
    }
  });
  return [...rows.values()];
}

/**
 * Cached results are in order already. Sorting them again would cost more than the rest of a
 * repeated query.
 */
function isOrdered(rows: readonly SeriesRow[]): boolean {
  let [previous] = rows;
  for (const row of rows) {
    if (previous && byBucketAndGroup(previous, row) > 0) {
      return false;
    }
    previous = row;
  }
  return true;
}

export function byBucketAndGroup(
  left: Pick<SeriesRow, 'bucketMs' | 'group'>,
  right: Pick<SeriesRow, 'bucketMs' | 'group'>,
): number {
  if (left.bucketMs !== right.bucketMs) {
    return left.bucketMs - right.bucketMs;
  }
  for (let index = 0; index < left.group.length; index++) {
    const [leftText = '', rightText = ''] = [left.group[index], right.group[index]];
    if (leftText !== rightText) {
      return leftText < rightText ? -1 : 1;
    }
  }
  return 0;
}

/** Converts rows to data points of the chart API. */
export function dataPoints(plan: Plan, rows: readonly SeriesRow[]): DataPoint[] {
  // The count of no rows is 0: no errors among ten requests is a ratio of 0. Other aggregates of no
  // rows have no value.
  const counted = plan.scans.some(({ measures }) =>
    measures.some(({ series, aggregate }) => series === 0 && aggregate.fn === 'count'),
  );
  const firstOfNothing = counted ? 0 : null;
  const names = Array.from(
    { length: plan.seriesCount },
    (_, index): `series_${number}.data` => `series_${index}.data`,
  );
  return rows.map(({ bucketMs, group, values }): DataPoint => {
    const point: DataPoint = { ts_bucket: bucketMs };
    if (plan.grouped) {
      point.group = group;
    }
    if (plan.ratio) {
      point['series_0.data'] = quotient(values[0] ?? firstOfNothing, values[1] ?? null);
    } else {
      for (let index = 0; index < values.length; index++) {
        const value = values[index];
        const name = names[index];
        if (value !== null && value !== undefined && name !== undefined) {
          point[name] = value;
        }
      }
    }
    return point;
  });
}

/** Null if one of the numbers is missing or the second is 0. */
export function quotient(first: number | null, second: number | null): number | null {
  if (first === null || second === null || second === 0) {
    return null;
  }
  const value = first / second;
  return Number.isFinite(value) ? value : null;
}
