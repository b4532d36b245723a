import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pipe } from '../../src/contract/pipe/pipe.ts';
import { identifier, join, sql } from '../../src/sql/sql.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

/**
 * What databases of people have besides plain tables: policies, settings of roles, odd names and
 * keys, prepared transactions.
 */
const describeWithPeer = describe.skipIf(postgresMissing());

let peer: PostgresPeer;
let world: PipeWorld;
let client: Client;
let url: string;
beforeAll(async () => {
  peer = await startPostgres({
    wal_level: 'logical',
    max_replication_slots: 30,
    max_wal_senders: 30,
    max_prepared_transactions: 5,
    logical_decoding_work_mem: '64kB',
  });
  url = await peer.createDatabase();
  client = new Client({ connectionString: url });
  await client.connect();
  world = await pipeWorld();
  world.pipes.start();
});
afterAll(async () => {
  await world?.close();
  await client?.end();
  await peer?.remove();
});
const run = (text: string) => client.query(text);
const database = () => new URL(url).pathname.slice(1);
const create = (
  tables: (string | object)[],
  settings: object = {},
  username = 'postgres',
): Promise<Pipe> =>
  world.create({
    source: {
      postgres: {
        host: '127.0.0.1',
        port: peer.port,
        database: database(),
        credentials: { username, password: 'x' },
        settings: { syncIntervalSeconds: 1, ...settings },
        tableMappings: tables.map((table) =>
          typeof table === 'string'
            ? { sourceSchemaName: 'public', sourceTable: table, targetTable: table }
            : table,
        ),
      },
    },
    destination: { database: 'shop' },
  });
const reaches = (pipe: Pipe, wanted: string) =>
  until(wanted, async () => {
    const now = await world.get(pipe.id);
    if (now.state === 'Failed' && wanted !== 'Failed') {
      throw new Error(`failed: ${now.stateMessage}`);
    }
    return now.state === wanted ? now : undefined;
  });
const rows = (table: string, columns: readonly string[]) =>
  world.rows(
    sql`SELECT ${join(columns.map(identifier), ', ')}
      FROM shop.${identifier(table)} FINAL ORDER BY ${identifier(columns[0]!)}`,
  );
const becomes = (table: string, columns: readonly string[], wanted: unknown[][]) =>
  until(
    `${table} as at the source`,
    async () => {
      const now = await rows(table, columns);
      if (JSON.stringify(now) !== JSON.stringify(wanted)) {
        throw new Error(JSON.stringify(now).slice(0, 2000));
      }
      return true;
    },
    30_000,
  );

