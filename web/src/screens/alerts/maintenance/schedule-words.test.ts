import { describe, expect, it } from 'vitest';
import type { MaintenanceWindow } from '../../../api/queries/maintenance.ts';
import { bySchedule, cronWords, sectionOf, spanWords } from './schedule-words.ts';

describe('words of a schedule', () => {
  it.each([
    ['0 2 * * *', 'Every day at 02:00'],
    ['30 22 * * SUN', 'Every Sunday at 22:30'],
    ['5 4 * * 7', 'Every Sunday at 04:05'],
    ['0 9 * * 1-5', 'Every Monday to Friday at 09:00'],
    ['0 9 * * sat,sun', 'Every Saturday and Sunday at 09:00'],
    ['0 3 1 * *', 'On day 1 of each month at 03:00'],
    ['*/5 * * * *', '*/5 * * * *'],
    ['0 3 1 6 *', '0 3 1 6 *'],
    ['0 3 1 * SUN', '0 3 1 * SUN'],
    ['0 3 * * FUNDAY', '0 3 * * FUNDAY'],
    ['0 0 3 * * *', '0 0 3 * * *'],
  ])('%s is %s', (expression, words) => expect(cronWords(expression)).toBe(words));

  it('names the second day if it is another', () => {
    const from = Date.UTC(2031, 10, 23, 22);
    expect(spanWords(from, from + 5_400_000, 'UTC')).toBe('Nov 23 2031 22:00 – 23:30');
    expect(spanWords(from, from + 10_800_000, 'UTC')).toBe('Nov 23 2031 22:00 – Nov 24 2031 01:00');
  });
});

describe('list of windows', () => {
  const window = (from: string, to: string, change: Partial<MaintenanceWindow> = {}) =>
    ({
      active: false,
      schedule: { type: 'once', from, to },
      ...change,
    }) as MaintenanceWindow;

  it('has what is now, coming, recurring and past', () => {
    const occurrence = { from: '2031-01-02T00:00:00Z', to: '2031-01-02T01:00:00Z' };
    const { from, to } = occurrence;
    expect(sectionOf(window(from, to, { active: true, occurrence }))).toBe('now');
    expect(sectionOf(window(from, to, { occurrence }))).toBe('coming');
    expect(sectionOf(window(from, to))).toBe('past');
    const schedule = { type: 'cron', expression: '0 2 * * *', timeZone: 'UTC', duration: '2h' };
    expect(sectionOf(window(from, to, { schedule, occurrence } as never))).toBe('recurring');
  });

  it('begins with the next, and with the last of those that are over', () => {
    const at = (day: number) => [`2031-01-0${day}T00:00:00Z`, `2031-01-0${day}T01:00:00Z`] as const;
    const past = [window(...at(1)), window(...at(3)), window(...at(2))];
    expect(past.toSorted(bySchedule)).toEqual([past[1], past[2], past[0]]);
    const coming = past.map((one) =>
      window(...at(4), { occurrence: one.schedule as { from: string; to: string } }),
    );
    expect(coming.toSorted(bySchedule)).toEqual([coming[0], coming[2], coming[1]]);
  });
});
