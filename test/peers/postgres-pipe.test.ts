import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import type { Pipe } from '../../src/contract/pipe/pipe.ts';
import { identifier, sql } from '../../src/sql/sql.ts';
import { makeCertificates } from '../kit/certificates.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { eventually, until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const describeWithPeer = describe.skipIf(postgresMissing());

let peer: PostgresPeer;
let world: PipeWorld;
let client: Client;
let database: string;
beforeAll(async () => {
  peer = await startPostgres({
    wal_level: 'logical',
    max_replication_slots: 30,
    max_wal_senders: 30,
  });
  const url = await peer.createDatabase();
  database = new URL(url).pathname.slice(1);
  client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  world = await pipeWorld({
    connectors: createConnectors({ retainedLogWarningBytes: 64 * 2 ** 20 }),
  });
  world.pipes.start();
});
afterAll(async () => {
  await world?.close();
  await client?.end().catch(() => undefined);
  await peer?.remove();
});
const create = (
  tables: (string | object)[],
  settings: object = {},
  more: object = {},
): Promise<Pipe> =>
  world.create({
    source: {
      postgres: {
        host: '127.0.0.1',
        port: peer.port,
        database,
        credentials: { username: 'postgres', password: 'x' },
        settings: { syncIntervalSeconds: 1, ...settings },
        tableMappings: tables.map((table) =>
          typeof table === 'string'
            ? { sourceSchemaName: 'public', sourceTable: table, targetTable: table }
            : { sourceSchemaName: 'public', ...table },
        ),
        ...more,
      },
    },
    destination: { database: 'shop' },
  });
const run = (text: string, values: unknown[] = []) => client.query(text, values);
const state = (pipe: Pipe, wanted: string) =>
  until(`${wanted}`, async () => {
    const now = await world.get(pipe.id);
    if (now.state === 'Failed' && wanted !== 'Failed') {
      throw new Error(`failed: ${now.stateMessage}`);
    }
    return now.state === wanted ? now : undefined;
  }).catch(async (error: unknown) => {
    throw new Error(
      `${String(error)}: ${JSON.stringify(await world.get(pipe.id))} ${world.logged.slice(-5).join('\n')}`,
    );
  });
const rows = async (table: string, columns: string, order = 'id') =>
  await world.rows(
    sql`SELECT ${identifierList(columns)}
      FROM ${identifier('shop')}.${identifier(table)} FINAL
      ORDER BY ${identifierList(order)}`,
  );
const identifierList = (names: string) =>
  names
    .split(',')
    .map((name) => identifier(name))
    .reduce((all, one) => sql`${all}, ${one}`);
