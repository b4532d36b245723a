import {
  DeregisterStreamConsumerCommand,
  DescribeStreamConsumerCommand,
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListShardsCommand,
  ListStreamsCommand,
  RegisterStreamConsumerCommand,
  SubscribeToShardCommand,
  type GetRecordsOutput,
  type Shard as DescribedShard,
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
  type ErrorContext,
} from './cloudstream-errors.ts';
import { credentialsOf, identityOf } from './credentials.ts';
import { guardedAgents } from '../guarded-agents.ts';
import { withRetries } from './retries.ts';
import type { ShardStart } from './shard-position.ts';
import { shardOf, type Shard } from './shards.ts';

/** Where the services are, instead of the region's own. */
export interface CloudstreamEndpoints {
  endpoint?: string | undefined;
  stsEndpoint?: string | undefined;
}

/**
 * Calls of the service, with retries. All of them throw ConnectionLost or SourceFailed.
 */
export class StreamCalls {
  readonly #client: KinesisClient;
  readonly #handler: NodeHttpHandler;
  readonly #context: ConnectorContext<'cloudstream'>;
  readonly #errorContext: ErrorContext;

  constructor(
    context: ConnectorContext<'cloudstream'>,
    { endpoint, stsEndpoint }: CloudstreamEndpoints,
  ) {
    const { source, pipeId, egress } = context;
    this.#context = context;
    this.#errorContext = {
      stream: source.streamName,
      region: source.region,
      identity: identityOf(source),
    };
    // HTTP/1.1 with our own sockets: the client's HTTP/2 handler accepts no lookup function, so it
    // could reach private addresses.
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
      errorContext: this.#errorContext,
    });
    this.#client = new KinesisClient({
      region: source.region,
      requestHandler: this.#handler,
      maxAttempts: 1,
      ...(credentials === undefined ? {} : { credentials }),
      ...(endpoint === undefined ? {} : { endpoint }),
    });
  }

  async stream(signal: AbortSignal): Promise<{ arn: string; status: string | undefined }> {
    const { StreamDescriptionSummary: summary } = await this.#call(
      'DescribeStreamSummary',
      signal,
      () =>
        this.#client.send(new DescribeStreamSummaryCommand({ StreamName: this.#stream }), {
          abortSignal: signal,
        }),
    );
    return { arn: summary?.StreamARN ?? '', status: summary?.StreamStatus };
  }

  /** Names of the streams in the region, in the order of the service, until there are enough. */
  async streams(enough: number, signal: AbortSignal): Promise<string[]> {
    const names: string[] = [];
    let last: string | undefined;
    do {
      const page = await this.#call('ListStreams', signal, () =>
        this.#client.send(
          new ListStreamsCommand(last === undefined ? {} : { ExclusiveStartStreamName: last }),
          { abortSignal: signal },
        ),
      );
      names.push(...(page.StreamNames ?? []));
      last = page.HasMoreStreams === true ? page.StreamNames?.at(-1) : undefined;
    } while (last !== undefined && names.length < enough && !signal.aborted);
    return names;
  }

  /** All shards that still have records or get new ones. */
  async shards(signal: AbortSignal): Promise<Shard[]> {
    const shards: DescribedShard[] = [];
    let next: string | undefined;
    do {
      const page = await this.#call('ListShards', signal, () =>
        this.#client.send(
          new ListShardsCommand(
            next === undefined ? { StreamName: this.#stream } : { NextToken: next },
          ),
          { abortSignal: signal },
        ),
      );
      shards.push(...(page.Shards ?? []));
      next = page.NextToken;
    } while (next !== undefined && !signal.aborted);
    return shards.map(shardOf);
  }

  /** Undefined if the shard does not exist any more, because its records have expired. */
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
    const response = await this.#call(
      'GetShardIterator',
      signal,
      () => this.#client.send(command, { abortSignal: signal }),
      isNotFound,
    );
    return response?.ShardIterator;
  }

  /** Undefined if the iterator has expired. */
  records(
    iterator: string,
    signal: AbortSignal,
    limit = 10_000,
  ): Promise<GetRecordsOutput | undefined> {
    return this.#call(
      'GetRecords',
      signal,
      () =>
        this.#client.send(new GetRecordsCommand({ ShardIterator: iterator, Limit: limit }), {
          abortSignal: signal,
        }),
      isExpiredIterator,
    );
  }

  /**
   * Registers a consumer for enhanced fan-out and returns its ARN. Undefined if the endpoint does
   * not support this.
   */
  async registerConsumer(
    streamArn: string,
    name: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const exists = (error: unknown): boolean =>
      nameOf(error) === 'ResourceInUseException' || isUnknownOperation(error);
    const registered = await this.#call(
      'RegisterStreamConsumer',
      signal,
      () =>
        this.#client.send(
          new RegisterStreamConsumerCommand({ StreamARN: streamArn, ConsumerName: name }),
          { abortSignal: signal },
        ),
      exists,
    );
    return registered?.Consumer?.ConsumerARN ?? (await this.consumer(streamArn, name, signal))?.arn;
  }

  async consumer(
    streamArn: string,
    name: string,
    signal: AbortSignal,
  ): Promise<{ arn: string; active: boolean } | undefined> {
    const absent = (error: unknown): boolean => isNotFound(error) || isUnknownOperation(error);
    const response = await this.#call(
      'DescribeStreamConsumer',
      signal,
      () =>
        this.#client.send(
          new DescribeStreamConsumerCommand({ StreamARN: streamArn, ConsumerName: name }),
          { abortSignal: signal },
        ),
      absent,
    );
    const consumer = response?.ConsumerDescription;
    return consumer?.ConsumerARN === undefined
      ? undefined
      : { arn: consumer.ConsumerARN, active: consumer.ConsumerStatus === 'ACTIVE' };
  }

  async removeConsumer(streamArn: string, name: string, signal: AbortSignal): Promise<void> {
    const absent = (error: unknown): boolean => isNotFound(error) || isUnknownOperation(error);
    await this.#call(
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

  /**
   * Subscribes to new records for some minutes. Undefined if the shard does not exist any more, or
   * if the endpoint does not support this.
   */
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
    const response = await this.#call(
      'SubscribeToShard',
      signal,
      () => this.#client.send(command, { abortSignal: signal }),
      isNotFound,
    );
    return response?.EventStream;
  }

  /** Translates an error of an event stream. */
  translated(error: unknown, operation: string): Error {
    return cloudstreamError(error, operation, this.#errorContext);
  }

  close(): void {
    this.#client.destroy();
    this.#handler.destroy();
  }

  get #stream(): string {
    return this.#context.source.streamName;
  }

  async #call<T>(operation: string, signal: AbortSignal, call: () => Promise<T>): Promise<T>;
  async #call<T>(
    operation: string,
    signal: AbortSignal,
    call: () => Promise<T>,
    expected: (error: unknown) => boolean,
  ): Promise<T | undefined>;
  async #call<T>(
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
      return await withRetries(once, signal, (attempt) => {
        this.#context.log.debug({ operation, attempt }, 'stream service throttles requests');
      });
    } catch (error) {
      throw this.translated(error, operation);
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
