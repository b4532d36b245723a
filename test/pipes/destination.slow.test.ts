import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pipe } from '../../src/contract/pipe/pipe.ts';
import { literal, qualified, sql, type Sql } from '../../src/sql/sql.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from './pipe-world.ts';

let world: PipeWorld;
beforeAll(async () => {
  world = await pipeWorld();
  await run(sql`CREATE DATABASE shop`);
});
afterAll(() => world?.close());

const run = (statement: Sql): Promise<void> =>
  world.telemetry.command(statement, { purpose: 'admin', timeoutMs: 30_000 });
const columns = [{ name: 'id', type: 'UInt64' }];
const nobody = { brokers: '127.0.0.1:9', topics: 'orders' };
const create = (table: string, more: object = {}): Promise<Pipe> =>
  world.create({
    source: { kafka: nobody },
    destination: { database: 'shop', table, columns, ...more },
  });
const message = async (id: string): Promise<string> => (await world.get(id)).stateMessage ?? '';
const saysAtOnce = (id: string, text: string) =>
  until(text, async () => ((await message(id)).includes(text) ? true : undefined), 20_000);
const comment = async (table: string): Promise<unknown> =>
  (
    await world.rows(
      sql`SELECT comment FROM system.tables WHERE database = 'shop' AND name = ${table}`,
    )
  )[0]?.[0];
const setComment = (table: string, text: string): Promise<void> =>
  run(sql`ALTER TABLE ${qualified('shop', table)} MODIFY COMMENT ${literal(text)}`);
const mark = 'sightline workspace 65f0c1d2e3a4b5c6d7e8f901;';
const foreign = 'sightline workspace 000000000000000000000000;';

/** The pipe as a version without owners of tables stored it. */
async function storeAsBefore({ id }: Pipe): Promise<void> {
  const { workspace } = world.principal;
  const stored = await world.store.documents.get(workspace.id, 'pipe', id);
  const { ownsTables: _, ...body } = stored!.body;
  await world.store.documents.update(workspace.id, 'pipe', id, stored!.version, { body });
}

describe('a pipe whose source does not answer', () => {
  it('says what is wrong with its destination, and who owns its table', async () => {
    await run(sql`CREATE TABLE shop.by_hand (id UInt64) ENGINE = MergeTree ORDER BY id`);
    const gone = await create('by_hand', { managedTable: false });
    await run(sql`DROP TABLE shop.by_hand`);
    const other = await create('other_type');
    await run(sql`ALTER TABLE shop.other_type MODIFY COLUMN id String`);
    const replaced = await create('replaced');
    expect(await comment('replaced')).toBe(mark);
    await setComment('replaced', foreign);
    world.pipes.start();
    await saysAtOnce(
      gone.id,
      'destination.table: table "by_hand" does not exist in database "shop"',
    );
    await saysAtOnce(
      other.id,
      'destination.columns.0.type: is UInt64, but the column in the table is String',
    );
    await saysAtOnce(
      replaced.id,
      'destination.table: table "replaced" in database "shop" belongs to another service',
    );
    expect((await world.get(gone.id)).state).toBe('Degraded');
  });

  it('creates the database of its destination again', async () => {
    const { workspace } = world.principal;
    const pipe = await world.create({
      source: {
        postgres: {
          host: '127.0.0.1',
          port: 9,
          database: 'postgres',
          credentials: { username: 'u', password: 'p' },
          tableMappings: [{ sourceSchemaName: 'public', sourceTable: 'a', targetTable: 'a' }],
        },
      },
      destination: { database: workspace.database },
    });
    await saysAtOnce(pipe.id, 'cannot reach');
    await run(sql`DROP DATABASE shop`);
    await world.call('changePipeState', { params: { pipeId: pipe.id }, body: { command: 'stop' } });
    await until('Paused', async () => (await world.get(pipe.id)).state === 'Paused');
    await world.call('changePipeState', {
      params: { pipeId: pipe.id },
      body: { command: 'start' },
    });
    await saysAtOnce(pipe.id, 'cannot reach');
    expect(await world.rows(sql`SELECT count() FROM system.databases WHERE name = 'shop'`)).toEqual(
      [['1']],
    );
  });
});

describe('a pipe that a version without owners of tables stored', () => {
  it('keeps the table that it writes to, and becomes one of its owners', async () => {
    const pipe = await create('before');
    await world.call('changePipeState', { params: { pipeId: pipe.id }, body: { command: 'stop' } });
    await until('Stopped', async () => (await world.get(pipe.id)).state === 'Stopped');
    await storeAsBefore(pipe);
    await setComment('before', `made by hand ${foreign}`);
    await world.call('changePipeState', {
      params: { pipeId: pipe.id },
      body: { command: 'start' },
    });
    await until(
      'the owner',
      async () => (await comment('before')) === `made by hand ${foreign} ${mark}`,
    );
    await saysAtOnce(pipe.id, 'cannot reach');
  });
});
