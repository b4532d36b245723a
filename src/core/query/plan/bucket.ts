import { granularitiesMs, type Granularity } from '../../../contract/query/chart.ts';

/** `[fromMs, toMs)`, milliseconds since the epoch. */
export interface TimeRange {
  fromMs: number;
  toMs: number;
}

const autoBuckets = 60;

/** The size of a bucket; `auto` is the smallest listed one that cuts the range into at most 60. */
export function bucketMs(granularity: Granularity, range: TimeRange): number {
  if (granularity !== 'auto') {
    return granularitiesMs[granularity];
  }
  const sizes = Object.values(granularitiesMs);
  return sizes.find((size) => bucketCount(size, range) <= autoBuckets) ?? Math.max(...sizes);
}

/** Buckets are epoch multiples, so a range that begins inside one touches it. */
export function bucketCount(sizeMs: number, { fromMs, toMs }: TimeRange): number {
  return Math.floor((toMs - 1) / sizeMs) - Math.floor(fromMs / sizeMs) + 1;
}
