import { describe, expect, it } from 'vitest';
import { TimeSlice } from './time-slice.ts';

describe('pieces of long work', () => {
  it('never go on in the same turn of the event loop', async () => {
    let turn = 0;
    const count = (): void => {
      turn++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const continuedInTurns: number[] = [];
    const work = async (): Promise<void> => {
      const slice = new TimeSlice();
      for (let piece = 0; piece < 4; piece++) {
        await slice.yieldToOthers();
        continuedInTurns.push(turn);
      }
    };
    await Promise.all([work(), work(), work()]);
    clearImmediate(next);
    expect(continuedInTurns).toHaveLength(12);
    expect(new Set(continuedInTurns).size).toBe(12);
  });
});
