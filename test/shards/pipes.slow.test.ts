import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PipeMetrics } from '../../src/contract/pipe/pipe-reports.ts';
import { sql } from '../../src/sql/sql.ts';
import { until } from '../kit/eventually.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { insertWorkspace } from '../kit/workspace.ts';
import { startShardedPipes, type ShardedPipes } from '../kit/sharded-pipes.ts';

const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'version', type: 'UInt64' },
  { name: 'text', type: 'String' },
];
const replacing = {
  engine: { type: 'ReplacingMergeTree', versionColumnId: 'version' },
  sortingKey: ['id'],
};
const lines = (from: number, to: number, version = 1): string =>
  Array.from(
    { length: to - from },
    (_, index) => `{"id":${from + index},"version":${version},"text":"ü ${from + index}"}\n`,
  ).join('');

const at = (ms: number): string => new Date(ms).toISOString();

let peer: S3Peer;
let sharded: ShardedPipes;
let number = 0;

beforeAll(async () => {
  [peer, sharded] = await Promise.all([startS3(), startShardedPipes(2)]);
  const { store, principal, pipes } = sharded.world;
  await insertWorkspace(store, principal.workspace.id, 'shop');
  pipes.start();
});
afterAll(async () => {
  await sharded?.close();
  await peer?.remove();
});

interface Loaded {
  /** Of the bucket and of the table. */
  name: string;
  body: object;
}

/** A bucket and the body of a pipe that stores each of its objects as one range. */
async function bucket(destination: object = {}, source: object = {}): Promise<Loaded> {
  const name = `table${(number += 1)}`;
  await peer.bucket(name);
  return {
    name,
    body: {
      source: {
        objectStorage: {
          url: `${peer.endpoint}/${name}/**`,
          accessKey: peer.accessKey,
          ...source,
        },
      },
      destination: {
        database: 'shop',
        table: name,
        columns,
        tableDefinition: { sortingKey: ['id'] },
        ...destination,
      },
      settings: { object_storage_max_file_count: 1, object_storage_polling_interval_ms: 100 },
    },
  };
}
const ended = (id: string): Promise<unknown> =>
  until('the load to end', async () => (await sharded.world.get(id)).state === 'Completed');
const numbers = async (statement: string): Promise<number[]> =>
  (await sharded.ask(0, statement)).split('\t').map(Number);
/** Rows and distinct ids, over all shards. */
const total = (table: string): Promise<number[]> =>
  numbers(`SELECT count(), uniqExact(id) FROM shop.${table}`);
const split = (table: string): Promise<number[]> =>
  numbers(`SELECT count() FROM (
    SELECT id FROM shop.${table} GROUP BY id HAVING uniqExact(shardNum()) > 1)`);
const stages = async (): Promise<string[]> =>
  Promise.all(
    [0, 1].map((shard) =>
      sharded.ask(shard, `SELECT name FROM system.tables WHERE startsWith(name, 'pipe_stage_')`),
    ),
  );

/**
 * Each goes to a shard that the hash of a new id chooses. Once in 8 million times, all of so many
 * go to the same of two.
 */
const ranges = 24;

