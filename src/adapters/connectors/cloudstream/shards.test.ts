import { describe, expect, it } from 'vitest';
import { isOwn, shardOf } from './shards.ts';

describe('a shard as the service describes it', () => {
  const HashKeyRange = { StartingHashKey: '0', EndingHashKey: '1' };
  it.each([
    [
      'the first of its stream',
      { ShardId: 's0', SequenceNumberRange: { StartingSequenceNumber: '1' }, HashKeyRange },
      { id: 's0', parents: [], closed: false },
    ],
    [
      'half of another',
      {
        ShardId: 's1',
        ParentShardId: 's0',
        SequenceNumberRange: { StartingSequenceNumber: '2' },
        HashKeyRange,
      },
      { id: 's1', parents: ['s0'], closed: false },
    ],
    [
      'two in one, closed since',
      {
        ShardId: 's3',
        ParentShardId: 's1',
        AdjacentParentShardId: 's2',
        SequenceNumberRange: { StartingSequenceNumber: '3', EndingSequenceNumber: '9' },
        HashKeyRange,
      },
      { id: 's3', parents: ['s1', 's2'], closed: true },
    ],
  ])('%s', (_title, described, shard) => {
    expect(shardOf(described)).toEqual(shard);
  });

  it.each([1, 2, 3, 7, 40])('is read by exactly one of %i readers', (count) => {
    const owners = (id: string): number =>
      Array.from({ length: count }, (_, index) => index).filter((index) =>
        isOwn(id, { index, count }),
      ).length;
    const ids = Array.from(
      { length: 500 },
      (_, index) => `shardId-${String(index).padStart(12, '0')}`,
    );
    expect(ids.filter((id) => owners(id) !== 1)).toEqual([]);
    // And each has something to do.
    for (let index = 0; index < count; index++) {
      expect(ids.some((id) => isOwn(id, { index, count }))).toBe(true);
    }
  });
});
