import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectStorageConnector } from '../../src/adapters/connectors/object-storage/object-storage-connector.ts';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { startQueue } from '../kit/queue.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { pipeWorld, until, type PipeWorld } from '../pipes/pipe-world.ts';

const lines = (from: number, to: number): string => Array.from({ length: to - from }, (_, index) => `{"n":${from + index}}\n`).join('');

describe('object storage pipes with several readers, and with odd objects', () => {
  let peer: S3Peer;
  let world: PipeWorld;
  beforeAll(async () => {
    peer = await startS3();
    world = await pipeWorld({ connectors: { ...createConnectors(), objectStorage: objectStorageConnector({ pageSize: 40 }) } });
    world.pipes.start();
  });
  afterAll(async () => {
    await world?.close();
    await peer?.remove();
  });

  const pipeOf = (name: string, path: string, source: object, more: object = {}): object => ({
    source: { objectStorage: { url: `${peer.endpoint}/${name}/${path}`, accessKey: peer.accessKey, ...source } },
    destination: { database: 'shop', table: name, columns: [{ name: 'n', type: 'UInt64' }, { name: 'path', type: 'String' }], tableDefinition: { sortingKey: ['n'] } },
    fieldMappings: [{ destinationField: 'n', sourceField: 'n' }, { destinationField: 'path', sourceField: '_path' }], ...more,
  });
  const counts = async (table: string): Promise<number[]> => (await world.rows(sql`SELECT count(), uniqExact(n), sum(n) FROM ${qualified('shop', table)}`))[0]!.map(Number);
  const errorsOf = async (pipeId: string): Promise<{ position: string; reason: string }[]> => (await world.call('listPipeErrors', { params: { pipeId }, query: { limit: '100' } })).value;

  it('several replicas in several processes load each object once: what was there, what comes, what has changed, and what a process that went away had begun', async () => {
    await peer.bucket('many');
    const put = async (from: number, to: number): Promise<void> => {
      await Promise.all(Array.from({ length: 8 }, async (_, part) => { for (let index = from + part; index < to; index += 8) await peer.put('many', `k/${index % 2 === 0 ? 'even' : 'odd'}/${index}.json`, lines(index * 10, index * 10 + 10)); }));
    };
    await put(0, 120);
    const others = ['second', 'third'].map((holder) => world.another(holder));
    for (const other of others) other.start();
    const pipe = await world.create(pipeOf('many', 'k/**', { isContinuous: true }, { scaling: { replicas: 3 }, settings: { object_storage_polling_interval_ms: 100, object_storage_concurrency: 2, object_storage_max_file_count: 7 } }));
    const have = (rows: number): Promise<unknown> => until(`${rows} rows`, async () => {
      const [count] = await counts('many');
      if (count !== rows) throw new Error(JSON.stringify([count, (await world.get(pipe.id)).stateMessage]));
      return true;
    }, 40_000);
    await until('the first rows', async () => (await counts('many').catch(() => [0]))[0]! > 0);
    await others[1]!.stop();
    await put(120, 160);
    await have(1600);
    await peer.put('many', 'k/even/0.json', lines(90_000, 90_003));
    await have(1603);
    const { rows, errors } = await world.metrics(pipe.id);
    expect([await counts('many'), rows, errors]).toEqual([[1603, 1603, 1599 * 800 + 90_000 * 3 + 3], 1603, 0]);
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
    await others[0]!.stop();
  });

  it('names of every kind are loaded as they are; folders and empty objects give nothing', async () => {
    await peer.bucket('names');
    const folders = Array.from({ length: 5 }, (_, index) => String(index).repeat(180)).join('/');
    const longest = `${folders}/${'ü'.repeat(4)}${'x'.repeat(1024 - folders.length - Buffer.byteLength('in//üüüü.json'))}.json`;
    expect(Buffer.byteLength(`in/${longest}`)).toBe(1024);
    const names = [
      longest, 'case/A.json', 'case/a.json', 'case/Ä.json', 'new\nline.json', 'tab\t.json', 'end .json', ' begin.json', '"quo\'te`.json', 'back\\slash\\.json', '%.json', '%41.json', '100%25.json', 'a+b c&d=e;f.json', '#hash.json',
      '{a,b}.json', '{1..3}.json', 'q?*[x].json', '$(x)^|.json', '~.json', '_.json', '🙂/€.json', 'e\u0301.json', '\u00e9.json', '<x>&amp;.json', '--comment.json', 'a;DROP TABLE x.json',
    ];
    for (const [index, name] of names.entries()) await peer.put('names', `in/${name}`, lines(index, index + 1));
    for (const name of ['empty.json', 'empty.csv', 'empty.parquet', 'empty.avro', 'empty.json.gz', 'empty.json.zst']) await peer.put('names', `in/${name}`, '');
    await peer.put('names', 'in/folder/', '');
    const pipe = await world.create(pipeOf('names', 'in/**', {}));
    await until('the load to end', async () => (await world.get(pipe.id)).state === 'Completed');
    console.log(await errorsOf(pipe.id));
    const loaded = await world.rows(sql`SELECT n, path FROM shop.names ORDER BY n`);
    expect(loaded.map(([, path]) => String(path))).toEqual(names.map((name) => `names/in/${name}`));
  });
});
void startQueue;
