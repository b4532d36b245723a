import { setMaxListeners } from 'node:events';
import type {
  Batch,
  Connector,
  ConnectorContext,
  ConnectorFactory,
  From,
  Position,
} from '../../../ports/connector.ts';
import { SourceFailed } from '../../../ports/connector.ts';
import { pause } from '../../../ports/pause.ts';
import { BatchQueue } from '../batch-queue.ts';
import { ShardFollower } from './shard-follower.ts';
import { StreamCalls, type CloudstreamEndpoints } from './stream-calls.ts';
import { valueDecoder } from './value-decoder.ts';

/** Records that wait for the runner: the runner holds its own share besides. */
const queueBytesMax = 16 * 2 ** 20;
const consumerPollMs = 500;

/** Readers of Kinesis data streams. `endpoints`: where the services are, instead of the region's own. */
export function cloudstreamConnector(
  endpoints: CloudstreamEndpoints = {},
): ConnectorFactory<'cloudstream'> {
  return (context) => new CloudstreamConnector(context, endpoints);
}

class CloudstreamConnector implements Connector {
  readonly #context: ConnectorContext<'cloudstream'>;
  readonly #calls: StreamCalls;
  readonly #closing = new AbortController();
  #follower: ShardFollower | undefined;

  constructor(context: ConnectorContext<'cloudstream'>, endpoints: CloudstreamEndpoints) {
    this.#context = context;
    this.#calls = new StreamCalls(context, endpoints);
  }

  async check(signal: AbortSignal): Promise<void> {
    const { streamName, region } = this.#context.source;
    const { StreamStatus } = await this.#calls.stream(signal);
    if (StreamStatus === 'DELETING') {
      throw new SourceFailed(`the stream ${streamName} in ${region} is being deleted`);
    }
    await this.#calls.shards(signal);
  }

  async *read(from: From, signal: AbortSignal): AsyncGenerator<Batch> {
    const queue = new BatchQueue<Batch>(Math.min(this.#context.bufferBytes / 4, queueBytesMax));
    const ending = new AbortController();
    // Every shard listens, and there may be hundreds.
    setMaxListeners(0, ending.signal);
    const stop = (): void => {
      ending.abort();
      queue.close();
    };
    const signals = [signal, this.#closing.signal];
    for (const one of signals) {
      one.addEventListener('abort', stop, { once: true });
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
        decode: valueDecoder(this.#context.source.format),
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
      for (const one of signals) {
        one.removeEventListener('abort', stop);
      }
    }
  }

  /** Nothing is told to the source, but shards that came out of this one may begin. */
  commit(partition: string, position: Position): Promise<void> {
    this.#follower?.stored(partition, position);
    return Promise.resolve();
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
    const { StreamARN } = await this.#calls.stream(signal);
    await this.#calls.removeConsumer(StreamARN!, this.#consumerName, signal);
  }

  get #consumerName(): string {
    return `sightline-${this.#context.pipeId}`;
  }

  /** A consumer of the pipe's own, ready to be used; undefined where records are asked for instead. */
  async #consumer(signal: AbortSignal): Promise<string | undefined> {
    const { source, purpose, log } = this.#context;
    if (source.useEnhancedFanOut !== true || purpose === 'sample' || signal.aborted) {
      return undefined;
    }
    const { StreamARN } = await this.#calls.stream(signal);
    const arn = await this.#calls.registerConsumer(StreamARN!, this.#consumerName, signal);
    if (arn === undefined) {
      log.warn(
        { stream: source.streamName },
        'the stream service knows no enhanced fan-out; its records are polled',
      );
      return undefined;
    }
    while (
      !signal.aborted &&
      (await this.#calls.consumer(StreamARN!, this.#consumerName, signal))?.active !== true
    ) {
      await pause(consumerPollMs, signal);
    }
    return arn;
  }
}
