import { createHash } from 'node:crypto';
import type { Shard as DescribedShard } from '@aws-sdk/client-kinesis';

/** One shard of the stream. It has two parents where two were merged, and none where the stream began with it. */
export interface Shard {
  id: string;
  parents: readonly string[];
  /** It gets no more records. */
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

/** Which of the readers that share the stream reads a shard: the same answer in every process. */
export function isOwn(
  shardId: string,
  { index, count }: { index: number; count: number },
): boolean {
  return (
    count === 1 || createHash('sha256').update(shardId).digest().readUInt32BE(0) % count === index
  );
}