describe('objects', () => {
  test('each range is whole on one shard, ranges are on all, and bad objects are listed', async () => {
    const { name, body } = await bucket();
    for (let object = 0; object < ranges; object++) {
      await peer.put(name, `${object}.json`, lines(object * 100, object * 100 + 100));
    }
    await peer.put(name, 'bad.json', '{"id":"bad');
    const pipe = await sharded.world.create(body);
    await ended(pipe.id);
    const counts = await sharded.counts(`shop.${name}_local`);
    expect(counts.map((count) => count % 100)).toEqual([0, 0]);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    const rows = ranges * 100;
    expect(await total(name)).toEqual([rows, rows]);
    const errors = await sharded.world.call('listPipeErrors', { params: { pipeId: pipe.id } });
    expect(errors.value).toHaveLength(1);
    expect(await sharded.world.metrics(pipe.id)).toMatchObject({ rows, errors: 1 });
    expect(await stages()).toEqual(['', '']);
    const minute = Math.floor(Date.now() / 60_000) * 60_000 - 600_000;
    await sharded.world.pipes.sample(minute);
    const query = { from: at(minute), to: at(minute + 60_000) };
    const call = { params: { pipeId: pipe.id }, query };
    const { series } = (await sharded.world.call('getPipeMetrics', call)).value as PipeMetrics;
    expect(series).toMatchObject([{ at: at(minute), rows, errors: 1 }]);
  });

  test('all rows of a key are on one shard if the table replaces rows', async () => {
    const { name, body } = await bucket({ tableDefinition: replacing });
    for (let object = 0; object < 6; object++) {
      await peer.put(name, `${object}.json`, lines(0, 200, object + 1));
    }
    const pipe = await sharded.world.create(body);
    await ended(pipe.id);
    const counts = await sharded.counts(`shop.${name}_local FINAL`);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(await split(name)).toEqual([0]);
    expect(
      await numbers(`SELECT count(), min(version), max(version) FROM shop.${name} FINAL`),
    ).toEqual([200, 6, 6]);
    expect(await stages()).toEqual(['', '']);
    expect(await sharded.world.metrics(pipe.id)).toMatchObject({ rows: 1200 });
  });

  test('a table that keeps nothing is on each shard, and its views see the rows once', async () => {
    const { name, body } = await bucket({ tableDefinition: { engine: { type: 'Null' } } });
    const pipe = await sharded.world.create(body);
    await ended(pipe.id);
    for (const shard of [0, 1]) {
      await sharded.ask(
        shard,
        `CREATE MATERIALIZED VIEW shop.${name}_view ENGINE = MergeTree ORDER BY id
          AS SELECT * FROM shop.${name}_local`,
      );
    }
    for (let object = 0; object < 8; object++) {
      await peer.put(name, `${object}.json`, lines(object * 10, object * 10 + 10));
    }
    const again = await sharded.world.create({ ...body, name: 'again' });
    await ended(again.id);
    const counts = await sharded.counts(`shop.${name}_view`);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(80);
  });
});

describe('a shard that is away', () => {
  test('pipes wait and say so, new pipes are refused, and all catch up', async () => {
    const byKey = await bucket({ tableDefinition: replacing }, { isContinuous: true });
    const byBlock = await bucket({}, { isContinuous: true });
    const [keyPipe, blockPipe] = [
      await sharded.world.create(byKey.body),
      await sharded.world.create(byBlock.body),
    ];
    await peer.put(byKey.name, '0.json', lines(0, 100));
    await peer.put(byBlock.name, '0.json', lines(0, 100));
    await until('the first rows', async () => {
      const [keyed = 0] = await total(byKey.name);
      const [rows = 0] = await total(byBlock.name);
      return keyed === 100 && rows === 100;
    });
    await sharded.cluster.servers[1]!.kill();
    for (let object = 1; object <= 6; object++) {
      await peer.put(byKey.name, `${object}.json`, lines(object * 100, object * 100 + 100));
      await peer.put(byBlock.name, `${object}.json`, lines(object * 100, object * 100 + 100));
    }
    await until('the reason', async () => {
      const { state, stateMessage } = await sharded.world.get(keyPipe.id);
      return (
        state === 'Degraded' &&
        /^shard 2 \(127\.0\.0\.1:\d+\) of the ClickHouse cluster does not respond; the pipe continues when it does$/.test(
          stateMessage ?? '',
        )
      );
    });
    const { body } = await bucket();
    await expect(sharded.world.create(body)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/shard 2 .* does not respond\. Send the request again later/),
    });
    await sharded.cluster.servers[1]!.restart();
    await until('all rows', async () => {
      const [keyed = 0] = await total(byKey.name);
      const [rows = 0] = await total(byBlock.name);
      return keyed === 700 && rows === 700;
    });
    await until('running pipes', async () => {
      const states = [await sharded.world.get(keyPipe.id), await sharded.world.get(blockPipe.id)];
      return states.every(({ state }) => state === 'Running');
    });
    expect(await split(byKey.name)).toEqual([0]);
    await sharded.world.create(body);
    for (const { id } of [keyPipe, blockPipe]) {
      await sharded.world.call('deletePipe', { params: { pipeId: id } });
    }
  });
});

