const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after a failure the next attempt comes; the first attempt comes at once. */
export const retryDelaysMs = [
  0,
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  hour,
  6 * hour,
  24 * hour,
] as const;
export const attemptsMax = retryDelaysMs.length;

/** A receiver's own Retry-After counts only where it asks for more than the schedule, and no more than a day. */
const retryAfterMaxMs = 24 * hour;

/**
 * The wait after failed attempt number `attempts` (1 is the first), or undefined when it was the last. `random` is from 0 to 1: the wait is
 * lengthened by up to a fifth, so that receivers that were down are not met by everybody at once.
 */
export function retryDelayMs(
  attempts: number,
  random: number,
  retryAfterMs?: number,
): number | undefined {
  const planned = retryDelaysMs[attempts];
  if (planned === undefined) {
    return undefined;
  }
  return Math.max(
    Math.round(planned * (1 + random / 5)),
    Math.min(retryAfterMs ?? 0, retryAfterMaxMs),
  );
}

/** No wait is longer: a stored time farther away than this was written by a clock that has since been set back. */
export const longestWaitMs = retryAfterMaxMs + 5 * hour;

/** Milliseconds of a Retry-After header: whole seconds or an HTTP date. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) {
    return undefined;
  }
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) {
    return Number(text) * second;
  }
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) || !/[a-z]/i.test(text) ? undefined : Math.max(0, dateMs - nowMs);
}
