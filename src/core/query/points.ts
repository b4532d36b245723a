import type { DataPoint } from '../../contract/chart.ts';
import type { Plan, Scan } from './plan.ts';

/** What a scan found in one bucket and group; `values` has one entry per reading, null where there is no value. */
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

/** Results of all scans side by side, ascending by bucket, then group. `found[n]` belongs to `plan.scans[n]`. */
export function seriesRows(plan: Plan, found: readonly (readonly ScanRow[])[]): SeriesRow[] {
  const [scan, ...others] = plan.scans;
  const rows =
    scan && others.length === 0 ? placed(scan, plan.seriesCount, found[0]!) : merged(plan, found);
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
  { readings }: Scan,
  seriesCount: number,
  rows: readonly ScanRow[],
): readonly SeriesRow[] {
  if (readings.every(({ series }, index) => series === index) && readings.length === seriesCount) {
    return rows;
  }
  return rows.map(({ bucketMs, group, values }) => {
    const row: SeriesRow = {
      bucketMs,
      group,
      values: Array.from<null>({ length: seriesCount }).fill(null),
    };
    readings.forEach(({ series }, reading) => {
      row.values[series] = values[reading] ?? null;
    });
    return row;
  });
}

function merged(plan: Plan, found: readonly (readonly ScanRow[])[]): SeriesRow[] {
  const rows = new Map<string, SeriesRow>();
  plan.scans.forEach((scan, index) => {
    for (const { bucketMs, group, values } of found[index]!) {
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
      scan.readings.forEach(({ series }, reading) => {
        row.values[series] = values[reading] ?? null;
      });
    }
  });
  return [...rows.values()];
}

/** Results that were kept are in order already; sorting them would cost more than all else of a repeat. */
function isOrdered(rows: readonly SeriesRow[]): boolean {
  for (let index = 1; index < rows.length; index++) {
    if (byBucketAndGroup(rows[index - 1]!, rows[index]!) > 0) {
      return false;
    }
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
    if (left.group[index]! !== right.group[index]!) {
      return left.group[index]! < right.group[index]! ? -1 : 1;
    }
  }
  return 0;
}

/** Rows as the chart API answers them. */
export function dataPoints(plan: Plan, rows: readonly SeriesRow[]): DataPoint[] {
  // No rows are counted as none: no errors among ten requests is a ratio of 0. Other aggregates of nothing have no value.
  const counted = plan.scans.some(({ readings }) =>
    readings.some(({ series, aggregate }) => series === 0 && aggregate.fn === 'count'),
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
        if (value !== null && value !== undefined) {
          point[names[index]!] = value;
        }
      }
    }
    return point;
  });
}

/** Null where it cannot be told: the second is 0 or missing, or there is no first. */
export function quotient(first: number | null, second: number | null): number | null {
  if (first === null || second === null || second === 0) {
    return null;
  }
  const value = first / second;
  return Number.isFinite(value) ? value : null;
}
