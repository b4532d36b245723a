import { expect, it } from 'vitest';
import { formatRate, formatShare } from './format.ts';

it('writes rates in the unit in which they are at least one', () => {
  expect([1234, 12, 1, 0.5, 0.02, 0.001, 0].map(formatRate)).toEqual([
    '1.2 k/s',
    '12/s',
    '1/s',
    '30/min',
    '1.2/min',
    '3.6/h',
    '0',
  ]);
});

it('writes shares so that some are never none, and most never all', () => {
  expect([0, 0.000001, 0.0003, 0.012, 0.25, 0.998, 1].map(formatShare)).toEqual([
    '0 %',
    '< 0.01 %',
    '0.03 %',
    '1.2 %',
    '25 %',
    '> 99 %',
    '100 %',
  ]);
});
