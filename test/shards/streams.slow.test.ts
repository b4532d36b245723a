import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { until } from '../kit/eventually.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../kit/kafka.ts';
import { startKinesis, testRegion, type KinesisPeer } from '../kit/kinesis.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { startShardedPipes, type ShardedPipes } from '../kit/sharded-pipes.ts';
import { allEqual, postgresPipe } from '../pipes/postgres-pipe.ts';

const columns = [
  { name: 'id', type: 'UInt32' },
  { name: 'version', type: 'UInt64' },
  { name: 'text', type: 'String' },
];
const fast = { streaming_max_insert_wait_ms: 500 };

let sharded: ShardedPipes;
let kinesis: KinesisPeer;

beforeAll(async () => {
  kinesis = await startKinesis();
  sharded = await startShardedPipes(3, {
    connectors: createConnectors({ endpoint: kinesis.endpoint }),
  });
  sharded.world.pipes.start();
});
afterAll(async () => {
  await sharded?.close();
  await kinesis?.remove();
});
const numbers = async (statement: string): Promise<number[]> =>
  (await sharded.ask(0, statement)).split('\t').map(Number);
/** Keys whose rows are on several shards. */
const split = async (table: string, key: string): Promise<number> =>
  (
    await numbers(`SELECT count() FROM (
      SELECT ${key} FROM shop.${table} GROUP BY ${key} HAVING uniqExact(shardNum()) > 1)`)
  )[0]!;
const deletePipe = (pipeId: string) => sharded.world.call('deletePipe', { params: { pipeId } });

/** Replays the bad records of a pipe, with `version` as their `id`. */
async function replayWithOtherId(pipeId: string): Promise<void> {
  const params = { pipeId };
  const fields = { id: 'version', version: 'version', text: 'text' };
  const fieldMappings = Object.entries(fields).map(([destinationField, sourceField]) => ({
    destinationField,
    sourceField,
  }));
  await sharded.world.call('updatePipe', { params, body: { fieldMappings } });
  await sharded.world.call('replayPipeErrors', { params });
  await until('the end of the replay', async () => {
    const { value } = await sharded.world.call('getPipeReplay', { params });
    return (value as { endedAt: string | null }).endedAt !== null;
  });
}

describe.skipIf(kafkaMissing())('Kafka', () => {
  let peer: KafkaPeer;
  beforeAll(async () => {
    peer = await startKafka();
  });
  afterAll(() => peer?.remove());

  const body = (topic: string, tableDefinition: object) => ({
    source: { kafka: { brokers: peer.plain, topics: topic } },
    destination: { database: 'shop', table: topic, columns, tableDefinition },
    settings: fast,
  });
  const record = (id: number, version = 1) => ({
    value: JSON.stringify({ id, version, text: `text ${id}` }),
    partition: id % 6,
  });

  test('records of many partitions are on all shards once, bad ones in the error table', async () => {
    await peer.createTopic('blocks', 6);
    const pipe = await sharded.world.create(body('blocks', { sortingKey: ['id'] }));
    for (let round = 0; round < 5; round++) {
      await peer.producer.send({
        topic: 'blocks',
        messages: Array.from({ length: 600 }, (_, index) => record(round * 600 + index)),
      });
      await until(
        'the round',
        async () => (await numbers('SELECT count() FROM shop.blocks'))[0] === (round + 1) * 600,
      );
    }
    await peer.producer.send({
      topic: 'blocks',
      messages: [
        { value: '{"id":5000000000,"version":1,"text":"too large"}', partition: 0 },
        { value: '{"id":', partition: 1 },
      ],
    });
    const errors = await until('errors', async () => {
      const { value } = await sharded.world.call('listPipeErrors', {
        params: { pipeId: pipe.id },
      });
      return Object(value).length === 2 ? (value as { reason: string }[]) : undefined;
    });
    expect(errors.map(({ reason }) => reason).sort()).toEqual([
      'a value is out of range for id (UInt32)',
      expect.stringMatching(/JSON/i),
    ]);
    expect(await numbers('SELECT count(), uniqExact(id) FROM shop.blocks')).toEqual([3000, 3000]);
    const counts = await sharded.counts('shop.blocks_local');
    expect(Math.min(...counts)).toBeGreaterThan(0);
    await deletePipe(pipe.id);
  });

  test('a table that replaces rows has each key on one shard, also of a block with bad rows', async () => {
    await peer.createTopic('keyed', 6);
    const pipe = await sharded.world.create(
      body('keyed', {
        engine: { type: 'ReplacingMergeTree', versionColumnId: 'version' },
        sortingKey: ['id', 'text'],
      }),
    );
    const messages = [1, 2, 3].flatMap((version) =>
      Array.from({ length: 300 }, (_, id) => record(id, version)),
    );
    const bad = { value: '{"id":4294967296,"version":1,"text":"too large"}', partition: 0 };
    await peer.producer.send({ topic: 'keyed', messages: [...messages, bad] });
    await until(
      'all rows',
      async () => (await numbers('SELECT count() FROM shop.keyed FINAL'))[0] === 300,
    );
    await until(
      'all versions',
      async () => (await numbers('SELECT min(version) FROM shop.keyed FINAL'))[0] === 3,
    );
    expect(await split('keyed', 'id')).toBe(0);
    expect(Math.min(...(await sharded.counts('shop.keyed_local FINAL')))).toBeGreaterThan(0);
    await until('the bad record', async () => {
      const { value } = await sharded.world.call('listPipeErrors', {
        params: { pipeId: pipe.id },
      });
      return Object(value).length === 1;
    });
    expect(await sharded.world.metrics(pipe.id)).toMatchObject({ rows: 900, errors: 1 });
    await replayWithOtherId(pipe.id);
    expect(await sharded.world.metrics(pipe.id)).toMatchObject({ rows: 901, errors: 0 });
    expect(
      await numbers("SELECT count(), any(id) FROM shop.keyed WHERE text = 'too large'"),
    ).toEqual([1, 1]);
    await deletePipe(pipe.id);
  });
});

