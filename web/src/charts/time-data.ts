/** A line or a part of bars. */
export interface TimeSeries {
  name: string;
  /** CSS colour, such as `var(--series-1)`. */
  color: string;
  isDashed: boolean;
  /** One value for each time; null: there is none. */
  values: readonly (number | null)[];
}

/** What a chart over time shows. */
export interface TimeData {
  /** Starts of the buckets, in milliseconds, at equal distances. */
  timesMs: readonly number[];
  bucketMs: number;
  series: readonly TimeSeries[];
}

/** Sums of the series below and of each series, for stacked bars. */
export function stacked(series: readonly TimeSeries[]): (number | null)[][] {
  let below: number[] = [];
  return series.map(({ values }) => {
    const sums = values.map((value, index) => (below[index] ?? 0) + (value ?? 0));
    below = sums;
    return sums;
  });
}

/** Index of the bucket of a time, or undefined if it is outside. */
export function bucketAt({ timesMs, bucketMs }: TimeData, ms: number): number | undefined {
  const first = timesMs[0];
  if (first === undefined) {
    return undefined;
  }
  const index = Math.floor((ms - first) / bucketMs);
  return index >= 0 && index < timesMs.length ? index : undefined;
}

/** Least, greatest, mean and last value of a series. */
export interface SeriesNumbers {
  min: number;
  max: number;
  mean: number;
  last: number;
}

export function numbersOf(values: readonly (number | null)[]): SeriesNumbers | undefined {
  const known = values.filter((value) => value !== null);
  const last = known.at(-1);
  if (last === undefined) {
    return undefined;
  }
  let [min, max, sum] = [Infinity, -Infinity, 0];
  for (const value of known) {
    min = Math.min(min, value);
    max = Math.max(max, value);
    sum += value;
  }
  return { min, max, mean: sum / known.length, last };
}
