const unitsMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `5m`, `1h` or `1d`. */
export const lengthOfInterval = (interval: string): number =>
  Number.parseInt(interval, 10) * (unitsMs[interval.at(-1) ?? ''] ?? 60_000);
