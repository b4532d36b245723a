import { readFileSync, writeFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { arrivedRows, pipeDrafts } from '../pipes/pipe-drafts.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const describeWithPeer = describe.skipIf(postgresMissing());
const password = 'reader-secret-word';

let peer: PostgresPeer;
let world: PipeWorld;
let client: Client;
beforeAll(async () => {
  peer = await startPostgres({ wal_level: 'logical', max_replication_slots: '4' });
  client = new Client({ connectionString: peer.url });
  await client.connect();
  world = await pipeWorld();
  world.pipes.start();
  await client.query(`CREATE ROLE reader LOGIN PASSWORD '${password}'`);
  const {
    rows: [file],
  } = await client.query<{ hba_file: string }>('SHOW hba_file');
  const lines = readFileSync(file!.hba_file, 'utf8');
  writeFileSync(file!.hba_file, `host all reader 127.0.0.1/32 scram-sha-256\n${lines}`);
  await client.query('SELECT pg_reload_conf()');
});
afterAll(async () => {
  await client?.end();
  await world?.close();
  await peer?.remove();
});
const drafts = pipeDrafts(() => world, 'postgres');
const source = (rest: Record<string, unknown> = {}) => ({
  host: '127.0.0.1',
  port: peer.port,
  database: 'postgres',
  credentials: { username: 'postgres', password: 'not asked for' },
  ...rest,
});
const reader = (rest: Record<string, unknown> = {}) =>
  source({ credentials: { username: 'reader', password }, ...rest });
const tables = (...names: string[]) => ({
  tableMappings: names.map((name) => ({
    sourceSchemaName: 'public',
    sourceTable: name,
    targetTable: name,
  })),
});
const issueOf = async (draft: Record<string, unknown>) => {
  const { ok, steps, issues } = await drafts.check(draft);
  expect(ok).toBe(false);
  expect(issues).toHaveLength(1);
  expect(JSON.stringify(issues)).not.toContain(password);
  return [steps.at(-1), issues[0]?.path, issues[0]?.reason];
};
const objects = async (): Promise<unknown[]> =>
  (
    await client.query(
      `SELECT slot_name AS name FROM pg_replication_slots
       UNION ALL SELECT pubname FROM pg_publication ORDER BY 1`,
    )
  ).rows;

describeWithPeer('a PostgreSQL source that is checked', () => {
  it('names the steps that work, and creates nothing', async () => {
    await client.query('CREATE TABLE checked (id int PRIMARY KEY)');
    const before = await objects();
    expect(await drafts.check(source(tables('checked')))).toEqual({
      ok: true,
      issues: [],
      steps: ['connect', 'find', 'read', 'replicate'].map((step) => ({ step, ok: true })),
    });
    expect((await drafts.check(source())).ok).toBe(true);
    expect(await objects()).toEqual(before);
  });

  it('names the step, the field and the reason that fail', async () => {
    await client.query(
      `CREATE TABLE keyless (id int);
       CREATE TABLE secret (id int PRIMARY KEY);
       CREATE TABLE shared (id int PRIMARY KEY); GRANT SELECT ON shared TO reader;
       CREATE PUBLICATION half FOR TABLE checked`,
    );
    const failed = (step: string) => ({ step, ok: false });
    expect(await issueOf(source({ port: 9 }))).toEqual([
      failed('connect'),
      'source.postgres.host',
      'connection_failed',
    ]);
    expect(await issueOf(source({ host: 'no-such-host.invalid' }))).toEqual([
      failed('connect'),
      'source.postgres.host',
      'host_not_found',
    ]);
    expect(
      await issueOf(source({ credentials: { username: 'reader', password: 'wrong' } })),
    ).toEqual([failed('connect'), 'source.postgres.credentials', 'login_refused']);
    expect(await issueOf(source({ database: 'nowhere' }))).toEqual([
      failed('find'),
      'source.postgres.database',
      'not_found',
    ]);
    expect(await issueOf(source(tables('checked', 'nowhere')))).toEqual([
      failed('find'),
      'source.postgres.tableMappings',
      'not_found',
    ]);
    expect(await issueOf(reader(tables('secret')))).toEqual([
      failed('read'),
      'source.postgres.tableMappings',
      'not_permitted',
    ]);
    expect(await issueOf(source(tables('keyless')))).toEqual([
      failed('replicate'),
      'source.postgres.tableMappings',
      'replication_refused',
    ]);
    expect((await issueOf(reader(tables('shared'))))[0]).toEqual(failed('replicate'));
    await client.query('ALTER ROLE reader REPLICATION');
    expect(await issueOf(reader(tables('shared')))).toEqual([
      failed('replicate'),
      'source.postgres.settings.publicationName',
      'replication_refused',
    ]);
    await client.query('GRANT CREATE ON DATABASE postgres TO reader');
    expect(await issueOf(reader(tables('shared')))).toEqual([
      failed('replicate'),
      'source.postgres.settings.publicationName',
      'replication_refused',
    ]);
    const named = (settings: object) => source({ ...tables('shared'), settings });
    expect(await issueOf(named({ publicationName: 'absent' }))).toEqual([
      failed('replicate'),
      'source.postgres.settings.publicationName',
      'not_found',
    ]);
    expect(await issueOf(named({ publicationName: 'half' }))).toEqual([
      failed('replicate'),
      'source.postgres.settings.publicationName',
      'replication_refused',
    ]);
    expect(await issueOf(named({ replicationSlotName: 'absent' }))).toEqual([
      failed('replicate'),
      'source.postgres.settings.replicationSlotName',
      'not_found',
    ]);
    await client.query('ALTER TABLE shared OWNER TO reader');
    expect((await drafts.check(reader(tables('shared')))).ok).toBe(true);
    expect(world.logged.join('\n')).not.toContain(password);
  });

  it('a snapshot needs no replication, and all slots in use are named', async () => {
    const snapshot = { settings: { replicationMode: 'snapshot' } };
    expect((await drafts.check(source({ ...tables('keyless'), ...snapshot }))).ok).toBe(true);
    for (const name of ['one', 'two', 'three', 'four']) {
      await client.query(`SELECT pg_create_physical_replication_slot('${name}')`);
    }
    expect(await issueOf(source(tables('checked')))).toEqual([
      { step: 'replicate', ok: false },
      'source.postgres.settings.replicationSlotName',
      'replication_refused',
    ]);
    await client.query(
      `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots
       WHERE slot_type = 'physical'`,
    );
  });

  it('a server without logical decoding is named', async () => {
    const plain = await startPostgres({ wal_level: 'replica' });
    expect(await issueOf(source({ port: plain.port }))).toEqual([
      { step: 'replicate', ok: false },
      'source.postgres.host',
      'replication_refused',
    ]);
    await plain.remove();
  });
});

describeWithPeer('a PostgreSQL source whose caller goes away', () => {
  const connections = async (): Promise<number> =>
    (
      await client.query(
        `SELECT FROM pg_stat_activity WHERE application_name = 'sightline' AND pid <> pg_backend_pid()`,
      )
    ).rows.length;

  it('keeps no connection, not even one that waited for a lock', async () => {
    await client.query('CREATE TABLE locked (id int PRIMARY KEY)');
    await client.query('BEGIN; LOCK TABLE locked');
    const gone = new AbortController();
    const look = drafts.look(source(), 'public.locked', {}, gone.signal);
    await expect
      .poll(async () => (await client.query(`SELECT FROM pg_locks WHERE NOT granted`)).rows.length)
      .toBe(1);
    gone.abort();
    expect((await look).issues.map(({ reason }) => reason)).toEqual(['timed_out']);
    await client.query('COMMIT');
    await expect.poll(connections).toBe(0);
    expect(await objects()).toEqual([{ name: 'half' }]);
  });
});

describeWithPeer('a PostgreSQL source that is explored', () => {
  it('lists tables with their columns and keys, and what keeps a pipe from one', async () => {
    await client.query(
      `CREATE SCHEMA "odd.schema";
       CREATE TABLE "odd.schema"."Größe" (a uuid, b numeric(10, 2) NOT NULL, tags text[],
         PRIMARY KEY (a));
       CREATE VIEW seen AS SELECT 1 AS x;
       CREATE TABLE parted (id int PRIMARY KEY) PARTITION BY RANGE (id);
       CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (10)`,
    );
    const { kind, items } = await drafts.list(source());
    expect(kind).toBe('tables');
    const ids = items.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['"odd.schema".Größe', 'public.parted']));
    expect(ids).not.toEqual(expect.arrayContaining(['public.parted_1']));
    expect(ids).not.toEqual(expect.arrayContaining(['public.seen']));
    expect(items.find(({ id }) => id.endsWith('Größe'))).toEqual({
      id: '"odd.schema".Größe',
      columns: [
        { name: 'a', sourceType: 'uuid', type: 'UUID', isNullable: false },
        { name: 'b', sourceType: 'numeric', type: 'Decimal(10, 2)', isNullable: false },
        { name: 'tags', sourceType: 'text[]', type: 'Array(Nullable(String))', isNullable: true },
      ],
      primaryKey: ['a'],
    });
    expect(items.find(({ id }) => id === 'public.keyless')).toMatchObject({
      primaryKey: [],
      problem: expect.stringMatching(/has no primary key/),
    });
    const readable = await drafts.list(reader());
    expect(readable.items.find(({ id }) => id === 'public.secret')?.problem).toMatch(/SELECT/);
  });

  it('shows rows and proposes a table mapping with which a pipe loads the table as it is', async () => {
    await client.query(
      `CREATE TABLE found (id int PRIMARY KEY, name text, at timestamptz, price numeric(10, 2));
       INSERT INTO found SELECT n, 'name ' || n, '2026-03-14T09:26:53Z', n * 1.5
       FROM generate_series(1, 20) AS n`,
    );
    const before = await objects();
    const found = await drafts.look(source(), 'public.found');
    expect(found.records).toHaveLength(10);
    expect(JSON.parse(found.records![0]!.data)).toEqual({
      id: '1',
      name: 'name 1',
      at: '2026-03-14 09:26:53+00',
      price: '1.50',
    });
    expect(found.items.map(({ id }) => id)).toEqual(['public.found']);
    expect(found.proposal).toEqual({
      source: {
        postgres: {
          tableMappings: [
            { sourceSchemaName: 'public', sourceTable: 'found', targetTable: 'found' },
          ],
        },
      },
      fieldMappings: [],
    });
    expect(await objects()).toEqual(before);
    await drafts.create(source(), found);
    const rows = await arrivedRows(world, 'found', 20);
    expect(rows[0]).toMatchObject({ id: 1, name: 'name 1', price: '1.5' });
  });

  it('cuts long rows, shows tables without a key, and knows no table that is not there', async () => {
    await client.query(`INSERT INTO keyless VALUES (1); CREATE TABLE long (id int PRIMARY KEY, t text);
      INSERT INTO long VALUES (1, repeat('x', 100000))`);
    const { records = [] } = await drafts.look(source(), 'public.long');
    expect(records.map(({ data, isCut }) => [data.length, isCut])).toEqual([[4096, true]]);
    const keyless = await drafts.look(source(), 'public.keyless');
    expect(keyless.records).toHaveLength(1);
    expect(keyless.items[0]?.problem).toMatch(/has no primary key/);
    for (const item of ['public.nowhere', 'nowhere', "public.long'; DROP TABLE long --"]) {
      const { ok, issues } = await drafts.look(source(), item);
      expect([ok, issues.map(({ path, reason }) => [path, reason])]).toEqual([
        false,
        [['item', 'not_found']],
      ]);
    }
    const { issues } = await drafts.look(reader(), 'public.secret');
    expect(issues.map(({ reason }) => reason)).toEqual(['not_permitted']);
  });
});
