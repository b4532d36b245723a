import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operatorActions, type OperatorActions } from '../../src/core/identity/operator-actions.ts';
import type { StoredWorkspace } from '../../src/ports/store/identity-store.ts';
import { sql } from '../../src/sql/sql.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import type { HttpAnswer } from '../kit/http.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

interface Service {
  workspace: StoredWorkspace;
  pipes(method: string, path: string, body?: object): Promise<HttpAnswer>;
}

let api: ApiKit;
let engine: TestTelemetry;
let operator: OperatorActions;
let alice: Service;
let bob: Service;

async function newService(name: string): Promise<Service> {
  const { organizationId } = api.managed;
  const workspace = await operator.createService({ organizationId, name, database: `of_${name}` });
  const key = api.keyOf({ ...api.managed, serviceId: workspace.serviceId });
  return {
    workspace,
    pipes: (method, path, body) =>
      key.call(
        method,
        `/organizations/${organizationId}/services/${workspace.serviceId}/pipes${path}`,
        body ? { body } : {},
      ),
  };
}

const pipeTo = (destination: object, columns = [{ name: 'id', type: 'UInt64' }]) => ({
  source: { kafka: { brokers: '127.0.0.1:9', topics: 'orders' } },
  destination: { columns, ...destination },
});

beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'telemetry' });
  api = await startApi({ telemetry: engine.telemetry });
  const { store, clock, ids, vault } = api;
  operator = operatorActions({ store, clock, ids, vault, actor: 'command line' });
  alice = await newService('alice');
  bob = await newService('bob');
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
