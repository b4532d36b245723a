import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BlobServiceClient } from '@azure/storage-blob';
import { answering, freePort } from './s3.ts';

export interface AzuritePeer {
  connectionString: string;
  /** Must never be seen. */
  key: string;
  container(name: string): Promise<void>;
  put(container: string, name: string, body: string | Uint8Array): Promise<void>;
  remove(): Promise<void>;
}

/** The emulator's well-known account. */
const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** Azure Blob Storage (Azurite) in a process of its own. Its gaps: plain http, one account. */
export async function startAzurite(): Promise<AzuritePeer> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-azurite-'));
  const port = await freePort();
  const main = join(dirname(createRequire(import.meta.url).resolve('azurite/package.json')), 'dist', 'src', 'blob', 'main.js');
  const emulator = spawn(process.execPath, [main, '--location', folder, '--blobHost', '127.0.0.1', '--blobPort', String(port), '--silent', '--skipApiVersionCheck', '--disableTelemetry'], { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env['PATH'] } });
  let said = '';
  emulator.stderr.on('data', (data: Buffer) => { said = (said + String(data)).slice(-4000); });
  await answering(`http://127.0.0.1:${port}`, () => emulator.exitCode, () => said);
  const connectionString = `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=${key};BlobEndpoint=http://127.0.0.1:${port}/devstoreaccount1;`;
  const client = BlobServiceClient.fromConnectionString(connectionString);
  return {
    connectionString, key,
    container: async (name) => { await client.createContainer(name); },
    put: async (container, name, body) => { await client.getContainerClient(container).getBlockBlobClient(name).upload(body, Buffer.byteLength(body)); },
    async remove() {
      emulator.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
