import { gzipSync } from 'node:zlib';
import { CreateMultipartUploadCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectStorageConnector } from '../../src/adapters/connectors/object-storage/object-storage-connector.ts';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { startQueue } from '../kit/queue.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const columns = [
  { name: 'n', type: 'UInt64' },
  { name: 'text', type: 'String' },
];
const lines = (from: number, to: number): string =>
  Array.from(
    { length: to - from },
    (_, index) => `{"n":${from + index},"text":"ü ${from + index}"}\n`,
  ).join('');

let peer: S3Peer;
let world: PipeWorld;
let made = 0;
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
/** A bucket of its own, and a pipe over it. */
async function bucket(): Promise<string> {
  const name = `bucket-${++made}`;
  await peer.bucket(name);
  return name;
}
const pipeOf = (
  name: string,
  path: string,
  more: { source?: object; destination?: object; body?: object } = {},
): object => ({
  source: {
    objectStorage: {
      url: `${peer.endpoint}/${name}/${path}`,
      accessKey: peer.accessKey,
      ...more.source,
    },
  },
  destination: {
    database: 'shop',
    table: name.replace('-', '_'),
    columns,
    tableDefinition: { sortingKey: ['n'] },
    ...more.destination,
  },
  ...more.body,
});
const ended = (id: string): Promise<unknown> =>
  until('the load to end', async () => (await world.get(id)).state === 'Completed');
const errors = async (pipeId: string): Promise<{ position: string; reason: string }[]> =>
  (await world.call('listPipeErrors', { params: { pipeId }, query: { limit: '100' } })).value;
const counts = async (name: string): Promise<number[]> =>
  (
    await world.rows(
      sql`SELECT count(), uniqExact(n), sum(n) FROM merge('shop', ${`^${name.replace('-', '_')}$`})`,
    )
  )[0]!.map(Number);

