import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { qualified, sql, type Sql } from '../../src/sql/sql.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import { testOperator, type TestService } from '../kit/services.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

/** Tables that PostgreSQL pipes name before they exist, in a database that services share. */

let api: ApiKit;
let engine: TestTelemetry;
let alice: TestService;
let bob: TestService;

beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'telemetry' });
  api = await startApi({ telemetry: engine.telemetry });
  const operator = testOperator(api);
  alice = await operator.newService('alice');
  bob = await operator.newService('bob');
  await operator.share('shared', [alice, bob]);
});
afterAll(async () => {
  await api?.stop();
  await engine?.close();
});

const mapping = (targetTable: string) => ({
  sourceSchemaName: 'public',
  sourceTable: targetTable,
  targetTable,
});
const postgres = (...targets: string[]) => ({
  source: {
    postgres: {
      host: '127.0.0.1',
      port: 9,
      database: 'shop',
      credentials: { username: 'u', password: 'p' },
      tableMappings: targets.map(mapping),
    },
  },
  destination: { database: 'shared' },
});
const kafka = (table: string) => ({
  source: { kafka: { brokers: '127.0.0.1:9', topics: 'orders' } },
  destination: { database: 'shared', table, columns: [{ name: 'id', type: 'UInt64' }] },
});
const run = (statement: Sql): Promise<void> =>
  engine.telemetry.command(statement, { purpose: 'admin', timeoutMs: 10_000 });
const createByHand = async (table: string): Promise<void> => {
  await run(sql`CREATE DATABASE IF NOT EXISTS shared`);
  await run(
    sql`CREATE TABLE ${qualified('shared', table)} (id UInt64) ENGINE = MergeTree ORDER BY id`,
  );
};
const tablesNamed = async (prefix: string): Promise<[string, string][]> => {
  const { rows } = await engine.telemetry.query(
    sql`SELECT name, comment FROM system.tables
      WHERE database = 'shared' AND startsWith(name, ${prefix}) ORDER BY name`,
    { purpose: 'admin', timeoutMs: 10_000 },
  );
  return rows.map(([name, comment]) => [String(name), String(comment)]);
};
const foreign = (table: string) =>
  `table "${table}" in database "shared" belongs to another service. Choose another table.`;
const path = 'source.postgres.tableMappings';

describe('a table that a PostgreSQL pipe names', () => {
  it('of two services whose pipes name it at once, one gets it', async () => {
    for (let round = 0; round < 5; round++) {
      const table = `race_${round}`;
      const services = [alice, bob];
      const answers = await Promise.all(
        services.map(({ pipes }) => pipes('POST', '', postgres(table))),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      const winner = services[answers.findIndex(({ status }) => status === 200)];
      expect(await tablesNamed(table)).toEqual([
        [`${table}_pipe_errors`, `sightline workspace ${winner?.workspace.id};`],
      ]);
      const [issue] = answers.find(({ status }) => status === 400)?.json.errors ?? [];
      expect(issue).toEqual({ path, message: foreign(table) });
    }
  });

  it('of two services whose pipes adopt a table without an owner at once, one gets it', async () => {
    for (let round = 0; round < 5; round++) {
      const table = `adopted_${round}`;
      await createByHand(table);
      const answers = await Promise.all(
        [alice, bob].map(({ pipes }) => pipes('POST', '', postgres(table))),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    }
  });

  it('belongs to its service before it exists, at creation and by PATCH', async () => {
    const made = await alice.pipes('POST', '', postgres('later'));
    expect(made.status, made.text).toBe(200);
    const added = await alice.pipes('PATCH', `/${made.json.result.id}`, {
      source: { postgres: { tableMappingsToAdd: [mapping('added')] } },
    });
    expect(added.status, added.text).toBe(200);
    for (const table of ['later', 'added']) {
      const message = foreign(table);
      const byKafka = await bob.pipes('POST', '', kafka(table));
      expect([byKafka.status, byKafka.json.errors]).toEqual([
        400,
        [{ path: 'destination.table', message }],
      ]);
      const byPostgres = await bob.pipes('POST', '', postgres('free', table));
      expect([byPostgres.status, byPostgres.json.errors]).toEqual([400, [{ path, message }]]);
    }
    expect((await alice.pipes('POST', '', kafka('later'))).status).toBe(200);
  });

  it('is refused if it has no owner and pipes of others write to it', async () => {
    await createByHand('by_hand');
    const used = await alice.pipes('POST', '', kafka('by_hand'));
    expect(used.status, used.text).toBe(200);
    const taken = await bob.pipes('POST', '', postgres('by_hand'));
    expect([taken.status, taken.json.errors]).toEqual([
      400,
      [
        {
          path,
          message:
            'table "by_hand" in database "shared" has no owner, and other pipes may write to it. ' +
            'Choose another table.',
        },
      ],
    ]);
    expect(await tablesNamed('by_hand')).toEqual([
      ['by_hand', ''],
      ['by_hand_pipe_errors', ''],
    ]);
  });

  it("is not reserved in the service's own database", async () => {
    const made = await alice.pipes('POST', '', {
      ...postgres('own'),
      destination: { database: 'of_alice' },
    });
    expect(made.status, made.text).toBe(200);
    expect(await tablesNamed('own')).toEqual([]);
  });
});
