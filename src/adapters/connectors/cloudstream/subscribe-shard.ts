import type { SubscribeToShardEventStream } from '@aws-sdk/client-kinesis';
import { pause } from '../../../ports/pause.ts';
import { isNotFound, isThrottle } from './cloudstream-errors.ts';
import type { Page } from './poll-shard.ts';
import type { ShardStart } from './shard-position.ts';
import type { StreamCalls } from './stream-calls.ts';

/** A shard accepts one subscription of a consumer every five seconds. */
const betweenMs = 5000;

/**
 * Reads one shard by enhanced fan-out: the service pushes records. A subscription lasts five
 * minutes; the next one continues where it ended.
 */
export async function* subscribeShard(
  calls: StreamCalls,
  consumerArn: string,
  shardId: string,
  start: ShardStart,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  let next = start;
  while (!signal.aborted) {
    const subscribedMs = performance.now();
    const events = await calls.subscribe(consumerArn, shardId, next, signal);
    if (!events) {
      return;
    }
    for await (const page of pagesOf(calls, events, signal)) {
      if (page.continuation !== undefined) {
        next = { kind: 'after', sequenceNumber: page.continuation };
      }
      yield page;
      if (page.ended) {
        return;
      }
    }
    await pause(betweenMs - (performance.now() - subscribedMs), signal);
  }
}

async function* pagesOf(
  calls: StreamCalls,
  events: AsyncIterable<SubscribeToShardEventStream>,
  signal: AbortSignal,
): AsyncGenerator<Page & { continuation: string | undefined }> {
  const iterator = events[Symbol.asyncIterator]();
  const aborted = new Promise<'aborted'>((resolve) => {
    signal.addEventListener(
      'abort',
      () => {
        resolve('aborted');
      },
      { once: true },
    );
  });
  for (;;) {
    const next = iterator.next();
    const result = await Promise.race([next, aborted]).catch((error: unknown) => {
      // A new subscription may succeed after these errors.
      if (isThrottle(error) || isNotFound(error)) {
        return 'again' as const;
      }
      throw calls.translated(error, 'SubscribeToShard');
    });
    if (result === 'aborted') {
      next.catch(() => undefined);
    }
    if (result === 'aborted' || result === 'again' || result.done === true) {
      return;
    }
    const event = result.value.SubscribeToShardEvent;
    if (!event) {
      continue;
    }
    const continuation = event.ContinuationSequenceNumber;
    yield {
      records: event.Records ?? [],
      behindMs: event.MillisBehindLatest,
      ended: continuation === undefined || (event.ChildShards?.length ?? 0) > 0,
      continuation,
    };
  }
}
