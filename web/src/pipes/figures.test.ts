import { describe, expect, it } from 'vitest';
import type { PipeCounts } from '../api/queries/pipes.ts';
import { lagText, oldestText, progressText, rateText } from './figures.ts';

const counts = (part: Partial<PipeCounts>): PipeCounts => ({
  rows: 0,
  bytes: 0,
  errors: 0,
  batches: 0,
  lag: null,
  oldestUnprocessedAt: null,
  lastError: null,
  rowRate: undefined,
  ...part,
});

describe('figures of pipes', () => {
  it('say the lag in records or in bytes of log, or that it is not known', () => {
    expect(lagText(counts({ lag: 0 }))).toBe('0 records');
    expect(lagText(counts({ lag: 1204 }))).toBe('1,204 records');
    expect(lagText(counts({ retainedBytes: 2 * 1024 * 1024 }))).toBe('2 MiB of log');
    expect(lagText(counts({ retainedBytes: null }))).toBe('–');
  });

  it('say in one line what is known', () => {
    expect(progressText(counts({}))).toBe('');
    expect(progressText(counts({ lag: 7, rowRate: 3, errors: 2 }))).toBe(
      'lag 7 records, 3/s, 2 bad records',
    );
  });

  it('say how old the oldest record is', () => {
    const at = new Date(Date.now() - 200_000).toISOString();
    expect(oldestText(counts({ oldestUnprocessedAt: at }))).toBe('oldest 3 min ago');
    expect(oldestText(counts({}))).toBeUndefined();
  });

  it('say a rate only once it is known', () => {
    expect(rateText({ rowRate: undefined })).toBe('–');
    expect(rateText({ rowRate: 0 })).toBe('0/s');
    expect(rateText({ rowRate: 123.4 })).toBe('123/s');
  });
});
