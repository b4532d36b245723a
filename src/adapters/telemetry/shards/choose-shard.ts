import { createHash } from 'node:crypto';

/**
 * The shard of a deduplication token: rendezvous hashing over the names. If a shard is added or left
 * out, a token moves only to or from that shard. Undefined if there is none to choose from.
 */
export function chooseShard<S extends { name: string }>(
  token: string,
  shards: readonly S[],
): S | undefined {
  let chosen: S | undefined;
  let greatest = '';
  for (const shard of shards) {
    const weight = createHash('sha256')
      .update(JSON.stringify([shard.name, token]))
      .digest('hex');
    if (weight > greatest) {
      greatest = weight;
      chosen = shard;
    }
  }
  return chosen;
}
