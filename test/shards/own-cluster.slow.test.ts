import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { sql } from '../../src/sql/sql.ts';
import { startCluster, type ClickHouseCluster } from '../kit/clickhouse-cluster.ts';
import { until } from '../kit/eventually.ts';
import { startKinesis, testRegion, type KinesisPeer } from '../kit/kinesis.ts';
import { askAddress, ownShards } from '../kit/own-servers.ts';
import { logBlock } from '../kit/sharded.ts';
import { addressOf } from '../kit/sharded-pipes.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

/** What can be shown on any cluster: nothing is killed or paused here. */
const database = 'shop';
let started: ClickHouseCluster | undefined;
let urls: readonly string[];
let kinesis: KinesisPeer;
let world: PipeWorld;

beforeAll(async () => {
  started = ownShards ? undefined : await startCluster(2);
  const cluster = ownShards ?? addressOf(started!);
  ({ urls } = cluster);
  await clear();
  kinesis = await startKinesis();
  const connectors = createConnectors({ endpoint: kinesis.endpoint });
  world = await pipeWorld({ cluster, connectors });
  await world.engine.migrate(database);
  world.pipes.start();
});
afterAll(async () => {
  await world?.close();
  await clear();
  await kinesis?.remove();
  await started?.close();
});

async function clear(): Promise<void> {
  for (const url of urls) {
    await askAddress(url, `DROP DATABASE IF EXISTS ${database} SYNC`);
  }
}
/** Rows of a table by shard, as each server itself counts them. */
const counts = (table: string): Promise<number[]> =>
  Promise.all(
    urls.map(async (url) =>
      Number(await askAddress(url, `SELECT count() FROM ${database}.${table}`)),
    ),
  );
const sum = (parts: readonly number[]): number => parts.reduce((total, part) => total + part, 0);

test('blocks are on all shards, each once under its token, and charts count all of them', async () => {
  for (let block = 0; block < 40; block++) {
    const options = { deduplicationToken: `block ${block}` };
    await world.engine.insert(database, 'otel_logs', logBlock('shop', 5), options);
    await world.engine.insert(database, 'otel_logs', logBlock('shop', 5), options);
  }
  const stored = await counts('otel_logs_local');
  expect([sum(stored), Math.min(...stored) > 0]).toEqual([200, true]);
  const asked = { purpose: 'chart', tenant: database, timeoutMs: 30_000 } as const;
  for (const _ of urls) {
    const { rows, missingShards } = await world.engine.query(
      sql`SELECT count(), (SELECT sum(Count) FROM shop.otel_logs_1m) FROM shop.otel_logs`,
      asked,
    );
    expect([rows, missingShards]).toEqual([[['200', '200']], undefined]);
  }
});

test.each([
  ['blocks', { sortingKey: ['id'] }, 1600],
  [
    'keyed',
    {
      engine: { type: 'ReplacingMergeTree', versionColumnId: 'version' },
      sortingKey: ['id'],
    },
    400,
  ],
])('a pipe fills %s once', async (table, tableDefinition, expected) => {
  await kinesis.createStream(table, 4);
  const pipe = await world.create({
    source: {
      cloudstream: {
        streamName: table,
        region: testRegion,
        accessKey: { accessKeyId: 'AKIDTEST', secretKey: 'a secret key' },
      },
    },
    destination: {
      database,
      table,
      columns: [
        { name: 'id', type: 'UInt64' },
        { name: 'version', type: 'UInt64' },
      ],
      tableDefinition,
    },
    settings: { streaming_max_insert_wait_ms: 500 },
  });
  for (const version of [1, 2, 3, 4]) {
    await kinesis.put(
      table,
      Array.from({ length: 400 }, (_, id) => ({
        key: `key ${id % 50}`,
        data: JSON.stringify({ id, version }),
      })),
    );
    await until('the records', async () => {
      const { rows } = await world.metrics(pipe.id);
      return rows === version * 400;
    });
  }
  const stored = await counts(`${table}_local${table === 'keyed' ? ' FINAL' : ''}`);
  expect([sum(stored), Math.min(...stored) > 0]).toEqual([expected, true]);
  const seen = await world.rows(
    sql`SELECT count(), min(version) FROM ${table === 'keyed' ? sql`shop.keyed FINAL` : sql`shop.blocks`}`,
  );
  expect(seen).toEqual([[String(expected), table === 'keyed' ? '4' : '1']]);
  await world.call('deletePipe', { params: { pipeId: pipe.id } });
});
