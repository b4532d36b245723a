import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperatorActions } from '../../src/core/identity/operator-actions.ts';
import { qualified, sql, type Sql } from '../../src/sql/sql.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import { testOperator, type TestService } from '../kit/services.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

let api: ApiKit;
let engine: TestTelemetry;
let operator: OperatorActions;
let share: () => Promise<void>;
let alice: TestService;
let bob: TestService;

const pipeTo = (destination: object, columns = [{ name: 'id', type: 'UInt64' }]) => ({
  source: { kafka: { brokers: '127.0.0.1:9', topics: 'orders' } },
  destination: { columns, ...destination },
});

beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'telemetry' });
  api = await startApi({ telemetry: engine.telemetry });
  const kit = testOperator(api);
  operator = kit.actions;
  alice = await kit.newService('alice');
  bob = await kit.newService('bob');
  share = () => kit.share('shared', [alice, bob]);
});
afterAll(async () => {
  await api.stop();
  await engine.close();
});

const database = async (table: string): Promise<unknown[]> =>
  (
    await engine.telemetry.query(
      sql`SELECT database FROM system.tables WHERE name = ${table} ORDER BY database`,
      { purpose: 'admin', timeoutMs: 10_000 },
    )
  ).rows.flat();

describe('databases of pipes', () => {
  it('a pipe writes to no database that is not its own and that the operator does not list', async () => {
    for (const name of ['nobodys', 'of_bob', 'telemetry', 'system']) {
      const { status, json } = await alice.pipes(
        'POST',
        '',
        pipeTo({ database: name, table: 'refused' }),
      );
      expect(status).toBe(400);
      expect(json.errors).toEqual([
        {
          path: 'destination.database',
          message:
            `pipes of this service cannot write to database "${name}". They can write to: "of_alice". ` +
            'An operator can list another database: ' +
            `sightline admin services databases add <name> --service ${alice.workspace.serviceId}`,
        },
      ]);
    }
    expect(await database('refused')).toEqual([]);
  });

  it("`default` is the service's own database, in the answer too", async () => {
    for (const destination of [{ database: 'default', table: 'by_name' }, { table: 'left_out' }]) {
      const made = await alice.pipes('POST', '', pipeTo(destination));
      expect(made.status, made.text).toBe(200);
      expect(made.json.result.destination.database).toBe('default');
      const read = await alice.pipes('GET', `/${made.json.result.id}`);
      expect(read.json.result.destination.database).toBe('default');
      const repeated = { destination: { database: 'default', table: destination.table } };
      const same = await alice.pipes('PATCH', `/${made.json.result.id}`, repeated);
      expect(same.status, same.text).toBe(200);
      expect(await database(destination.table)).toEqual(['of_alice']);
    }
    const own = await alice.pipes('POST', '', pipeTo({ database: 'of_alice', table: 'own' }));
    expect(own.json.result.destination.database).toBe('of_alice');
  });

  it('a listed database can be written to until it is taken off the list', async () => {
    await operator.listDatabase(alice.workspace, 'listed');
    api.identityChanged();
    const body = pipeTo({ database: 'listed', table: 'orders' });
    const made = await alice.pipes('POST', '', body);
    expect(made.status, made.text).toBe(200);
    expect((await bob.pipes('POST', '', body)).status).toBe(400);
    const { id } = made.json.result;
    await expect(operator.unlistDatabase(alice.workspace, 'listed')).rejects.toThrow(
      `pipes write to database "listed": ${id}. Delete them first`,
    );
    expect((await alice.pipes('DELETE', `/${id}`)).status).toBe(200);
    await operator.unlistDatabase(alice.workspace, 'listed');
    api.identityChanged();
    const again = await alice.pipes('POST', '', body);
    expect([again.status, again.json.errors[0].path]).toEqual([400, 'destination.database']);
  });

  it('the operator lists no database of another service or of the engine', async () => {
    await expect(operator.listDatabase(alice.workspace, 'of_bob')).rejects.toThrow(
      `database "of_bob" belongs to service ${bob.workspace.serviceId}`,
    );
    await expect(operator.listDatabase(alice.workspace, 'system')).rejects.toThrow(
      'belongs to the engine',
    );
    await operator.listDatabase(alice.workspace, 'of_alice');
    const stored = await api.store.identity.workspace(alice.workspace.id);
    expect(stored?.listedDatabases).toEqual([]);
  });
});

