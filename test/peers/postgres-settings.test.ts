import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pipe } from '../../src/contract/pipe/pipe.ts';
import { sql } from '../../src/sql/sql.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';
import { postgresPipe } from '../pipes/postgres-pipe.ts';

let peer: PostgresPeer;
let world: PipeWorld;
let client: Client;
beforeAll(async () => {
  peer = await startPostgres({
    wal_level: 'logical',
    max_replication_slots: 20,
    max_wal_senders: 20,
  });
  world = await pipeWorld();
  client = await connected();
  world.pipes.start();
});
afterAll(async () => {
  await world?.close();
  await client?.end();
  await peer?.remove();
});
const connected = async (): Promise<Client> => {
  const made = new Client({ connectionString: peer.url });
  made.on('error', () => undefined);
  await made.connect();
  return made;
};
const pipeOf = (
  targets: Record<string, string>,
  settings: object,
  source: object = {},
): Promise<Pipe> =>
  world.create(
    postgresPipe(peer, [], settings, {
      ...source,
      tableMappings: Object.entries(targets).map(([targetTable, sourceTable]) => ({
        sourceSchemaName: 'public',
        sourceTable,
        targetTable,
      })),
    }),
  );
const reaches = (pipe: Pipe, wanted: string) =>
  until(
    wanted,
    async () => {
      const { state, stateMessage } = await world.get(pipe.id);
      if (state !== wanted) {
        throw new Error(`${state}: ${stateMessage}`);
      }
      return true;
    },
    30_000,
  );
const count = async (table: string): Promise<number> =>
  Number(
    (
      await world.rows(
        sql`SELECT sum(total_rows) FROM system.tables WHERE database = 'shop' AND name = ${table}`,
      )
    )[0]?.[0] ?? 0,
  );
const has = (table: string, rows: number) =>
  until(`${rows} rows in ${table}`, async () => (await count(table)) >= rows, 30_000);

describe.skipIf(postgresMissing())('the settings of a PostgreSQL pipe', () => {
  it.each([1, 2])(
    'snapshotNumberOfParallelTables: %i of four tables are read beside each other, and no more',
    async (tables) => {
      const names = Array.from({ length: 4 }, (_, index) => `beside_${tables}_${index}`);
      for (const name of names) {
        await client.query(
          `CREATE TABLE ${name} (id int PRIMARY KEY, v text);
            INSERT INTO ${name} SELECT i, repeat('x', 1000) FROM generate_series(1, 30000) i;
            ANALYZE ${name}`,
        );
      }
      const pipe = await pipeOf(Object.fromEntries(names.map((name) => [name, name])), {
        replicationMode: 'snapshot',
        initialLoadParallelism: 1,
        snapshotNumberOfParallelTables: tables,
      });
      // A connection that reads a table has its copy as its last statement until the table is over.
      let most = 0;
      await until(
        'its end',
        async () => {
          const { rows } = await client.query<{ copies: number }>(
            "SELECT count(*)::int AS copies FROM pg_stat_activity WHERE query LIKE 'COPY (SELECT%'",
          );
          most = Math.max(most, rows[0]!.copies);
          const { state, stateMessage } = await world.get(pipe.id);
          if (state !== 'Completed') {
            throw new Error(`${state}: ${stateMessage}`);
          }
          return true;
        },
        60_000,
      );
      expect(most).toBe(tables);
      for (const name of names) {
        expect([name, await count(name)]).toEqual([name, 30_000]);
      }
    },
  );

  it('initialLoadParallelism and snapshotNumRowsPerPartition set how many parts of a table are read', async () => {
    await client.query(
      `CREATE TABLE wide (id int PRIMARY KEY, v text);
        INSERT INTO wide SELECT i, repeat('x', 400) FROM generate_series(1, 20000) i;
        ANALYZE wide`,
    );
    const stretches = new Set<string>();
    const pipe = await pipeOf(
      { wide: 'wide' },
      {
        replicationMode: 'snapshot',
        initialLoadParallelism: 3,
        snapshotNumRowsPerPartition: 1000,
        pullBatchSize: 1000,
      },
    );
    await until(
      'its end',
      async () => {
        const { state, stateMessage } = await world.get(pipe.id);
        for (const { partition } of await world.store.pipes.partitions(
          world.principal.workspace.id,
          pipe.id,
        )) {
          if (partition.startsWith('table/wide/')) {
            stretches.add(partition);
          }
        }
        if (state !== 'Completed') {
          throw new Error(`${state}: ${stateMessage}`);
        }
        return true;
      },
      30_000,
    );
    expect([...stretches].sort()).toEqual(['table/wide/0', 'table/wide/1', 'table/wide/2']);
    expect(await count('wide')).toBe(20_000);
  });

  it('syncIntervalSeconds and pullBatchSize set when changes are stored, also of a running pipe', async () => {
    await client.query('CREATE TABLE slow (id int PRIMARY KEY)');
    const pipe = await pipeOf({ slow: 'slow' }, { syncIntervalSeconds: 3600 });
    const change = (settings: object) =>
      world.call('updatePipe', {
        params: { pipeId: pipe.id },
        body: { source: { postgres: { settings } } },
      });
    await reaches(pipe, 'Running');
    let id = 0;
    const add = (rows: number) =>
      client.query('INSERT INTO slow SELECT generate_series($1::int, $2::int)', [
        id + 1,
        (id += rows),
      ]);
    /** What a change of settings itself brings to be stored is over after the first time. */
    const storedAgainAndAgain = async (rows: number): Promise<void> => {
      for (let time = 0; time < 3; time++) {
        const before = await count('slow');
        await until(
          'more rows',
          async () => {
            if ((await count('slow')) > before) {
              return true;
            }
            await add(rows);
            return false;
          },
          20_000,
        );
      }
    };
    await add(5);
    await change({ pullBatchSize: 10 });
    await storedAgainAndAgain(10);
    await change({ syncIntervalSeconds: 1, pullBatchSize: 1_000_000 });
    await storedAgainAndAgain(1);
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
  });

  it('with an hour between, nothing is stored before', async () => {
    await client.query('CREATE TABLE late (id int PRIMARY KEY)');
    const pipe = await pipeOf({ late: 'late' }, { syncIntervalSeconds: 3600 });
    await reaches(pipe, 'Running');
    await client.query('INSERT INTO late SELECT generate_series(1, 5)');
    const soon = await pipeOf(
      { late_soon: 'late' },
      { syncIntervalSeconds: 1, replicationMode: 'cdc' },
    );
    await has('late_soon', 5);
    await client.query('INSERT INTO late VALUES (6)');
    await has('late_soon', 6);
    expect(await count('late')).toBe(0);
    for (const { id } of [pipe, soon]) {
      await world.call('deletePipe', { params: { pipeId: id } });
    }
  });
});
