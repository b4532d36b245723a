import {
  BlobServiceClient,
  ContainerClient,
  newPipeline,
  type RequestPolicyFactory,
} from '@azure/storage-blob';
import { SourceFailed, type ConnectorContext } from '../../../../ports/connector.ts';
import type { ListedObject } from '../../../../ports/store/object-ledger.ts';
import { guardedAgents } from '../../guarded-agents.ts';
import type { ContainerAddress } from './object-address.ts';
import { objectStoreError, statusOf, type About } from '../errors/object-errors.ts';
import type { ObjectSource } from './object-source.ts';

const pageSize = 1000;

/** A container of Azure Blob Storage. */
export class AzureSource implements ObjectSource {
  readonly #container: ContainerClient;
  readonly #about: About;
  readonly #agents: ReturnType<typeof guardedAgents>;
  readonly secrets: readonly string[];

  constructor(
    { egress }: ConnectorContext<'objectStorage'>,
    { connectionString, container }: ContainerAddress,
  ) {
    this.#agents = guardedAgents(egress);
    this.#about = {
      place: `the container ${container}`,
      field: 'containerName',
      identity: 'the connection string',
      identityField: 'connectionString',
    };
    this.secrets = [
      connectionString,
      ...connectionString
        .split(';')
        .map((part) => part.slice(part.indexOf('=') + 1))
        .filter((value) => value.length >= 16 && !/^https?:\/\/[^?]*$/i.test(value)),
    ];
    const { httpAgent, httpsAgent } = this.#agents;
    const guarded: RequestPolicyFactory = {
      create: (next) => ({
        sendRequest: (request) => {
          request.agent = /^https:/i.test(request.url) ? httpsAgent : httpAgent;
          return next.sendRequest(request);
        },
      }),
    };
    try {
      const service = BlobServiceClient.fromConnectionString(connectionString);
      const pipeline = newPipeline(service.credential, {
        retryOptions: { maxTries: 4, tryTimeoutInMs: 30_000 },
      });
      pipeline.factories.unshift(guarded);
      this.#container = new ContainerClient(service.getContainerClient(container).url, pipeline);
    } catch {
      // The client's own message may quote the connection string.
      throw new SourceFailed(
        'connectionString: cannot be used: check its parts, above all the key',
        { problem: { reason: 'login_refused', field: 'connectionString' } },
      );
    }
  }

  async *list(prefix: string, signal: AbortSignal): AsyncGenerator<ListedObject[]> {
    const pages = this.#container
      .listBlobsFlat({ prefix, includeMetadata: true, abortSignal: signal })
      .byPage({ maxPageSize: pageSize });
    for (;;) {
      const { value, done } = await this.#ask('list', () => pages.next());
      if (done === true) {
        return;
      }
      yield value.segment.blobItems
        .filter((item) => !isFolder(item))
        .map(({ name, properties }) => ({
          name,
          etag: properties.etag,
          bytes: properties.contentLength ?? 0,
          modifiedAtMs: properties.lastModified.getTime(),
        }));
    }
  }

  look(name: string, signal: AbortSignal): Promise<ListedObject | undefined> {
    return this.#ask('look', async () => {
      try {
        const { etag, contentLength, lastModified } = await this.#container
          .getBlobClient(name)
          .getProperties({ abortSignal: signal });
        return {
          name,
          etag: bare(etag ?? ''),
          bytes: contentLength ?? 0,
          modifiedAtMs: lastModified?.getTime() ?? 0,
        };
      } catch (error) {
        if (statusOf(error) === 404) {
          return undefined;
        }
        throw error;
      }
    });
  }

  async *read(name: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      const { readableStreamBody } = await this.#container
        .getBlobClient(name)
        .download(0, undefined, { abortSignal: signal });
      if (readableStreamBody) {
        // The client types its stream without the chunks, which are bytes.
        yield* readableStreamBody as unknown as AsyncIterable<Uint8Array>;
      }
    } catch (error) {
      throw objectStoreError(error, 'read', this.#about);
    }
  }

  async check(prefix: string, signal: AbortSignal): Promise<void> {
    await this.#ask('list', () =>
      this.#container
        .listBlobsFlat({ prefix, abortSignal: signal })
        .byPage({ maxPageSize: 1 })
        .next(),
    );
  }

  engineCredentials(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  close(): void {
    this.#agents.httpAgent.destroy();
    this.#agents.httpsAgent.destroy();
  }

  async #ask<T>(operation: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw objectStoreError(error, operation, this.#about);
    }
  }
}

/** Accounts with a hierarchical namespace list folders as marked blobs without content. */
const isFolder = ({ metadata }: { metadata?: Record<string, string> }): boolean =>
  metadata?.['hdi_isfolder']?.toLowerCase() === 'true';

/** A listing writes an ETag without the quotes that an answer for one object has. */
const bare = (etag: string): string => etag.replace(/^"|"$/g, '');
