import { describe, expect, it } from 'vitest';
import type { Batch } from '../../../ports/batch.ts';
import { addBacklogs, backlogOf } from './backlog.ts';

const batch = (timesMs: readonly (number | undefined)[], remaining?: number): Batch => ({
  kind: 'records',
  partition: '0',
  next: 'n',
  bytes: 1,
  records: timesMs.map((timestampMs) => ({
    position: '',
    data: null,
    ...(timestampMs === undefined ? {} : { timestampMs }),
  })),
  ...(remaining === undefined ? {} : { remaining }),
});

describe('what waits of a partition', () => {
  it.each<[string, Batch[], ReturnType<typeof backlogOf>]>([
    [
      'while a range is stored it is the range and what is behind it, from the first record on',
      [batch([]), batch([10, 20], 9), batch([30], 7)],
      { during: { remaining: 10, oldestAtMs: 10 }, after: { remaining: 7, oldestAtMs: 30 } },
    ],
    [
      'nothing, when the range was the last',
      [batch([10, 20], 0)],
      { during: { remaining: 2, oldestAtMs: 10 }, after: { remaining: 0, oldestAtMs: null } },
    ],
    [
      'unknown, where the source does not say how much there is',
      [batch([10])],
      { during: { remaining: null, oldestAtMs: 10 }, after: { remaining: null, oldestAtMs: null } },
    ],
    [
      'without a time, where records have none',
      [batch([undefined], 3)],
      { during: { remaining: 4, oldestAtMs: null }, after: { remaining: 3, oldestAtMs: null } },
    ],
    [
      'what is behind a beginning, where no record was read yet',
      [batch([], 5)],
      { during: undefined, after: { remaining: 5, oldestAtMs: null } },
    ],
  ])('is %s', (_title, batches, expected) => {
    expect(
      backlogOf({
        batches,
        rows: batches.reduce(
          (sum, one) => sum + (one.kind === 'records' ? one.records.length : 0),
          0,
        ),
      }),
    ).toEqual(expected);
  });

  it('adds up over partitions; the oldest of all counts, and what is not known is left out', () => {
    expect(
      addBacklogs([
        { remaining: 3, oldestAtMs: 20 },
        { remaining: null, oldestAtMs: null },
        { remaining: 4, oldestAtMs: 10 },
      ]),
    ).toEqual({ remaining: 7, oldestAtMs: 10 });
    expect(addBacklogs([{ remaining: null, oldestAtMs: null }])).toEqual({
      remaining: null,
      oldestAtMs: null,
    });
  });
});
