import type { Schemas } from '../../api/client.ts';
import type { Span } from '../../view/time-range.ts';

type Granularity = Exclude<Schemas['Granularity'], 'auto'>;

const granularities: readonly [name: Granularity, ms: number][] = [
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
];
const bucketsMax = 120;

/** The shortest buckets that are not too many for a histogram of the range. */
export function bucketOf({ startMs, endMs }: Span): { name: Granularity; ms: number } {
  const fitting = granularities.find(([, ms]) => (endMs - startMs) / ms <= bucketsMax);
  const [name, ms] = fitting ?? ['30d', 2_592_000_000];
  return { name, ms };
}
