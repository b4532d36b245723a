import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { killPipes, startPipes, type PipesChild } from '../crash/pipes-child.ts';
import { startCluster, type ClickHouseCluster } from '../kit/clickhouse-cluster.ts';
import { eventually, until } from '../kit/eventually.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../kit/kafka.ts';
import { startKinesis, type KinesisPeer } from '../kit/kinesis.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { addressOf } from '../kit/sharded-pipes.ts';
import { rollupFaults } from '../kit/rollup.ts';
import { serverAsk } from '../kit/sharded.ts';
import { allEqual } from '../pipes/postgres-pipe.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';
import { pipeBodies, seededRandom, startTraffic, type Traffic } from './traffic.ts';

const kills = Number(process.env['SIGHTLINE_TEST_SHARD_KILLS'] ?? 6);
const seed = Number(process.env['SIGHTLINE_TEST_CRASH_SEED'] ?? 1);
const shards = 2;
const kafkaSessionMs = 3000;
const leaseMs = 2000;
const pgTables = [{ table: 'orders', key: ['id'] }];

const isMissing = kafkaMissing() || postgresMissing();

const folder = mkdtempSync(join(tmpdir(), 'sightline-shard-kills-'));
let cluster: ClickHouseCluster;
let kafka: KafkaPeer;
let s3: S3Peer;
let kinesis: KinesisPeer;
let postgres: PostgresPeer;
let client: Client;

beforeAll(async () => {
  if (isMissing) {
    return;
  }
  // Peers that look for free ports at the same time take them from one another.
  kafka = await startKafka();
  cluster = await startCluster(shards);
  [s3, kinesis, postgres] = await Promise.all([
    startS3(),
    startKinesis(),
    startPostgres({ wal_level: 'logical' }),
  ]);
  client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('CREATE TABLE orders (id int PRIMARY KEY, amount int, note text)');
  await s3.bucket('objects');
  await kafka.createTopic('records', 4);
  await kinesis.createStream('events', 2);
});
afterAll(async () => {
  await killPipes();
  await client?.end();
  await Promise.all([kafka?.remove(), s3?.remove(), kinesis?.remove(), postgres?.remove()]);
  await cluster?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A process that finds no server ends, and its supervisor starts it again. */
async function start(): Promise<PipesChild> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startPipes({
        folder,
        cluster: addressOf(cluster),
        receivesOtlp: true,
        streamService: kinesis.endpoint,
        kafkaSessionMs,
        leaseMs,
      });
    } catch (error) {
      if (attempt === 20) {
        throw error;
      }
      await pause(1000);
    }
  }
}

/** Kills, again and again, one server, the process, or both at the same time. */
async function killAgainAndAgain(traffic: Traffic): Promise<Record<string, number>> {
  const random = seededRandom(seed);
  const killed: Record<string, number> = {};
  let child = await start();
  traffic.sendTo(child.otlpUrl);
  for (let kill = 0; kill < kills; kill++) {
    // Tables appear when their pipes start.
    const { before } = await until('the tables', async () => ({ before: await rowCount() }));
    await until('rows since the last kill', async () => (await rowCount()) > before, 60_000);
    await pause(random() * 1000);
    const victim = (['server', 'process', 'both'] as const)[Math.floor(random() * 3)]!;
    killed[victim] = (killed[victim] ?? 0) + 1;
    const server = cluster.servers[Math.floor(random() * shards)]!;
    if (victim !== 'process') {
      await server.kill();
    }
    if (victim !== 'server') {
      traffic.noteCrash();
      await child.end('SIGKILL');
    }
    await pause(random() * 1500);
    const restarting = victim === 'process' ? undefined : server.restart();
    if (victim !== 'server') {
      child = await start();
      traffic.sendTo(child.otlpUrl);
    }
    await restarting;
  }
  await traffic.stop();
  await child.end('SIGTERM');
  return killed;
}

const ask = (statement: string): Promise<string> => serverAsk(cluster)(0, statement);
const numbers = async (statement: string): Promise<number[]> =>
  (await ask(statement)).split('\t').map(Number);
/** Of all tables, as far as servers answer. */
async function rowCount(): Promise<number> {
  const [count = 0] = await numbers(
    `SELECT sum(c) FROM (
      SELECT count() AS c FROM shop.objects UNION ALL SELECT count() FROM shop.records
      UNION ALL SELECT count() FROM shop.events UNION ALL SELECT count() FROM shop.orders)`,
  );
  return count;
}

