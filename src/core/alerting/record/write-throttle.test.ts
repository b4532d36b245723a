import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { WriteThrottle } from './write-throttle.ts';

/** Times of a write that takes `ms` milliseconds. */
async function timed(
  throttle: WriteThrottle,
  ms: number,
): Promise<[beganMs: number, endedMs: number]> {
  return throttle.run(async () => {
    const beganMs = performance.now();
    await pause(ms);
    return [beganMs, performance.now()];
  });
}

describe('the write throttle', () => {
  it('runs three writes at a time, in the order of their arrival', async () => {
    const throttle = new WriteThrottle(() => false);
    const order: number[] = [];
    let running = 0;
    let most = 0;
    await Promise.all(
      [0, 1, 2, 3, 4].map((number) =>
        throttle.run(async () => {
          order.push(number);
          most = Math.max(most, ++running);
          await pause(1);
          running--;
        }),
      ),
    );
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(most).toBe(3);
  });

  it('rests as long as a write took only while other work needs the store', async () => {
    for (const shared of [true, false]) {
      const throttle = new WriteThrottle(() => shared);
      const [, endedMs] = await timed(throttle, 30);
      const [beganMs] = await timed(throttle, 0);
      if (shared) {
        expect(beganMs - endedMs).toBeGreaterThan(25);
      } else {
        expect(beganMs - endedMs).toBeLessThan(25);
      }
    }
  });

  it('goes on after a failed write', async () => {
    const throttle = new WriteThrottle(() => false);
    const failures = await Promise.allSettled(
      [1, 2, 3].map(() => throttle.run(() => Promise.reject(new Error('full disk')))),
    );
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await throttle.run(() => Promise.resolve('written'))).toBe('written');
  });
});
