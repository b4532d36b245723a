import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../kit/eventually.ts';
import { http, type HttpAnswer } from '../kit/http.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { Program, type Server } from '../kit/program.ts';

/** Our process ends while it deletes a pipe whose PostgreSQL server is away. */

const organizationId = '11111111-1111-4111-8111-111111111111';
const serviceId = '22222222-2222-4222-8222-222222222222';
const key = { id: 'TESTKEYID0000000TEST', secret: 'test_key_secret_0000000000000000000000000000' };

let peer: PostgresPeer;
let program: Program;
let server: Server;
let tables = 0;

const onServer = async <Row extends object>(text: string): Promise<Row[]> => {
  const client = new Client({ connectionString: peer.url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
};
const call = (method: string, path = '', body?: object): Promise<HttpAnswer> =>
  http(
    method,
    `${server.api}/v1/organizations/${organizationId}/services/${serviceId}/pipes${path}`,
    {
      ...(body && { body }),
      headers: {
        authorization: `Basic ${Buffer.from(`${key.id}:${key.secret}`).toString('base64')}`,
      },
    },
  );

async function runningPipe(): Promise<{ id: string; name: string }> {
  const table = `orders_${++tables}`;
  await onServer(`CREATE TABLE ${table} (id int PRIMARY KEY, body text)`);
  const { status, text, json } = await call('POST', '', {
    source: {
      postgres: {
        host: '127.0.0.1',
        port: peer.port,
        database: 'postgres',
        credentials: { username: 'postgres', password: 'not asked for' },
        settings: { syncIntervalSeconds: 1 },
        tableMappings: [{ sourceSchemaName: 'public', sourceTable: table, targetTable: table }],
      },
    },
  });
  expect(status, text).toBe(200);
  const id = json.result.id as string;
  await until('Running', async () => (await call('GET', `/${id}`)).json.result.state === 'Running');
  return { id, name: `sightline_${id.replaceAll('-', '')}` };
}

/** Slots and publications of this name. */
const objects = async (name: string): Promise<string[]> =>
  (
    await onServer<{ name: string }>(
      `SELECT 'slot' AS name FROM pg_replication_slots WHERE slot_name = '${name}'
       UNION ALL SELECT 'publication' FROM pg_publication WHERE pubname = '${name}' ORDER BY 1`,
    )
  ).map((row) => row.name);

async function kill(): Promise<void> {
  server.child.kill('SIGKILL');
  await server.ended;
}
const isGone = async (id: string): Promise<boolean> => (await call('GET', `/${id}`)).status === 404;

describe.skipIf(postgresMissing())('a process that ends while it deletes a PostgreSQL pipe', () => {
  beforeAll(async () => {
    peer = await startPostgres({ wal_level: 'logical' });
    program = new Program({
      SIGHTLINE_EGRESS_ALLOW: '127.0.0.0/8',
      SIGHTLINE_BOOTSTRAP_ORGANIZATION_ID: organizationId,
      SIGHTLINE_BOOTSTRAP_SERVICE_ID: serviceId,
      SIGHTLINE_BOOTSTRAP_KEY_ID: key.id,
      SIGHTLINE_BOOTSTRAP_KEY_SECRET: key.secret,
    });
    server = await program.serve();
  });
  afterAll(async () => {
    await program?.remove();
    await peer?.remove();
  });

  it.each([
    ['stops', () => server.stop()],
    ['is killed', kill],
  ])('that %s goes on after its start, with a second DELETE meanwhile', async (_, end) => {
    const { id, name } = await runningPipe();
    await peer.stop();
    const deleted = await call('DELETE', `/${id}`);
    expect([deleted.status, deleted.json.message]).toEqual([200, expect.stringContaining(name)]);
    await end();
    server = await program.serve();

    expect((await call('GET', `/${id}`)).json.result).toMatchObject({ id, state: 'Deleting' });
    const again = await call('DELETE', `/${id}`);
    expect([again.status, again.json.message]).toEqual([200, expect.stringContaining(name)]);
    expect((await call('GET', `/${id}`)).json.result.state).toBe('Deleting');
    const shown = await until('the reason', async () => {
      const { stateMessage } = (await call('GET', `/${id}`)).json.result;
      return stateMessage as string | undefined;
    });
    expect(shown).toMatch(/^cannot remove replication slot .*force=true/);

    await peer.start();
    await until('the end', () => isGone(id), 90_000);
    expect(await objects(name)).toEqual([]);
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
  });

  it('that is killed between slot and publication removes the rest after its start', async () => {
    const { id, name } = await runningPipe();
    const holder = new Client({ connectionString: peer.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(`COMMENT ON PUBLICATION ${name} IS 'held'`);
    const deleted = call('DELETE', `/${id}`).catch(() => undefined);
    const waiting = await until('the clean-up to wait for the publication', async () => {
      const [row] = await onServer<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
         WHERE wait_event_type = 'Lock' AND query LIKE 'DROP PUBLICATION%'`,
      );
      return row?.pid;
    });
    expect(await objects(name)).toEqual(['publication']);
    await kill();
    await deleted;
    await onServer(`SELECT pg_terminate_backend(${waiting}, 10000)`);
    await holder.query('ROLLBACK');
    await holder.end();
    expect(await objects(name)).toEqual(['publication']);

    server = await program.serve();
    expect([200, 404]).toContain((await call('DELETE', `/${id}`)).status);
    await until('the end', () => isGone(id), 90_000);
    expect(await objects(name)).toEqual([]);
  });
});
