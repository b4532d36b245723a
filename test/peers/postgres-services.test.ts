import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { qualified, sql, type Sql } from '../../src/sql/sql.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import { until } from '../kit/eventually.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { testOperator, type TestService } from '../kit/services.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

/** Services with PostgreSQL pipes and live sources, whose pipes write to one shared database. */

let peer: PostgresPeer;
let engine: TestTelemetry;
let api: ApiKit;
let alice: TestService;
let bob: TestService;
/** The server's databases, one for each service. */
const sources = { alice: '', bob: '' };

const onSource = async <Row extends object>(url: string, text: string): Promise<Row[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
};
const databaseOf = (url: string): string => new URL(url).pathname.slice(1);
const mapping = (sourceTable: string, targetTable = sourceTable) => ({
  sourceSchemaName: 'public',
  sourceTable,
  targetTable,
});
const pipeOf = (url: string, ...tableMappings: ReturnType<typeof mapping>[]) => ({
  source: {
    postgres: {
      host: '127.0.0.1',
      port: peer.port,
      database: databaseOf(url),
      credentials: { username: 'postgres', password: 'not asked for' },
      settings: { syncIntervalSeconds: 1 },
      tableMappings,
    },
  },
  destination: { database: 'shared' },
});
const run = (statement: Sql): Promise<void> =>
  engine.telemetry.command(statement, { purpose: 'admin', timeoutMs: 10_000 });
const read = async (statement: Sql): Promise<unknown[][]> =>
  (await engine.telemetry.query(statement, { purpose: 'admin', timeoutMs: 10_000 })).rows;
/** Everything that an intruder could change of a table of the shared database. */
const tableState = async (table: string): Promise<unknown> => [
  await read(
    sql`SELECT name, create_table_query, total_rows FROM system.tables
      WHERE database = 'shared' AND startsWith(name, ${table}) ORDER BY name`,
  ),
  await read(sql`SELECT * FROM ${qualified('shared', table)} ORDER BY ALL`),
];
const stateOf = async (service: TestService, id: string): Promise<{ [name: string]: string }> =>
  (await service.pipes('GET', `/${id}`)).json.result;
const running = async (service: TestService, id: string): Promise<void> => {
  await until('Running', async () => (await stateOf(service, id))['state'] === 'Running');
};

describe.skipIf(postgresMissing())('PostgreSQL pipes of two services', () => {
  beforeAll(async () => {
    peer = await startPostgres({ wal_level: 'logical' });
    sources.alice = await peer.createDatabase();
    sources.bob = await peer.createDatabase();
    engine = await openTestTelemetry({ database: 'telemetry' });
    api = await startApi({ telemetry: engine.telemetry, pipes: true });
    const operator = testOperator(api);
    alice = await operator.newService('alice');
    bob = await operator.newService('bob');
    await operator.share('shared', [alice, bob]);
  });
  afterAll(async () => {
    await api?.stop();
    await engine?.close();
    await peer?.remove();
  });

  it("a pipe that names another service's table is refused: nothing is read or changed", async () => {
    await onSource(
      sources.alice,
      `CREATE TABLE staff (id int PRIMARY KEY, salary_of_alice numeric(18, 2));
       INSERT INTO staff SELECT n, n * 1000 FROM generate_series(1, 50) n`,
    );
    await onSource(
      sources.bob,
      `CREATE TABLE staff (id int PRIMARY KEY, guess text, salary_of_alice text);
       CREATE TABLE free (id int PRIMARY KEY);
       INSERT INTO staff SELECT n, 'x', 'y' FROM generate_series(1, 10) n`,
    );
    const own = await alice.pipes('POST', '', pipeOf(sources.alice, mapping('staff')));
    expect(own.status, own.text).toBe(200);
    await running(alice, own.json.result.id as string);
    const before = await until('the rows', async () => {
      const [count] = await read(sql`SELECT count() FROM shared.staff`);
      return Number(count?.[0]) === 50 && tableState('staff');
    });
    const free = await bob.pipes('POST', '', pipeOf(sources.bob, mapping('free')));
    expect(free.status, free.text).toBe(200);
    await running(bob, free.json.result.id as string);
    const objectsOfBob = `SELECT slot_name AS name FROM pg_replication_slots WHERE database = current_database()
      UNION ALL SELECT pubname FROM pg_publication ORDER BY 1`;
    const objects = await onSource(sources.bob, objectsOfBob);
    const scansOfBob = `SELECT seq_scan, idx_scan FROM pg_stat_user_tables WHERE relname = 'staff'`;
    const scans = await onSource(sources.bob, scansOfBob);

    const sampled = pipeOf(sources.bob, mapping('staff'));
    const answers = [
      await bob.pipes('POST', '', pipeOf(sources.bob, mapping('staff'))),
      await bob.pipes('POST', '', pipeOf(sources.bob, mapping('free', 'staff'))),
      await bob.pipes('POST', '', {
        ...sampled,
        source: { ...sampled.source, validateSamples: true },
      }),
      await bob.pipes('PATCH', `/${free.json.result.id}`, {
        source: { postgres: { tableMappingsToAdd: [mapping('staff')] } },
      }),
    ];
    for (const { status, text, json } of answers) {
      expect([status, json.errors]).toEqual([
        400,
        [
          {
            path: 'source.postgres.tableMappings',
            message:
              'table "staff" in database "shared" belongs to another service. Choose another table.',
          },
        ],
      ]);
      expect(text).not.toMatch(/salary|Decimal|Int32|ReplacingMergeTree/);
    }
    expect(await tableState('staff')).toEqual(before);
    // A reader would have scanned its table, and made a slot and a publication.
    expect(await onSource(sources.bob, scansOfBob)).toEqual(scans);
    expect(await onSource(sources.bob, objectsOfBob)).toEqual(objects);
    expect((await bob.pipes('GET', '')).json.result).toHaveLength(1);
    expect((await stateOf(bob, free.json.result.id as string))['state']).toBe('Running');
  });

  it('of two pipes that adopt one table without an owner at once, one gets it and fills it', async () => {
    for (const [name, url] of Object.entries(sources)) {
      await onSource(
        url,
        `CREATE TABLE ledger (id int PRIMARY KEY, owner text);
         INSERT INTO ledger SELECT n, '${name}' FROM generate_series(1, 20) n`,
      );
    }
    await run(
      sql`CREATE TABLE shared.ledger (id Int32, owner String, _sync_is_deleted UInt8 DEFAULT 0)
        ENGINE = MergeTree ORDER BY id`,
    );
    const services = [alice, bob];
    const answers = await Promise.all([
      alice.pipes('POST', '', pipeOf(sources.alice, mapping('ledger'))),
      bob.pipes('POST', '', pipeOf(sources.bob, mapping('ledger'))),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const index = answers.findIndex(({ status }) => status === 200);
    const winner = services[index]!;
    const loser = services[1 - index]!;
    await running(winner, answers[index]!.json.result.id as string);
    await until('the rows', async () => {
      const [row] = await read(sql`SELECT count() >= 20, uniqExact(owner) FROM shared.ledger`);
      return Number(row?.[0]) === 1 && Number(row?.[1]) === 1;
    });
    const [comment] = await read(
      sql`SELECT comment FROM system.tables WHERE database = 'shared' AND name = 'ledger'`,
    );
    expect(String(comment?.[0])).toContain(`sightline workspace ${winner.workspace.id};`);
    expect(String(comment?.[0])).not.toContain(loser.workspace.id);
  });
});
