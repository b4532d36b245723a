import type { Aggregate } from '../plan/plan.ts';
import { histogramQuantile, type Histogram } from './histogram.ts';

/** The new observations of one chart bucket and group. */
export interface Distribution {
  /** Number of metric points. */
  points: number;
  /** Number of metric points whose new observations are known. */
  known: number;
  count: number;
  /** Undefined: no point of the bucket says it. */
  sum: number | undefined;
  min: number | undefined;
  max: number | undefined;
  histograms: Histogram[];
}

export function distributionValue(
  { points, known, count, sum, min, max, histograms }: Distribution,
  { fn, level }: Pick<Aggregate, 'fn' | 'level'>,
): number | null {
  switch (fn) {
    case 'rows':
      return points;
    case 'count':
      return known > 0 ? count : null;
    case 'sum':
      return sum ?? null;
    case 'avg':
      return count > 0 && sum !== undefined ? sum / count : null;
    case 'min':
      return min ?? null;
    case 'max':
      return max ?? null;
    default:
      return histogramQuantile(histograms, level);
  }
}

/** Counts of an exponential histogram by bucket index, ascending. */
export interface ExponentialBuckets {
  indexes: number[];
  counts: number[];
}

export interface ExponentialHistogram {
  scale: number;
  zeros: number;
  positive: ExponentialBuckets;
  negative: ExponentialBuckets;
}

/** The same observations with explicit bounds. Bucket `i` ends at 2^((i + 1) / 2^scale). */
export function explicitHistogram({
  scale,
  zeros,
  positive,
  negative,
}: ExponentialHistogram): Histogram {
  const bounds: number[] = [];
  const counts: number[] = [];
  const add = (bound: number, count: number): void => {
    bounds.push(bound);
    counts.push(Math.max(0, count));
  };
  const border = (index: number): number => Math.min(2 ** (index / 2 ** scale), Number.MAX_VALUE);
  for (let place = negative.indexes.length - 1; place >= 0; place--) {
    const index = negative.indexes[place]!;
    if (negative.indexes[place + 1] !== index + 1) {
      add(-border(index + 1), 0);
    }
    add(-border(index), negative.counts[place]!);
  }
  if (zeros > 0) {
    if (bounds.length > 0) {
      add(-Number.MIN_VALUE, 0);
    }
    add(0, zeros);
  }
  for (const [place, index] of positive.indexes.entries()) {
    if (positive.indexes[place - 1] !== index - 1) {
      add(border(index), 0);
    }
    add(border(index + 1), positive.counts[place]!);
  }
  return { bounds, counts };
}

/** The borders of the lowest and the highest bucket with observations. */
export function extremesOf({
  bounds,
  counts,
}: Histogram): { min: number; max: number } | undefined {
  const first = counts.findIndex((count) => count > 0);
  const last = counts.findLastIndex((count) => count > 0);
  if (first === -1) {
    return undefined;
  }
  const isZero = bounds[first] === 0;
  return { min: isZero ? 0 : (bounds[first - 1] ?? bounds[first]!), max: bounds[last]! };
}

/**
 * The distribution that a summary describes: `levels[i]` of the observations are at most
 * `values[i]`. Below its lowest level and above its highest, the nearest value stands for all.
 */
export function summaryHistogram(
  weight: number,
  levels: readonly number[],
  values: readonly number[],
): Histogram {
  const pairs = levels
    .map((level, index) => ({ level, value: values[index] ?? Number.NaN }))
    .filter(({ level, value }) => Number.isFinite(level) && Number.isFinite(value))
    .sort((a, b) => a.level - b.level);
  const [first] = pairs;
  if (!first) {
    return { bounds: [], counts: [] };
  }
  // Without this bound, observations below the lowest level would lie between 0 and its value.
  const bounds = [first.value - Math.abs(first.value) * 1e-12];
  const counts = [0];
  let below = 0;
  for (const { level, value } of pairs) {
    bounds.push(Math.max(value, bounds.at(-1)!));
    counts.push((level - below) * weight);
    below = level;
  }
  return { bounds, counts: [...counts, (1 - below) * weight] };
}