describe('names and values of objects on an S3 server', () => {
  it('a one-time load stores each object once and completes', async () => {
    const name = await bucket();
    await peer.put(name, 'data/a.json', lines(0, 100));
    await peer.put(name, 'data/deep/b.jsonl.gz', gzipSync(lines(100, 200)));
    await peer.put(name, 'data/c.csv', 'n,text\n200,x\n201,y\n');
    await peer.put(name, 'other/d.json', lines(900, 999));
    const pipe = await world.create(pipeOf(name, 'data/**'));
    await ended(pipe.id);
    expect(await counts(name)).toEqual([202, 202, (201 * 202) / 2]);
    expect(await world.metrics(pipe.id)).toMatchObject({ rows: 202, errors: 0 });
    expect(world.logged.join('\n')).not.toContain('S3RVER');
  });

  it('names with every odd character are read as they are, and globs take what they say', async () => {
    const name = await bucket();
    const odd = [
      'a b.json',
      'ü€🙂.json',
      'p%20q.json',
      'x+y&z=1.json',
      'st*r.json',
      'qu?.json',
      'br{a,b}.json',
      'com,ma.json',
      "quo'te.json",
      'back\\slash.json',
      'hash#1.json',
      'star.json',
    ];
    for (const [index, key] of odd.entries()) {
      await peer.put(name, `in/${key}`, lines(index, index + 1));
    }
    await peer.put(name, 'in/sub/deep.json', lines(100, 101));
    await peer.put(name, 'in/x.txt', lines(200, 201));
    const pipe = await world.create(pipeOf(name, 'in/*.{json,jsonl}'));
    await ended(pipe.id);
    expect({ counts: await counts(name), errors: await errors(pipe.id) }).toEqual({
      counts: [odd.length, odd.length, 66],
      errors: [],
    });
  });

  it('virtual fields, dotted paths and mappings reach their columns', async () => {
    const name = await bucket();
    const text = '{"id":7,"user":{"name":"Zoë","tags":["x","y"]},"extra":1}\n{"id":8}\n';
    const size = String(Buffer.byteLength(text));
    await peer.put(name, 'm/a.json', text);
    const mapping = {
      n: 'id',
      who: 'user.name',
      tags: 'user.tags',
      path: '_path',
      file: '_file',
      size: '_size',
      at: '_time',
    };
    const pipe = await world.create(
      pipeOf(name, 'm/a.json', {
        destination: {
          columns: [
            ['n', 'UInt64'],
            ['who', 'String'],
            ['tags', 'Array(String)'],
            ['path', 'String'],
            ['file', 'String'],
            ['size', 'UInt64'],
            ['at', 'DateTime'],
          ].map(([column, type]) => ({ name: column, type })),
        },
        body: {
          fieldMappings: Object.entries(mapping).map(([destinationField, sourceField]) => ({
            destinationField,
            sourceField,
          })),
        },
      }),
    );
    await ended(pipe.id);
    const rows = await world.rows(
      sql`SELECT n, who, tags, path, file, size, abs(dateDiff('minute', at, now())) < 10
        FROM merge('shop', ${`^${name.replace('-', '_')}$`}) ORDER BY n`,
    );
    expect(rows).toEqual([
      ['7', 'Zoë', ['x', 'y'], `${name}/m/a.json`, 'a.json', size, 1],
      ['8', '', [], `${name}/m/a.json`, 'a.json', size, 1],
    ]);
  });

  it('objects whose header names none of the fields are refused; extra or missing columns are not', async () => {
    const name = await bucket();
    await peer.put(name, 'h/right.csv', 'text;more;n\na;x;1\nb;y;2\n');
    await peer.put(name, 'h/part.csv', 'n\n3\n');
    await peer.put(name, 'h/wrong.csv', 'id;name\n4;a\n5;b\n');
    const pipe = await world.create(
      pipeOf(name, 'h/*.csv', { source: { format: 'CSVWithNames', delimiter: ';' } }),
    );
    await ended(pipe.id);
    expect(await counts(name)).toEqual([3, 3, 6]);
    expect(await errors(pipe.id)).toMatchObject([
      { position: 'h/wrong.csv', reason: 'its header names none of the fields of the pipe' },
    ]);
  });

  it('text of any encoding is kept byte by byte', async () => {
    const name = await bucket();
    await peer.put(name, 'e/latin.csv', Buffer.from('1,caf\xe9\n', 'latin1'));
    await peer.put(name, 'e/utf8.csv', '2,café\n');
    await peer.put(name, 'e/bom.csv', '\ufeff3,x\n');
    await peer.put(name, 'e/crlf.csv', '4,y\r\n');
    const pipe = await world.create(pipeOf(name, 'e/*.csv'));
    await ended(pipe.id);
    expect(
      await world.rows(
        sql`SELECT n, hex(text) FROM merge('shop', ${`^${name.replace('-', '_')}$`}) ORDER BY n`,
      ),
    ).toEqual([
      ['1', '636166E9'],
      ['2', '636166C3A9'],
      ['3', '78'],
      ['4', '79'],
    ]);
  });
});

