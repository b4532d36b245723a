import { describe, expect, it } from 'vitest';
import { histogramQuantile } from './histogram.ts';

describe('histogramQuantile', () => {
  it.each<
    [
      what: string,
      histograms: Parameters<typeof histogramQuantile>[0],
      level: number,
      value: number | null,
    ]
  >([
    ['linear within the bucket', [{ bounds: [10, 20], counts: [10, 10, 0] }], 0.75, 15],
    ['the first bucket begins at 0', [{ bounds: [10], counts: [4, 0] }], 0.5, 5],
    [
      'a first bound that is not positive is its own value',
      [{ bounds: [-5, 5], counts: [4, 0, 0] }],
      0.5,
      -5,
    ],
    [
      'beyond the last bound there is nothing to go by',
      [{ bounds: [10], counts: [0, 7] }],
      0.5,
      10,
    ],
    ['nothing observed', [{ bounds: [10], counts: [0, 0] }], 0.5, null],
    ['no bounds', [{ bounds: [], counts: [7] }], 0.5, null],
    ['lowest', [{ bounds: [10, 20], counts: [0, 5, 0] }], 0, 10],
    ['highest', [{ bounds: [10, 20], counts: [0, 5, 0] }], 1, 20],
    [
      'equal bounds add up',
      [
        { bounds: [10, 20], counts: [5, 0, 0] },
        { bounds: [10, 20], counts: [0, 5, 0] },
      ],
      0.75,
      15,
    ],
    [
      'different bounds add up as curves',
      [
        { bounds: [10], counts: [10, 0] },
        { bounds: [20], counts: [10, 0] },
      ],
      0.75,
      10,
    ],
  ])('%s', (_, histograms, level, value) => {
    expect(histogramQuantile(histograms, level)).toBe(value);
  });
});
