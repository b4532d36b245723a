import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectStorageConnector } from '../../src/adapters/connectors/object-storage/object-storage-connector.ts';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { startQueue } from '../kit/queue.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `{"n":${from + index}}\n`).join('');

let peer: S3Peer;
let world: PipeWorld;
beforeAll(async () => {
  peer = await startS3();
  world = await pipeWorld({
    connectors: {
      ...createConnectors(),
      objectStorage: objectStorageConnector({ pageSize: 40 }),
    },
  });
  world.pipes.start();
});
afterAll(async () => {
  await world?.close();
  await peer?.remove();
});
const pipeOf = (name: string, path: string, source: object, more: object = {}): object => ({
  source: {
    objectStorage: {
      url: `${peer.endpoint}/${name}/${path}`,
      accessKey: peer.accessKey,
      ...source,
    },
  },
  destination: {
    database: 'shop',
    table: name,
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
  ...more,
});
const counts = async (table: string): Promise<number[]> =>
  (
    await world.rows(sql`SELECT count(), uniqExact(n), sum(n) FROM ${qualified('shop', table)}`)
  )[0]!.map(Number);
const errorsOf = async (pipeId: string): Promise<{ position: string; reason: string }[]> =>
  (await world.call('listPipeErrors', { params: { pipeId }, query: { limit: '100' } })).value;

describe('object storage pipes with several readers', () => {
  it('replicas in several processes load old, new and changed objects once, also if a process dies', async () => {
    await peer.bucket('many');
    const put = async (from: number, to: number): Promise<void> => {
      await Promise.all(
        Array.from({ length: 8 }, async (_, part) => {
          for (let index = from + part; index < to; index += 8) {
            await peer.put(
              'many',
              `k/${index % 2 === 0 ? 'even' : 'odd'}/${index}.json`,
              lines(index * 10, index * 10 + 10),
            );
          }
        }),
      );
    };
    await put(0, 120);
    const others = await Promise.all(['second', 'third'].map((holder) => world.another(holder)));
    for (const other of others) {
      other.start();
    }
    const pipe = await world.create(
      pipeOf(
        'many',
        'k/**',
        { isContinuous: true },
        {
          scaling: { replicas: 3 },
          settings: {
            object_storage_polling_interval_ms: 100,
            object_storage_concurrency: 2,
            object_storage_max_file_count: 7,
          },
        },
      ),
    );
    const have = (rows: number): Promise<unknown> =>
      until(
        `${rows} rows`,
        async () => {
          const [count] = await counts('many');
          if (count !== rows) {
            throw new Error(JSON.stringify([count, (await world.get(pipe.id)).stateMessage]));
          }
          return true;
        },
        40_000,
      );
    await until('the first rows', async () => (await counts('many').catch(() => [0]))[0]! > 0);
    await others[1]!.stop();
    await put(120, 160);
    await have(1600);
    await peer.put('many', 'k/even/0.json', lines(90_000, 90_003));
    await have(1603);
    const { rows, errors } = await world.metrics(pipe.id);
    expect([await counts('many'), rows, errors]).toEqual([
      [1603, 1603, 1599 * 800 + 90_000 * 3 + 3],
      1603,
      0,
    ]);
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
    await others[0]!.stop();
  });

  it('a queue: odd messages stop nobody; a message whose object cannot be stored stays', async () => {
    await peer.bucket('told');
    const queue = await startQueue();
    const notification = (key: unknown, name = 'told'): object => ({
      Records: [{ eventName: 'ObjectCreated:Put', s3: { bucket: { name }, object: { key } } }],
    });
    let away = false;
    peer.interfere(({ method, url = '' }, response) => {
      const isHeld = away && method === 'GET' && url.includes('/q/late.json');
      if (isHeld) {
        response.writeHead(503).end();
      }
      // Of what the pattern does not mean nothing is asked: the key may have no right to it.
      if (url.includes('/other/')) {
        response.writeHead(403).end();
      }
      return isHeld || url.includes('/other/');
    });
    try {
      const pipe = await world.create(
        pipeOf(
          'told',
          'q/*.json',
          { isContinuous: true, queueUrl: `${queue.url}/000000000000/events` },
          { settings: { object_storage_polling_interval_ms: 600_000 } },
        ),
      );
      await until('the queue is asked', async () => queue.receiveCount() > 0);
      await peer.put('told', 'q/a.json', lines(0, 5));
      for (const body of [
        notification('q/a.json'),
        notification('q/a.json'),
        { Message: JSON.stringify(notification('q/a.json')) },
        notification('q/gone.json'),
        notification('other/secret.json'),
        notification('q/'),
        notification('q/a.json', 'another-bucket'),
        { Event: 's3:TestEvent' },
        { Records: [null, 7] },
        notification(''),
        notification('x'.repeat(2000)),
        'no notification',
        '',
      ]) {
        queue.send(body);
      }
      await until(
        'the rows, and no message left',
        async () => (await counts('told'))[0] === 5 && queue.remaining() === 0,
      );
      expect((await world.get(pipe.id)).state).toBe('Running');
      away = true;
      await peer.put('told', 'q/late.json', lines(5, 9));
      queue.send(notification('q/late.json'));
      await until(
        'a state that says so',
        async () => (await world.get(pipe.id)).state === 'Degraded',
      );
      expect([(await counts('told'))[0], queue.remaining()]).toEqual([5, 1]);
      away = false;
      await until(
        'the rows, and no message left',
        async () => (await counts('told'))[0] === 9 && queue.remaining() === 0,
      );
      expect([await counts('told'), (await world.metrics(pipe.id)).errors]).toEqual([
        [9, 9, 36],
        0,
      ]);
      await world.call('deletePipe', { params: { pipeId: pipe.id } });
    } finally {
      peer.interfere(undefined);
      queue.stop();
    }
  });
});

describe('object storage pipes with odd names', () => {
  it('names of every kind are loaded as they are; folders and empty objects give nothing', async () => {
    await peer.bucket('names');
    const folders = Array.from({ length: 5 }, (_, index) => String(index).repeat(180)).join('/');
    const rest = 1024 - folders.length - Buffer.byteLength('in//üüüü.json');
    const longest = `${folders}/${'ü'.repeat(4)}${'x'.repeat(rest)}.json`;
    expect(Buffer.byteLength(`in/${longest}`)).toBe(1024);
    const names = [
      longest,
      'case/A.json',
      'case/a.json',
      'case/Ä.json',
      'tab\t.json',
      'end .json',
      ' begin.json',
      '"quo\'te`.json',
      'back\\slash\\.json',
      '%.json',
      '%41.json',
      '100%25.json',
      'a+b c&d=e;f.json',
      '#hash.json',
      '{a,b}.json',
      '{1..3}.json',
      'q?*[x].json',
      '$(x)^|.json',
      '~.json',
      '_.json',
      '🙂/€.json',
      'e\u0301.json',
      '\u00e9.json',
      '<x>&amp;.json',
      '--comment.json',
      'a;DROP TABLE x.json',
    ];
    for (const [index, name] of names.entries()) {
      await peer.put('names', `in/${name}`, lines(index, index + 1));
    }
    for (const name of [
      'empty.json',
      'empty.csv',
      'empty.parquet',
      'empty.avro',
      'empty.json.gz',
      'empty.json.zst',
    ]) {
      await peer.put('names', `in/${name}`, '');
    }
    await peer.put('names', 'in/folder/', '');
    // The engine would read the object case/a.json once more.
    await peer.put('names', 'in/case/a.json\nb.json', lines(900, 901));
    const pipe = await world.create(pipeOf('names', 'in/**', {}));
    await until('the load to end', async () => (await world.get(pipe.id)).state === 'Completed');
    expect(await errorsOf(pipe.id)).toMatchObject([
      {
        position: 'in/case/a.json\nb.json',
        reason: expect.stringMatching(/^its name has a line break in it/) as unknown,
      },
    ]);
    const loaded = await world.rows(sql`SELECT n, path FROM shop.names ORDER BY n`);
    expect(loaded.map(([, path]) => String(path))).toEqual(names.map((name) => `names/in/${name}`));
  });

  it('a listing with names encoded as in URLs is decoded, also characters that XML cannot write', async () => {
    await peer.bucket('encoded');
    const names = ['a b+c.json', '\u0001.json', 'line\rend.json', '%41.json', 'é&<.json'];
    for (const [index, name] of names.entries()) {
      await peer.put('encoded', name, lines(index, index + 1));
    }
    const looked = await Promise.all(
      names.map((Key) => peer.client.send(new HeadObjectCommand({ Bucket: 'encoded', Key }))),
    );
    peer.interfere(({ method, url = '' }, response) => {
      if (method !== 'GET' || !url.includes('/encoded/?') || !url.includes('encoding-type=url')) {
        return false;
      }
      const contents = names
        .map(
          (name, index) =>
            `<Contents><Key>${encodeURIComponent(name).replaceAll('%20', '+')}</Key>` +
            `<ETag>${looked[index]!.ETag}</ETag><Size>8</Size>` +
            '<LastModified>2026-11-21T00:00:00.000Z</LastModified></Contents>',
        )
        .join('');
      response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(
          '<?xml version="1.0" encoding="UTF-8"?>\n' +
            '<ListBucketResult><Name>encoded</Name><EncodingType>url</EncodingType>' +
            `<IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`,
        );
      return true;
    });
    try {
      const pipe = await world.create(pipeOf('encoded', '*.json', {}));
      await until('the load to end', async () => (await world.get(pipe.id)).state === 'Completed');
      expect([
        await errorsOf(pipe.id),
        await world.rows(sql`SELECT path FROM shop.encoded ORDER BY n`),
      ]).toEqual([[], names.map((name) => [`encoded/${name}`])]);
    } finally {
      peer.interfere(undefined);
    }
  });
});
