import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { ConnectorContext } from '../../../../ports/connector.ts';
import type { ListedObject } from '../../../../ports/store/object-ledger.ts';
import { assumedRole } from '../../assumed-role.ts';
import { guardedAgents } from '../../guarded-agents.ts';
import type { EngineCredentials } from './engine-source.ts';
import type { BucketAddress } from './object-address.ts';
import { objectStoreError, statusOf, type About } from '../errors/object-errors.ts';
import type { ObjectSource } from './object-source.ts';
import { listedName, s3Listing, type S3Listing } from '../listing/s3-listing.ts';

/**
 * Credentials of a role are renewed if they are valid for less than this: a load that begins with
 * them must be able to end.
 */
const roleSpareMs = 30 * 60_000;

/** Given to the client instead of a page that was already parsed. */
const emptyListing = Buffer.from('<ListBucketResult></ListBucketResult>');

export interface S3SourceOptions {
  /** Service to assume roles at. Default: the region's own. */
  stsEndpoint?: string | undefined;
  /** Regions of services whose host does not name one, by `host` or `host:port`. */
  regions?: Readonly<Record<string, string>>;
  /** Objects on one page of a listing. Default: the service's own, 1,000. */
  pageSize?: number;
}

/**
 * A bucket of S3, of Google Cloud Storage (with HMAC keys), or of any service that speaks the same.
 */
export class S3Source implements ObjectSource {
  readonly #address: BucketAddress;
  readonly #client: S3Client;
  readonly #about: About;
  readonly #handler: NodeHttpHandler;
  readonly #context: ConnectorContext<'objectStorage'>;
  readonly #options: S3SourceOptions;
  #assumed: Promise<EngineCredentials & { expiration: Date }> | undefined;
  readonly secrets: string[];

