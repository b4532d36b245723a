import { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import {
  ConnectionLost,
  SourceFailed,
  type ConnectorContext,
} from '../../../../ports/connector.ts';
import { guardedAgents } from '../../guarded-agents.ts';
import type { EngineCredentials } from '../stores/engine-source.ts';
import type { BucketAddress } from '../stores/object-address.ts';
import { objectStoreError } from '../errors/object-errors.ts';

export interface ObjectEvents {
  /** Keys of objects that were created in the bucket, each once. */
  names: string[];
  /** Pass them to `done` after the objects are stored. */
  receipts: string[];
}

const messagesMax = 10;
const waitSeconds = 10;

/** A queue with notifications of the object store about new objects. */
export class EventQueue {
  readonly #client: SQSClient;
  readonly #url: string;
  readonly #bucket: string;
  readonly #matches: (name: string) => boolean;

  /** `matches`: whether the pipe reads an object of this name. */
  constructor(
    { egress }: ConnectorContext<'objectStorage'>,
    queueUrl: string,
    { bucket, region }: Pick<BucketAddress, 'bucket' | 'region'>,
    matches: (name: string) => boolean,
    credentials: () => Promise<EngineCredentials | undefined>,
  ) {
    const url = new URL(queueUrl);
    this.#url = queueUrl;
    this.#bucket = bucket;
    this.#matches = matches;
    this.#client = new SQSClient({
      endpoint: url.origin,
      region: queueRegion(url.hostname) ?? (region === 'auto' ? 'us-east-1' : region),
      maxAttempts: 3,
      requestHandler: new NodeHttpHandler({
        ...guardedAgents(egress),
        connectionTimeout: 5000,
        socketTimeout: 30_000,
      }),
      credentials: async () => {
        const known = await credentials();
        if (!known) {
          throw new SourceFailed('queueUrl: needs accessKey or iamRole');
        }
        return known;
      },
    });
  }

  /** Waits up to ten seconds for messages. */
  async receive(signal: AbortSignal): Promise<ObjectEvents> {
    const { Messages: messages = [] } = await this.#ask(() =>
      this.#client.send(
        new ReceiveMessageCommand({
          QueueUrl: this.#url,
          MaxNumberOfMessages: messagesMax,
          WaitTimeSeconds: waitSeconds,
        }),
        { abortSignal: signal },
      ),
    );
    const names = new Set(
      messages.flatMap(({ Body }) =>
        createdObjects(Body ?? '')
          .filter(({ bucket, name }) => bucket === this.#bucket && this.#matches(name))
          .map(({ name }) => name),
      ),
    );
    return {
      names: [...names],
      receipts: messages.flatMap(({ ReceiptHandle }) =>
        ReceiptHandle === undefined ? [] : [ReceiptHandle],
      ),
    };
  }

  async done(receipts: readonly string[]): Promise<void> {
    if (receipts.length === 0) {
      return;
    }
    const entries = receipts.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle }));
    await this.#ask(() =>
      this.#client.send(new DeleteMessageBatchCommand({ QueueUrl: this.#url, Entries: entries })),
    );
  }

  close(): void {
    this.#client.destroy();
  }

  async #ask<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof SourceFailed || error instanceof ConnectionLost) {
        throw error;
      }
      if (/NonExistentQueue|QueueDoesNotExist/.test((error as Error).name)) {
        throw new SourceFailed('queueUrl: there is no such queue');
      }
      throw objectStoreError(error, 'queue', {
        place: 'the queue',
        field: 'queueUrl',
        identity: 'the credentials',
        identityField: 'accessKey',
      });
    }
  }
}

/** The region in the host name of a queue. */
export function queueRegion(host: string): string | undefined {
  return (
    /(?:^|\.)sqs(?:-fips)?\.([a-z0-9-]+)\.(?:amazonaws|vpce|api)\./.exec(host)?.[1] ??
    /^([a-z0-9-]+)\.queue\.amazonaws\./.exec(host)?.[1]
  );
}

interface Notification {
  Message?: string;
  Records?: {
    eventName?: string;
    s3?: { bucket?: { name?: string }; object?: { key?: string } };
  }[];
  'detail-type'?: string;
  detail?: { bucket?: { name?: string }; object?: { key?: string } };
}

/**
 * The objects that a notification of the store reports as created: direct, by SNS or by EventBridge.
 * Any other message gives none.
 */
export function createdObjects(body: string): { bucket: string; name: string }[] {
  const message = parsed(body);
  if (typeof message?.Message === 'string') {
    return createdObjects(message.Message);
  }
  if (message?.['detail-type'] === 'Object Created') {
    return named(message.detail?.bucket?.name, message.detail?.object?.key);
  }
  const records = Array.isArray(message?.Records)
    ? message.Records.filter((record) => typeof record === 'object' && record !== null)
    : [];
  return records.flatMap(({ eventName, s3 }) =>
    String(eventName).includes('ObjectCreated')
      ? named(s3?.bucket?.name, plain(s3?.object?.key))
      : [],
  );
}

/**
 * No service has objects with an empty or a longer name. A request for one would fail each time the
 * message comes again.
 */
const nameBytesMax = 1024;
const isName = (name: unknown): name is string =>
  typeof name === 'string' &&
  name !== '' &&
  Buffer.byteLength(name) <= nameBytesMax &&
  name.isWellFormed() &&
  !name.includes('\0');
const named = (bucket: unknown, name: unknown): { bucket: string; name: string }[] =>
  typeof bucket === 'string' && isName(name) ? [{ bucket, name }] : [];

/** The store's own notifications encode keys like form values. */
function plain(key: unknown): string | undefined {
  if (typeof key !== 'string') {
    return undefined;
  }
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return key;
  }
}

function parsed(body: string): Notification | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
