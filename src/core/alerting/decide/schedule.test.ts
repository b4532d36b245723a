import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catchUp, nextDueMs, schedule } from './schedule.ts';

const m = 60_000;
const timeOf = (text: string): number => Date.parse(`2026-03-14T${text}Z`);
const ends = (due: ReturnType<typeof schedule>): string[] =>
  due.windows.map(({ endMs }) => new Date(endMs).toISOString().slice(11, 16));

describe('schedule', () => {
  it('first evaluation: the last complete window only', () => {
    const due = schedule({
      nowMs: timeOf('12:07:30'),
      intervalMs: 5 * m,
      ingestDelayMs: 5000,
      lastEndMs: undefined,
    });
    expect(due).toEqual({ windows: [{ startMs: timeOf('12:00:00'), endMs: timeOf('12:05:00') }] });
  });

  it.each([
    ['12:10:04.999', []],
    ['12:10:05', ['12:10']],
    ['12:14:59', ['12:10']],
    ['12:15:05', ['12:10', '12:15']],
  ])('at %s, behind a delay of 5 s, due are %j', (now, expected) => {
    expect(
      ends(
        schedule({
          nowMs: timeOf(now),
          intervalMs: 5 * m,
          ingestDelayMs: 5000,
          lastEndMs: timeOf('12:05:00'),
        }),
      ),
    ).toEqual(expected);
  });

  it('a window is aligned to the epoch, whatever its length', () => {
    const [window] = schedule({
      nowMs: timeOf('12:07:30'),
      intervalMs: 7 * m,
      ingestDelayMs: 0,
      lastEndMs: undefined,
    }).windows;
    const startMs = window?.startMs ?? Number.NaN;
    expect(startMs % (7 * m)).toBe(0);
    expect(window?.endMs).toBe(startMs + 7 * m);
  });

  it('after a pause every missed window comes, oldest first, up to 50; the skipped ones are counted', () => {
    const due = schedule({
      nowMs: timeOf('12:00:00'),
      intervalMs: m,
      ingestDelayMs: 0,
      lastEndMs: timeOf('10:00:00'),
    });
    expect(due.windows).toHaveLength(50);
    expect(due.windows[0]?.endMs).toBe(timeOf('11:11:00'));
    expect(due.windows.at(-1)?.endMs).toBe(timeOf('12:00:00'));
    expect(due.skipped).toEqual({
      fromMs: timeOf('10:00:00'),
      toMs: timeOf('11:10:00'),
      count: 70,
    });
  });

  it('nothing older than 24 hours is caught up, but always the latest window', () => {
    const hour = 60 * m;
    const day = 24 * hour;
    const now = timeOf('12:00:00');
    expect(
      schedule({ nowMs: now, intervalMs: hour, ingestDelayMs: 0, lastEndMs: now - 3 * day })
        .windows,
    ).toHaveLength(25);
    expect(
      schedule({ nowMs: now, intervalMs: 7 * day, ingestDelayMs: 0, lastEndMs: now - 60 * day })
        .windows,
    ).toHaveLength(1);
  });

  it('latestOnly catches nothing up and records no gap', () => {
    const due = schedule({
      nowMs: timeOf('12:00:00'),
      intervalMs: m,
      ingestDelayMs: 0,
      lastEndMs: timeOf('10:00:00'),
      latestOnly: true,
    });
    expect(due).toEqual({ windows: [{ startMs: timeOf('11:59:00'), endMs: timeOf('12:00:00') }] });
  });

  it('a clock set back to before a recorded window makes exactly the windows due that end after now', () => {
    expect(
      schedule({
        intervalMs: m,
        ingestDelayMs: 5000,
        lastEndMs: timeOf('13:00:00'),
        nowMs: timeOf('12:00:30'),
      }),
    ).toEqual({ windows: [], rewoundToMs: timeOf('12:00:00') });
    expect(
      ends(
        schedule({
          intervalMs: m,
          ingestDelayMs: 5000,
          lastEndMs: timeOf('12:00:00'),
          nowMs: timeOf('12:01:30'),
        }),
      ),
    ).toEqual(['12:01']);
  });

  it('a clock that steps back within the delay makes nothing due twice', () => {
    expect(
      schedule({
        nowMs: timeOf('12:05:01'),
        intervalMs: 5 * m,
        ingestDelayMs: 5000,
        lastEndMs: timeOf('12:05:00'),
      }).windows,
    ).toEqual([]);
  });

  it('schedules aligned, closed, contiguous and bounded windows at any clock time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000_000_000_000, max: 4_000_000_000_000 }),
        fc.constantFrom(m, 5 * m, 7 * m, 60 * m, 1440 * m, 7 * 1440 * m),
        fc.integer({ min: 0, max: 60_000 }),
        fc.integer({ min: -40 * 86_400_000, max: 40 * 86_400_000 }),
        (nowMs, intervalMs, ingestDelayMs, distance) => {
          const lastEndMs = Math.floor((nowMs + distance) / intervalMs) * intervalMs;
          const { windows, skipped } = schedule({ nowMs, intervalMs, ingestDelayMs, lastEndMs });
          expect(windows.length).toBeLessThanOrEqual(catchUp.windowsMax);
          let previousEndMs: number | undefined;
          for (const window of windows) {
            expect(window.startMs % intervalMs).toBe(0);
            expect(window.endMs).toBe(window.startMs + intervalMs);
            expect(window.endMs).toBeLessThanOrEqual(nowMs - ingestDelayMs);
            expect(window.endMs).toBeGreaterThan(lastEndMs);
            expect(window.startMs).toBe(previousEndMs ?? window.startMs);
            previousEndMs = window.endMs;
          }
          if (windows[0]) {
            expect(windows[0].startMs).toBe(skipped?.toMs ?? lastEndMs);
          }
          if (skipped) {
            expect(skipped.toMs - skipped.fromMs).toBe(skipped.count * intervalMs);
          }
          expect(nextDueMs(nowMs, intervalMs, ingestDelayMs)).toBeGreaterThan(nowMs);
        },
      ),
    );
  });
});
