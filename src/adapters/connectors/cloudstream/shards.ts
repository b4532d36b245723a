import { createHash } from 'node:crypto';
import type { Shard as DescribedShard } from '@aws-sdk/client-kinesis';

/**
 * One shard of the stream. It has two parents after a merge, one after a split, and none if it
 * belongs to the first shards of the stream.
 */
export interface Shard {
  id: string;
  parents: readonly string[];
  /** The shard gets no more records. */
  closed: boolean;
}

export function shardOf({
  ShardId,
  ParentShardId,
  AdjacentParentShardId,
  SequenceNumberRange,
}: DescribedShard): Shard {
  const parents = [ParentShardId, AdjacentParentShardId].filter((id) => id !== undefined);
  return {
    id: ShardId ?? '',
    parents,
    closed: SequenceNumberRange?.EndingSequenceNumber !== undefined,
  };
}

/** Whether this reader reads the shard. Every process assigns shards to readers in the same way. */
export function isOwn(
  shardId: string,
  { index, count }: { index: number; count: number },
): boolean {
  return (
    count === 1 || createHash('sha256').update(shardId).digest().readUInt32BE(0) % count === index
  );
}
