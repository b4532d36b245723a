import { describe, expect, it } from 'vitest';
import { rounded, stepOf } from './threshold-step.ts';
import type { TimeData } from './time-data.ts';

const dataOf = (...values: (number | null)[]): TimeData => ({
  timesMs: values.map((_, index) => index * 1000),
  bucketMs: 1000,
  series: [{ name: 'value', color: 'red', isDashed: false, values }],
});

describe('step of a threshold', () => {
  it.each([
    [[3, 40, null], [1], 1],
    [[900, 1200], [1], 20],
    [[0.4, 0.9], [0.5], 0.01],
    [[12.5, 300], [1], 5],
    [[], [], 1],
    [[null], [0.5], 0.005],
    [[0], [0], 1],
  ])('of values %j and thresholds %j is %d', (values, thresholds, step) => {
    expect(stepOf(dataOf(...values), thresholds)).toBeCloseTo(step, 12);
  });

  it('rounds without binary noise', () => {
    expect(rounded(0.3004, 0.1)).toBe(0.3);
    expect(rounded(1234, 20)).toBe(1240);
    expect(rounded(-3.2, 1)).toBe(-3);
  });
});
