import { describe, expect, it } from 'vitest';
import { parseFuture, tomorrowAtNine } from './future.ts';

const berlin = 'Europe/Berlin';
/** A Sunday, 13:00 in Berlin. */
const now = Date.UTC(2026, 10, 22, 12);

const read = (text: string, after?: number): string | undefined => {
  const ms = parseFuture(text, berlin, now, after);
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16);
};

describe('parseFuture', () => {
  it.each([
    ['4h', '2026-11-22T16:00'],
    ['in 90 min', '2026-11-22T13:30'],
    ['in 2 days', '2026-11-24T12:00'],
    ['18:00', '2026-11-22T17:00'],
    ['9:00', '2026-11-23T08:00'],
    ['today 23:30', '2026-11-22T22:30'],
    ['Tomorrow  9:00', '2026-11-23T08:00'],
    ['tomorrow', '2026-11-22T23:00'],
    ['mon 9:00', '2026-11-23T08:00'],
    ['sunday 9:00', '2026-11-29T08:00'],
    ['Nov 24 10:00', '2026-11-24T09:00'],
    ['2026-12-24 18:00', '2026-12-24T17:00'],
    ['Jan 3 10:00', '2027-01-03T09:00'],
    ['Nov 20 10:00', '2026-11-20T09:00'],
    ['now', '2026-11-22T12:00'],
  ])('%s is %s', (text, iso) => expect(read(text)).toBe(iso));

  it.each(['', 'soon', '25:00', 'tomorrow 9:99', 'tomorrow 24:30', 'xyz 9:00', 'Feb 31 10:00'])(
    'does not understand “%s”',
    (text) => expect(read(text)).toBeUndefined(),
  );

  it('takes a time without a day after another moment', () => {
    const evening = Date.UTC(2026, 10, 25, 21);
    expect(read('23:30', evening)).toBe('2026-11-25T22:30');
    expect(read('02:00', evening)).toBe('2026-11-26T01:00');
  });

  it('knows the days on which clocks change', () => {
    const before = Date.UTC(2027, 2, 27, 12);
    expect(parseFuture('tomorrow 2:30', berlin, before)).toBe(Date.UTC(2027, 2, 28, 1, 30));
    expect(tomorrowAtNine(berlin, before)).toBe(Date.UTC(2027, 2, 28, 7));
    expect(tomorrowAtNine('Asia/Kathmandu', now)).toBe(Date.UTC(2026, 10, 23, 3, 15));
  });
});