const open = (): Promise<PipeWorld> =>
  pipeWorld({
    folder,
    cluster: addressOf(cluster),
    connectors: createConnectors({ endpoint: kinesis.endpoint, kafkaSessionMs }),
    leaseMs,
    holder: 'only',
  });

/** Rows, and distinct rows, of each table that is compared with what was sent. */
const stored = async () => ({
  objects: await numbers('SELECT count(), uniqExact(id) FROM shop.objects'),
  replaced: await numbers('SELECT count(), uniqExact(id) FROM shop.replaced FINAL'),
  records: await numbers('SELECT count(), uniqExact(part, place) FROM shop.records'),
  events: await numbers('SELECT count(), uniqExact(id) FROM shop.events'),
});

async function verifyPipes(world: PipeWorld, { sent }: Traffic): Promise<string> {
  const offsets = await kafka.admin.fetchTopicOffsets('records');
  const records = offsets.reduce((sum, { high }) => sum + Number(high), 0);
  expect(records).toBe(sent.records);
  const expected = {
    objects: [sent.objects, sent.objects],
    replaced: [sent.replaced, sent.replaced],
    records: [records, records],
    events: [sent.events, sent.events],
  };
  // None is missing. None is doubled: that is compared when all pipes have nothing more to do.
  const atLeast = Object.fromEntries(
    Object.entries(expected).map(([table, [rows = 0]]) => [
      table,
      [expect.toSatisfy((count: number) => count >= rows), expect.any(Number)],
    ]),
  );
  await eventually(async () => expect(await stored()).toEqual(atLeast), 180_000, 200);
  const [orders] = await allEqual(client, world, pgTables, 180_000);
  // A range that was stored twice would come a moment later.
  await until('pipes that have nothing to do', async () => {
    const metrics = await Promise.all(pipeIds.map((id) => world.metrics(id)));
    return metrics.every(({ lag }) => (lag ?? 0) === 0);
  });
  expect(await stored()).toEqual(expected);
  const counts = Object.entries(expected).map(([table, [rows]]) => `${table} ${rows}`);
  return [...counts, `orders ${orders?.sourceRows}`].join(', ');
}

async function verifyLogs(world: PipeWorld, { acknowledged, uncertain }: Traffic): Promise<string> {
  const answer = await ask(
    `SELECT toUInt32(Body) AS id, toUInt32(count()) FROM shop.otel_logs GROUP BY id
      FORMAT JSONCompact`,
  );
  const logs = new Map((JSON.parse(answer) as { data: [number, number][] }).data);
  expect([...acknowledged].filter((id) => !logs.has(id))).toEqual([]);
  const doubled = [...logs].filter(([, count]) => count > 1).map(([id]) => id);
  // The memory of the process recognizes what a sender repeats. A crash ends it.
  expect(doubled.filter((id) => !uncertain.has(id))).toEqual([]);
  // An insert that a kill cut short is counted when nobody can repeat it any more.
  await eventually(
    async () => expect(await rollupFaults(world.engine, 'shop')).toEqual([]),
    600_000,
    1000,
  );
  return (
    `logs ${acknowledged.size}, of which ${doubled.length} twice, ` +
    `of ${uncertain.size} in flight when the process crashed`
  );
}

let pipeIds: string[] = [];

test.skipIf(isMissing)(
  'every row of every source is stored once',
  async () => {
    const world = await open();
    await world.engine.migrate('shop');
    const pipes = [];
    for (const body of pipeBodies({ s3, kafka, postgres })) {
      pipes.push(await world.create(body));
    }
    pipeIds = pipes.map(({ id }) => id);
    await world.close();

    const startedMs = performance.now();
    const traffic = startTraffic({ s3, kafka, kinesis, client, seed });
    const killed = await killAgainAndAgain(traffic).finally(() => traffic.abandon());
    const seconds = Math.round((performance.now() - startedMs) / 1000);

    const after = await open();
    try {
      await after.engine.migrate('shop');
      after.pipes.start();
      const figures = [await verifyPipes(after, traffic), await verifyLogs(after, traffic)];
      console.log(
        `shards: ${kills} kills in ${seconds} s (${JSON.stringify(killed)}), seed ${seed}; ` +
          figures.join('; '),
      );
    } finally {
      await after.close();
    }
  },
  3_600_000,
);
