import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { BlobServiceClient } from '@azure/storage-blob';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { startAzurite, type AzuritePeer } from '../kit/azurite.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const lines = (from: number, to: number): string =>
  Array.from(
    { length: to - from },
    (_, index) => `{"n":${from + index},"text":"ü ${from + index}"}\n`,
  ).join('');

let peer: AzuritePeer;
let world: PipeWorld;
beforeAll(async () => {
  peer = await startAzurite();
  world = await pipeWorld();
  world.pipes.start();
});
afterAll(async () => {
  await world?.close();
  await peer?.remove();
});

describe('blobs on Azure Blob Storage', () => {
  it('loads each blob once, lists the bad one, and takes what is new and what has changed', async () => {
    await peer.container('first');
    await peer.put('first', 'in/a b.json', lines(0, 50));
    await peer.put('first', 'in/deep/ü.json.gz', gzipSync(lines(50, 100)));
    await peer.put('first', 'in/br{a,b}.json', lines(100, 110));
    await peer.put('first', 'in/bad.json', '{"n":"x"}');
    await peer.put('first', 'in/empty.json', '');
    const pipe = await world.create({
      source: {
        objectStorage: {
          containerName: 'first',
          connectionString: peer.connectionString,
          path: 'in/**',
          isContinuous: true,
        },
      },
      destination: {
        database: 'shop',
        table: 'blobs',
        columns: [
          { name: 'n', type: 'UInt64' },
          { name: 'text', type: 'String' },
        ],
        tableDefinition: { sortingKey: ['n'] },
      },
      settings: { object_storage_polling_interval_ms: 100 },
    });
    const have = (rows: number): Promise<unknown> =>
      until(
        `${rows} rows`,
        async () => {
          const metrics = await world.metrics(pipe.id);
          const { state, stateMessage } = await world.get(pipe.id);
          if (metrics.rows !== rows) {
            throw new Error(JSON.stringify([metrics.rows, state, stateMessage, metrics.lastError]));
          }
          return true;
        },
        30_000,
      );
    await have(110);
    expect(await world.metrics(pipe.id)).toMatchObject({ errors: 1 });
    await peer.put('first', 'in/0.json', lines(200, 205));
    await peer.put('first', 'in/bad.json', lines(300, 301));
    await have(116);
    expect(
      (await world.rows(sql`SELECT count(), uniqExact(n) FROM shop.blobs`))[0]!.map(Number),
    ).toEqual([116, 116]);
    expect(JSON.stringify(await world.get(pipe.id)) + world.logged.join('\n')).not.toContain(
      peer.key,
    );
  });

  it('folders of an account that has them, and blobs without content, are no objects that fail', async () => {
    await peer.container('folders');
    const client = BlobServiceClient.fromConnectionString(peer.connectionString).getContainerClient(
      'folders',
    );
    await client
      .getBlockBlobClient('in/deep')
      .upload('', 0, { metadata: { hdi_isfolder: 'true' } });
    await peer.put('folders', 'in/deep/_SUCCESS', '');
    await peer.put('folders', 'in/deep/a.json', lines(0, 5));
    const pipe = await world.create({
      source: {
        objectStorage: {
          containerName: 'folders',
          connectionString: peer.connectionString,
          path: 'in/**',
        },
      },
      destination: {
        database: 'shop',
        table: 'blobs_folders',
        columns: [{ name: 'n', type: 'UInt64' }],
      },
    });
    await until(
      'the load to end',
      async () => (await world.get(pipe.id)).state === 'Completed',
      30_000,
    );
    expect(await world.metrics(pipe.id)).toMatchObject({ rows: 5, errors: 0 });
  });
});