const own = [
  { name: 'id', type: 'UInt64' },
  { name: 'salary_of_alice', type: 'Decimal(18, 2)' },
];
const shared = (table: string, columns = own, more: object = {}) =>
  pipeTo({ database: 'shared', table, ...more }, columns);
const columnsOf = async (table: string): Promise<string[]> => {
  engine.telemetry.forgetColumns('shared', table);
  return (await engine.telemetry.columns('shared', table)).map(({ name }) => name);
};
const run = (statement: Sql): Promise<void> =>
  engine.telemetry.command(statement, { purpose: 'admin', timeoutMs: 10_000 });
const refused = (table: string) => [
  {
    path: 'destination.table',
    message:
      `table "${table}" in database "shared" belongs to another service. ` +
      'Choose another table.',
  },
];

describe('tables in a database that services share', () => {
  beforeAll(() => share());

  it("a service can neither read the columns of another service's table nor add one", async () => {
    const made = await alice.pipes('POST', '', shared('orders'));
    expect(made.status, made.text).toBe(200);
    const guess = [{ name: 'salary_of_alice', type: 'String' }];
    const same = [{ name: 'id', type: 'UInt64' }];
    for (const body of [
      shared('orders', guess),
      shared('orders', same),
      shared('orders', same, { managedTable: false }),
      shared('orders_pipe_errors', same),
    ]) {
      const answer = await bob.pipes('POST', '', body);
      expect([answer.status, answer.json.errors]).toEqual([
        400,
        refused((body.destination as { table?: string }).table ?? ''),
      ]);
      expect(answer.text).not.toContain('Decimal');
    }
    expect(await columnsOf('orders')).toEqual(['id', 'salary_of_alice']);
  });

  it('the table belongs to the service after its pipe is deleted', async () => {
    const made = await alice.pipes('POST', '', shared('kept'));
    expect((await alice.pipes('DELETE', `/${made.json.result.id}`)).status).toBe(200);
    const theirs = await bob.pipes('POST', '', shared('kept'));
    expect([theirs.status, theirs.json.errors]).toEqual([400, refused('kept')]);
    expect((await alice.pipes('POST', '', shared('kept'))).status).toBe(200);
  });

  it('of two services that create one table at once, one gets it', async () => {
    for (let round = 0; round < 5; round++) {
      const table = `race_${round}`;
      const answers = await Promise.all(
        [alice, bob].map(({ pipes }) => pipes('POST', '', shared(table))),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      const loser = answers.find(({ status }) => status === 400);
      expect(loser?.json.errors).toEqual(refused(table));
    }
  });
});

describe('a change of a pipe in a database that services share', () => {
  beforeAll(() => share());

  it('a table that another service replaced takes no column', async () => {
    const made = await bob.pipes('POST', '', shared('replaced'));
    for (const table of ['replaced', 'replaced_pipe_errors']) {
      await run(sql`DROP TABLE ${qualified('shared', table)}`);
    }
    expect((await alice.pipes('POST', '', shared('replaced'))).status).toBe(200);
    const more = [...own, { name: 'by_bob', type: 'String' }];
    const answer = await bob.pipes('PATCH', `/${made.json.result.id}`, {
      destination: { columns: more },
    });
    expect([answer.status, answer.json.errors]).toEqual([400, refused('replaced')]);
    expect(await columnsOf('replaced')).toEqual(['id', 'salary_of_alice']);
  });

  it("a PostgreSQL pipe takes no other service's table, at creation and by PATCH", async () => {
    await alice.pipes('POST', '', shared('mapped'));
    const mapping = (targetTable: string) => ({
      sourceSchemaName: 'public',
      sourceTable: targetTable,
      targetTable,
    });
    const postgres = (targetTable: string) => ({
      source: {
        postgres: {
          host: '127.0.0.1',
          port: 9,
          database: 'shop',
          credentials: { username: 'u', password: 'p' },
          tableMappings: [mapping(targetTable)],
        },
      },
      destination: { database: 'shared' },
    });
    const message = refused('mapped')[0]?.message;
    const path = 'source.postgres.tableMappings';
    const created = await bob.pipes('POST', '', postgres('mapped'));
    expect([created.status, created.json.errors]).toEqual([400, [{ path, message }]]);
    const free = await bob.pipes('POST', '', postgres('free'));
    expect(free.status, free.text).toBe(200);
    const added = await bob.pipes('PATCH', `/${free.json.result.id}`, {
      source: { postgres: { tableMappingsToAdd: [mapping('mapped')] } },
    });
    expect([added.status, added.json.errors]).toEqual([400, [{ path, message }]]);
  });
});

describe('tables without an owner', () => {
  beforeAll(() => share());

  it('a table that no pipe made can be used by every service, and takes no column', async () => {
    await run(sql`CREATE TABLE shared.by_hand (id UInt64) ENGINE = MergeTree ORDER BY id`);
    const columns = [{ name: 'id', type: 'UInt64' }];
    const ids: string[] = [];
    for (const [{ pipes }, managedTable] of [
      [alice, false],
      [bob, true],
    ] as const) {
      const made = await pipes('POST', '', shared('by_hand', columns, { managedTable }));
      expect(made.status, made.text).toBe(200);
      ids.push(made.json.result.id as string);
    }
    const answer = await bob.pipes('PATCH', `/${ids[1]}`, {
      destination: { columns: [...columns, { name: 'by_bob', type: 'String' }] },
    });
    expect([answer.status, answer.json.errors]).toEqual([
      400,
      [
        {
          path: 'destination.columns',
          message:
            'table "by_hand" in database "shared" was not created by a pipe of this service, ' +
            'so the pipe cannot add columns to it. Add the columns to the table first.',
        },
      ],
    ]);
    expect(await columnsOf('by_hand')).toEqual(['id']);
  });

  it('a table of a pipe that an earlier version stored is kept from other services too', async () => {
    const made = await alice.pipes('POST', '', shared('before'));
    const { id } = made.json.result as { id: string };
    const stored = await api.store.documents.get(alice.workspace.id, 'pipe', id);
    const { ownsTables: _, ...body } = stored!.body;
    await api.store.documents.update(alice.workspace.id, 'pipe', id, stored!.version, { body });
    for (const table of ['before', 'before_pipe_errors']) {
      await run(sql`ALTER TABLE ${qualified('shared', table)} MODIFY COMMENT ''`);
    }
    for (const table of ['before', 'before_pipe_errors']) {
      const answer = await bob.pipes('POST', '', shared(table));
      expect([answer.status, answer.json.errors]).toEqual([400, refused(table)]);
    }
    const more = [...own, { name: 'added', type: 'String' }];
    const changed = await alice.pipes('PATCH', `/${id}`, { destination: { columns: more } });
    expect(changed.status, changed.text).toBe(200);
    expect(await columnsOf('before')).toContain('added');
  });

  it.each(['AggregateFunction(sum, UInt64)', 'Array(Tuple(a AggregateFunction(sum, UInt64)))'])(
    'PATCH refuses %s before it reads samples',
    async (type) => {
      const made = await alice.pipes('POST', '', pipeTo({ table: 'states' }));
      const answer = await alice.pipes('PATCH', `/${made.json.result.id}`, {
        source: { validateSamples: true },
        destination: {
          columns: [
            { name: 'id', type: 'UInt64' },
            { name: 'state', type },
          ],
        },
      });
      expect([answer.status, answer.json.errors?.[0]?.path]).toEqual([
        400,
        'destination.columns.1.type',
      ]);
    },
  );
});
