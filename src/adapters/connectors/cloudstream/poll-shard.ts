import type { _Record as Record } from '@aws-sdk/client-kinesis';
import { pause } from '../../../ports/pause.ts';
import type { ShardStart } from './shard-position.ts';
import type { StreamCalls } from './stream-calls.ts';

/** Records from one response of a shard. */
export interface Page {
  records: readonly Record[];
  /** Lag behind the newest record of the shard, by the service's clock; 0 at the end. */
  behindMs: number | undefined;
  /** The shard is closed, and this is its last page. */
  ended: boolean;
}

/** A shard accepts five calls per second from all its readers together. */
const betweenMs = 220;
const idleMs = 500;

/**
 * Reads one shard by polling until it ends. Ends without a last page if the shard does not exist
 * any more. `limit` wraps every request for records.
 */
export async function* pollShard(
  calls: StreamCalls,
  shardId: string,
  start: ShardStart,
  signal: AbortSignal,
  limit: <T>(fetch: () => Promise<T>) => Promise<T>,
): AsyncGenerator<Page> {
  let next = start;
  let iterator: string | undefined;
  while (!signal.aborted) {
    iterator ??= await calls.iterator(shardId, next, signal);
    if (iterator === undefined) {
      return;
    }
    const currentIterator = iterator;
    const requestedMs = performance.now();
    const response = await limit(() => calls.records(currentIterator, signal));
    iterator = response?.NextShardIterator;
    if (!response) {
      continue;
    }
    const records = response.Records ?? [];
    const last = records.at(-1)?.SequenceNumber;
    if (last !== undefined) {
      next = { kind: 'after', sequenceNumber: last };
    }
    yield { records, behindMs: response.MillisBehindLatest, ended: iterator === undefined };
    if (iterator === undefined) {
      return;
    }
    const caughtUp = records.length === 0 || response.MillisBehindLatest === 0;
    await pause((caughtUp ? idleMs : betweenMs) - (performance.now() - requestedMs), signal);
  }
}
