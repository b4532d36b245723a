const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Wait before each attempt; the first attempt is immediate. */
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

/** A Retry-After counts only if it is longer than the schedule's wait, and up to a day. */
const retryAfterMaxMs = 24 * hour;

/**
 * The wait after failed attempt number `attempts` (1 is the first); undefined after the last.
 *
 * @param random from 0 to 1; lengthens the wait by up to a fifth, so that a receiver that was down
 *   does not get all retries at once.
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

/** Upper bound of every wait. A stored time beyond it was written before the clock was set back. */
export const longestWaitMs = retryAfterMaxMs + 5 * hour;

/** The milliseconds of a Retry-After header, which is whole seconds or an HTTP date. */
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
