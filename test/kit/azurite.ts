import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AccountSASPermissions, BlobServiceClient } from '@azure/storage-blob';
import { answering, freePort } from './s3.ts';

export interface AzuritePeer {
  connectionString: string;
  /** Must never be seen. */
  key: string;
  /** The same by a shared access signature: it may list and read, for an hour. */
  sharedAccess: string;
  container(name: string): Promise<void>;
  put(container: string, name: string, body: string | Uint8Array): Promise<void>;
  remove(): Promise<void>;
}

/** The emulator's well-known account. */
const key =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** Azure Blob Storage (Azurite) in a process of its own. Its gaps: plain http, one account. */
export async function startAzurite(): Promise<AzuritePeer> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-azurite-'));
  const port = await freePort();
  const main = join(
    dirname(createRequire(import.meta.url).resolve('azurite/package.json')),
    'dist',
    'src',
    'blob',
    'main.js',
  );
  const emulator = spawn(
    process.execPath,
    [
      main,
      '--location',
      folder,
      '--blobHost',
      '127.0.0.1',
      '--blobPort',
      String(port),
      '--silent',
      '--skipApiVersionCheck',
      '--disableTelemetry',
      '--disableProductStyleUrl',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env['PATH'] } },
  );
  let said = '';
  emulator.stderr.on('data', (data: Buffer) => {
    said = (said + String(data)).slice(-4000);
  });
  await answering(
    `http://127.0.0.1:${port}`,
    () => emulator.exitCode,
    () => said,
  );
  const connectionString =
    `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=${key};` +
    `BlobEndpoint=http://127.0.0.1:${port}/devstoreaccount1;`;
  const client = BlobServiceClient.fromConnectionString(connectionString);
  const signature = new URL(
    client.generateAccountSasUrl(
      new Date(Date.now() + 3_600_000),
      AccountSASPermissions.parse('rl'),
      'sco',
    ),
  ).search.slice(1);
  return {
    connectionString,
    key,
    sharedAccess: `BlobEndpoint=http://127.0.0.1:${port}/devstoreaccount1;SharedAccessSignature=${signature}`,
    container: async (name) => {
      await client.createContainer(name);
    },
    put: async (container, name, body) => {
      await client
        .getContainerClient(container)
        .getBlockBlobClient(name)
        .upload(body, Buffer.byteLength(body));
    },
    async remove() {
      emulator.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
