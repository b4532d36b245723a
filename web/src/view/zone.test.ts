import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAgo, formatTime, momentIn, offsetMs, partsIn, zoneLabel } from './zone.ts';

const zones = ['UTC', 'America/St_Johns', 'Asia/Kathmandu', 'Europe/Berlin'];

describe('zone', () => {
  it('finds the moment of the fields that a clock shows, but for the repeated hour', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }),
        fc.constantFrom(...zones),
        (someMs, zone) => {
          const ms = Math.floor(someMs / 1000) * 1000;
          const found = momentIn(partsIn(ms, zone), zone);
          expect(partsIn(found, zone)).toEqual(partsIn(ms, zone));
          expect([0, 3_600_000]).toContain(ms - found);
        },
      ),
    );
  });

  it('takes a time that the clocks skip as the moment after the gap', () => {
    const skipped = { year: 2026, month: 3, day: 29, hour: 2, minute: 30, second: 0 };
    expect(momentIn(skipped, 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 29, 1, 30));
  });

  it('names zones by their distance', () => {
    const ms = Date.UTC(2026, 0, 1);
    expect(zones.map((zone) => zoneLabel(zone, ms))).toEqual([
      'UTC',
      'UTC−3:30',
      'UTC+5:45',
      'UTC+1',
    ]);
    expect(offsetMs(ms, 'Asia/Kathmandu')).toBe(5.75 * 3_600_000);
  });

  it('writes 24 hours, and the year only of other years', () => {
    const ms = Date.UTC(2019, 10, 22, 23, 5, 1, 7);
    expect(formatTime(ms, 'UTC')).toBe('Nov 22 2019 23:05:01.007');
    expect(formatAgo(ms, ms + 90_000)).toBe('1 min ago');
  });
});
