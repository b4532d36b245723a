/** An exponential histogram of these observations, by the definition of its buckets. */
export function exponential(observations: readonly number[], scale: number) {
  const side = (sign: number) => {
    const indexes = observations
      .filter((value) => value * sign > 0)
      .map((value) => Math.ceil(Math.log2(value * sign) * 2 ** scale) - 1);
    const offset = indexes.length === 0 ? 0 : Math.min(...indexes);
    const length = indexes.length === 0 ? 0 : Math.max(...indexes) - offset + 1;
    const counts = Array.from({ length }, () => 0);
    for (const index of indexes) {
      counts[index - offset]!++;
    }
    return { offset, counts };
  };
  const [positive, negative] = [side(1), side(-1)];
  return {
    Count: observations.length,
    Sum: observations.reduce((sum, value) => sum + value, 0),
    Scale: scale,
    ZeroCount: observations.filter((value) => value === 0).length,
    PositiveOffset: positive.offset,
    PositiveBucketCounts: positive.counts,
    NegativeOffset: negative.offset,
    NegativeBucketCounts: negative.counts,
    Min: Math.min(...observations),
    Max: Math.max(...observations),
  };
}

/** The quantile of observations that are known by their buckets only. */
export function quantile(observations: readonly number[], scale: number, level: number): number {
  const width = 2 ** -scale;
  const buckets = new Map<number, { low: number; high: number; count: number }>();
  for (const value of observations) {
    const index = Math.ceil(Math.log2(value) / width) - 1;
    const bucket = buckets.get(index) ?? {
      low: 2 ** (index * width),
      high: 2 ** ((index + 1) * width),
      count: 0,
    };
    bucket.count++;
    buckets.set(index, bucket);
  }
  let rank = level * observations.length;
  const ordered = [...buckets].sort(([a], [b]) => a - b).map(([, bucket]) => bucket);
  for (const { low, high, count } of ordered) {
    if (rank <= count) {
      return low + ((high - low) * rank) / count;
    }
    rank -= count;
  }
  return ordered.at(-1)!.high;
}
