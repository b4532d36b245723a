import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { Disk, diskMissing } from '../kit/disk.ts';
import { until } from '../kit/eventually.ts';
import { postgresMissing, startPostgres } from '../kit/postgres.ts';
import { Program, type Server } from '../kit/program.ts';
import { tcpProxy } from '../kit/tcp-proxy.ts';

const accessKey = 'slp_test_access_key_000000000000000000000000';
const ingestionKey = 'sli_test_ingestion_key_0000000000000000000000';
const organizationId = '11111111-1111-4111-8111-111111111111';
const serviceId = '22222222-2222-4222-8222-222222222222';
const keyId = 'key-of-the-test';
const keySecret = 'sls_test_key_secret_0000000000000000000000';

/** The whole program's budget, from the signal to the exit. */
const stopMs = 10_000;

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) {
    await cleanUp();
  }
});

function program(environment: Record<string, string> = {}): Program {
  const started = new Program({
    SIGHTLINE_DEPLOYMENT: 'all',
    SIGHTLINE_EGRESS_ALLOW: '127.0.0.1',
    SIGHTLINE_ALLOW_HTTP_SOURCES: 'true',
    SIGHTLINE_BOOTSTRAP_ACCESS_KEY: accessKey,
    SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey,
    SIGHTLINE_BOOTSTRAP_ORGANIZATION_ID: organizationId,
    SIGHTLINE_BOOTSTRAP_SERVICE_ID: serviceId,
    SIGHTLINE_BOOTSTRAP_KEY_ID: keyId,
    SIGHTLINE_BOOTSTRAP_KEY_SECRET: keySecret,
    ...environment,
  });
  cleanUps.push(() => started.remove());
  return started;
}

async function expectQuickStop(server: Server): Promise<string> {
  const begin = performance.now();
  const { code, stderr } = await server.stop();
  expect(performance.now() - begin).toBeLessThan(stopMs);
  expect(code, stderr).toBe(0);
  return stderr;
}

const managed = async <T = never>(server: Server, path: string, body?: object): Promise<T> => {
  const answer = await fetch(
    `${server.api}/v1/organizations/${organizationId}/services/${serviceId}${path}`,
    {
      method: body ? 'POST' : 'GET',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`,
      },
      ...(body && { body: JSON.stringify(body) }),
    },
  );
  const json = (await answer.json()) as { result: T };
  expect(answer.ok, JSON.stringify(json)).toBe(true);
  return json.result;
};

const sendLogs = async (server: Server, bodies: readonly string[]): Promise<Response> =>
  fetch(`${server.otlpHttp}/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: ingestionKey },
    body: JSON.stringify({
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: bodies.map((stringValue) => ({
                timeUnixNano: `${Date.now()}000000`,
                body: { stringValue },
              })),
            },
          ],
        },
      ],
    }),
  });

test('an object that stalls', async () => {
  const stalled: string[] = [];
  const requests: string[] = [];
  const store: HttpServer = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (request.url?.includes('list-type') === true) {
      response.setHeader('content-type', 'application/xml');
      response.end(
        `<ListBucketResult><Name>bucket</Name><IsTruncated>false</IsTruncated>
          <Contents><Key>a.json</Key><LastModified>2026-01-01T00:00:00Z</LastModified>
            <ETag>"x"</ETag><Size>1000000</Size></Contents></ListBucketResult>`,
      );
      return;
    }
    response.writeHead(200, { 'content-length': 1_000_000, etag: '"x"' });
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    response.write('{"n":1}\n');
    stalled.push(`${request.url}`);
  }).listen(0, '127.0.0.1');
  await once(store, 'listening');
  cleanUps.push(() => {
    store.closeAllConnections();
    store.close();
  });
  const server = await program().serve();
  const pipe = await managed<{ id: string }>(server, '/pipes', {
    name: 'stalled',
    source: {
      objectStorage: {
        url: `http://127.0.0.1:${(store.address() as AddressInfo).port}/bucket/*.json`,
        format: 'JSONEachRow',
      },
    },
    destination: {
      database: 'default',
      table: 'stalled',
      columns: [{ name: 'n', type: 'UInt64' }],
      tableDefinition: { sortingKey: ['n'] },
    },
  });
  await until(
    'the engine to read',
    async () => {
      if (stalled.length === 0) {
        const [{ state, stateMessage }, errors] = await Promise.all([
          managed<{ state: string; stateMessage?: string }>(server, `/pipes/${pipe.id}`),
          managed<object>(server, `/pipes/${pipe.id}/errors`),
        ]);
        throw new Error(JSON.stringify([state, stateMessage, errors, requests]));
      }
      return true;
    },
    30_000,
  );
  await expectQuickStop(server);
});

