import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findNewPostgres,
  newPostgresMissing,
  startPostgres,
  startStandby,
  type PostgresPeer,
} from '../kit/postgres.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';
import { allEqual, postgresPipe } from '../pipes/postgres-pipe.ts';

const orders = { table: 'orders', key: ['id'] };
/** Appended to: a change that came twice would be seen twice. */
const events = { table: 'events', key: ['id'], engine: 'MergeTree' } as const;
const physical = 'the_standby';

describe.skipIf(newPostgresMissing())('a pipe from PostgreSQL 17 or newer', () => {
  let primary: PostgresPeer;
  let standby: PostgresPeer;
  let client: Client;
  let world: PipeWorld;
  const connect = async ({ url }: PostgresPeer): Promise<Client> => {
    const made = new Client({ connectionString: url });
    made.on('error', () => undefined);
    await made.connect();
    return made;
  };
  const running = (id: string): Promise<unknown> =>
    until('Running', async () => {
      const { state, stateMessage } = await world.get(id);
      if (state === 'Failed') {
        throw new Error(stateMessage);
      }
      return state === 'Running';
    });

  beforeAll(async () => {
    primary = await startPostgres({ wal_level: 'logical' }, findNewPostgres());
    client = await connect(primary);
    world = await pipeWorld();
    world.pipes.start();
  });
  afterAll(async () => {
    await world?.close();
    await client?.end().catch(() => undefined);
    await standby?.remove();
    await primary?.remove();
  });

  it('copies and follows, generated columns of both kinds left out', async () => {
    await client.query(
      `CREATE TABLE generated (id int PRIMARY KEY, v text,
        stored text GENERATED ALWAYS AS (v || '!') STORED,
        virtual text GENERATED ALWAYS AS (v || '?') VIRTUAL)`,
    );
    await client.query("INSERT INTO generated VALUES (1, 'a'), (2, 'b')");
    const pipe = await world.create(postgresPipe(primary, [{ table: 'generated', key: ['id'] }]));
    await running(pipe.id);
    await client.query(
      `INSERT INTO generated VALUES (3, 'c');
        UPDATE generated SET v = 'changed' WHERE id = 1;
        DELETE FROM generated WHERE id = 2`,
    );
    const named = async (): Promise<string[]> =>
      (await world.telemetry.columns('shop', 'generated')).map(({ name }) => name);
    await until('the changes', async () => (await world.metrics(pipe.id)).rows === 5);
    expect(await named()).toEqual(['id', 'v', '_pipe_version', '_pipe_deleted']);
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
    await until(
      'its slot is gone',
      async () => (await client.query('SELECT FROM pg_replication_slots')).rows.length === 0,
    );
  });

  it('is taken to a promoted standby by its failover slot: nothing is lost, nothing is doubled', async () => {
    await client.query("SELECT pg_create_physical_replication_slot('the_standby', true)");
    await client.query(
      `CREATE TABLE orders (id bigint PRIMARY KEY, v text NOT NULL);
        INSERT INTO orders SELECT n, 'copied' FROM generate_series(1, 10000) n;
        CREATE TABLE events (id bigint PRIMARY KEY)`,
    );
    await client.end();
    standby = await startStandby(primary, physical, {
      wal_level: 'logical',
      sync_replication_slots: 'on',
    });
    client = await connect(primary);
    // What the standby does not have yet is not sent to the pipe either.
    await client.query(`ALTER SYSTEM SET synchronized_standby_slots = '${physical}'`);
    await client.query('SELECT pg_reload_conf()');

    const pipe = await world.create(
      postgresPipe(primary, [orders, events], { enableFailoverSlots: true }),
    );
    await running(pipe.id);
    const slot = `sightline_${pipe.id.replaceAll('-', '')}`;
    expect(
      (
        await client.query(
          'SELECT failover, temporary FROM pg_replication_slots WHERE slot_name = $1',
          [slot],
        )
      ).rows,
    ).toEqual([{ failover: true, temporary: false }]);
    const after = await connect(standby);
    await until(
      'the slot is at the standby',
      async () =>
        (
          await after.query(
            'SELECT FROM pg_replication_slots WHERE slot_name = $1 AND synced AND NOT temporary',
            [slot],
          )
        ).rows.length === 1,
    );

    // The primary dies in the midst of writing.
    const writing = (async () => {
      for (let id = 10_001; ; id++) {
        await client.query(
          `BEGIN; INSERT INTO orders VALUES (${id}, 'streamed');
            UPDATE orders SET v = 'changed by ${id}' WHERE id = ${id - 5000};
            DELETE FROM orders WHERE id = ${id - 10_000};
            INSERT INTO events VALUES (${id}); COMMIT`,
        );
      }
    })().catch(() => undefined);
    await until('the stream', async () => (await world.metrics(pipe.id)).rows > 11_500);
    await primary.stop('immediate');
    await writing;
    await after.query('SELECT pg_promote()');
    await after.query(
      `INSERT INTO orders SELECT n, 'after' FROM generate_series(1000001, 1000500) n;
        INSERT INTO events SELECT generate_series(1000001, 1000500)`,
    );
    await after.query("UPDATE orders SET v = 'after' WHERE id BETWEEN 9000 AND 9100");
    await world.call('updatePipe', {
      params: { pipeId: pipe.id },
      body: { source: { postgres: { host: '127.0.0.1', port: standby.port } } },
    });

    const [, appended] = await allEqual(after, world, [orders, events]);
    expect(appended!.sourceRows).toBeGreaterThan(500 + 100);
    await running(pipe.id);
    await after.end();
  });
});