describe('tables that exist', () => {
  const distributed = (name: string, key: string): string =>
    `CREATE TABLE shop.${name} AS shop.${name}_local
      ENGINE = Distributed('shards', 'shop', '${name}_local'${key})`;
  const onEach = async (statement: string): Promise<void> => {
    for (const shard of [0, 1]) {
      await sharded.ask(shard, statement);
    }
  };
  const local = (name: string): string =>
    `CREATE TABLE shop.${name} (id UInt64, version UInt64, text String) ENGINE = MergeTree ORDER BY id`;

  test("an operator's own sharded table takes the rows, and keeps its sharding key", async () => {
    const { name, body } = await bucket({ managedTable: false, tableDefinition: undefined });
    await onEach(local(`${name}_local`));
    await onEach(distributed(name, ', rand()'));
    for (let object = 0; object < ranges; object++) {
      await peer.put(name, `${object}.json`, lines(object * 10, object * 10 + 10));
    }
    await ended((await sharded.world.create(body)).id);
    expect(await total(name)).toEqual([ranges * 10, ranges * 10]);
    expect(Math.min(...(await sharded.counts(`shop.${name}_local`)))).toBeGreaterThan(0);
    expect(
      await sharded.ask(0, `SELECT engine_full FROM system.tables WHERE name = '${name}'`),
    ).toContain('rand()');
  });

  test.each([
    [
      'a key of its own',
      async (name: string) => {
        await onEach(local(`${name}_local`));
        await onEach(distributed(name, ', cityHash64(id)'));
      },
      /has the sharding key cityHash64\(id\)/,
    ],
    [
      'rows under the known name',
      (name: string) => onEach(local(name)),
      /on shard 1 \(.*\) holds rows of this shard alone.*with ENGINE = Distributed\('shards', 'shop', 'table\d+_local'\)/,
    ],
    [
      'other tables behind it',
      async (name: string) => {
        await onEach(local(`${name}_rows`));
        await onEach(
          `CREATE TABLE shop.${name} AS shop.${name}_rows
            ENGINE = Distributed('shards', 'shop', '${name}_rows')`,
        );
      },
      /is Distributed\('shards', 'shop', 'table\d+_rows'\)/,
    ],
  ])('a table with %s is refused with what to do', async (_, make, message) => {
    const { name, body } = await bucket({ managedTable: false, tableDefinition: undefined });
    await make(name);
    await expect(sharded.world.create(body)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(message),
    });
  });

  test('a new column reaches every shard', async () => {
    const { name, body } = await bucket({}, { isContinuous: true });
    const pipe = await sharded.world.create(body);
    await peer.put(name, '0.json', lines(0, 10));
    await until('rows', async () => (await total(name))[0] === 10);
    await sharded.world.call('updatePipe', {
      params: { pipeId: pipe.id },
      body: { destination: { columns: [...columns, { name: 'more', type: 'String' }] } },
    });
    for (let object = 1; object < 8; object++) {
      await peer.put(
        name,
        `${object}.json`,
        `{"id":${object * 10},"version":1,"text":"","more":"x"}`,
      );
    }
    await until('more rows', async () => (await total(name))[0] === 17);
    expect(await numbers(`SELECT countIf(more = 'x') FROM shop.${name}`)).toEqual([7]);
    await sharded.world.call('deletePipe', { params: { pipeId: pipe.id } });
  });

  test('samples are checked on a shard, and leave nothing behind', async () => {
    const { name, body } = await bucket({}, {});
    await peer.put(name, 'bad.json', '{"id":"bad');
    const validated = { ...body, source: { ...Object(body).source, validateSamples: true } };
    await expect(sharded.world.create(validated)).rejects.toMatchObject({ code: 'bad_request' });
    expect(
      await sharded.world.rows(
        sql`SELECT count() FROM clusterAllReplicas('shards', system.tables)
          WHERE startsWith(name, 'pipe_samples_')`,
      ),
    ).toEqual([['0']]);
  });
});
