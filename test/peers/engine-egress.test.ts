import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectionStringAt } from '../../src/adapters/connectors/object-storage/stores/object-address.ts';
import { EgressRelay } from '../../src/adapters/telemetry/embedded/egress-relay.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import { sql, type Sql } from '../../src/sql/sql.ts';
import { startAzurite, type AzuritePeer } from '../kit/azurite.ts';
import { makeCertificates, type TestCertificates } from '../kit/certificates.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

/**
 * `store.test` is a name that only the guard knows. Its address changes between the check and the
 * read, as with DNS rebinding.
 */
describe('every table function that reads elsewhere connects to the judged address', () => {
  let address = '127.0.0.1';
  let azurite: AzuritePeer;
  let s3: S3Peer;
  let engine: TestTelemetry;
  const forbidden: Server[] = [];
  const trespasses: string[] = [];
  beforeAll(async () => {
    [azurite, s3] = await Promise.all([startAzurite(), startS3()]);
    await azurite.container('inner');
    await azurite.put('inner', 'a.json', '{"n":1}\n');
    await s3.bucket('inner');
    await s3.put('inner', 'a.json', '{"n":1}\n');
    // The emulator takes a name for a bucket.
    s3.interfere(({ headers }) => {
      headers.host = new URL(s3.direct).host;
      return false;
    });
    for (const port of [azuritePort(), s3Port()]) {
      const server = createServer((request, response) => {
        trespasses.push(`${request.method} ${request.url}`);
        response.end('{"n":666}\n');
      });
      forbidden.push(server.listen(Number(port), '127.0.0.2'));
      await once(server, 'listening');
    }
    const guard = egressGuard({
      allow: ['127.0.0.1'],
      resolver: async (name) => (name === 'store.test' ? [{ address, family: 4 }] : []),
    });
    engine = await openTestTelemetry({ egress: { guard, trusted: [] } });
  });
  afterEach(() => {
    address = '127.0.0.1';
  });
  afterAll(async () => {
    await engine?.close();
    await Promise.all([azurite?.remove(), s3?.remove()]);
    for (const server of forbidden) {
      server.closeAllConnections();
      server.close();
    }
  });

  const azuritePort = (): string => /:(\d+)\//.exec(azurite.connectionString)![1]!;
  const s3Port = (): string => new URL(s3.endpoint).port;
  const container = async (connectionString: string): Promise<Sql> => {
    const named = connectionString.replace('127.0.0.1', 'store.test');
    const relay = await engine.telemetry.relayFor(`http://store.test:${azuritePort()}`);
    return sql`azureBlobStorage(${connectionStringAt(named, relay!)}, 'inner', 'a.json',
      'JSONEachRow', 'none', 'n UInt16')`;
  };
  const functions: [what: string, from: () => Promise<Sql>][] = [
    ['azureBlobStorage with an account key', () => container(azurite.connectionString)],
    ['azureBlobStorage with a shared access signature', () => container(azurite.sharedAccess)],
    [
      's3, which also reads Google Cloud Storage',
      () =>
        Promise.resolve(
          sql`s3(${`http://store.test:${s3Port()}/inner/a.json`}, NOSIGN, 'JSONEachRow', 'n UInt16')`,
        ),
    ],
  ];

  it.each(functions)('%s', async (_, from) => {
    const query = sql`SELECT n FROM ${await from()}`;
    expect(await engine.rows(query)).toEqual([{ n: 1 }]);
    address = '127.0.0.2';
    await expect(
      engine.rows(
        sql`${query} SETTINGS s3_retry_attempts = 0, azure_sdk_max_retries = 0, azure_max_single_read_retries = 1`,
      ),
    ).rejects.toThrow(/421|EgressRefused/i);
    expect(trespasses).toEqual([]);
  });
});

describe('the relay to a service with TLS', () => {
  let folder: string;
  let certificates: TestCertificates;
  let service: ReturnType<typeof createTlsServer>;
  let relay: EgressRelay;
  const hosts: unknown[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sightline-relay-'));
    certificates = makeCertificates(folder);
    const { certificate, privateKey } = certificates.server;
    service = createTlsServer({ cert: certificate, key: privateKey }, (request, response) => {
      hosts.push([request.headers.host, request.url]);
      response.end('rows');
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const guard = egressGuard({
      allow: ['127.0.0.1'],
      resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    });
    relay = new EgressRelay(guard, certificates.ca);
  });
  afterAll(() => {
    relay?.close();
    service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('names the service in the request and in TLS, and takes no other certificate', async () => {
    const { port } = service.address() as AddressInfo;
    const answer = await fetch(
      `${await relay.originFor(`https://localhost:${port}`)}/c/a%20b?sig=x%3D`,
    );
    expect([answer.status, await text(answer.body!)]).toEqual([200, 'rows']);
    expect(hosts).toEqual([[`localhost:${port}`, '/c/a%20b?sig=x%3D']]);
    const other = await fetch(`${await relay.originFor(`https://other.test:${port}`)}/c`);
    expect([other.status, hosts.length]).toEqual([502, 1]);
  });
});
