import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pipe } from '../../src/contract/pipe/pipe.ts';
import { identifier, sql } from '../../src/sql/sql.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { pipeWorld, until, type PipeWorld } from '../pipes/pipe-world.ts';

describe.skipIf(postgresMissing())('a pipe from PostgreSQL', () => {
  let peer: PostgresPeer;
  let world: PipeWorld;
  let client: Client;
  let database: string;
  beforeAll(async () => {
    peer = await startPostgres({ wal_level: 'logical', max_replication_slots: 30, max_wal_senders: 30 });
    const url = await peer.createDatabase();
    database = new URL(url).pathname.slice(1);
    client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    world = await pipeWorld();
    world.pipes.start();
  });
  afterAll(async () => {
    await world?.close();
    await client?.end().catch(() => undefined);
    await peer?.remove();
  });

  const create = (tables: (string | object)[], settings: object = {}, more: object = {}): Promise<Pipe> => world.create({
    source: { postgres: { host: '127.0.0.1', port: peer.port, database, credentials: { username: 'postgres', password: 'x' }, settings: { syncIntervalSeconds: 1, ...settings },
      tableMappings: tables.map((table) => (typeof table === 'string' ? { sourceSchemaName: 'public', sourceTable: table, targetTable: table } : { sourceSchemaName: 'public', ...table })), ...more } },
    destination: { database: 'shop' },
  });
  const run = (text: string, values: unknown[] = []) => client.query(text, values);
  const state = (pipe: Pipe, wanted: string) => until(`${wanted}`, async () => {
    const now = await world.get(pipe.id);
    if (now.state === 'Failed' && wanted !== 'Failed') throw new Error(`failed: ${now.stateMessage}`);
    return now.state === wanted ? now : undefined;
  }).catch(async (error: unknown) => { throw new Error(`${String(error)}: ${JSON.stringify(await world.get(pipe.id))} ${world.logged.slice(-5).join('\n')}`); });
  const rows = async (table: string, columns: string, order = 'id') => (await world.rows(sql`SELECT ${identifierList(columns)} FROM ${identifier('shop')}.${identifier(table)} FINAL ORDER BY ${identifierList(order)}`));
  const identifierList = (names: string) => names.split(',').map((name) => identifier(name)).reduce((all, one) => sql`${all}, ${one}`);
  const becomes = (table: string, columns: string, wanted: unknown[][], order = 'id') => until(`${table} as at the source`, async () => {
    const now = await rows(table, columns, order);
    if (JSON.stringify(now) !== JSON.stringify(wanted)) throw new Error(`${JSON.stringify(now).slice(0, 2000)} instead of ${JSON.stringify(wanted).slice(0, 2000)}`);
    return true;
  }, 20_000).catch((error: unknown) => { throw new Error(`${String(error)} ${world.logged.slice(-5).join('\n')}`); });

  it('copies what is there, then follows inserts, updates, key changes and deletes', async () => {
    await run("CREATE TABLE first (id int PRIMARY KEY, name text, amount numeric(10,2), at timestamptz, tags text[])");
    await run("INSERT INTO first SELECT n, 'name ' || n, n * 1.5, timestamptz '2026-11-21 10:00:00+01' + n * interval '1 second', ARRAY['a', E'it''s', NULL] FROM generate_series(1, 5) n");
    const pipe = await create(['first']);
    await state(pipe, 'Running');
    await becomes('first', 'id,name', [[1, 'name 1'], [2, 'name 2'], [3, 'name 3'], [4, 'name 4'], [5, 'name 5']]);
    expect(await rows('first', 'id,amount,at,tags')).toContainEqual([2, '3', '2026-11-21 09:00:02.000000', ['a', "it's", null]]);
    await run("INSERT INTO first VALUES (6, E'tab\\tnew\\nline\\\\', NULL, 'infinity', '{}')");
    await run("UPDATE first SET name = 'changed' WHERE id = 2");
    await run('UPDATE first SET id = 30 WHERE id = 3');
    await run('DELETE FROM first WHERE id = 4');
    await becomes('first', 'id,name', [[1, 'name 1'], [2, 'changed'], [5, 'name 5'], [6, 'tab\tnew\nline\\'], [30, 'name 3']]);
    await run('BEGIN; UPDATE first SET id = 31 WHERE id = 30; UPDATE first SET id = 30 WHERE id = 1; UPDATE first SET id = 1 WHERE id = 31; COMMIT');
    await becomes('first', 'id,name', [[1, 'name 3'], [2, 'changed'], [5, 'name 5'], [6, 'tab\tnew\nline\\'], [30, 'name 1']]);
  });
});