describe('bad objects and bad access on an S3 server', () => {
  it('a bad object fails alone, with its reason; the others are loaded', async () => {
    const name = await bucket();
    const zipped = gzipSync(lines(500, 2500));
    const bad: Record<string, string | Uint8Array> = {
      'cut.json': lines(300, 310).slice(0, -9),
      'cut.json.gz': zipped.subarray(0, zipped.length - 200),
      'not-gzip.json.gz': lines(1, 2),
      'text.json': '{"n":"many","text":"x"}\n',
      'list.csv': 'n,text\n1,a\nx,b\n',
      'what.is-this': 'x',
    };
    await peer.put(name, 'd/0.json', lines(0, 50));
    await peer.put(name, 'd/z.json', lines(50, 100));
    await peer.put(name, 'd/empty.json', '');
    await peer.put(name, 'd/empty.csv', '');
    for (const [key, body] of Object.entries(bad)) {
      await peer.put(name, `d/${key}`, body);
    }
    const pipe = await world.create(pipeOf(name, 'd/*'));
    await ended(pipe.id);
    expect(await counts(name)).toEqual([100, 100, 4950]);
    const listed = await errors(pipe.id);
    expect(listed.map(({ position }) => position).sort()).toEqual(
      Object.keys(bad)
        .map((key) => `d/${key}`)
        .sort(),
    );
    for (const { reason } of listed) {
      expect(reason).toMatch(/\w{3}/);
    }
    expect(await world.metrics(pipe.id)).toMatchObject({
      rows: 100,
      errors: Object.keys(bad).length,
    });
  });

  it('a target that keeps no rows feeds its views; its rows count, and a bad object fails alone', async () => {
    const name = await bucket();
    const table = name.replace('-', '_');
    await peer.put(name, 'v/good.json', lines(0, 50));
    await peer.put(name, 'v/more.json', lines(50, 60));
    await peer.put(name, 'v/bad.json', '{"n":"many","text":"x"}\n');
    const admin = { purpose: 'admin', timeoutMs: 30_000 } as const;
    for (const statement of [
      sql`CREATE DATABASE IF NOT EXISTS shop`,
      sql`CREATE TABLE ${qualified('shop', table)} (n UInt64, text String) ENGINE = Null`,
      sql`CREATE TABLE ${qualified('shop', `${table}_kept`)} (n UInt64) ENGINE = MergeTree ORDER BY n`,
      sql`CREATE MATERIALIZED VIEW ${qualified('shop', `${table}_view`)}
        TO ${qualified('shop', `${table}_kept`)} AS SELECT n FROM ${qualified('shop', table)}`,
    ]) {
      await world.telemetry.command(statement, admin);
    }
    const pipe = await world.create(
      pipeOf(name, 'v/*', { destination: { managedTable: false, tableDefinition: undefined } }),
    );
    await ended(pipe.id);
    expect(
      await world.rows(sql`SELECT count(), sum(n) FROM ${qualified('shop', `${table}_kept`)}`),
    ).toEqual([['60', String(59 * 30)]]);
    expect(await errors(pipe.id)).toMatchObject([{ position: 'v/bad.json' }]);
    expect(await world.metrics(pipe.id)).toMatchObject({ rows: 60, errors: 1 });
    await until(
      'no stage left',
      async () =>
        (
          await world.rows(
            sql`SELECT count() FROM system.tables WHERE database = 'shop' AND startsWith(name, 'pipe_stage_')`,
          )
        )[0]![0] === '0',
    );
  });

  it('a bomb is refused before it fills anything', { timeout: 120_000 }, async () => {
    const name = await bucket();
    await peer.put(name, 'b/rows.json.gz', gzipSync(Buffer.alloc(400_000_000, '{"n":1}\n')));
    await peer.put(name, 'b/good.json', lines(0, 10));
    const pipe = await world.create(pipeOf(name, 'b/*'));
    await ended(pipe.id);
    expect(await counts(name)).toEqual([10, 10, 45]);
    expect((await errors(pipe.id)).map(({ position }) => position).sort()).toEqual([
      'b/rows.json.gz',
    ]);
  });

  it('wrong credentials fail the pipe and say what to do; a PATCH repairs it and repeats no object', async () => {
    const name = await bucket();
    await peer.put(name, 'c/a.json', lines(0, 5));
    const pipe = await world.create(
      pipeOf(name, 'c/*.json', {
        source: { accessKey: { accessKeyId: 'UNKNOWN', secretKey: 'wrong-secret-of-a-caller' } },
      }),
    );
    await until(
      'failed',
      async () => {
        const got = await world.get(pipe.id);
        if (got.state !== 'Failed') {
          throw new Error(JSON.stringify([got.state, got.stateMessage, world.logged.slice(-3)]));
        }
        return true;
      },
      15_000,
    );
    expect((await world.get(pipe.id)).stateMessage).toMatch(/credentials|secret/);
    await world.call('updatePipe', {
      params: { pipeId: pipe.id },
      body: { source: { objectStorage: { accessKey: peer.accessKey } } },
    });
    await ended(pipe.id);
    expect(await counts(name)).toEqual([5, 5, 10]);
    expect(world.logged.join('\n')).not.toContain('wrong-secret-of-a-caller');
  });

  it('samples are read by the engine before anything is stored', async () => {
    const name = await bucket();
    await peer.put(name, 's/a.json', '{"n":"many"}\n');
    const refusal = await world
      .create({
        ...pipeOf(name, 's/*.json'),
        source: {
          ...(pipeOf(name, 's/*.json') as { source: object }).source,
          validateSamples: true,
        },
      })
      .catch((error: unknown) => error as Error);
    expect(String((refusal as Error).message)).toMatch(/s\/a\.json/);
    await peer.put(name, 's/a.json', lines(0, 3));
    const pipe = await world.create({
      ...pipeOf(name, 's/*.json'),
      source: { ...(pipeOf(name, 's/*.json') as { source: object }).source, validateSamples: true },
    });
    await ended(pipe.id);
    expect(await counts(name)).toEqual([3, 3, 3]);
  });
});

