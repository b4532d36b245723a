import { describe, expect, it } from 'vitest';
import { granularitiesMs } from '../../../contract/query/chart.ts';
import { bucketCount, bucketMs } from './bucket.ts';

const hour = 3_600_000;

describe('buckets', () => {
  it.each<[hours: number, granularity: keyof typeof granularitiesMs]>([
    [0.5, '30s'],
    [1, '1m'],
    [2, '5m'],
    [5, '5m'],
    [6, '10m'],
    [24, '30m'],
    [24 * 7, '6h'],
    [24 * 30, '12h'],
    [24 * 60, '1d'],
    [24 * 365, '7d'],
    [24 * 365 * 4, '30d'],
    [24 * 365 * 20, '30d'],
  ])('auto over %d h is %s', (hours, granularity) => {
    expect(bucketMs('auto', { fromMs: 0, toMs: hours * hour })).toBe(granularitiesMs[granularity]);
  });

  it('a range that begins or ends inside a bucket touches it, one that ends at its start does not', () => {
    expect(bucketCount(hour, { fromMs: 0, toMs: hour })).toBe(1);
    expect(bucketCount(hour, { fromMs: hour - 1, toMs: hour + 1 })).toBe(2);
  });

  it('auto counts the bucket that the range begins in: an hour from half a minute past is not 61 buckets', () => {
    expect(bucketMs('auto', { fromMs: 30_000, toMs: 30_000 + hour })).toBe(granularitiesMs['5m']);
  });
});
