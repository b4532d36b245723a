import type { _Record as Record } from '@aws-sdk/client-kinesis';
import { pause } from '../../../ports/pause.ts';
import type { ShardStart } from './shard-position.ts';
import type { StreamCalls } from './stream-calls.ts';

/** What a shard gave at once. */
export interface Page {
  records: readonly Record[];
  /** How far behind the newest record of the shard, by the service's clock; 0 when there is nothing more just now. */
  behindMs: number | undefined;
  /** The shard is closed, and this was the last of it. */
  ended: boolean;
}

/** Each shard answers five calls a second to all its readers together. */
const betweenMs = 220;
const idleMs = 500;

/** Reads one shard by asking again and again, until it ends. Ends without a last page when the shard is gone. `room` comes before every question. */
export async function* pollShard(
  calls: StreamCalls,
  shardId: string,
  start: ShardStart,
  signal: AbortSignal,
  room: <T>(fetch: () => Promise<T>) => Promise<T>,
): AsyncGenerator<Page> {
  let at = start;
  let iterator: string | undefined;
  while (!signal.aborted) {
    iterator ??= await calls.iterator(shardId, at, signal);
    if (iterator === undefined) {
      return;
    }
    const use = iterator;
    const askedMs = performance.now();
    const answer = await room(() => calls.records(use, signal));
    iterator = answer?.NextShardIterator;
    if (!answer) {
      continue;
    }
    const records = answer.Records ?? [];
    const last = records.at(-1)?.SequenceNumber;
    if (last !== undefined) {
      at = { kind: 'after', sequenceNumber: last };
    }
    yield { records, behindMs: answer.MillisBehindLatest, ended: iterator === undefined };
    if (iterator === undefined) {
      return;
    }
    const caughtUp = records.length === 0 || answer.MillisBehindLatest === 0;
    await pause((caughtUp ? idleMs : betweenMs) - (performance.now() - askedMs), signal);
  }
}
