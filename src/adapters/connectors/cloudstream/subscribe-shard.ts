import type { SubscribeToShardEventStream } from '@aws-sdk/client-kinesis';
import { pause } from '../../../ports/pause.ts';
import { isNotFound, isThrottle } from './cloudstream-errors.ts';
import type { Page } from './poll-shard.ts';
import type { ShardStart } from './shard-position.ts';
import type { StreamCalls } from './stream-calls.ts';

/** A shard takes one subscription of a consumer in five seconds. */
const betweenMs = 5000;

/** Reads one shard by enhanced fan-out: the service pushes. A subscription lasts five minutes; the next one goes on where it ended. */
export async function* subscribeShard(
  calls: StreamCalls,
  consumerArn: string,
  shardId: string,
  start: ShardStart,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  let at = start;
  while (!signal.aborted) {
    const subscribedMs = performance.now();
    const events = await calls.subscribe(consumerArn, shardId, at, signal);
    if (!events) {
      return;
    }
    for await (const page of pagesOf(calls, events, signal)) {
      if (page.at !== undefined) {
        at = { kind: 'after', sequenceNumber: page.at };
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
): AsyncGenerator<Page & { at: string | undefined }> {
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
    const got = await Promise.race([next, aborted]).catch((error: unknown) => {
      // The stream of events may break off for a reason that a new subscription has not.
      if (isThrottle(error) || isNotFound(error)) {
        return 'again' as const;
      }
      throw calls.told(error, 'SubscribeToShard');
    });
    if (got === 'aborted') {
      next.catch(() => undefined);
    }
    if (got === 'aborted' || got === 'again' || got.done === true) {
      return;
    }
    const event = got.value.SubscribeToShardEvent;
    if (!event) {
      continue;
    }
    const at = event.ContinuationSequenceNumber;
    yield {
      records: event.Records ?? [],
      behindMs: event.MillisBehindLatest,
      ended: at === undefined || (event.ChildShards?.length ?? 0) > 0,
      at,
    };
  }
}
