import { readFileSync, writeFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deletedColumn } from '../../src/adapters/connectors/postgres/tables/table-shape.ts';
import type { Pipe } from '../../src/contract/pipe/pipe.ts';
import { identifier, qualified, sql } from '../../src/sql/sql.ts';
import { initializePgbench, pgbenchTables, startPgbench } from '../kit/pgbench.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { tcpProxy, type TcpProxy } from '../kit/tcp-proxy.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';
import { allEqual, postgresPipe } from '../pipes/postgres-pipe.ts';

const cutMs = 60_000;
const keyed = (table: string) => ({ table, key: ['id'] });

const describeWithPeer = describe.skipIf(postgresMissing());

let peer: PostgresPeer;
let world: PipeWorld;
let client: Client;
let proxy: TcpProxy;
beforeAll(async () => {
  peer = await startPostgres({
    wal_level: 'logical',
    max_wal_size: '4GB',
    max_replication_slots: 20,
    max_wal_senders: 20,
  });
  [world, proxy] = await Promise.all([pipeWorld(), tcpProxy(peer.port)]);
  client = new Client({ connectionString: peer.url });
  client.on('error', () => undefined);
  await client.connect();
  world.pipes.start();
});
afterAll(async () => {
  await world?.close();
  await client?.end();
  await proxy?.close();
  await peer?.remove();
});
const reaches = (pipe: Pipe, wanted: string, timeoutMs = 60_000) =>
  until(
    wanted,
    async () => {
      const now = await world.get(pipe.id);
      if (now.state === 'Failed' && wanted !== 'Failed') {
        throw new Error(`the pipe failed: ${now.stateMessage}`);
      }
      return now.state === wanted ? now : undefined;
    },
    timeoutMs,
  );
const command = (pipe: Pipe, name: 'start' | 'stop' | 'resync') =>
  world.call('changePipeState', { params: { pipeId: pipe.id }, body: { command: name } });
// Begins here and is looked at again at the end of the file: the other tests run meanwhile.
let cutPipe: Pipe;
let cutAtMs: number;

