import {
  DeregisterStreamConsumerCommand,
  DescribeStreamConsumerCommand,
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListShardsCommand,
  RegisterStreamConsumerCommand,
  SubscribeToShardCommand,
  type GetRecordsOutput,
  type Shard as DescribedShard,
  type StreamDescriptionSummary,
  type SubscribeToShardEventStream,
} from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { ConnectorContext } from '../../../ports/connector.ts';
import {
  cloudstreamError,
  isExpiredIterator,
  isNotFound,
  isUnknownOperation,
  nameOf,
  type About,
} from './cloudstream-errors.ts';
import { credentialsOf, identityOf } from './credentials.ts';
import { guardedAgents } from '../guarded-agents.ts';
import { patiently } from './patience.ts';
import type { ShardStart } from './shard-position.ts';
import { shardOf, type Shard } from './shards.ts';

/** Where the services are, instead of the region's own. */
export interface CloudstreamEndpoints {
  endpoint?: string | undefined;
  stsEndpoint?: string | undefined;
}

/**
 * What is asked of the service, with patience where it wants some. Throws ConnectionLost and SourceFailed, and the service's own error only where the
 * caller is the one who knows what it means.
 */
export class StreamCalls {
  readonly #client: KinesisClient;
  readonly #handler: NodeHttpHandler;
  readonly #context: ConnectorContext<'cloudstream'>;
  readonly #about: About;

