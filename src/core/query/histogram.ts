/** Observations counted by upper bounds: `counts[i]` lie in `(bounds[i-1], bounds[i]]`, the last beyond all bounds. */
export interface Histogram {
  bounds: number[];
  counts: number[];
}

/**
 * The value below which `level` (0..1) of the observations of all histograms lie, linear within a bucket. The first bucket
 * begins at 0 when its bound is positive; beyond the last bound there is nothing to go by, so the answer is that bound.
 * Null without observations or bounds. Histograms with different bounds are added up as the curves they describe.
 */
export function histogramQuantile(histograms: readonly Histogram[], level: number): number | null {
  const curves = histograms.map(curve).filter(({ total }) => total > 0);
  const total = curves.reduce((sum, one) => sum + one.total, 0);
  const places = [...new Set(curves.flatMap(({ at }) => at))].sort((a, b) => a - b);
  if (total === 0 || places.length === 0) {
    return null;
  }
  const rank = level * total;
  let before = {
    place: places[0]!,
    below: curves.reduce((sum, one) => sum + below(one, places[0]!), 0),
  };
  if (before.below >= rank && before.below > 0) {
    return before.place;
  }
  for (const place of places.slice(1)) {
    const here = curves.reduce((sum, one) => sum + below(one, place), 0);
    if (here >= rank && here > before.below) {
      return (
        before.place + (place - before.place) * ((rank - before.below) / (here - before.below))
      );
    }
    before = { place, below: here };
  }
  return places.at(-1)!;
}

/** How many observations lie at or below each place; straight lines between. */
interface Curve {
  at: number[];
  below: number[];
  total: number;
}

function curve({ bounds, counts }: Histogram): Curve {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const first = bounds[0];
  if (first === undefined) {
    return { at: [], below: [], total: 0 };
  }
  const at = first > 0 ? [0, ...bounds] : [...bounds];
  const cumulative: number[] = first > 0 ? [0] : [];
  let sum = 0;
  for (let index = 0; index < bounds.length; index++) {
    cumulative.push((sum += counts[index] ?? 0));
  }
  return { at, below: cumulative, total };
}

function below({ at, below: counts }: Curve, place: number): number {
  if (place < at[0]!) {
    return 0;
  }
  const next = at.findIndex((bound) => bound > place);
  if (next === -1) {
    return counts.at(-1)!;
  }
  const low = at[next - 1]!;
  return (
    counts[next - 1]! + (counts[next]! - counts[next - 1]!) * ((place - low) / (at[next]! - low))
  );
}
