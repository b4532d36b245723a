/**
 * Observations counted by upper bounds: `counts[i]` is the number in `(bounds[i-1], bounds[i]]`. The
 * last count is above all bounds.
 */
export interface Histogram {
  bounds: number[];
  counts: number[];
}

/**
 * The value below which `level` (0..1) of the observations of all histograms lie, interpolated
 * linearly within a bucket. The first bucket starts at 0 if its bound is positive. Above the last
 * bound the result is that bound. Null without observations or bounds. Histograms with different
 * bounds are added as cumulative curves.
 */
export function histogramQuantile(histograms: readonly Histogram[], level: number): number | null {
  const curves = histograms.map(curve).filter(({ total }) => total > 0);
  const total = curves.reduce((sum, each) => sum + each.total, 0);
  const values = [...new Set(curves.flatMap((each) => each.points.map(({ value }) => value)))].sort(
    (a, b) => a - b,
  );
  const [lowest, ...others] = values;
  if (total === 0 || lowest === undefined) {
    return null;
  }
  const rank = level * total;
  const countBelow = (value: number): number =>
    curves.reduce((sum, each) => sum + below(each, value), 0);
  let previous: Point = { value: lowest, below: countBelow(lowest) };
  if (previous.below >= rank && previous.below > 0) {
    return previous.value;
  }
  for (const value of others) {
    const next: Point = { value, below: countBelow(value) };
    if (next.below >= rank && next.below > previous.below) {
      const share = (rank - previous.below) / (next.below - previous.below);
      return previous.value + (value - previous.value) * share;
    }
    previous = next;
  }
  return previous.value;
}

/** `below` observations are at most `value`. */
interface Point {
  value: number;
  below: number;
}

/** Cumulative counts, with straight lines between the points. */
interface Curve {
  points: Point[];
  total: number;
}

function curve({ bounds, counts }: Histogram): Curve {
  const [first] = bounds;
  if (first === undefined) {
    return { points: [], total: 0 };
  }
  const points: Point[] = first > 0 ? [{ value: 0, below: 0 }] : [];
  let cumulative = 0;
  for (const [index, bound] of bounds.entries()) {
    cumulative += counts[index] ?? 0;
    points.push({ value: bound, below: cumulative });
  }
  return { points, total: counts.reduce((sum, count) => sum + count, 0) };
}

function below({ points }: Curve, value: number): number {
  const next = points.findIndex((point) => point.value > value);
  const low = points.at(next === -1 ? -1 : next - 1);
  const high = points[next];
  if (next === 0 || !low) {
    return 0;
  }
  return high
    ? low.below + (high.below - low.below) * ((value - low.value) / (high.value - low.value))
    : low.below;
}
