import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { occurrenceAfter, scheduleProblem } from './occurrence.ts';

const cron = (expression: string, duration = '1h', timeZone = 'Europe/Berlin') => ({
  type: 'cron' as const,
  expression,
  timeZone,
  duration,
});

function occurrences(schedule: ReturnType<typeof cron>, from: string, count: number): string[] {
  const found: string[] = [];
  let timeMs = Date.parse(from);
  for (let index = 0; index < count; index++) {
    const next = occurrenceAfter(schedule, timeMs)!;
    const [begin, end] = [next.fromMs, next.toMs].map((ms) =>
      new Date(ms).toISOString().slice(5, 16),
    );
    found.push(`${begin} ${end}`);
    timeMs = next.toMs;
  }
  return found;
}

describe('occurrences of a schedule', () => {
  it('once: until its end', () => {
    const once = {
      type: 'once' as const,
      from: '2026-03-14T12:00:00+01:00',
      to: '2026-03-14T12:00:00Z',
    };
    const range = { fromMs: Date.parse('2026-03-14T11:00:00Z'), toMs: Date.parse(once.to) };
    expect(occurrenceAfter(once, 0)).toEqual(range);
    expect(occurrenceAfter(once, range.toMs - 1)).toEqual(range);
    expect(occurrenceAfter(once, range.toMs)).toBeUndefined();
  });

  it('stay at their local time when the clock changes', () => {
    expect(occurrences(cron('0 12 * * *'), '2026-03-28T00:00:00Z', 2)).toEqual([
      '03-28T11:00 03-28T12:00',
      '03-29T10:00 03-29T11:00',
    ]);
  });

  it('begin at the change if it skips their local time, and last as long as always', () => {
    expect(occurrences(cron('30 2 * * *'), '2026-03-28T00:00:00Z', 3)).toEqual([
      '03-28T01:30 03-28T02:30',
      '03-29T01:00 03-29T02:00',
      '03-30T00:30 03-30T01:30',
    ]);
  });

  it('begin once if the change repeats their local time', () => {
    expect(occurrences(cron('30 2 * * *', '3h'), '2026-10-24T12:00:00Z', 2)).toEqual([
      '10-25T00:30 10-25T03:30',
      '10-26T01:30 10-26T04:30',
    ]);
  });

  it('cover every moment from their begin, and none after their end', () => {
    const schedule = cron('15 3 * * 1-5', '90m', 'America/New_York');
    fc.assert(
      fc.property(
        fc.integer({ min: Date.parse('2026-01-01Z'), max: Date.parse('2028-01-01Z') }),
        (timeMs) => {
          const { fromMs, toMs } = occurrenceAfter(schedule, timeMs)!;
          expect(toMs - fromMs).toBe(90 * 60_000);
          expect(toMs).toBeGreaterThan(timeMs);
          expect(occurrenceAfter(schedule, fromMs)).toEqual({ fromMs, toMs });
          expect(occurrenceAfter(schedule, toMs - 1)).toEqual({ fromMs, toMs });
          expect(occurrenceAfter(schedule, toMs)!.fromMs).toBeGreaterThan(fromMs);
        },
      ),
    );
  });

  it('that overlap cover every moment', () => {
    const daily = cron('0 0 * * *', '2d', 'UTC');
    for (let hour = 0; hour < 96; hour++) {
      const timeMs = Date.parse('2026-03-27T00:00:00Z') + hour * 3_600_000;
      expect(occurrenceAfter(daily, timeMs)!.fromMs).toBeLessThanOrEqual(timeMs);
    }
  });
});

describe('a cron expression', () => {
  it.each(['0 2 * * SUN', '*/15 8-17 * * 1-5', '0 0 1 JAN *'])('%s is taken', (expression) => {
    expect(scheduleProblem(cron(expression), 0)).toBeUndefined();
  });

  it.each([
    ['61 * * * *', /five fields/],
    ['0 0 * * * *', /five fields/],
    ['every day at 5', /five fields/],
    ['0 0 30 2 *', /never occurs/],
  ])('%s is refused', (expression, message) => {
    expect(scheduleProblem(cron(expression), 0)).toEqual({
      path: 'expression',
      message: expect.stringMatching(message) as string,
    });
  });
});