describe('new and changed objects on an S3 server', () => {
  it('a continuous pipe takes every new object, whatever its name sorts like, and a changed one again', async () => {
    const name = await bucket();
    await peer.put(name, 'm.json', lines(100, 110));
    const pipe = await world.create(
      pipeOf(name, '*.json', {
        source: { isContinuous: true },
        body: { settings: { object_storage_polling_interval_ms: 100 } },
      }),
    );
    const have = (rows: number): Promise<unknown> =>
      until(`${rows} rows`, async () => (await world.metrics(pipe.id)).rows === rows);
    await have(10);
    await peer.put(name, 'a.json', lines(0, 10));
    await peer.put(name, 'z.json', lines(200, 210));
    await have(30);
    await peer.put(name, 'a.json', lines(300, 305));
    await have(35);
    await world.call('changePipeState', { params: { pipeId: pipe.id }, body: { command: 'stop' } });
    await until('stopped', async () => (await world.get(pipe.id)).state === 'Stopped');
    await peer.put(name, '0.json', lines(400, 401));
    await world.call('changePipeState', {
      params: { pipeId: pipe.id },
      body: { command: 'start' },
    });
    await have(36);
    expect((await counts(name))[0]).toBe(36);
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
  });

  it('many small batches at once load each object once, while the listing changes between its pages', async () => {
    const name = await bucket();
    const keys = Array.from(
      { length: 300 },
      (_, index) => `k/${String(index).padStart(5, '0')}.json`,
    );
    await Promise.all(
      Array.from({ length: 16 }, async (_, part) => {
        for (let index = part; index < keys.length; index += 16) {
          await peer.put(name, keys[index]!, lines(index, index + 1));
        }
      }),
    );
    let pages = 0;
    peer.interfere(async ({ method, url }) => {
      if (
        method === 'GET' &&
        url?.includes('list-type=2') &&
        url.includes(`/${name}`) &&
        url.includes('continuation') &&
        pages++ === 0
      ) {
        await peer.put(name, 'k/000000.json', lines(50_000, 50_001));
        await peer.put(name, 'k/99999.json', lines(60_000, 60_001));
        await peer.delete(name, keys[299]!);
        await peer.delete(name, keys[3]!);
      }
      return false;
    });
    try {
      const pipe = await world.create(
        pipeOf(name, 'k/*.json', {
          body: { settings: { object_storage_concurrency: 2, object_storage_max_file_count: 100 } },
        }),
      );
      await ended(pipe.id);
      const [rows, distinct] = await counts(name);
      expect(rows).toBe(distinct);
      // Those that were there all the time, and of the others those that were seen.
      expect(rows).toBeGreaterThanOrEqual(298);
      expect(await errors(pipe.id)).toEqual([]);
      expect(pages).toBeGreaterThan(0);
    } finally {
      peer.interfere(undefined);
    }
  });

  it('an object overwritten while it is read is loaded in its new form, without rows of the old one', async () => {
    const name = await bucket();
    await peer.put(name, 'o/other.json', lines(1000, 1010));
    await peer.put(name, 'o/moving.json', lines(0, 10));
    let reads = 0;
    peer.interfere(async ({ method, url }) => {
      if (method === 'GET' && url?.includes('moving.json') && reads++ < 2) {
        await peer.put(name, 'o/moving.json', lines(100 * reads, 100 * reads + 10 + reads));
      }
      return false;
    });
    try {
      const pipe = await world.create(pipeOf(name, 'o/*.json'));
      await ended(pipe.id);
      const last = 100 * 2;
      const rows = await world.rows(
        sql`SELECT n FROM merge('shop', ${`^${name.replace('-', '_')}$`}) WHERE n < 1000 ORDER BY n`,
      );
      expect(rows.map(([n]) => Number(n))).toEqual(
        Array.from({ length: 12 }, (_, index) => last + index),
      );
    } finally {
      peer.interfere(undefined);
    }
  });

  it('an object overwritten just before the engine reads it is recorded as read and loaded once', async () => {
    const name = await bucket();
    await peer.put(name, 'o/other.json', lines(1000, 1010));
    await peer.put(name, 'o/early.json', lines(0, 10));
    let looks = 0;
    peer.interfere(async ({ method, url }) => {
      if (method === 'HEAD' && url?.includes('early.json') && looks++ === 0) {
        await peer.put(name, 'o/early.json', lines(100, 112));
      }
      return false;
    });
    try {
      const pipe = await world.create(pipeOf(name, 'o/*.json'));
      await ended(pipe.id);
      const stored = [22, 22, (1000 + 1009) * 5 + (100 + 111) * 6];
      expect(await counts(name)).toEqual(stored);
      const requestsBefore = peer.requests.length;
      await world.call('changePipeState', {
        params: { pipeId: pipe.id },
        body: { command: 'stop' },
      });
      await until('stopped', async () => (await world.get(pipe.id)).state === 'Stopped');
      await world.call('changePipeState', {
        params: { pipeId: pipe.id },
        body: { command: 'start' },
      });
      await ended(pipe.id);
      expect(await counts(name)).toEqual(stored);
      expect(
        peer.requests.slice(requestsBefore).filter((line) => line.includes('early.json')),
      ).toEqual([]);
    } finally {
      peer.interfere(undefined);
    }
  });
});

