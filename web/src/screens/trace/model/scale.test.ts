import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { param } from '../../../view/url-state.ts';
import {
  barOf,
  clampWindow,
  nanosAt,
  panBy,
  shareOf,
  ticksOf,
  wholeWindow,
  windowAround,
  zoomBy,
  type TimeWindow,
} from './scale.ts';
import { eventsOf, linksOf, rowNanos } from './span-row.ts';
import { readView, tabs, writeView } from './view.ts';

const durations = fc.oneof(fc.nat(2000), fc.integer({ min: 0, max: 86_400e9 }));
const shares = fc.double({ min: -2, max: 3, noNaN: true });

/** A whole trace and a part of it. */
const windows: fc.Arbitrary<[whole: TimeWindow, window: TimeWindow]> = fc
  .tuple(durations, shares, shares)
  .map(([duration, a, b]) => {
    const whole = wholeWindow(duration);
    const [from, to] = [a, b].sort((one, two) => one - two).map((share) => share * duration);
    return [whole, clampWindow({ fromNanos: from ?? 0, toNanos: to ?? 0 }, whole)];
  });

describe('time scale of a trace', () => {
  it('stays within the trace, however one zooms and moves', () => {
    fc.assert(
      fc.property(
        windows,
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        shares,
        durations,
        ([whole, window], factor, share, nanos) => {
          const all = [
            window,
            zoomBy(window, whole, factor, nanos),
            panBy(window, whole, share),
            windowAround(nanos, nanos, whole),
          ];
          for (const { fromNanos, toNanos } of all) {
            expect(fromNanos).toBeGreaterThanOrEqual(whole.fromNanos);
            expect(toNanos).toBeLessThanOrEqual(whole.toNanos);
            expect(toNanos - fromNanos).toBeGreaterThanOrEqual(
              Math.min(20, whole.toNanos - whole.fromNanos),
            );
          }
        },
      ),
    );
  });

  it('keeps the place that one zooms at', () => {
    const whole = wholeWindow(1e9);
    const window = zoomBy(whole, whole, 0.5, 25e7);
    expect(shareOf(window, 25e7)).toBeCloseTo(0.25, 6);
    expect(nanosAt(window, 0.25)).toBeCloseTo(25e7, -1);
  });

  it('shows a bar within the window, and says where it is cut', () => {
    const window = { fromNanos: 100, toNanos: 200 };
    expect(barOf(window, 120, 30)).toEqual({
      left: 0.2,
      width: 0.3,
      isCutBefore: false,
      isCutAfter: false,
    });
    expect(barOf(window, 0, 1000)).toMatchObject({
      left: 0,
      width: 1,
      isCutBefore: true,
      isCutAfter: true,
    });
    expect(barOf(window, 0, 50)).toMatchObject({ left: 0, width: 0, isCutBefore: true });
    expect(barOf(window, 300, 50)).toMatchObject({ left: 1, width: 0, isCutAfter: true });
    expect(barOf(window, 150, 0)).toEqual({
      left: 0.5,
      width: 0,
      isCutBefore: false,
      isCutAfter: false,
    });
  });

  it('has round ticks with different texts, not more than fit', () => {
    fc.assert(
      fc.property(windows, fc.integer({ min: 1, max: 12 }), ([, window], countMax) => {
        const ticks = ticksOf(window, countMax);
        expect(ticks.length).toBeLessThanOrEqual(countMax + 1);
        expect(new Set(ticks.map(({ text }) => text)).size).toBe(ticks.length);
        for (const { share } of ticks) {
          expect(share).toBeGreaterThanOrEqual(-1e-9);
          expect(share).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
    );
    const texts = (fromNanos: number, toNanos: number): string[] =>
      ticksOf({ fromNanos, toNanos }, 4).map(({ text }) => text);
    expect(texts(0, 46.1e6)).toEqual(['0', '20 ms', '40 ms']);
    expect(texts(1.2345e9, 1.2349e9)).toEqual([
      '1.2345 s',
      '1.2346 s',
      '1.2347 s',
      '1.2348 s',
      '1.2349 s',
    ]);
    expect(texts(0, 3600e9)).toEqual(['0', '15 min', '30 min', '45 min', '60 min']);
  });
});

describe('view of a trace in the URL', () => {
  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.constantFrom(...tabs),
        fc.option(
          windows.map(([, window]) => window),
          { nil: undefined },
        ),
        (isCritical, tab, window) => {
          const text = writeView({ isCritical, tab, window });
          expect(text === undefined || param.text({ view: text }, 'view', 64) === text).toBe(true);
          expect(readView(text ?? '') ?? { isCritical: false, tab: 'attributes' }).toMatchObject({
            isCritical,
            tab,
          });
          expect(text === undefined ? undefined : readView(text)?.window).toEqual(window);
        },
      ),
    );
  });

  it.each(['x', '5-1', '1-', '-1-5', 'critical,what', '1-2-3', '0x1-0x2'])(
    'is none of: %s',
    (text) => {
      expect(readView(text)).toBeUndefined();
    },
  );
});

describe('row of a span', () => {
  it('has its events and links with their times, whatever a table lacks', () => {
    const row = {
      'Events.Timestamp': ['2026-01-01 00:00:01.000000500', 'never'],
      'Events.Name': ['exception', 'second'],
      'Events.Attributes': [{ b: '2', a: '1' }],
      'Links.TraceId': ['abc'],
    };
    const start = String(BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n);
    expect(eventsOf(row, start)).toEqual([
      {
        name: 'exception',
        atNanos: 1_000_000_500,
        attributes: [
          { name: 'a', value: '1' },
          { name: 'b', value: '2' },
        ],
      },
      { name: 'second', atNanos: undefined, attributes: [] },
    ]);
    expect(linksOf(row)).toEqual([{ traceId: 'abc', spanId: '', attributes: [] }]);
    expect(eventsOf({}, start)).toEqual([]);
    expect(rowNanos('1767225600000000500-ff', '1767225600000000000')).toBe(500);
  });
});