describeWithPeer('a PostgreSQL pipe in a database of somebody else', () => {
  it('never copies only those rows that a policy shows', async () => {
    await run(`CREATE TABLE guarded (id int PRIMARY KEY, owner text);
      INSERT INTO guarded VALUES (1, 'a'), (2, 'b');
      ALTER TABLE guarded ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
      CREATE POLICY own ON guarded USING (owner = 'a');
      CREATE ROLE limited LOGIN REPLICATION;
      GRANT CREATE ON DATABASE ${database()} TO limited;
      ALTER TABLE guarded OWNER TO limited`);
    const pipe = await create(['guarded'], {}, 'limited');
    expect((await reaches(pipe, 'Failed')).stateMessage).toBe(
      'row-level security hides rows of a table from user "limited". ' +
        'Grant it the BYPASSRLS attribute, or remove the table with tableMappingsToRemove.',
    );
    await run('ALTER ROLE limited BYPASSRLS');
    await world.call('changePipeState', {
      params: { pipeId: pipe.id },
      body: { command: 'start' },
    });
    await becomes(
      'guarded',
      ['id', 'owner'],
      [
        [1, 'a'],
        [2, 'b'],
      ],
    );
  });

  it('reads the same, whatever is set for its role', async () => {
    await run(
      `CREATE TABLE settled (id int PRIMARY KEY, at timestamptz, d date, i interval);
        INSERT INTO settled VALUES (1, '2024-01-02 03:04:05+00', '2024-02-03', '1 day');
        CREATE ROLE odd LOGIN REPLICATION SUPERUSER`,
    );
    for (const setting of [
      "statement_timeout = '1s'",
      "lock_timeout = '50ms'",
      "idle_session_timeout = '1500ms'",
      "idle_in_transaction_session_timeout = '500ms'",
      "search_path = ''",
      "timezone = 'Asia/Kolkata'",
      "datestyle = 'German'",
      'standard_conforming_strings = off',
      'default_transaction_read_only = on',
      "default_transaction_isolation = 'serializable'",
    ]) {
      await run(`ALTER ROLE odd SET ${setting}`);
    }
    const pipe = await create(['settled'], {}, 'odd');
    await reaches(pipe, 'Running');
    const connections = async () =>
      (
        await run(
          "SELECT string_agg(pid::text, ',' ORDER BY pid) AS pids FROM pg_stat_activity WHERE usename = 'odd'",
        )
      ).rows[0] as { pids: string };
    const before = await connections();
    const sinceMs = Date.now();
    await until('three idle seconds', () => Promise.resolve(Date.now() - sinceMs > 3000));
    expect(await connections()).toEqual(before);
    await run("INSERT INTO settled VALUES (2, '2024-01-02 03:04:05+00', '2024-02-03', '1 day')");
    await becomes(
      'settled',
      ['id', 'at', 'd', 'i'],
      [1, 2].map((id) => [id, '2024-01-02 03:04:05.000000', '2024-02-03', 'P1D']),
    );
  });

  it.each([
    ['a view', 'CREATE VIEW not_1 AS SELECT 1 AS id', 'not_1', /public\.not_1 is not a table/],
    [
      'an unlogged table',
      'CREATE UNLOGGED TABLE not_2 (id int PRIMARY KEY)',
      'not_2',
      /public\.not_2 is unlogged.*SET LOGGED/,
    ],
    [
      'a table without a key',
      'CREATE TABLE not_3 (id int)',
      'not_3',
      /public\.not_3 has no primary key.*REPLICA IDENTITY FULL/,
    ],
    [
      'identity nothing',
      'CREATE TABLE not_4 (id int PRIMARY KEY); ALTER TABLE not_4 REPLICA IDENTITY NOTHING',
      'not_4',
      /public\.not_4/,
    ],
  ])('refuses %s with what to do', async (_, definition, table, message) => {
    await run(definition);
    expect((await reaches(await create([table]), 'Failed')).stateMessage).toMatch(message);
  });

  it('takes names as they are, in any schema', async () => {
    const name = `Tä "x"'\\ b`;
    const quoted = `"Other ""S"."${name.replaceAll('"', '""')}"`;
    await run(
      `CREATE SCHEMA "Other ""S";
        CREATE TABLE ${quoted} ("ID ""q" int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          "Wert; -- ü" text, g int GENERATED ALWAYS AS (1) STORED, "tab\tx" int);
        INSERT INTO ${quoted} ("Wert; -- ü", "tab\tx") VALUES ('a', 1), ('b', 2)`,
    );
    const target = `Z\`ä "x"'\\ b.c`;
    await reaches(
      await create([{ sourceSchemaName: 'Other "S', sourceTable: name, targetTable: target }]),
      'Running',
    );
    await run(`UPDATE ${quoted} SET "Wert; -- ü" = 'c' WHERE "ID ""q" = 1`);
    await becomes(
      target,
      ['ID "q', 'Wert; -- ü', 'tab\tx'],
      [
        [1, 'c', 1],
        [2, 'b', 2],
      ],
    );
  });
});

describeWithPeer('a PostgreSQL pipe beside changes of somebody else', () => {
  it('keeps every field of a composite type that grows or shrinks', async () => {
    await run(
      `CREATE TYPE pair AS (a int, b text);
        CREATE TABLE grown (id int PRIMARY KEY, k pair, ks pair[]);
        INSERT INTO grown VALUES (1, '(1,x)', '{"(1,x)"}')`,
    );
    const pipe = await create(['grown']);
    await becomes('grown', ['id', 'k'], [[1, '{"a":1,"b":"x"}']]);
    await run(
      `ALTER TYPE pair ADD ATTRIBUTE c date; INSERT INTO grown VALUES (2, '(2,y,2020-01-01)', '{"(2,y,2020-01-01)"}')`,
    );
    const second = [2, '{"a":2,"b":"y","c":"2020-01-01"}', ['{"a":2,"b":"y","c":"2020-01-01"}']];
    await becomes(
      'grown',
      ['id', 'k', 'ks'],
      [[1, '{"a":1,"b":"x"}', ['{"a":1,"b":"x"}']], second],
    );
    await run(
      `ALTER TYPE pair DROP ATTRIBUTE a; INSERT INTO grown VALUES (3, '(z,2021-01-01)', '{}')`,
    );
    const third = [3, '{"b":"z","c":"2021-01-01"}'];
    await becomes('grown', ['id', 'k'], [[1, '{"a":1,"b":"x"}'], second.slice(0, 2), third]);
    // What was written before is read after: nobody knows the name of the field that is gone.
    await world.call('changePipeState', { params: { pipeId: pipe.id }, body: { command: 'stop' } });
    await reaches(pipe, 'Paused');
    await run(
      `INSERT INTO grown VALUES (4, '(q,2022-01-01)', '{}');
        ALTER TYPE pair DROP ATTRIBUTE c;
        INSERT INTO grown VALUES (5, '(p)', '{}')`,
    );
    await world.call('changePipeState', {
      params: { pipeId: pipe.id },
      body: { command: 'start' },
    });
    await becomes(
      'grown',
      ['id', 'k'],
      [
        [1, '{"a":1,"b":"x"}'],
        second.slice(0, 2),
        third,
        [4, '{"b":"q","f2":"2022-01-01"}'],
        [5, '{"b":"p"}'],
      ],
    );
  });

  it('follows keys that are an index, and old rows that are sent whole', async () => {
    await run(`CREATE TABLE by_index (id int PRIMARY KEY, u int NOT NULL UNIQUE, b text);
      ALTER TABLE by_index REPLICA IDENTITY USING INDEX by_index_u_key;
      INSERT INTO by_index VALUES (1, 10, 'x'), (2, 20, 'y');
      CREATE TABLE sent_whole (id int PRIMARY KEY, b text, big text);
      ALTER TABLE sent_whole REPLICA IDENTITY FULL;
      ALTER TABLE sent_whole ALTER big SET STORAGE EXTERNAL;
      INSERT INTO sent_whole VALUES (1, 'x', repeat('q', 9000)), (2, 'y', repeat('r', 9000))`);
    await reaches(await create(['by_index', 'sent_whole']), 'Running');
    await run(
      `UPDATE by_index SET id = 9 WHERE u = 10;
        UPDATE by_index SET u = 21 WHERE u = 20;
        UPDATE sent_whole SET b = 'z' WHERE id = 1;
        UPDATE sent_whole SET id = 3 WHERE id = 2`,
    );
    await becomes(
      'by_index',
      ['id', 'u', 'b'],
      [
        [2, 21, 'y'],
        [9, 10, 'x'],
      ],
    );
    await becomes(
      'sent_whole',
      ['id', 'b', 'big'],
      [
        [1, 'z', 'q'.repeat(9000)],
        [3, 'y', 'r'.repeat(9000)],
      ],
    );
  });
});