const becomes = (table: string, columns: string, wanted: unknown[][], order = 'id') =>
  until(
    `${table} as at the source`,
    async () => {
      const now = await rows(table, columns, order);
      if (JSON.stringify(now) !== JSON.stringify(wanted)) {
        throw new Error(
          `${JSON.stringify(now).slice(0, 2000)} instead of ${JSON.stringify(wanted).slice(0, 2000)}`,
        );
      }
      return true;
    },
    20_000,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)} ${world.logged.slice(-5).join('\n')}`);
  });

describeWithPeer('a pipe from PostgreSQL and its rows', () => {
  it('copies what is there, then follows inserts, updates, key changes and deletes', async () => {
    await run(
      'CREATE TABLE first (id int PRIMARY KEY, name text, amount numeric(10,2), at timestamptz, tags text[])',
    );
    await run(
      `INSERT INTO first
        SELECT n, 'name ' || n, n * 1.5,
          timestamptz '2026-11-21 10:00:00+01' + n * interval '1 second', ARRAY['a', E'it''s', NULL]
        FROM generate_series(1, 5) n`,
    );
    const pipe = await create(['first']);
    await state(pipe, 'Running');
    await becomes('first', 'id,name', [
      [1, 'name 1'],
      [2, 'name 2'],
      [3, 'name 3'],
      [4, 'name 4'],
      [5, 'name 5'],
    ]);
    expect(await rows('first', 'id,amount,at,tags')).toContainEqual([
      2,
      '3',
      '2026-11-21 09:00:02.000000',
      ['a', "it's", null],
    ]);
    await run("INSERT INTO first VALUES (6, E'tab\\tnew\\nline\\\\', NULL, 'infinity', '{}')");
    await run("UPDATE first SET name = 'changed' WHERE id = 2");
    await run('UPDATE first SET id = 30 WHERE id = 3');
    await run('DELETE FROM first WHERE id = 4');
    await becomes('first', 'id,name', [
      [1, 'name 1'],
      [2, 'changed'],
      [5, 'name 5'],
      [6, 'tab\tnew\nline\\'],
      [30, 'name 3'],
    ]);
    await run(
      `BEGIN; UPDATE first SET id = 31 WHERE id = 30;
        UPDATE first SET id = 30 WHERE id = 1;
        UPDATE first SET id = 1 WHERE id = 31; COMMIT`,
    );
    await becomes('first', 'id,name', [
      [1, 'name 3'],
      [2, 'changed'],
      [5, 'name 5'],
      [6, 'tab\tnew\nline\\'],
      [30, 'name 1'],
    ]);
  });

  it('copies values that the engine does not read as PostgreSQL writes them, and the rows around them', async () => {
    await run(
      'CREATE TABLE odd (id bigint PRIMARY KEY, amount numeric(10, 2), at timestamptz, day date, note text)',
    );
    await run(
      `INSERT INTO odd
        SELECT n, n / 4.0, '2026-01-01 12:00:00+02'::timestamptz + n * interval '1.5 seconds',
          '2026-01-01', 'row ' || n
        FROM generate_series(1, 1000) n`,
    );
    await run(
      `INSERT INTO odd VALUES
          (0, 'NaN', 'infinity', '-infinity', 'infinity'),
          (1001, NULL, '-infinity', '1789-07-14', 'NaN'),
          (1002, -1.5, '0044-03-15 10:00:00+00 BC', 'infinity', 'tab\t'),
          (1003, 1, '12026-01-01 00:00:00+00', '9999-12-31', NULL)`,
    );
    const pipe = await create(['odd'], { allowNullableColumns: true, replicationMode: 'snapshot' });
    await state(pipe, 'Completed');
    const columns = sql`SELECT id, amount, at, day, note FROM shop.odd FINAL`;
    expect(
      await world.rows(sql`${columns} WHERE id IN (0, 1, 1001, 1002, 1003) ORDER BY id`),
    ).toEqual([
      ['0', null, '9999-12-31 23:59:59.999999', '1900-01-01', 'infinity'],
      ['1', '0.25', '2026-01-01 10:00:01.500000', '2026-01-01', 'row 1'],
      ['1001', null, '0001-01-01 00:00:00.000000', '1900-01-01', 'NaN'],
      ['1002', '-1.5', '0001-01-01 00:00:00.000000', '2299-12-31', 'tab\t'],
      ['1003', '1', '9999-12-31 23:59:59.999999', '2299-12-31', null],
    ]);
    expect(
      await world.rows(
        sql`SELECT count(), sum(amount), max(at) FROM shop.odd FINAL WHERE id BETWEEN 1 AND 1000`,
      ),
    ).toEqual([['1000', '125125', '2026-01-01 10:25:00.000000']]);
    expect((await world.metrics(pipe.id)).errors).toBe(0);
  });

  it('copies whole values that are larger than one read of the socket', async () => {
    await run('CREATE TABLE wide (id int PRIMARY KEY, body text, more text)');
    await run(
      `INSERT INTO wide SELECT i, repeat(md5(i::text), 30000 * i), md5(i::text)
        FROM generate_series(1, 4) i`,
    );
    await create(['wide']);
    const { rows } = await client.query<unknown[]>({
      text: 'SELECT id, body, more FROM wide ORDER BY id',
      rowMode: 'array',
    });
    await becomes('wide', 'id,body,more', rows);
  });

  it('keeps large values that an update did not touch', async () => {
    await run('CREATE TABLE large (id int PRIMARY KEY, n int, body text, more text)');
    await run('ALTER TABLE large ALTER body SET STORAGE EXTERNAL, ALTER more SET STORAGE EXTERNAL');
    await run(
      'INSERT INTO large SELECT i, 0, repeat(md5(i::text), 400), NULL FROM generate_series(1, 3) i',
    );
    const pipe = await create(['large']);
    await state(pipe, 'Running');
    await run('UPDATE large SET n = n + 1');
    await run(
      `BEGIN;
        INSERT INTO large VALUES (4, 0, repeat('q', 9000), repeat('r', 9000));
        UPDATE large SET n = 7 WHERE id = 4; COMMIT`,
    );
    await run('UPDATE large SET id = 20 WHERE id = 2');
    await run(
      `BEGIN; UPDATE large SET n = 5 WHERE id = 3;
        UPDATE large SET body = 'short' WHERE id = 3;
        UPDATE large SET n = 6 WHERE id = 3;
        DELETE FROM large WHERE id = 1; COMMIT`,
    );
    const wanted = (
      await client.query({
        text: "SELECT id, n, body, coalesce(more, '') FROM large ORDER BY id",
        rowMode: 'array',
      })
    ).rows as unknown[][];
    await becomes('large', 'id,n,body,more', wanted);
  });

  it('empties the table when the source is truncated, and not what comes after', async () => {
    await run('CREATE TABLE emptied (id int PRIMARY KEY)');
    await run('INSERT INTO emptied SELECT generate_series(1, 100)');
    const pipe = await create(['emptied']);
    await state(pipe, 'Running');
    await run(
      'BEGIN; INSERT INTO emptied VALUES (101); TRUNCATE emptied; INSERT INTO emptied VALUES (1), (200); COMMIT',
    );
    await becomes('emptied', 'id', [[1], [200]]);
    await run('INSERT INTO emptied VALUES (300)');
    await becomes('emptied', 'id', [[1], [200], [300]]);
  });
});

describeWithPeer('a pipe from PostgreSQL and its tables', () => {
  it('follows a table without a key by its whole rows, and a partitioned table as one', async () => {
    await run('CREATE TABLE whole (a int, b text); ALTER TABLE whole REPLICA IDENTITY FULL');
    await run("INSERT INTO whole VALUES (1, 'x'), (2, NULL)");
    await run('CREATE TABLE split (id int PRIMARY KEY, v text) PARTITION BY RANGE (id)');
    await run(
      `CREATE TABLE split_low PARTITION OF split FOR VALUES FROM (0) TO (100);
        CREATE TABLE split_high PARTITION OF split FOR VALUES FROM (100) TO (200)`,
    );
    await run("INSERT INTO split VALUES (1, 'low'), (150, 'high')");
    const pipe = await create(['whole', 'split'], { allowNullableColumns: true });
    await state(pipe, 'Running');
    await run(
      "UPDATE whole SET b = 'y' WHERE a = 1; DELETE FROM whole WHERE a = 2; INSERT INTO whole VALUES (3, NULL)",
    );
    await run(
      `UPDATE split SET v = 'moved', id = 160 WHERE id = 1;
        CREATE TABLE split_third PARTITION OF split FOR VALUES FROM (200) TO (300);
        INSERT INTO split VALUES (201, 'third')`,
    );
    await becomes(
      'whole',
      'a,b',
      [
        [1, 'y'],
        [3, null],
      ],
      'a',
    );
    await becomes('split', 'id,v', [
      [150, 'high'],
      [160, 'moved'],
      [201, 'third'],
    ]);
  });

  it('follows columns that are added, renamed, dropped and given another type', async () => {
    await run('CREATE TABLE shaped (id int PRIMARY KEY, a int, b text)');
    await run("INSERT INTO shaped VALUES (1, 10, 'one'), (2, 20, 'two')");
    const pipe = await create(['shaped']);
    await state(pipe, 'Running');
    await run(
      `ALTER TABLE shaped ADD COLUMN c int NOT NULL DEFAULT 7,
        ADD COLUMN d timestamptz DEFAULT '2026-01-02 03:04:05+00'`,
    );
    await run("INSERT INTO shaped VALUES (3, 30, 'three', 8, NULL)");
    await becomes('shaped', 'id,a,b,c', [
      [1, 10, 'one', 7],
      [2, 20, 'two', 7],
      [3, 30, 'three', 8],
    ]);
    await run(
      `ALTER TABLE shaped RENAME COLUMN b TO title;
        ALTER TABLE shaped ALTER a TYPE bigint;
        ALTER TABLE shaped DROP COLUMN d`,
    );
    await run("INSERT INTO shaped VALUES (4, 5000000000, 'four', 9)");
    await becomes('shaped', 'id,a,title,c', [
      [1, '10', 'one', 7],
      [2, '20', 'two', 7],
      [3, '30', 'three', 8],
      [4, '5000000000', 'four', 9],
    ]);
  });

  it('excludes and sorts by the columns set, and accepts a publication with the same exclusions', async () => {
    await run(
      `CREATE TABLE choosy (id int PRIMARY KEY, secret text, region text NOT NULL, v int);
        ALTER TABLE choosy REPLICA IDENTITY FULL`,
    );
    await run("INSERT INTO choosy VALUES (1, 'hidden', 'north', 10)");
    const pipe = await create([
      {
        sourceTable: 'choosy',
        targetTable: 'choosy',
        excludedColumns: ['secret'],
        useCustomSortingKey: true,
        sortingKeys: ['region', 'id'],
      },
    ]);
    await state(pipe, 'Running');
    await becomes('choosy', 'id,region,v', [[1, 'north', 10]]);
    await run("INSERT INTO choosy VALUES (2, 'hidden', 'south', 20)");
    await run("UPDATE choosy SET v = 11, secret = 'still hidden', region = 'east' WHERE id = 1");
    await until(
      'the changes',
      async () =>
        JSON.stringify(
          await world.rows(
            sql`SELECT id, region, v FROM shop.choosy FINAL WHERE NOT _pipe_deleted ORDER BY id`,
          ),
        ) ===
        JSON.stringify([
          [1, 'east', 11],
          [2, 'south', 20],
        ]),
      20_000,
    );
    expect(
      (
        await world.rows(
          sql`SELECT name FROM system.columns WHERE database = 'shop' AND table = 'choosy' ORDER BY position`,
        )
      ).flat(),
    ).toEqual(['id', 'region', 'v', '_pipe_version', '_pipe_deleted']);
    expect(
      (
        await world.rows(
          sql`SELECT sorting_key FROM system.tables WHERE database = 'shop' AND name = 'choosy'`,
        )
      ).flat(),
    ).toEqual(['region, id']);
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
    await run(
      'ALTER TABLE choosy REPLICA IDENTITY DEFAULT; CREATE PUBLICATION chosen FOR TABLE choosy (id, region, v)',
    );
    const given = await create(
      [{ sourceTable: 'choosy', targetTable: 'chosen', excludedColumns: ['secret'] }],
      { publicationName: 'chosen' },
    );
    await state(given, 'Running');
    await run('UPDATE choosy SET v = 12 WHERE id = 1');
    await becomes('chosen', 'id,region,v', [
      [1, 'east', 12],
      [2, 'south', 20],
    ]);
    await world.call('deletePipe', { params: { pipeId: given.id } });
  });

  it('asks for a resync where a key becomes another type, and makes the table anew then', async () => {
    await run('CREATE TABLE rekeyed (id int PRIMARY KEY); INSERT INTO rekeyed VALUES (1)');
    const pipe = await create(['rekeyed']);
    await state(pipe, 'Running');
    await run('ALTER TABLE rekeyed ALTER id TYPE bigint; INSERT INTO rekeyed VALUES (5000000000)');
    expect((await state(pipe, 'Failed')).stateMessage).toMatch(/resync/i);
    await world.call('changePipeState', {
      params: { pipeId: pipe.id },
      body: { command: 'resync' },
    });
    await becomes('rekeyed', 'id', [['1'], ['5000000000']]);
  });
});

describeWithPeer('a pipe from PostgreSQL that is changed', () => {
  it('takes tables in and out while it runs, pauses and goes on', async () => {
    await run(
      `CREATE TABLE stays (id int PRIMARY KEY);
        CREATE TABLE comes (id int PRIMARY KEY);
        CREATE TABLE busy (id int PRIMARY KEY)`,
    );
    await run('INSERT INTO stays VALUES (1); INSERT INTO comes SELECT generate_series(1, 3000)');
    const pipe = await create(['stays']);
    await state(pipe, 'Running');
    const mapping = { sourceSchemaName: 'public', sourceTable: 'comes', targetTable: 'comes' };
    const change = (postgres: object) =>
      world.call('updatePipe', { params: { pipeId: pipe.id }, body: { source: { postgres } } });
    await change({ tableMappingsToAdd: [mapping] });
    await run('INSERT INTO comes VALUES (3001); INSERT INTO stays VALUES (2)');
    await becomes('stays', 'id', [[1], [2]]);
    const count = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => [from + index]);
    await becomes('comes', 'id', count(1, 3001));
    await change({
      tableMappingsToRemove: [mapping],
      settings: { syncIntervalSeconds: 2, pullBatchSize: 10 },
    });
    await until(
      'it is out of the publication',
      async () =>
        (await run("SELECT 1 FROM pg_publication_tables WHERE tablename = 'comes'")).rows.length ===
        0,
    );
    await run('DELETE FROM comes WHERE id > 100; INSERT INTO comes VALUES (5000)');
    await run('INSERT INTO stays VALUES (3)');
    await becomes('stays', 'id', [[1], [2], [3]]);
    await world.call('changePipeState', { params: { pipeId: pipe.id }, body: { command: 'stop' } });
    await state(pipe, 'Paused');
    await change({ tableMappingsToAdd: [mapping] });
    await run('INSERT INTO stays VALUES (4)');
    await world.call('changePipeState', {
      params: { pipeId: pipe.id },
      body: { command: 'start' },
    });
    await becomes('stays', 'id', [[1], [2], [3], [4]]);
    await becomes('comes', 'id', [...count(1, 100), [5000]]);
  });

  it('reads everything anew on a resync without an empty moment', async () => {
    await run('CREATE TABLE anew (id int PRIMARY KEY, v int)');
    await run('INSERT INTO anew SELECT n, 0 FROM generate_series(1, 20000) n');
    const pipe = await create(['anew'], {
      snapshotNumRowsPerPartition: 1000,
      initialLoadParallelism: 2,
    });
    await state(pipe, 'Running');
    await run('UPDATE anew SET v = 1 WHERE id = 1');
    await until(
      'the update',
      async () => Number((await world.rows(sql`SELECT sum(v) FROM shop.anew FINAL`))[0]![0]) === 1,
    );
    // As if somebody had spoilt it.
    await world.telemetry.command(
      sql`INSERT INTO shop.anew (id, v, _pipe_version, _pipe_deleted) VALUES (-1, 0, 1, 0)`,
      { purpose: 'admin', timeoutMs: 10_000 },
    );
    await world.call('changePipeState', {
      params: { pipeId: pipe.id },
      body: { command: 'resync' },
    });
    const seen = new Set<number>();
    await run('UPDATE anew SET v = 2 WHERE id = 2');
    await until('the new rows', async () => {
      const [count, spoilt] = (
        await world.rows(sql`SELECT count(), countIf(id = -1) FROM shop.anew FINAL`)
      )[0]!.map(Number) as [number, number];
      seen.add(count);
      return spoilt === 0 && count === 20_000;
    });
    expect([...seen].every((count) => count === 20_000 || count === 20_001)).toBe(true);
    await becomes('anew', 'id,v', [
      [1, 1],
      [2, 2],
      ...Array.from({ length: 19_998 }, (_, index) => [index + 3, 0]),
    ]);
    // The old rows go after the new ones show.
    await until('the table of the old rows to be dropped', async () => {
      const tables = await world.rows(
        sql`SELECT name FROM system.tables WHERE database = 'shop' AND name LIKE 'anew\_pipe\_next%'`,
      );
      return tables.length === 0;
    });
  });

  it('only copies, or only follows, where that is asked for', async () => {
    await run('CREATE TABLE once (id int PRIMARY KEY); INSERT INTO once VALUES (1), (2)');
    const [copy, follow] = await Promise.all([
      create([{ sourceTable: 'once', targetTable: 'copied' }], { replicationMode: 'snapshot' }),
      create([{ sourceTable: 'once', targetTable: 'followed' }], { replicationMode: 'cdc_only' }),
    ]);
    await state(copy, 'Completed');
    await becomes('copied', 'id', [[1], [2]]);
    await state(follow, 'Running');
    await run('INSERT INTO once VALUES (3)');
    await becomes('followed', 'id', [[3]]);
    expect(
      (
        await run('SELECT 1 FROM pg_replication_slots WHERE slot_name = $1', [
          `sightline_${copy.id.replaceAll('-', '')}`,
        ])
      ).rows,
    ).toEqual([]);
  });

  it('takes away what it made at the source when it is deleted, and nothing else', async () => {
    await run('CREATE TABLE ours (id int PRIMARY KEY)');
    await run('CREATE PUBLICATION theirs FOR TABLE ours');
    await run("SELECT pg_create_logical_replication_slot('theirs', 'pgoutput')");
    const [own, given] = await Promise.all([
      create([{ sourceTable: 'ours', targetTable: 'ours1' }]),
      create([{ sourceTable: 'ours', targetTable: 'ours2' }], {
        publicationName: 'theirs',
        replicationSlotName: 'theirs',
      }),
    ]);
    await Promise.all([state(own, 'Running'), state(given, 'Running')]);
    const name = `sightline_${own.id.replaceAll('-', '')}`;
    const there = async () =>
      (
        await run(
          `SELECT slot_name AS name FROM pg_replication_slots
            WHERE slot_name = ANY($1)
            UNION ALL SELECT pubname FROM pg_publication WHERE pubname = ANY($1) ORDER BY 1`,
          [[name, 'theirs']],
        )
      ).rows.map((row: { name: string }) => row.name);
    expect(await there()).toEqual([name, name, 'theirs', 'theirs']);
    for (const pipe of [own, given]) {
      await world.call('deletePipe', { params: { pipeId: pipe.id } });
    }
    await until('the slot is dropped', async () => (await there()).length === 2);
    expect(await there()).toEqual(['theirs', 'theirs']);
    // The reader of the other pipe may hold its slot a moment longer.
    await eventually(() => run("SELECT pg_drop_replication_slot('theirs')"));
  });
});

describeWithPeer('a pipe from PostgreSQL that cannot go on', () => {
  it.each([
    ['a table that is not there', ['nowhere'], {}, /cannot find public\.nowhere/],
    [
      'a table whose deletes cannot be told',
      ['keyless'],
      {},
      /no primary key.*REPLICA IDENTITY FULL/,
    ],
    [
      'failover slots on an older server',
      ['refused'],
      { enableFailoverSlots: true },
      /requires PostgreSQL 17/,
    ],
    [
      'a slot that is not there',
      ['refused'],
      { replicationSlotName: 'missing' },
      /replication slot "missing" does not exist/,
    ],
    [
      'a publication that lacks a table',
      ['refused'],
      { publicationName: 'lacking' },
      /does not contain public\.refused/,
    ],
    [
      'a publication that leaves out rows',
      ['partly'],
      { publicationName: 'some_rows' },
      /"some_rows" filters rows of public\.partly.*cdc_only/,
    ],
    [
      'a publication that leaves out columns',
      ['partly'],
      { publicationName: 'some_columns' },
      /"some_columns" does not publish column "v" of public\.partly.*excludedColumns/,
    ],
  ])('fails with what to do for %s', async (_title, tables, settings, message) => {
    await run(
      'CREATE TABLE IF NOT EXISTS keyless (a int); CREATE TABLE IF NOT EXISTS refused (id int PRIMARY KEY)',
    );
    if ((await run("SELECT 1 FROM pg_publication WHERE pubname = 'lacking'")).rows.length === 0) {
      await run(
        `CREATE TABLE partly (id int PRIMARY KEY, v int);
          CREATE PUBLICATION lacking;
          CREATE PUBLICATION some_rows FOR TABLE partly WHERE (id > 0);
          CREATE PUBLICATION some_columns FOR TABLE partly (id)`,
      );
    }
    const pipe = await create(tables, settings);
    expect((await state(pipe, 'Failed')).stateMessage).toMatch(message);
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
  });

  it('says so when its slot is dropped, and a resync brings everything back', async () => {
    await run('CREATE TABLE slotless (id int PRIMARY KEY); INSERT INTO slotless VALUES (1)');
    const pipe = await create(['slotless']);
    await state(pipe, 'Running');
    const slot = `sightline_${pipe.id.replaceAll('-', '')}`;
    await until(
      'the slot is dropped',
      async () =>
        (await run(
          `SELECT pg_terminate_backend(active_pid), pg_drop_replication_slot(slot_name)
            FROM pg_replication_slots WHERE slot_name = $1`,
          [slot],
        )) && true,
    );
    await run('INSERT INTO slotless VALUES (2)');
    expect((await state(pipe, 'Failed')).stateMessage).toMatch(
      /replication slot .* no longer exists.*Resync/,
    );
    await world.call('changePipeState', {
      params: { pipeId: pipe.id },
      body: { command: 'resync' },
    });
    await becomes('slotless', 'id', [[1], [2]]);
    await run('INSERT INTO slotless VALUES (3)');
    await becomes('slotless', 'id', [[1], [2], [3]]);
  });

  it('says so when a table is taken out of a publication that was given', async () => {
    await run(
      `CREATE TABLE published (id int PRIMARY KEY);
        CREATE TABLE other (id int PRIMARY KEY);
        CREATE PUBLICATION given FOR TABLE published, other`,
    );
    const pipe = await create(['published'], { publicationName: 'given' });
    await state(pipe, 'Running');
    await run('ALTER PUBLICATION given DROP TABLE published');
    expect((await state(pipe, 'Failed')).stateMessage).toMatch(
      /publication "given" does not contain public\.published.*ADD TABLE/,
    );
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
  });

  it('goes on after the server was restarted, and after a crash of it', async () => {
    await run('CREATE TABLE survives (id int PRIMARY KEY); INSERT INTO survives VALUES (1)');
    const pipe = await create(['survives']);
    await state(pipe, 'Running');
    for (const mode of ['fast', 'immediate'] as const) {
      await peer.stop(mode);
      expect((await state(pipe, 'Degraded')).stateMessage).toMatch(/server/);
      await peer.start();
      client = new Client({
        connectionString: `postgres://postgres@127.0.0.1:${peer.port}/${database}`,
      });
      client.on('error', () => undefined);
      await client.connect();
      await run(`INSERT INTO survives VALUES (${mode === 'fast' ? 2 : 3})`);
      await becomes('survives', 'id', mode === 'fast' ? [[1], [2]] : [[1], [2], [3]]);
      await state(pipe, 'Running');
    }
  });
});