  constructor(
    context: ConnectorContext<'cloudstream'>,
    { endpoint, stsEndpoint }: CloudstreamEndpoints,
  ) {
    const { source, pipeId, egress } = context;
    this.#context = context;
    this.#about = {
      stream: source.streamName,
      region: source.region,
      identity: identityOf(source),
    };
    // HTTP/1.1 with sockets of our own: the client's HTTP/2 handler takes no look-up, so it could not be kept from private addresses.
    this.#handler = new NodeHttpHandler({
      ...guardedAgents(egress),
      connectionTimeout: 5000,
      socketTimeout: 30_000,
    });
    const credentials = credentialsOf({
      source,
      pipeId,
      requestHandler: this.#handler,
      endpoint: stsEndpoint,
      about: this.#about,
    });
    this.#client = new KinesisClient({
      region: source.region,
      requestHandler: this.#handler,
      maxAttempts: 1,
      ...(credentials === undefined ? {} : { credentials }),
      ...(endpoint === undefined ? {} : { endpoint }),
    });
  }

  async stream(signal: AbortSignal): Promise<StreamDescriptionSummary> {
    const { StreamDescriptionSummary: summary } = await this.#ask(
      'DescribeStreamSummary',
      signal,
      () =>
        this.#client.send(new DescribeStreamSummaryCommand({ StreamName: this.#stream }), {
          abortSignal: signal,
        }),
    );
    return summary!;
  }

  /** Every shard that still has records to give, or gets new ones. */
  async shards(signal: AbortSignal): Promise<Shard[]> {
    const found: DescribedShard[] = [];
    let next: string | undefined;
    do {
      const page = await this.#ask('ListShards', signal, () =>
        this.#client.send(
          new ListShardsCommand(
            next === undefined ? { StreamName: this.#stream } : { NextToken: next },
          ),
          { abortSignal: signal },
        ),
      );
      found.push(...(page.Shards ?? []));
      next = page.NextToken;
    } while (next !== undefined && !signal.aborted);
    return found.map(shardOf);
  }

  /** Undefined: the shard is gone, its records are too old. */
  async iterator(
    shardId: string,
    start: ShardStart,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const command = new GetShardIteratorCommand({
      StreamName: this.#stream,
      ShardId: shardId,
      ...iteratorOf(start),
    });
    const answer = await this.#ask(
      'GetShardIterator',
      signal,
      () => this.#client.send(command, { abortSignal: signal }),
      isNotFound,
    );
    return answer?.ShardIterator;
  }

  /** Undefined: the iterator has expired. */
  records(iterator: string, signal: AbortSignal): Promise<GetRecordsOutput | undefined> {
    return this.#ask(
      'GetRecords',
      signal,
      () =>
        this.#client.send(new GetRecordsCommand({ ShardIterator: iterator, Limit: 10_000 }), {
          abortSignal: signal,
        }),
      isExpiredIterator,
    );
  }

  /** A consumer of its own for enhanced fan-out. Undefined: the endpoint knows none. */
  async registerConsumer(
    streamArn: string,
    name: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const exists = (error: unknown): boolean =>
      nameOf(error) === 'ResourceInUseException' || isUnknownOperation(error);
    const made = await this.#ask(
      'RegisterStreamConsumer',
      signal,
      () =>
        this.#client.send(
          new RegisterStreamConsumerCommand({ StreamARN: streamArn, ConsumerName: name }),
          { abortSignal: signal },
        ),
      exists,
    );
    return made?.Consumer?.ConsumerARN ?? (await this.consumer(streamArn, name, signal))?.arn;
  }

  async consumer(
    streamArn: string,
    name: string,
    signal: AbortSignal,
  ): Promise<{ arn: string; active: boolean } | undefined> {
    const absent = (error: unknown): boolean => isNotFound(error) || isUnknownOperation(error);
    const answer = await this.#ask(
      'DescribeStreamConsumer',
      signal,
      () =>
        this.#client.send(
          new DescribeStreamConsumerCommand({ StreamARN: streamArn, ConsumerName: name }),
          { abortSignal: signal },
        ),
      absent,
    );
    const found = answer?.ConsumerDescription;
    return found?.ConsumerARN === undefined
      ? undefined
      : { arn: found.ConsumerARN, active: found.ConsumerStatus === 'ACTIVE' };
  }

  async removeConsumer(streamArn: string, name: string, signal: AbortSignal): Promise<void> {
    const absent = (error: unknown): boolean => isNotFound(error) || isUnknownOperation(error);
    await this.#ask(
      'DeregisterStreamConsumer',
      signal,
      () =>
        this.#client.send(
          new DeregisterStreamConsumerCommand({ StreamARN: streamArn, ConsumerName: name }),
          { abortSignal: signal },
        ),
      absent,
    );
  }

  /** Records as they come, for some minutes. Undefined: the shard is gone, or the endpoint cannot do this. */
  async subscribe(
    consumerArn: string,
    shardId: string,
    start: ShardStart,
    signal: AbortSignal,
  ): Promise<AsyncIterable<SubscribeToShardEventStream> | undefined> {
    const {
      ShardIteratorType: Type,
      StartingSequenceNumber: SequenceNumber,
      Timestamp,
    } = iteratorOf(start);
    const command = new SubscribeToShardCommand({
      ConsumerARN: consumerArn,
      ShardId: shardId,
      StartingPosition: { Type, SequenceNumber, Timestamp },
    });
    const answer = await this.#ask(
      'SubscribeToShard',
      signal,
      () => this.#client.send(command, { abortSignal: signal }),
      isNotFound,
    );
    return answer?.EventStream;
  }

  /** An error of a stream of events, in our words. */
  told(error: unknown, operation: string): Error {
    return cloudstreamError(error, operation, this.#about);
  }

  close(): void {
    this.#client.destroy();
    this.#handler.destroy();
  }

  get #stream(): string {
    return this.#context.source.streamName;
  }

  async #ask<T>(operation: string, signal: AbortSignal, call: () => Promise<T>): Promise<T>;
  async #ask<T>(
    operation: string,
    signal: AbortSignal,
    call: () => Promise<T>,
    expected: (error: unknown) => boolean,
  ): Promise<T | undefined>;
  async #ask<T>(
    operation: string,
    signal: AbortSignal,
    call: () => Promise<T>,
    expected?: (error: unknown) => boolean,
  ): Promise<T | undefined> {
    const once = (): Promise<T | undefined> =>
      call().catch((error: unknown) => {
        if (expected?.(error) === true) {
          return undefined;
        }
        throw error;
      });
    try {
      return await patiently(once, signal, (attempt) => {
        this.#context.log.debug(
          { operation, attempt },
          'the stream service asks for fewer requests',
        );
      });
    } catch (error) {
      throw cloudstreamError(error, operation, this.#about);
    }
  }
}

function iteratorOf(start: ShardStart): {
  ShardIteratorType: 'TRIM_HORIZON' | 'AT_TIMESTAMP' | 'AFTER_SEQUENCE_NUMBER';
  StartingSequenceNumber?: string;
  Timestamp?: Date;
} {
  switch (start.kind) {
    case 'oldest':
      return { ShardIteratorType: 'TRIM_HORIZON' };
    case 'time':
      return { ShardIteratorType: 'AT_TIMESTAMP', Timestamp: new Date(start.timeMs) };
    case 'after':
      return {
        ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
        StartingSequenceNumber: start.sequenceNumber,
      };
  }
}
