const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const incidentEveryMs = 6 * minuteMs;
const incidentLengthMs = 1.5 * minuteMs;

/**
 * Whether payment is in trouble at that time: 90 seconds in every six minutes. Goes by the clock
 * alone, so that the past has had its incidents too.
 */
export function isIncident(timeMs: number): boolean {
  return timeMs % incidentEveryMs < incidentLengthMs;
}

/** Visits a second: a wave over the day, highest at 18:00 UTC, with a slow ripple on it. */
export function visitsPerSecond(timeMs: number): number {
  const day = Math.cos(((timeMs % dayMs) / dayMs - 0.75) * 2 * Math.PI);
  const ripple = Math.sin((timeMs / (13 * minuteMs)) * 2 * Math.PI);
  return 2 * (1 + 0.4 * day + 0.15 * ripple);
}