test('records of a cloudstream are on the shards once', async () => {
  await kinesis.createStream('events', 3);
  const pipe = await sharded.world.create({
    source: {
      cloudstream: {
        streamName: 'events',
        region: testRegion,
        accessKey: { accessKeyId: 'AKIDTEST', secretKey: 'a very secret key' },
      },
    },
    destination: {
      database: 'shop',
      table: 'events',
      columns,
      tableDefinition: { sortingKey: ['id'] },
    },
    settings: fast,
  });
  for (let round = 0; round < 4; round++) {
    await kinesis.put(
      'events',
      Array.from({ length: 200 }, (_, index) => ({
        key: `key ${index % 40}`,
        data: JSON.stringify({ id: round * 200 + index, version: 1, text: '' }),
      })),
    );
    await until(
      'the round',
      async () => (await numbers('SELECT count() FROM shop.events'))[0] === (round + 1) * 200,
    );
  }
  expect(await numbers('SELECT count(), uniqExact(id) FROM shop.events')).toEqual([800, 800]);
  await deletePipe(pipe.id);
});

describe.skipIf(postgresMissing())('PostgreSQL', () => {
  let peer: PostgresPeer;
  let client: Client;
  beforeAll(async () => {
    peer = await startPostgres({ wal_level: 'logical' });
    client = new Client({ connectionString: peer.url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`
      CREATE TABLE orders (id int PRIMARY KEY, customer text, amount numeric(10, 2));
      CREATE TABLE lines (order_id int, line int, item text, PRIMARY KEY (order_id, line));
      CREATE TABLE journal (id int PRIMARY KEY, note text);
      INSERT INTO orders SELECT n, 'customer ' || n % 7, n / 3.0 FROM generate_series(1, 3000) n;
      INSERT INTO lines SELECT n / 3, n % 3, 'item ' || n FROM generate_series(1, 3000) n;
      INSERT INTO journal SELECT n, 'note ' || n FROM generate_series(1, 500) n`);
  });
  afterAll(async () => {
    await client?.end();
    await peer?.remove();
  });

  const tables = [
    { table: 'orders', key: ['id'] },
    { table: 'lines', key: ['order_id', 'line'] },
  ];

  test('the tables equal their source after a snapshot, changes, deletions, a new column and a resync', async () => {
    const pipe = await sharded.world.create(
      postgresPipe(peer, [...tables, { table: 'journal', key: ['id'], engine: 'MergeTree' }]),
    );
    await allEqual(client, sharded.world, tables);
    await client.query(`
      UPDATE orders SET amount = amount + 1 WHERE id % 2 = 0;
      DELETE FROM orders WHERE id % 10 = 0;
      UPDATE lines SET item = item || '!' WHERE line = 1;
      INSERT INTO journal SELECT n, 'more' FROM generate_series(501, 600) n`);
    await allEqual(client, sharded.world, tables);
    await client.query(`
      ALTER TABLE orders ADD COLUMN comment text DEFAULT 'none';
      UPDATE orders SET comment = 'changed' WHERE id < 100`);
    await allEqual(client, sharded.world, tables);
    for (const { table, key } of tables) {
      expect(await split(table, key.join(', '))).toBe(0);
      expect(Math.min(...(await sharded.counts(`shop.${table}_local`)))).toBeGreaterThan(0);
    }
    await until(
      'the journal',
      async () => (await numbers('SELECT uniqExact(id), count() FROM shop.journal'))[0] === 600,
    );
    await sharded.world.call('changePipeState', {
      params: { pipeId: pipe.id },
      body: { command: 'resync' },
    });
    await client.query('DELETE FROM lines WHERE order_id > 900');
    await allEqual(client, sharded.world, tables);
    await until(
      'no table left beside',
      async () =>
        (
          await numbers(`SELECT count() FROM clusterAllReplicas('shards', system.tables)
          WHERE database = 'shop' AND name LIKE '%pipe_next%'`)
        )[0] === 0,
    );
    await deletePipe(pipe.id);
  });

  test('a pipe waits for a shard that is away, and catches up', async () => {
    await client.query('CREATE TABLE stock (id int PRIMARY KEY, pieces int)');
    await client.query('INSERT INTO stock SELECT n, 0 FROM generate_series(1, 300) n');
    const stock = [{ table: 'stock', key: ['id'] }];
    const pipe = await sharded.world.create(postgresPipe(peer, stock));
    await allEqual(client, sharded.world, stock);
    await sharded.cluster.servers[2]!.kill();
    await client.query('UPDATE stock SET pieces = id');
    await until('the reason', async () => {
      const { state, stateMessage } = await sharded.world.get(pipe.id);
      return state === 'Degraded' && /^shard 3 .* does not respond; /.test(stateMessage ?? '');
    });
    await client.query('DELETE FROM stock WHERE id % 3 = 0');
    await sharded.cluster.servers[2]!.restart();
    await allEqual(client, sharded.world, stock);
    expect((await sharded.world.get(pipe.id)).state).toBe('Running');
    await deletePipe(pipe.id);
  });
});