describeWithPeer('a pipe from PostgreSQL and the log of the server', () => {
  it('lets the server forget its log while nothing of ours is written', async () => {
    await run('CREATE TABLE idle (id int PRIMARY KEY); CREATE TABLE noise (id int)');
    const pipe = await create(['idle']);
    await state(pipe, 'Running');
    await run('INSERT INTO noise SELECT generate_series(1, 10000)');
    const {
      rows: [now],
    } = await run('SELECT pg_current_wal_lsn()::text AS lsn');
    await until(
      'the slot has moved',
      async () =>
        (
          await run(
            'SELECT 1 FROM pg_replication_slots WHERE slot_name = $1 AND confirmed_flush_lsn >= $2::pg_lsn',
            [`sightline_${pipe.id.replaceAll('-', '')}`, now.lsn],
          )
        ).rows.length === 1,
    );
    expect(await world.metrics(pipe.id)).toHaveProperty('retainedBytes');
  });

  it('says so while the server keeps much log for it, and shows how much', async () => {
    await run('CREATE TABLE kept (id int PRIMARY KEY); CREATE TABLE written (v text)');
    const pipe = await create(['kept']);
    expect((await state(pipe, 'Running')).stateMessage ?? undefined).toBeUndefined();
    // A transaction that was begun before and is not ended holds back what may be forgotten.
    const open = new Client({ connectionString: peer.url.replace(/[^/]+$/, database) });
    open.on('error', () => undefined);
    await open.connect();
    try {
      await open.query('BEGIN; INSERT INTO kept VALUES (1)');
      await run("INSERT INTO written SELECT repeat('x', 1000) FROM generate_series(1, 80000)");
      const warned = await until(
        'the warning',
        async () => {
          const now = await world.get(pipe.id);
          return now.stateMessage !== undefined && now.stateMessage !== null && now;
        },
        120_000,
      );
      expect(warned).toMatchObject({
        state: 'Running',
        stateMessage: expect.stringMatching(
          /^the server retains \d+ MiB of WAL for this pipe/,
        ) as string,
      });
      await until(
        'the size in its metrics',
        async () => ((await world.metrics(pipe.id)).retainedBytes ?? 0) > 64 * 2 ** 20,
      );
      await open.query('COMMIT');
    } finally {
      // Left open, it would hold up every slot that is made after it.
      await open.end();
    }
    await until(
      'the end of the warning',
      async () => {
        // The server writes down from where on it needs its log when it is told to, or every
        // quarter of a minute.
        await run('CHECKPOINT');
        return ((await world.get(pipe.id)).stateMessage ?? undefined) === undefined;
      },
      120_000,
    );
  });

  it(
    'stores a transaction of a million rows without holding it',
    { timeout: 180_000 },
    async () => {
      await run('CREATE TABLE huge (id int PRIMARY KEY, text text)');
      const pipe = await create(['huge'], { pullBatchSize: 50_000 });
      await state(pipe, 'Running');
      let peak = 0;
      const before = process.memoryUsage().arrayBuffers;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
      }, 20);
      await run(
        'INSERT INTO huge SELECT n, repeat(md5(n::text), 8) FROM generate_series(1, 1000000) n',
      );
      await until(
        'a million rows',
        async () =>
          Number((await world.rows(sql`SELECT uniqExact(id) FROM shop.huge`))[0]![0]) === 1_000_000,
        150_000,
      );
      clearInterval(watch);
      expect(Number((await world.rows(sql`SELECT count() FROM shop.huge FINAL`))[0]![0])).toBe(
        1_000_000,
      );
      // 270 MB of lines in all; a quarter of the reader's memory may wait, and as much again be on
      // its way to the engine.
      console.log(
        `one transaction of 1,000,000 rows, 270 MB: ${Math.round(peak / 2 ** 20)} MB of buffers at most`,
      );
      expect(peak).toBeLessThan(192 * 2 ** 20);
    },
  );
});