describe('uploads and queues on an S3 server', () => {
  it('an object that is half uploaded is not there yet', async () => {
    const name = await bucket();
    await peer.put(name, 'u/whole.json', lines(0, 5));
    const upload = await peer.client.send(
      new CreateMultipartUploadCommand({ Bucket: name, Key: 'u/half.json' }),
    );
    await peer.client.send(
      new UploadPartCommand({
        Bucket: name,
        Key: 'u/half.json',
        UploadId: upload.UploadId,
        PartNumber: 1,
        Body: lines(10, 20),
      }),
    );
    const pipe = await world.create(pipeOf(name, 'u/*.json'));
    await ended(pipe.id);
    expect(await counts(name)).toEqual([5, 5, 10]);
    expect(await errors(pipe.id)).toEqual([]);
  });

  it('a message of the queue is deleted once its object is stored; listing finds objects without one', async () => {
    const name = await bucket();
    const queue = await startQueue();
    try {
      const pipe = await world.create(
        pipeOf(name, 'q/*.json', {
          source: { isContinuous: true, queueUrl: `${queue.url}/000000000000/events` },
          body: { settings: { object_storage_polling_interval_ms: 300 } },
        }),
      );
      const have = (rows: number): Promise<unknown> =>
        until(`${rows} rows`, async () => (await world.metrics(pipe.id)).rows === rows);
      await until('the queue is asked', async () => queue.receiveCount() > 0);
      await peer.put(name, 'q/a b.json', lines(0, 5));
      queue.send({
        Records: [
          {
            eventName: 'ObjectCreated:Put',
            s3: { bucket: { name }, object: { key: 'q/a+b.json' } },
          },
        ],
      });
      await have(5);
      queue.send({
        Message: JSON.stringify({
          Records: [
            {
              eventName: 'ObjectCreated:Put',
              s3: { bucket: { name }, object: { key: 'q/a+b.json' } },
            },
          ],
        }),
      });
      queue.send('not a notification');
      await until('messages deleted', async () => queue.remaining() === 0);
      await peer.put(name, 'q/untold.json', lines(5, 10));
      await have(10);
      expect(await counts(name)).toEqual([10, 10, 45]);
      await world.call('deletePipe', { params: { pipeId: pipe.id } });
    } finally {
      queue.stop();
    }
  });

  it('nothing is left beside the table', async () => {
    expect(
      await world.rows(
        sql`SELECT name FROM system.tables WHERE database = 'shop' AND startsWith(name, 'pipe_')`,
      ),
    ).toEqual([]);
    expect(world.logged.join('\n')).not.toContain('"S3RVER"');
  });
});