describeWithPeer('a PostgreSQL pipe and what happens to its server', () => {
  it('a line that is cut: what is there stays, and the pipe says that it is cut off', async () => {
    await client.query('CREATE TABLE cut_off (id int PRIMARY KEY); INSERT INTO cut_off VALUES (1)');
    cutPipe = await world.create(postgresPipe({ port: proxy.port }, [keyed('cut_off')]));
    await reaches(cutPipe, 'Running');
    await allEqual(client, world, [keyed('cut_off')]);
    proxy.set('swallow');
    cutAtMs = Date.now();
    await client.query('INSERT INTO cut_off SELECT generate_series(2, 1000)');
  });

  it('a changed password fails the pipe with the reason; a PATCH with the new one resumes it', async () => {
    await client.query(
      `CREATE ROLE reader LOGIN REPLICATION PASSWORD 'first-secret';
        GRANT CREATE ON DATABASE postgres TO reader;
        CREATE TABLE rotated (id int PRIMARY KEY);
        ALTER TABLE rotated OWNER TO reader;
        INSERT INTO rotated VALUES (1)`,
    );
    const hbaFile = (await client.query<{ hba_file: string }>('SHOW hba_file')).rows[0]!.hba_file;
    writeFileSync(
      hbaFile,
      `host all reader 127.0.0.1/32 scram-sha-256\n${readFileSync(hbaFile, 'utf8')}`,
    );
    await client.query('SELECT pg_reload_conf()');
    const pipe = await world.create(
      postgresPipe(
        peer,
        [keyed('rotated')],
        {},
        { credentials: { username: 'reader', password: 'first-secret' } },
      ),
    );
    await reaches(pipe, 'Running');
    await client.query(
      `ALTER ROLE reader PASSWORD 'second-secret';
        INSERT INTO rotated VALUES (2);
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'`,
    );
    expect((await reaches(pipe, 'Failed')).stateMessage).toMatch(
      /rejected.*(?:credentials|password)/i,
    );
    await client.query('INSERT INTO rotated VALUES (3)');
    await world.call('updatePipe', {
      params: { pipeId: pipe.id },
      body: {
        source: { postgres: { credentials: { username: 'reader', password: 'second-secret' } } },
      },
    });
    await reaches(pipe, 'Running');
    await allEqual(client, world, [keyed('rotated')]);
    const output = JSON.stringify([
      world.logged,
      await world.get(pipe.id),
      await world.metrics(pipe.id),
    ]);
    for (const secret of ['first-secret', 'second-secret']) {
      expect(output).not.toContain(secret);
    }
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
  });

  it('a resync under load never shows fewer rows, and ends equal to the source', async () => {
    initializePgbench(peer.url);
    const pipe = await world.create(
      postgresPipe(peer, pgbenchTables, { snapshotNumRowsPerPartition: 20_000 }),
    );
    await reaches(pipe, 'Running', 120_000);
    const load = startPgbench(peer.url, 40);
    await command(pipe, 'resync');
    const counts = new Set<number>();
    const look = async (): Promise<void> => {
      counts.add(
        Number(
          (
            await world.rows(
              sql`SELECT count() FROM shop.pgbench_accounts FINAL WHERE NOT ${identifier(deletedColumn)}`,
            )
          )[0]![0],
        ),
      );
    };
    await until(
      'the end of the resync',
      async () => {
        await look();
        const { state, stateMessage } = await world.get(pipe.id);
        if (state === 'Failed') {
          throw new Error(stateMessage ?? '');
        }
        return state === 'Running';
      },
      120_000,
    );
    await load.stop();
    await look();
    expect([...counts]).toEqual([100_000]);
    await allEqual(client, world, pgbenchTables, 90_000);
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
  });

  it('the line is mended after a minute: everything is there, and the pipe runs', async () => {
    await until('a minute', () => Promise.resolve(Date.now() - cutAtMs >= cutMs), cutMs + 5000);
    const cut = await world.get(cutPipe.id);
    expect(cut.state).toBe('Degraded');
    expect(cut.stateMessage).toMatch(/server/);
    expect(
      (await world.rows(sql`SELECT count() FROM ${qualified('shop', 'cut_off')} FINAL`))[0]![0],
    ).toBe('1');
    proxy.set('pass');
    await allEqual(client, world, [keyed('cut_off')], 90_000);
    await reaches(cutPipe, 'Running');
    await client.query('INSERT INTO cut_off VALUES (2000)');
    await allEqual(client, world, [keyed('cut_off')]);
  });
});

describeWithPeer('a PostgreSQL pipe whose slot is lost', () => {
  // The last: whoever is cut off meanwhile would lose its slot as well.
  it('a slot whose log the server has thrown away fails the pipe with what to do, and a resync does it', async () => {
    await client.query(
      'CREATE TABLE late (id int PRIMARY KEY, v text); CREATE TABLE filler (v text)',
    );
    const pipe = await world.create(postgresPipe(peer, [keyed('late')]));
    await reaches(pipe, 'Running');
    await command(pipe, 'stop');
    await reaches(pipe, 'Paused');
    await client.query("ALTER SYSTEM SET max_slot_wal_keep_size = '32MB'");
    await client.query('SELECT pg_reload_conf()');
    await client.query("INSERT INTO late VALUES (1, 'while nobody looked')");
    const slot = `sightline_${pipe.id.replaceAll('-', '')}`;
    await until('the slot is lost', async () => {
      await client.query(
        "INSERT INTO filler SELECT repeat('x', 1000) FROM generate_series(1, 20000)",
      );
      await client.query('SELECT pg_switch_wal()');
      await client.query('CHECKPOINT');
      return (
        (
          await client.query(
            "SELECT 1 FROM pg_replication_slots WHERE slot_name = $1 AND wal_status = 'lost'",
            [slot],
          )
        ).rows.length === 1
      );
    });
    await client.query('ALTER SYSTEM RESET max_slot_wal_keep_size');
    await client.query('SELECT pg_reload_conf()');
    await command(pipe, 'start');
    expect((await reaches(pipe, 'Failed')).stateMessage).toMatch(/resync/i);
    await command(pipe, 'resync');
    await allEqual(client, world, [keyed('late')]);
    await client.query("INSERT INTO late VALUES (2, 'after')");
    await allEqual(client, world, [keyed('late')]);
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
  });
});