describeWithPeer('a pipe from PostgreSQL and its access', () => {
  it('fails with a wrong password and goes on with the right one', async () => {
    await run(
      "CREATE ROLE rotated LOGIN SUPERUSER REPLICATION PASSWORD 'first'; CREATE TABLE secured (id int PRIMARY KEY)",
    );
    const {
      rows: [file],
    } = await run('SHOW hba_file');
    await run(
      `COPY (SELECT unnest(ARRAY[
          'host all rotated 127.0.0.1/32 scram-sha-256',
          'host replication rotated 127.0.0.1/32 scram-sha-256',
          'host all all 127.0.0.1/32 trust',
          'host replication all 127.0.0.1/32 trust'
        ])) TO '${String(file.hba_file)}'`,
    );
    await run('SELECT pg_reload_conf()');
    const pipe = await create(
      ['secured'],
      {},
      { credentials: { username: 'rotated', password: 'first' } },
    );
    await state(pipe, 'Running');
    await run(
      `ALTER ROLE rotated PASSWORD 'second-secret';
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'rotated'`,
    );
    expect((await state(pipe, 'Failed')).stateMessage).toMatch(
      /rejected user "rotated" or its password/,
    );
    await run('INSERT INTO secured VALUES (1)');
    await world.call('updatePipe', {
      params: { pipeId: pipe.id },
      body: {
        source: { postgres: { credentials: { username: 'rotated', password: 'second-secret' } } },
      },
    });
    await becomes('secured', 'id', [[1]]);
    expect(world.logged.join('\n')).not.toMatch(/second-secret/);
  });

  it('looks at samples before it is made, and refuses what cannot be read', async () => {
    await run(
      `CREATE TABLE sampled (id int PRIMARY KEY, tags int[], at timestamptz, doc jsonb);
        INSERT INTO sampled SELECT n, ARRAY[n], 'infinity', '{"a": 1}' FROM generate_series(1, 50) n`,
    );
    const body = (table: string) => ({
      source: {
        postgres: {
          host: '127.0.0.1',
          port: peer.port,
          database,
          credentials: { username: 'postgres', password: 'x' },
          tableMappings: [
            { sourceSchemaName: 'public', sourceTable: table, targetTable: 'sampled' },
          ],
        },
        validateSamples: true,
      },
      destination: { database: 'shop' },
    });
    await expect(world.create(body('nothing_here'))).rejects.toThrow(
      /cannot find public\.nothing_here/,
    );
    const slots = async () => (await run('SELECT 1 FROM pg_replication_slots')).rows.length;
    const before = await slots();
    const pipe = await world.create(body('sampled'));
    expect(await slots()).toBe(before);
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
  });

  it('goes over TLS where the server has it, and only to the one that an authority vouches for', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sightline-tls-'));
    const { ca, server } = makeCertificates(folder);
    const tls = await startPostgres({ wal_level: 'logical' });
    const admin = new Client({ connectionString: tls.url });
    await admin.connect();
    try {
      for (const [file, setting, pem] of [
        ['server.crt', 'ssl_cert_file', server.certificate],
        ['server.key', 'ssl_key_file', server.privateKey],
      ] as const) {
        const {
          rows: [data],
        } = await admin.query<{ data_directory: string }>('SHOW data_directory');
        // Written by the server itself, so that the file is its own.
        await admin.query(
          `COPY (SELECT unnest(string_to_array('${pem.trim()}', E'\\n')))
            TO PROGRAM 'umask 077; cat > ${join(data!.data_directory, file)}'`,
        );
        await admin.query(`ALTER SYSTEM SET ${setting} = '${file}'`);
      }
      await admin.query('ALTER SYSTEM SET ssl = on');
      await admin.query('SELECT pg_reload_conf()');
      await admin.query('CREATE TABLE sealed (id int PRIMARY KEY); INSERT INTO sealed VALUES (1)');
      await until(
        'TLS is on',
        async () => (await admin.query<{ ssl: string }>('SHOW ssl')).rows[0]!.ssl === 'on',
      );
      const make = (targetTable: string, more: object) =>
        world.create({
          source: {
            postgres: {
              host: '127.0.0.1',
              port: tls.port,
              database: 'postgres',
              credentials: { username: 'postgres', password: 'x' },
              settings: { syncIntervalSeconds: 1 },
              tableMappings: [{ sourceSchemaName: 'public', sourceTable: 'sealed', targetTable }],
              ...more,
            },
          },
          destination: { database: 'shop' },
        });
      const right = await make('sealed1', { caCertificate: ca });
      await state(right, 'Running');
      await becomes('sealed1', 'id', [[1]]);
      const plain = (
        await admin.query(
          `SELECT 1 FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
            WHERE application_name = 'sightline' AND NOT ssl`,
        )
      ).rows;
      expect(plain).toEqual([]);
      const wrong = await make('sealed2', { caCertificate: makeCertificates(folder).ca });
      expect((await state(wrong, 'Failed')).stateMessage).toMatch(
        /certificate of the PostgreSQL server is not trusted/,
      );
      for (const pipe of [right, wrong]) {
        await world.call('deletePipe', { params: { pipeId: pipe.id } });
      }
    } finally {
      await admin.end();
      await tls.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
