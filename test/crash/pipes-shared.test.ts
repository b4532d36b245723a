import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { qualified, sql } from '../../src/sql/sql.ts';
import { startClickHouseServer, type ClickHouseServer } from '../kit/clickhouse-server.ts';
import { kafkaMissing, startKafka, type KafkaPeer } from '../kit/kafka.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';
import { killPipes, startPipes, type PipesChild } from './pipes-child.ts';

const mebibyte = 2 ** 20;
const awayMs = Number(process.env['SIGHTLINE_TEST_AWAY_MS'] ?? 60_000);

/**
 * Processes that share one PostgreSQL store and one ClickHouse server: leases live in the store,
 * and SQLite belongs to one process.
 */

const folder = mkdtempSync(join(tmpdir(), 'sightline-shared-'));
let kafka: KafkaPeer;
let postgres: PostgresPeer;
let clickHouse: ClickHouseServer;
let database: Client;
let databaseUrl: string;
/** Looks on and asks; runs no pipe. */
let world: PipeWorld;
beforeAll(async () => {
  [kafka, postgres, clickHouse] = await Promise.all([
    startKafka(),
    startPostgres(),
    startClickHouseServer(),
  ]);
  databaseUrl = await postgres.createDatabase();
  world = await pipeWorld({ folder, databaseUrl, clickHouseUrl: clickHouse.url });
  database = new Client(databaseUrl);
  await database.connect();
});
afterAll(async () => {
  await killPipes();
  await database?.end();
  await world?.close();
  await Promise.all([kafka?.remove(), clickHouse?.close()]);
  await postgres?.remove();
  rmSync(folder, { recursive: true, force: true });
});
const start = (holder: string): Promise<PipesChild> =>
  startPipes({ folder, databaseUrl, clickHouseUrl: clickHouse.url, holder });
const create = async (topic: string, partitions: number) => {
  await kafka.createTopic(topic, partitions);
  return world.create({
    source: { kafka: { brokers: kafka.plain, topics: topic } },
    destination: {
      database: 'shop',
      table: topic,
      columns: [
        { name: 'place', type: 'UInt64' },
        { name: 'part', type: 'UInt16' },
        { name: 'text', type: 'String' },
      ],
      tableDefinition: { sortingKey: ['part', 'place'] },
    },
    fieldMappings: [
      ['_offset', 'place'],
      ['_partition', 'part'],
      ['text', 'text'],
    ].map(([sourceField, destinationField]) => ({ sourceField, destinationField })),
    settings: { streaming_max_insert_wait_ms: 500 },
  });
};
const counts = async (table: string): Promise<{ rows: number; distinct: number }> => {
  const [row] = await world.rows(
    sql`SELECT count(), uniqExact(part, place) FROM ${qualified('shop', table)}`,
  );
  return { rows: Number(row![0]), distinct: Number(row![1]) };
};
const stateOf = async (id: string): Promise<string> => (await world.get(id)).state;
/** Sends batches until told to stop; answers how many records the topic has then. */
const produce = (
  topic: string,
  records: number,
  text: string,
  everyMs: number,
): (() => Promise<number>) => {
  const enough = new AbortController();
  const sending = (async () => {
    const messages = Array.from({ length: records }, () => ({ value: `{"text":"${text}"}` }));
    while (!enough.signal.aborted) {
      await kafka.producer.send({ topic, messages });
      await pause(everyMs);
    }
  })();
  return async () => {
    enough.abort();
    await sending;
    return (await kafka.admin.fetchTopicOffsets(topic)).reduce(
      (sum, { high }) => sum + Number(high),
      0,
    );
  };
};

describe.skipIf(kafkaMissing() || postgresMissing())('pipes of several processes', () => {
  it('that is halted longer than its lease is replaced, writes nothing later, and repeats no record', async () => {
    const pipe = await create('halted', 3);
    const holder = async (): Promise<{ holder: string; epoch: number }> => {
      const { rows } = await database.query<{ holder: string; epoch: string }>(
        'SELECT holder, epoch FROM leases WHERE name = $1',
        [`pipe/${pipe.id}/0`],
      );
      return { holder: rows[0]?.holder ?? '', epoch: Number(rows[0]?.epoch ?? 0) };
    };
    const children = new Map([['one', await start('one')]]);
    await until('the first reader', async () => (await holder()).holder === 'one');
    children.set('two', await start('two'));
    const stop = produce('halted', 50, 'x', 5);
    await until('rows', async () => (await counts('halted')).rows > 500);
    const before = await holder();
    // In the midst of its work, wherever that is; its lease then runs out by the store's clock.
    children.get('one')!.signal('SIGSTOP');
    const after = await until(
      'another holder',
      async () => {
        const current = await holder();
        return current.holder === 'two' && current;
      },
      20_000,
    );
    expect(after.epoch).toBeGreaterThan(before.epoch);
    const { rows } = await counts('halted');
    await until('rows of the other', async () => (await counts('halted')).rows > rows + 200);
    children.get('one')!.signal('SIGCONT');
    const again = (await counts('halted')).rows;
    await until(
      'rows after the first is back',
      async () => (await counts('halted')).rows > again + 200,
    );
    expect((await holder()).holder).toBe('two');
    const sent = await stop();
    await until('all rows', async () => (await counts('halted')).distinct === sent);
    await Promise.all([...children.values()].map((child) => child.end('SIGTERM')));
    expect(await counts('halted')).toEqual({ rows: sent, distinct: sent });
    expect(await world.metrics(pipe.id)).toMatchObject({ rows: sent, lag: 0 });
    await world.call('changePipeState', { params: { pipeId: pipe.id }, body: { command: 'stop' } });
  });

  it(
    `whose destination is away for ${awayMs / 1000} s lose nothing, stay under their memory, say so, and recover`,
    { timeout: 400_000 },
    async () => {
      const pipe = await create('away', 4);
      const child = await start('three');
      const idle = child.residentBytes();
      const stop = produce('away', 250, 'x'.repeat(2000), 100);
      await until('rows', async () => (await counts('away')).rows > 1000);
      const atWork = child.residentBytes();
      await clickHouse.kill();
      const awaySince = Date.now();
      await until('Degraded', async () => (await stateOf(pipe.id)) === 'Degraded', 30_000);
      expect((await world.get(pipe.id)).stateMessage).toMatch(/destination does not respond/);
      let most = 0;
      while (Date.now() - awaySince < awayMs) {
        most = Math.max(most, child.residentBytes());
        await pause(250);
      }
      const sent = await stop();
      await clickHouse.restart();
      await until('Running', async () => (await stateOf(pipe.id)) === 'Running', 90_000);
      await until(
        'all rows',
        async () => {
          most = Math.max(most, child.residentBytes());
          return (await counts('away')).distinct === sent;
        },
        120_000,
      );
      expect(await counts('away')).toEqual({ rows: sent, distinct: sent });
      const backlog = (sent * 2020) / mebibyte;
      console.log(
        `destination away: ${sent} records (${Math.round(backlog)} MiB); ` +
          `resident ${Math.round(idle / mebibyte)} MiB idle, ` +
          `${Math.round(atWork / mebibyte)} MiB at work, at most ${Math.round(most / mebibyte)} MiB`,
      );
      // The smallest share there is, 0.5 GiB, for one replica, over what the process has for
      // itself.
      expect(most - idle).toBeLessThan(512 * mebibyte);
      await child.end('SIGTERM');
    },
  );
});
