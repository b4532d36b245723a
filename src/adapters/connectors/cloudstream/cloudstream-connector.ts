import { setMaxListeners } from 'node:events';
import type { Batch, DecodedValue, Position } from '../../../ports/batch.ts';
import type {
  Connector,
  ConnectorContext,
  ConnectorFactory,
  From,
} from '../../../ports/connector.ts';
import type { Explorer } from '../../../ports/explorer.ts';
import { pause } from '../../../ports/pause.ts';
import { BatchQueue } from '../batch-queue.ts';
import { checkStream, CloudstreamExplorer } from './cloudstream-explorer.ts';
import { ShardFollower } from './shard-follower.ts';
import { StreamCalls, type CloudstreamEndpoints } from './stream-calls.ts';
import { valueDecoder, type ValueDecoder } from './value-decoder.ts';

/** Maximum size of records that wait for the runner, which has a buffer of its own as well. */
const queueBytesMax = 16 * 2 ** 20;
const consumerPollMs = 500;

/**
 * Makes readers of Kinesis data streams. `endpoints`: where the services are, instead of the
 * region's own.
 */
export function cloudstreamConnector(
  endpoints: CloudstreamEndpoints = {},
): ConnectorFactory<'cloudstream'> {
  return (context) => new CloudstreamConnector(context, endpoints);
}

class CloudstreamConnector implements Connector {
  readonly #context: ConnectorContext<'cloudstream'>;
  readonly #endpoints: CloudstreamEndpoints;
  readonly #calls: StreamCalls;
  readonly #decode: ValueDecoder;
  readonly #closing = new AbortController();
  #follower: ShardFollower | undefined;

  constructor(context: ConnectorContext<'cloudstream'>, endpoints: CloudstreamEndpoints) {
    this.#context = context;
    this.#endpoints = endpoints;
    this.#calls = new StreamCalls(context, endpoints);
    this.#decode = valueDecoder(context.source.format);
  }

  async check(signal: AbortSignal): Promise<void> {
    await checkStream(this.#context, this.#calls, signal);
    await this.#calls.shards(signal);
  }

  async *read(from: From, signal: AbortSignal): AsyncGenerator<Batch> {
    const queue = new BatchQueue<Batch>(Math.min(this.#context.bufferBytes / 4, queueBytesMax));
    const ending = new AbortController();
    // Every shard adds a listener, and there may be hundreds of shards.
    setMaxListeners(0, ending.signal);
    const stop = (): void => {
      ending.abort();
      queue.close();
    };
    const signals = [signal, this.#closing.signal];
    for (const each of signals) {
      each.addEventListener('abort', stop, { once: true });
    }
    if (signals.some(({ aborted }) => aborted)) {
      stop();
    }
    try {
      const consumerArn = await this.#consumer(ending.signal);
      const follower = (this.#follower = new ShardFollower({
        context: this.#context,
        calls: this.#calls,
        from,
        queue,
        decode: this.#decode,
        consumerArn,
        signal: ending.signal,
        nowMs: () => Date.now(),
      }));
      void follower.run();
      yield* queue;
    } catch (error) {
      if (!ending.signal.aborted) {
        throw error;
      }
    } finally {
      stop();
      for (const each of signals) {
        each.removeEventListener('abort', stop);
      }
    }
  }

  /** The service stores no positions. A stored position may let child shards start. */
  commit(partition: string, position: Position): Promise<void> {
    this.#follower?.stored(partition, position);
    return Promise.resolve();
  }

  decode(value: Buffer | null): DecodedValue {
    return value === null ? { data: null } : this.#decode(value);
  }

  explorer(): Promise<Explorer> {
    return Promise.resolve(new CloudstreamExplorer(this.#context, this.#calls, this.#endpoints));
  }

  close(): Promise<void> {
    this.#closing.abort();
    this.#calls.close();
    return Promise.resolve();
  }

  async remove(): Promise<void> {
    if (this.#context.source.useEnhancedFanOut !== true) {
      return;
    }
    const signal = AbortSignal.timeout(30_000);
    const { arn } = await this.#calls.stream(signal);
    await this.#calls.removeConsumer(arn, this.#consumerName, signal);
  }

  get #consumerName(): string {
    return `sightline-${this.#context.pipeId}`;
  }

  /** The pipe's own consumer, ready for use. Undefined if the pipe polls records instead. */
  async #consumer(signal: AbortSignal): Promise<string | undefined> {
    const { source, purpose, log } = this.#context;
    if (source.useEnhancedFanOut !== true || purpose === 'sample' || signal.aborted) {
      return undefined;
    }
    const { arn: streamArn } = await this.#calls.stream(signal);
    const consumerArn = await this.#calls.registerConsumer(streamArn, this.#consumerName, signal);
    if (consumerArn === undefined) {
      log.warn(
        { stream: source.streamName },
        'endpoint does not support enhanced fan-out; polling records instead',
      );
      return undefined;
    }
    while (
      !signal.aborted &&
      (await this.#calls.consumer(streamArn, this.#consumerName, signal))?.active !== true
    ) {
      await pause(consumerPollMs, signal);
    }
    return consumerArn;
  }
}
