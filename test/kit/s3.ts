import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createRequire } from 'node:module';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';

/** One request on its way to the emulator. True: it was answered here. */
export type Interference = (
  request: IncomingMessage,
  response: ServerResponse,
) => boolean | Promise<boolean>;

export interface S3Peer {
  /** The line to the emulator that can be interfered with. */
  endpoint: string;
  /** The emulator itself. */
  direct: string;
  client: S3Client;
  accessKey: { accessKeyId: string; secretKey: string };
  /** Every request through the proxy: method and path. */
  requests: string[];
  interfere(with_: Interference | undefined): void;
  bucket(name: string): Promise<void>;
  put(bucket: string, key: string, body: string | Uint8Array): Promise<void>;
  /**
   * Puts many, or large ones, past the emulator: straight into its folder. The chunks of one
   * object, one after another.
   */
  place(bucket: string, key: string, chunks: Iterable<Buffer>): number;
  delete(bucket: string, key: string): Promise<void>;
  remove(): Promise<void>;
}

/** s3rver knows this one key. */
const accessKey = { accessKeyId: 'S3RVER', secretKey: 'S3RVER' };

/**
 * An S3 server (s3rver) in a process of its own, on a folder. Its gaps: signatures of one fixed key
 * only, a caller without credentials is let in, no If-Match, no SQS and no STS. Paged listings need
 * OpenSSL's legacy provider.
 */
export async function startS3(): Promise<S3Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-s3-'));
  const port = await freePort();
  const main = join(
    dirname(createRequire(import.meta.url).resolve('s3rver/package.json')),
    'bin',
    's3rver.js',
  );
  const emulator = spawn(
    process.execPath,
    ['--openssl-legacy-provider', main, '-d', folder, '-a', '127.0.0.1', '-p', String(port), '-s'],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env['PATH'] } },
  );
  let said = '';
  emulator.stderr.on('data', (data: Buffer) => {
    said = (said + String(data)).slice(-4000);
  });
  const direct = `http://127.0.0.1:${port}`;
  await answering(
    direct,
    () => emulator.exitCode,
    () => said,
  );
  const client = new S3Client({
    endpoint: direct,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: accessKey.accessKeyId, secretAccessKey: accessKey.secretKey },
  });
  const requests: string[] = [];
  let interference: Interference | undefined;
  const line = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    void forward(request, response, port, interference);
  });
  await new Promise<void>((resolve) => {
    line.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    direct,
    client,
    accessKey,
    requests,
    interfere: (with_) => {
      interference = with_;
    },
    bucket: async (Bucket) => {
      await client.send(new CreateBucketCommand({ Bucket }));
    },
    put: async (Bucket, Key, Body) => {
      await client.send(new PutObjectCommand({ Bucket, Key, Body }));
    },
    place: (bucket, key, chunks) => place(join(folder, bucket, `${key}._S3rver_object`), chunks),
    delete: async (Bucket, Key) => {
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
    async remove() {
      client.destroy();
      line.closeAllConnections();
      line.close();
      emulator.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function place(path: string, chunks: Iterable<Buffer>): number {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w');
  const hash = createHash('md5');
  let bytes = 0;
  for (const chunk of chunks) {
    writeSync(file, chunk);
    hash.update(chunk);
    bytes += chunk.length;
  }
  closeSync(file);
  writeFileSync(`${path}.md5`, hash.digest('hex'));
  return bytes;
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  interference: Interference | undefined,
): Promise<void> {
  if (interference && (await interference(request, response))) {
    return;
  }
  const onward = httpRequest(
    {
      host: '127.0.0.1',
      port,
      method: request.method,
      path: request.url,
      headers: request.headers,
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  onward.once('error', () => {
    response.destroy();
  });
  request.pipe(onward);
}

export async function answering(
  url: string,
  exitCode: () => number | null,
  said: () => string,
): Promise<void> {
  for (let look = 0; look < 600; look++) {
    if (exitCode() !== null) {
      throw new Error(`the emulator ended: ${said()}`);
    }
    try {
      await fetch(url);
      return;
    } catch {
      await pause(50);
    }
  }
  throw new Error(`the emulator does not answer: ${said()}`);
}

export async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
