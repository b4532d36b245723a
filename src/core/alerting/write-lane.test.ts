import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { WriteLane } from './write-lane.ts';

/** A write that takes so long, and when it began and ended. */
async function timed(lane: WriteLane, ms: number): Promise<[beganMs: number, endedMs: number]> {
  return lane.run(async () => {
    const beganMs = performance.now();
    await pause(ms);
    return [beganMs, performance.now()];
  });
}

describe('the lane of writes', () => {
  it('lets two through at once, and the others in their order', async () => {
    const lane = new WriteLane(() => false);
    const order: number[] = [];
    let running = 0;
    let most = 0;
    await Promise.all(
      [0, 1, 2, 3, 4].map((number) =>
        lane.run(async () => {
          order.push(number);
          most = Math.max(most, ++running);
          await pause(1);
          running--;
        }),
      ),
    );
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(most).toBe(2);
  });

  it('rests as long as a write took while something else is to be kept going, and not at all otherwise', async () => {
    for (const shared of [true, false]) {
      const lane = new WriteLane(() => shared);
      const [, endedMs] = await timed(lane, 30);
      const [beganMs] = await timed(lane, 0);
      if (shared) {
        expect(beganMs - endedMs).toBeGreaterThan(25);
      } else {
        expect(beganMs - endedMs).toBeLessThan(25);
      }
    }
  });

  it('goes on after a write that failed', async () => {
    const lane = new WriteLane(() => false);
    const failures = await Promise.allSettled(
      [1, 2, 3].map(() => lane.run(() => Promise.reject(new Error('full disk')))),
    );
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await lane.run(() => Promise.resolve('written'))).toBe('written');
  });
});
