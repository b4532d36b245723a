import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startCluster, type ClickHouseCluster } from '../kit/clickhouse-cluster.ts';
import { until } from '../kit/eventually.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { logBlock, serverAsk } from '../kit/sharded.ts';
import { pipeWorld, type PipeWorld, type PipeWorldOptions } from '../pipes/pipe-world.ts';

const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'version', type: 'UInt64' },
];
const definitions = {
  blocks: { sortingKey: ['id'] },
  keyed: {
    engine: { type: 'ReplacingMergeTree', versionColumnId: 'version' },
    sortingKey: ['id'],
  },
};

let peer: S3Peer;
let cluster: ClickHouseCluster | undefined;
let world: PipeWorld | undefined;
const folders: string[] = [];
/** Of the objects of one test. */
let prefix = 0;

beforeAll(async () => {
  peer = await startS3();
});
afterEach(async () => {
  await world?.close();
  await cluster?.close();
  world = undefined;
});
afterAll(async () => {
  await peer?.remove();
  folders.forEach((folder) => rmSync(folder, { recursive: true, force: true }));
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-growth-'));
  folders.push(folder);
  prefix += 1;
  return folder;
}

async function open(options: PipeWorldOptions): Promise<PipeWorld> {
  world = await pipeWorld({ holder: 'only', ...options });
  world.pipes.start();
  return world;
}
const reopen = async (options: PipeWorldOptions): Promise<PipeWorld> => {
  await world?.close();
  return open(options);
};

/** One pipe for each definition, which reads the bucket of its table for ever. */
async function createPipes(on: PipeWorld): Promise<void> {
  for (const [table, tableDefinition] of Object.entries(definitions)) {
    await peer.bucket(table).catch(() => undefined);
    await on.create({
      source: {
        objectStorage: {
          url: `${peer.endpoint}/${table}/${prefix}/**`,
          accessKey: peer.accessKey,
          isContinuous: true,
        },
      },
      destination: { database: 'shop', table, columns, tableDefinition },
      settings: { object_storage_max_file_count: 1, object_storage_polling_interval_ms: 100 },
    });
  }
}

/** Objects of 20 rows with ids of their own; the same ids again in every round for `keyed`. */
async function putRound(round: number, objects: number): Promise<void> {
  for (let object = 0; object < objects; object++) {
    const rows = (first: number): string =>
      Array.from({ length: 20 }, (_, index) => `{"id":${first + index},"version":${round}}\n`).join(
        '',
      );
    await peer.put(
      'blocks',
      `${prefix}/${round}-${object}.json`,
      rows((round * 100 + object) * 20),
    );
    await peer.put('keyed', `${prefix}/${round}-${object}.json`, rows(object * 20));
  }
}

async function totals(ask: ReturnType<typeof serverAsk>): Promise<number[]> {
  const answers = [
    await ask(0, 'SELECT count(), uniqExact(id) FROM shop.blocks'),
    await ask(0, 'SELECT count(), min(version) FROM shop.keyed FINAL'),
  ];
  return answers.flatMap((answer) => answer.split('\t').map(Number));
}
const counts = (ask: ReturnType<typeof serverAsk>, shards: number, table: string) =>
  Promise.all(
    Array.from({ length: shards }, async (_, shard) =>
      Number(await ask(shard, `SELECT count() FROM shop.${table}`)),
    ),
  );

test('a shard that is added gets new rows at once, and a table that replaces rows keeps its places', async () => {
  cluster = await startCluster(3, { known: 2 });
  const ask = serverAsk(cluster);
  const folder = newFolder();
  const urls = cluster.servers.map(({ url }) => url);
  const clusterName = cluster.name;
  const before = await open({ folder, cluster: { urls: urls.slice(0, 2), clusterName } });
  await before.engine.migrate('shop');
  await createPipes(before);
  await putRound(1, 10);
  await until('the first rows', async () => String(await totals(ask)) === '200,200,200,1');
  await before.close();
  world = undefined;

  await cluster.grow();
  const after = await open({ folder, cluster: { urls, clusterName } });
  await after.engine.migrate('shop');
  await putRound(2, 20);
  for (let block = 0; block < 30; block++) {
    await after.engine.insert('shop', 'otel_logs', logBlock('grown', 1));
  }
  await until('all rows', async () => String(await totals(ask)) === '600,600,400,2');
  const [, , blocks = 0] = await counts(ask, 3, 'blocks_local');
  const [, , logs = 0] = await counts(ask, 3, 'otel_logs_local');
  const [first = 0, second = 0, third] = await counts(ask, 3, 'keyed_local FINAL');
  expect([blocks > 0, blocks % 20, logs > 0]).toEqual([true, 0, true]);
  expect([first > 0, second > 0, third]).toEqual([true, true, 0]);
  // Every server queries all three.
  expect(await ask(2, 'SELECT count() FROM shop.blocks')).toBe('600');
  expect(await ask(2, 'SELECT count() FROM shop.keyed FINAL')).toBe('400');
});

test('pipes of a server that becomes a shard go on with their tables and their rows', async () => {
  cluster = await startCluster(2);
  const ask = serverAsk(cluster);
  const folder = newFolder();
  const [alone] = cluster.servers;
  const before = await open({ folder, clickHouseUrl: alone!.url });
  await createPipes(before);
  await putRound(1, 10);
  await until('the first rows', async () => String(await totals(ask)) === '200,200,200,1');

  const urls = cluster.servers.map(({ url }) => url);
  await reopen({ folder, cluster: { urls, clusterName: cluster.name } });
  await putRound(2, 20);
  await until('all rows', async () => String(await totals(ask)) === '600,600,400,2');
  const [, blocks = 0] = await counts(ask, 2, 'blocks_local');
  const [keyed, elsewhere] = await counts(ask, 2, 'keyed_local FINAL');
  // All versions of a row are where the first one was.
  expect([blocks > 0, blocks % 20, keyed, elsewhere]).toEqual([true, 0, 400, 0]);
});