describe('access to Azure Blob Storage', () => {
  it('a wrong key and a missing container fail the pipe with what to do, and without the key', async () => {
    await peer.container('second');
    const wrong = peer.connectionString.replace(
      peer.key,
      Buffer.from('another key of a caller').toString('base64'),
    );
    for (const [containerName, connectionString, message] of [
      ['second', wrong, /credentials|refused/],
      ['absent', peer.connectionString, /the container absent does not exist/],
    ] as const) {
      const pipe = await world.create({
        source: { objectStorage: { containerName, connectionString, path: '*.json' } },
        destination: {
          database: 'shop',
          table: `blobs_${containerName}`,
          columns: [{ name: 'n', type: 'UInt64' }],
        },
      });
      const failed = await until(
        'failed',
        async () => {
          const got = await world.get(pipe.id);
          return got.state === 'Failed' && got;
        },
        30_000,
      );
      expect(failed.stateMessage).toMatch(message);
    }
    expect(world.logged.join('\n')).not.toContain(
      Buffer.from('another key of a caller').toString('base64'),
    );
  });

  it('a shared access signature suffices and is never shown; names are read as they are', async () => {
    await peer.container('third');
    const longest = `${'ü'.repeat(300)}/${'x'.repeat(418)}.json`;
    const names = [
      longest,
      '%41.json',
      '100%.json',
      'a+b c&d=e;f.json',
      '#hash.json',
      '{a,b}.json',
      'q?*[x].json',
      '"quo\'te`.json',
      'com,ma.json',
      'Case.json',
      'case.json',
      '🙂/€.json',
      '~$(x)^|.json',
      '--comment.json',
    ];
    for (const [index, name] of names.entries()) {
      await peer.put('third', `in/${name}`, `{"n":${index}}\n`);
    }
    await peer.put('third', 'in/cut.csv.zst', Buffer.from('28b52ffd', 'hex'));
    const pipe = await world.create({
      source: {
        objectStorage: {
          containerName: 'third',
          connectionString: peer.sharedAccess,
          path: 'in/**',
        },
      },
      destination: {
        database: 'shop',
        table: 'blobs_third',
        columns: [
          { name: 'n', type: 'UInt64' },
          { name: 'path', type: 'String' },
        ],
        tableDefinition: { sortingKey: ['n'] },
      },
      fieldMappings: [
        { destinationField: 'n', sourceField: 'n' },
        { destinationField: 'path', sourceField: '_path' },
      ],
    });
    await until(
      'the load to end',
      async () => {
        const { state, stateMessage } = await world.get(pipe.id);
        if (state !== 'Completed') {
          throw new Error(`${state}: ${stateMessage}`);
        }
        return true;
      },
      30_000,
    );
    const errors = (
      await world.call('listPipeErrors', { params: { pipeId: pipe.id }, query: { limit: '100' } })
    ).value as { position: string; reason: string }[];
    expect(errors).toMatchObject([
      { position: 'in/cut.csv.zst', reason: 'its zstd stream is truncated or damaged' },
    ]);
    expect(
      (await world.rows(sql`SELECT path FROM shop.blobs_third ORDER BY n`)).map(([path]) =>
        String(path),
      ),
    ).toEqual(names.map((name) => `third/in/${name}`));
    const output = JSON.stringify([pipe, await world.get(pipe.id), errors, world.logged]);
    expect(output).not.toContain(/sig=([^&]+)/.exec(peer.sharedAccess)![1]);
    expect(output).not.toContain(decodeURIComponent(/sig=([^&]+)/.exec(peer.sharedAccess)![1]!));
  });
});

describe('redirects of Azure Blob Storage', () => {
  it('neither listing nor engine follows a redirect to a forbidden address, and the state says so', async () => {
    await peer.container('fourth');
    await peer.put('fourth', 'in/a.json', lines(0, 5));
    const trespasses: string[] = [];
    const forbidden = createServer((request, response) => {
      trespasses.push(`${request.method} ${request.url}`);
      response.end(lines(900, 910));
    });
    const azurite = new URL(/BlobEndpoint=([^;]+)/.exec(peer.connectionString)![1]!);
    let status = 301;
    let what: RegExp | undefined = /comp=list/;
    let redirected = 0;
    const line = createServer((request, response) => {
      if (what?.test(request.url!) === true) {
        redirected++;
        response
          .writeHead(status, {
            location: `http://127.0.0.2:${(line.address() as AddressInfo).port}${request.url}`,
            'content-length': 0,
          })
          .end();
        return;
      }
      request.pipe(
        httpRequest(
          {
            host: azurite.hostname,
            port: azurite.port,
            method: request.method,
            path: request.url,
            headers: request.headers,
          },
          (answer) => {
            response.writeHead(answer.statusCode!, answer.headers);
            answer.pipe(response);
          },
        ),
      );
    });
    await new Promise<void>((resolve) => {
      line.listen(0, '127.0.0.1', resolve);
    });
    const { port } = line.address() as AddressInfo;
    await new Promise<void>((resolve) => {
      forbidden.listen(port, '127.0.0.2', resolve);
    });
    try {
      const pipe = await world.create({
        source: {
          objectStorage: {
            containerName: 'fourth',
            connectionString: peer.connectionString.replace(azurite.host, `127.0.0.1:${port}`),
            path: 'in/*.json',
          },
        },
        destination: {
          database: 'shop',
          table: 'blobs_fourth',
          columns: [{ name: 'n', type: 'UInt64' }],
        },
      });
      const elsewhere = /^the object store of the container fourth redirects to another address/;
      for (const [pattern, answer, message] of [
        [/comp=list/, 307, elsewhere],
        [/a\.json/, 301, /^no object can be fetched/],
        [/a\.json/, 307, /^no object can be fetched/],
      ] as const) {
        [what, status, redirected] = [pattern, answer, 0];
        await until(
          `${answer}: ${message}`,
          async () => redirected > 0 && message.test((await world.get(pipe.id)).stateMessage ?? ''),
          20_000,
        );
      }
      what = undefined;
      await until('the rows', async () => (await world.get(pipe.id)).state === 'Completed');
      expect([
        trespasses,
        await world.rows(sql`SELECT toUInt8(count()) FROM shop.blobs_fourth`),
      ]).toEqual([[], [[5]]]);
    } finally {
      for (const server of [line, forbidden]) {
        server.closeAllConnections();
        server.close();
      }
    }
  });
});