test.skipIf(postgresMissing())(
  'a PostgreSQL server behind a cable that was pulled out',
  async () => {
    const peer = await startPostgres({ wal_level: 'logical' });
    const proxy = await tcpProxy(peer.port);
    cleanUps.push(
      () => peer.remove(),
      () => proxy.close(),
    );
    const client = new Client({ connectionString: peer.url });
    await client.connect();
    await client.query('CREATE TABLE orders (id int PRIMARY KEY); INSERT INTO orders VALUES (1)');
    await client.end();
    const { username, password } = new URL(peer.url);
    const server = await program().serve();
    const pipe: { id: string } = await managed(server, '/pipes', {
      name: 'cut',
      source: {
        postgres: {
          host: '127.0.0.1',
          port: proxy.port,
          database: 'postgres',
          credentials: { username, password: password || 'none' },
          tableMappings: [
            { sourceSchemaName: 'public', sourceTable: 'orders', targetTable: 'orders' },
          ],
        },
      },
      destination: { database: 'default' },
    });
    await until(
      'the pipe to run',
      async () => {
        const { state, stateMessage } = await managed<{ state: string; stateMessage?: string }>(
          server,
          `/pipes/${pipe.id}`,
        );
        if (state !== 'Running') {
          throw new Error(`${state} ${stateMessage}`);
        }
        return true;
      },
      60_000,
    );
    proxy.set('swallow');
    await expectQuickStop(server);
  },
);

test('32 queries that the engine cannot stop', async () => {
  const server = await program().serve();
  const body = `${'ab'.repeat(30_000)}`;
  for (let block = 0; block < 4; block++) {
    expect(
      (
        await sendLogs(
          server,
          Array.from({ length: 20 }, () => body),
        )
      ).status,
    ).toBe(200);
  }
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${accessKey}` };
  const { data: sources } = (await (
    await fetch(`${server.api}/api/v2/sources`, { headers })
  ).json()) as { data: { id: string }[] };
  const nowMs = Date.now();
  const hostile = Array.from(
    { length: 20 },
    (_, index) => `match(Body, '([ab]c?){1,300}[ab]{${200 + index}}[cd]')`,
  ).join(' OR ');
  const clients = new AbortController();
  const settled: string[] = [];
  for (let index = 0; index < 32; index++) {
    void fetch(`${server.api}/api/v2/charts/series`, {
      method: 'POST',
      headers,
      signal: clients.signal,
      body: JSON.stringify({
        series: [
          { sourceId: sources[0]!.id, aggFn: 'count', where: hostile, whereLanguage: 'sql' },
        ],
        startTime: nowMs - 3_600_000 - index,
        endTime: nowMs + 60_000,
      }),
    })
      .then((answer) => answer.text(), String)
      .then((text) => settled.push(text));
  }
  await new Promise((resolve) => {
    setTimeout(resolve, 2000);
  });
  // A fast processor ends some of them by then.
  expect(settled.length).toBeLessThan(16);
  await expectQuickStop(server);
  clients.abort();
});

test.skipIf(diskMissing())('a full disk', async () => {
  const disk = Disk.create(300);
  cleanUps.push(() => disk.remove());
  const server = await program({ SIGHTLINE_DATA_DIR: join(disk.path, 'data') }).serve();
  expect((await sendLogs(server, ['before'])).status).toBe(200);
  disk.fill();
  void sendLogs(server, ['x'.repeat(100_000)]).catch(() => undefined);
  await new Promise((resolve) => {
    setTimeout(resolve, 500);
  });
  await expectQuickStop(server);
});