describeWithPeer('a PostgreSQL pipe beside transactions of somebody else', () => {
  it('stores only committed changes: none that was rolled back, prepared ones after their commit', async () => {
    await run(
      `CREATE TABLE parents (id int PRIMARY KEY);
        CREATE TABLE children (id int PRIMARY KEY, p int REFERENCES parents);
        CREATE TABLE done (id int PRIMARY KEY);
        INSERT INTO parents SELECT generate_series(1, 10);
        INSERT INTO children SELECT n, n FROM generate_series(1, 10) n`,
    );
    await reaches(await create(['parents', 'children', 'done']), 'Running');
    await run(
      'TRUNCATE parents CASCADE; INSERT INTO parents VALUES (1); INSERT INTO children VALUES (5, 1)',
    );
    await run(
      `BEGIN; INSERT INTO done VALUES (1); SAVEPOINT a;
        INSERT INTO done SELECT generate_series(100, 3000);
        ROLLBACK TO a; SAVEPOINT b; INSERT INTO done VALUES (2);
        RELEASE b; COMMIT`,
    );
    await run('BEGIN; INSERT INTO done SELECT generate_series(5000, 9000); ROLLBACK');
    await run("BEGIN; INSERT INTO done VALUES (3); PREPARE TRANSACTION 'prepared'");
    await run(
      `INSERT INTO done VALUES (4);
        SELECT pg_logical_emit_message(true, 'x', 'y'), pg_logical_emit_message(false, 'x', 'z')`,
    );
    await becomes('done', ['id'], [[1], [2], [4]]);
    await run("COMMIT PREPARED 'prepared'");
    await becomes('done', ['id'], [[1], [2], [3], [4]]);
    await becomes('parents', ['id'], [[1]]);
    await becomes('children', ['id', 'p'], [[5, 1]]);
  });

  it('waits in Setup for an open transaction, misses nothing of it, and reports a dropped table', async () => {
    await run('CREATE TABLE held (id int PRIMARY KEY); INSERT INTO held VALUES (1)');
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query('BEGIN; INSERT INTO held VALUES (2)');
    const pipe = await create(['held']);
    await reaches(pipe, 'Setup');
    await until(
      'the slot to wait',
      async () =>
        (
          await run(
            "SELECT 1 FROM pg_replication_slots WHERE slot_name LIKE 'sightline%' AND confirmed_flush_lsn IS NULL",
          )
        ).rows.length === 1,
    );
    await run('INSERT INTO held VALUES (3)');
    await other.query('COMMIT');
    await other.end();
    await becomes('held', ['id'], [[1], [2], [3]]);
    await run('DROP TABLE held');
    expect((await reaches(pipe, 'Failed')).stateMessage).toBe(
      'table public.held no longer exists. Remove it from the pipe with tableMappingsToRemove.',
    );
  });

  it('takes its tables out of a publication of all of them, and minds nobody else', async () => {
    await run(
      'CREATE TABLE one_of_many (id int PRIMARY KEY); CREATE PUBLICATION everything FOR ALL TABLES',
    );
    await reaches(await create(['one_of_many'], { publicationName: 'everything' }), 'Running');
    await run(
      `CREATE TABLE stranger (id int PRIMARY KEY);
        INSERT INTO stranger VALUES (1);
        INSERT INTO one_of_many VALUES (1); TRUNCATE stranger;
        INSERT INTO one_of_many VALUES (2)`,
    );
    await becomes('one_of_many', ['id'], [[1], [2]]);
  });
});
