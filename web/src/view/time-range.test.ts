import { describe, expect, it } from 'vitest';
import { parseBound, parseRange, rangeLabel, shifted, spanOf, zoomedOut } from './time-range.ts';

const nowMs = Date.UTC(2026, 2, 4, 12, 0, 0);
const at = (day: number, hour: number, minute = 0): number => Date.UTC(2026, 2, day, hour, minute);

describe('time range', () => {
  it.each<[string, unknown]>([
    ['past 45m', { from: 'now-45m', to: 'now' }],
    ['Past 30 minutes', { from: 'now-30m', to: 'now' }],
    ['3h', { from: 'now-3h', to: 'now' }],
    ['10:00 – 11:30', { from: at(4, 10), to: at(4, 11, 30) }],
    ['Mar 3 10:00 to Mar 4', { from: at(3, 10), to: at(4, 0) }],
    ['2026-03-03 10:00 – 10:05', { from: at(3, 10), to: at(3, 10, 5) }],
    ['Mar 4 11:00', { from: at(4, 11), to: 'now' }],
    ['yesterday', { from: at(3, 0), to: at(4, 0) }],
    ['11:30 – 10:00', undefined],
    ['Feb 30 – now', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('reads "%s"', (text, range) => {
    expect(parseRange(text, 'UTC', nowMs)).toEqual(range);
  });

  it('reads what it writes', () => {
    const range = { from: at(3, 10), to: at(4, 11, 30) };
    expect(parseRange(rangeLabel(range, 'Asia/Kathmandu'), 'Asia/Kathmandu', nowMs)).toEqual(range);
  });

  it.each(['now-0m', 'now-5y', '123', '1e13', '99999999999999999', 'now+5m', 'javascript:1'])(
    'refuses the bound %s',
    (text) => expect(parseBound(text)).toBeUndefined(),
  );

  it('moves and widens a span', () => {
    const span = spanOf({ from: 'now-30m', to: 'now' }, nowMs);
    expect(shifted(span, -1)).toEqual({ startMs: at(4, 11), endMs: at(4, 11, 30) });
    expect(zoomedOut(span, nowMs)).toEqual({ startMs: at(4, 10, 30), endMs: nowMs });
  });
});