  constructor(
    context: ConnectorContext<'objectStorage'>,
    address: BucketAddress,
    options: S3SourceOptions,
  ) {
    const { source, egress } = context;
    this.#context = context;
    this.#address = address;
    address.region = options.regions?.[new URL(address.endpoint).host] ?? address.region;
    this.#options = options;
    this.secrets = source.accessKey
      ? [source.accessKey.secretKey, source.accessKey.accessKeyId]
      : [];
    this.#about = {
      place: `the bucket ${address.bucket}`,
      field: 'url',
      ...identityOf(source),
    };
    this.#handler = new NodeHttpHandler({
      ...guardedAgents(egress),
      connectionTimeout: 5000,
      socketTimeout: 30_000,
    });
    const anonymous = source.accessKey === undefined && source.iamRole === undefined;
    this.#client = new S3Client({
      endpoint: address.endpoint,
      region: address.region,
      forcePathStyle: !address.virtualHost,
      requestHandler: this.#handler,
      maxAttempts: 4,
      followRegionRedirects: true,
      ...(anonymous
        ? {
            signer: { sign: (request) => Promise.resolve(request) },
            credentials: { accessKeyId: 'anonymous', secretAccessKey: 'anonymous' },
          }
        : { credentials: () => this.#identity() }),
    });
  }

  async *list(prefix: string, signal: AbortSignal, after?: string): AsyncGenerator<ListedObject[]> {
    const begin = after === undefined ? {} : { StartAfter: after };
    let token: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        // XML has no way to write some characters of names.
        EncodingType: 'url',
        Bucket: this.#address.bucket,
        Prefix: prefix,
        ...(this.#options.pageSize === undefined ? {} : { MaxKeys: this.#options.pageSize }),
        ...(token === undefined ? begin : { ContinuationToken: token }),
      });
      const page = await this.#ask('list', () => this.#page(command, signal));
      yield page.objects;
      token = page.token;
    } while (token !== undefined && !signal.aborted);
  }

  async #page(command: ListObjectsV2Command, signal: AbortSignal): Promise<S3Listing> {
    let quick: S3Listing | undefined;
    command.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        const response = result.response as { statusCode: number; body: unknown };
        if (response.statusCode !== 200) {
          return result;
        }
        const body = await buffer(response.body as Readable);
        quick = s3Listing(body.toString());
        response.body = quick ? emptyListing : body;
        return result;
      },
      { step: 'deserialize', priority: 'low' },
    );
    const page = await this.#client.send(command, { abortSignal: signal });
    if (quick) {
      return quick;
    }
    const objects = (page.Contents ?? []).flatMap(({ Key, ETag, Size, LastModified }) =>
      Key === undefined
        ? []
        : [
            {
              name: page.EncodingType === 'url' ? listedName(Key) : Key,
              etag: ETag ?? '',
              bytes: Size ?? 0,
              modifiedAtMs: LastModified?.getTime() ?? 0,
            },
          ],
    );
    return {
      objects,
      ...(page.IsTruncated === true && page.NextContinuationToken !== undefined
        ? { token: page.NextContinuationToken }
        : {}),
    };
  }

  async look(name: string, signal: AbortSignal): Promise<ListedObject | undefined> {
    return this.#ask('look', async () => {
      try {
        const { ETag, ContentLength, LastModified } = await this.#client.send(
          new HeadObjectCommand({ Bucket: this.#address.bucket, Key: name }),
          { abortSignal: signal },
        );
        return {
          name,
          etag: ETag ?? '',
          bytes: ContentLength ?? 0,
          modifiedAtMs: LastModified?.getTime() ?? 0,
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
    const { Body } = await this.#ask('read', () =>
      this.#client.send(new GetObjectCommand({ Bucket: this.#address.bucket, Key: name }), {
        abortSignal: signal,
      }),
    );
    try {
      yield* Body as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw objectStoreError(error, 'read', this.#about);
    }
  }

  async check(prefix: string, signal: AbortSignal): Promise<void> {
    await this.#ask('list', () =>
      this.#client.send(
        new ListObjectsV2Command({ Bucket: this.#address.bucket, Prefix: prefix, MaxKeys: 1 }),
        { abortSignal: signal },
      ),
    );
    await this.#findRegion(signal);
  }

  engineCredentials(): Promise<EngineCredentials | undefined> {
    const { accessKey, iamRole } = this.#context.source;
    return accessKey === undefined && iamRole === undefined
      ? Promise.resolve(undefined)
      : this.#identity();
  }

  close(): void {
    this.#client.destroy();
  }

  /** The engine follows no redirect, so it must be given the bucket's own region. */
  async #findRegion(signal: AbortSignal): Promise<void> {
    if (!/^https:\/\/s3\.[a-z0-9-]+\.amazonaws\.com$/.test(this.#address.endpoint)) {
      return;
    }
    const { BucketRegion } = await this.#ask('list', () =>
      this.#client.send(new HeadBucketCommand({ Bucket: this.#address.bucket }), {
        abortSignal: signal,
      }),
    );
    if (BucketRegion === undefined || !/^[a-z0-9-]+$/.test(BucketRegion)) {
      return;
    }
    this.#address.region = BucketRegion;
    this.#address.endpoint = `https://s3.${BucketRegion}.amazonaws.com`;
  }

  async #identity(): Promise<EngineCredentials> {
    const { accessKey, iamRole } = this.#context.source;
    if (iamRole === undefined) {
      const { accessKeyId = '', secretKey = '' } = accessKey ?? {};
      return { accessKeyId, secretAccessKey: secretKey };
    }
    const known = await this.#assumed?.catch(() => undefined);
    if (known && known.expiration.getTime() - Date.now() > roleSpareMs) {
      return known;
    }
    this.#assumed = this.#ask('AssumeRole', () => this.#assume(iamRole));
    return this.#assumed;
  }

  async #assume(roleArn: string): Promise<EngineCredentials & { expiration: Date }> {
    const { region } = this.#address;
    const assumed = await assumedRole({
      roleArn,
      region: region === 'auto' ? 'us-east-1' : region,
      sessionName: `sightline-${this.#context.pipeId}`,
      requestHandler: this.#handler,
      endpoint: this.#options.stsEndpoint,
    })();
    this.secrets.push(
      assumed.secretAccessKey,
      ...(assumed.sessionToken === undefined ? [] : [assumed.sessionToken]),
    );
    return { expiration: new Date(Date.now() + roleSpareMs), ...assumed };
  }

  async #ask<T>(operation: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw objectStoreError(error, operation, this.#about);
    }
  }
}

function identityOf({
  iamRole,
  accessKey,
}: ConnectorContext<'objectStorage'>['source']): Pick<About, 'identity' | 'identityField'> {
  if (iamRole !== undefined) {
    return { identity: `the role ${iamRole}`, identityField: 'iamRole' };
  }
  return accessKey
    ? { identity: 'the access key', identityField: 'accessKey' }
    : { identity: 'a caller without credentials', identityField: 'url' };
}
