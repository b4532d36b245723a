import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { BackupPlace } from '../../ports/backup-place.ts';

/** Size of one upload, which is held in memory. 10,000 of them are one object at most. */
const partBytes = 64 * 2 ** 20;
const transfersMax = 4;

/**
 * A prefix of a bucket: `s3://bucket/prefix`. Credentials, region and endpoint come from where the
 * AWS tools look for them: AWS_ACCESS_KEY_ID, AWS_REGION, AWS_ENDPOINT_URL_S3, profiles, roles.
 */
export function s3Place(url: string): BackupPlace {
  const { bucket, prefix } = parse(url);
  const endpoint = process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL'];
  const client = new S3Client({
    // Services other than AWS rarely have a host name for each bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(process.env['AWS_REGION'] === undefined && { region: 'us-east-1' }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const key = (name: string): string => `${prefix}${name}`;
  const transfer = new S3Transfer(client, bucket);
  return {
    name: url,
    directory: undefined,
    isEmpty: async () => (await transfer.list(prefix, 1)).length === 0,
    async putFolder(localPath) {
      await each(await filesIn(localPath), (file) =>
        transfer.upload(file, key(relative(localPath, file).split(sep).join('/'))),
      );
      await rm(localPath, { recursive: true });
    },
    async getFolder(folder, localPath) {
      const start = key(`${folder}/`);
      await each(await transfer.list(start), async (object) => {
        const path = join(localPath, object.slice(start.length));
        if (!path.startsWith(localPath + sep)) {
          throw new Error(`${url} has an object whose name leads outside: ${object}`);
        }
        await transfer.download(object, path);
      });
    },
    async put(name, text) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key(name), Body: text }));
    },
    async get(name) {
      try {
        const { Body } = await client.send(
          new GetObjectCommand({ Bucket: bucket, Key: key(name) }),
        );
        return Body as Readable;
      } catch (error) {
        if (error instanceof NoSuchKey) {
          throw new Error(`${url} is not a complete backup: it has no ${name}`, { cause: error });
        }
        throw error;
      }
    },
    async enginePlace(name) {
      const { accessKeyId, secretAccessKey, sessionToken } = await client.config.credentials();
      if (sessionToken !== undefined) {
        throw new Error(
          'ClickHouse takes no temporary S3 credentials: set AWS_ACCESS_KEY_ID and ' +
            'AWS_SECRET_ACCESS_KEY to permanent ones',
        );
      }
      const region = await client.config.region();
      const base = endpoint ?? `https://s3.${region}.amazonaws.com`;
      return {
        kind: 's3',
        url: `${base.replace(/\/+$/, '')}/${bucket}/${key(name)}`,
        accessKeyId,
        secretAccessKey,
      };
    },
    close: () => client.destroy(),
  };
}

/** @throws Error that shows the expected form. */
function parse(url: string): { bucket: string; prefix: string } {
  const [, bucket, path = ''] = /^s3:\/\/([^/\s]+)(?:\/(\S*))?$/.exec(url) ?? [];
  if (bucket === undefined) {
    throw new Error(`the S3 address must be s3://bucket/prefix, not ${JSON.stringify(url)}`);
  }
  const folder = path.replace(/\/+$/, '');
  return { bucket, prefix: folder === '' ? '' : `${folder}/` };
}

class S3Transfer {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#bucket = bucket;
  }

  async list(prefix: string, limit = Infinity): Promise<string[]> {
    const keys: string[] = [];
    let next: string | undefined;
    do {
      const page = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#bucket,
          Prefix: prefix,
          ContinuationToken: next,
          ...(limit < 1000 && { MaxKeys: limit }),
        }),
      );
      keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
      next = page.NextContinuationToken;
    } while (next !== undefined && keys.length < limit);
    return keys;
  }

  async upload(path: string, key: string): Promise<void> {
    const { size } = await stat(path);
    const file = await open(path);
    try {
      if (size <= partBytes) {
        const Body = await file.readFile();
        await this.#client.send(new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body }));
        return;
      }
      const object = { Bucket: this.#bucket, Key: key };
      const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(object));
      const parts: { ETag: string | undefined; PartNumber: number }[] = [];
      for (let start = 0; start < size; start += partBytes) {
        const Body = Buffer.alloc(Math.min(partBytes, size - start));
        const { bytesRead } = await file.read(Body, 0, Body.length, start);
        if (bytesRead < Body.length) {
          throw new Error(`${path} became shorter while it was uploaded`);
        }
        const PartNumber = parts.length + 1;
        const { ETag } = await this.#client.send(
          new UploadPartCommand({ ...object, UploadId, PartNumber, Body }),
        );
        parts.push({ ETag, PartNumber });
      }
      await this.#client.send(
        new CompleteMultipartUploadCommand({
          ...object,
          UploadId,
          MultipartUpload: { Parts: parts },
        }),
      );
    } finally {
      await file.close();
    }
  }

  async download(key: string, path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const { Body } = await this.#client.send(
      new GetObjectCommand({ Bucket: this.#bucket, Key: key }),
    );
    await pipeline(Body as Readable, createWriteStream(path, { mode: 0o600 }));
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A few at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: transfersMax }, async () => {
      for (const item of waiting) {
        await work(item);
      }
    }),
  );
}
