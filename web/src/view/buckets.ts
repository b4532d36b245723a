import type { Span } from './time-range.ts';

/** Lengths of time buckets that the API knows, shortest first. */
export const granularities = [
  ['30s', 30_000],
  ['1m', 60_000],
  ['5m', 300_000],
  ['10m', 600_000],
  ['15m', 900_000],
  ['30m', 1_800_000],
  ['1h', 3_600_000],
  ['2h', 7_200_000],
  ['6h', 21_600_000],
  ['12h', 43_200_000],
  ['1d', 86_400_000],
  ['2d', 172_800_000],
  ['7d', 604_800_000],
  ['30d', 2_592_000_000],
] as const;

export type BucketName = (typeof granularities)[number][0];

export interface Bucket {
  name: BucketName;
  ms: number;
}

/** The shortest buckets of which a range has at most so many. */
export function bucketFor({ startMs, endMs }: Span, bucketsMax: number): Bucket {
  const fitting = granularities.find(([, ms]) => (endMs - startMs) / ms <= bucketsMax);
  const [name, ms] = fitting ?? granularities[granularities.length - 1]!;
  return { name, ms };
}

/** Starts of the buckets that a range touches; buckets are aligned to the Unix epoch. */
export function bucketStarts({ startMs, endMs }: Span, bucketMs: number): number[] {
  const first = Math.floor(startMs / bucketMs) * bucketMs;
  const count = Math.ceil((endMs - first) / bucketMs);
  return Array.from({ length: Math.max(0, count) }, (_, index) => first + index * bucketMs);
}
