import { describe, expect, test } from 'vitest';
import { IngestTally } from './ingest-tally.ts';

function tallyAt(startMs: number) {
  const clock = { nowMs: startMs, now: () => clock.nowMs };
  return { clock, tally: new IngestTally(clock) };
}

describe('the tally of received telemetry', () => {
  test('counts each database for five minutes', () => {
    const { clock, tally } = tallyAt(1_000_000);
    tally.stored('shop', 10);
    clock.nowMs += 200_000;
    tally.stored('shop', 5);
    tally.stored('bank', 1);
    expect(tally.reports()).toMatchObject({ shop: { stored: 15 }, bank: { stored: 1 } });
    clock.nowMs += 100_000;
    expect(tally.reports()).toMatchObject({ shop: { stored: 5 } });
    clock.nowMs += 200_000;
    expect(tally.reports()).toEqual({});
  });

  test('keeps the last reason, and not all of a long one', () => {
    const { clock, tally } = tallyAt(1_000_000);
    tally.refused('shop', 'too much telemetry');
    clock.nowMs += 1000;
    tally.rejected('shop', 2, 'x'.repeat(10_000));
    tally.rejected('shop', 0, '');
    expect(tally.reports()).toEqual({
      shop: {
        stored: 0,
        rejected: 2,
        refused: 1,
        last: { reason: 'x'.repeat(500), atMs: 1_001_000 },
      },
    });
  });

  test('takes any name of a database', () => {
    const { tally } = tallyAt(1_000_000);
    tally.stored('__proto__', 1);
    expect(JSON.stringify(tally.reports())).toContain('"__proto__":{"stored":1');
  });

  test('needs no more memory for a stream that never ends, or when the clock is set back', () => {
    const { clock, tally } = tallyAt(1_000_000);
    for (let second = 0; second < 3600; second++) {
      clock.nowMs += 1000;
      tally.stored('shop', 1);
    }
    expect(tally.reports()['shop']?.stored).toBeGreaterThan(290);
    expect(tally.reports()['shop']?.stored).toBeLessThanOrEqual(300);
    clock.nowMs -= 1_000_000;
    tally.stored('shop', 1);
    expect(tally.reports()['shop']?.stored).toBeLessThanOrEqual(301);
  });
});
