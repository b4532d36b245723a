import { describe, expect, it } from 'vitest';
import { attemptsMax, longestWaitMs, parseRetryAfter, retryDelayMs } from './retry-schedule.ts';

describe('retry schedule', () => {
  it('is 5 s, 30 s, 2 m, 10 m, 1 h, 6 h, 24 h after a first attempt at once, then it ends', () => {
    const waits = Array.from({ length: attemptsMax }, (_, index) => retryDelayMs(index + 1, 0));
    expect(waits).toEqual([
      5_000,
      30_000,
      120_000,
      600_000,
      3_600_000,
      21_600_000,
      86_400_000,
      undefined,
    ]);
  });

  it('jitter lengthens a wait by at most a fifth, and never shortens it', () => {
    expect(retryDelayMs(1, 0.999)).toBe(5_999);
    expect(retryDelayMs(7, 1)!).toBeLessThan(longestWaitMs);
  });

  it('Retry-After lengthens a wait, up to a day, and never shortens it', () => {
    expect(retryDelayMs(1, 0, 60_000)).toBe(60_000);
    expect(retryDelayMs(3, 0, 1_000)).toBe(120_000);
    expect(retryDelayMs(1, 0, 365 * 86_400_000)).toBe(86_400_000);
  });

  it.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Sat, 14 Mar 2026 12:01:00 GMT', 60_000],
    ['Sat, 14 Mar 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['', undefined],
  ])('reads Retry-After %j', (header, expected) => {
    expect(parseRetryAfter(header, Date.parse('2026-03-14T12:00:00Z'))).toBe(expected);
  });
});
