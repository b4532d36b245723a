import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit } from '../kit/api.ts';
import { until } from '../kit/eventually.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

/** A pipe is deleted while its PostgreSQL server is away: what callers see, and what remains there. */

let peer: PostgresPeer;
let engine: TestTelemetry;
let api: ApiKit;
let base: string;
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
const call = (method: string, path = '', body?: object) =>
  api.managed.call(method, `${base}${path}`, body === undefined ? {} : { body });

async function runningPipe(): Promise<{ id: string; name: string; table: string }> {
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
    destination: { database: 'telemetry' },
  });
  expect(status, text).toBe(200);
  const id = json.result.id as string;
  await until('Running', async () => (await call('GET', `/${id}`)).json.result.state === 'Running');
  return { id, name: `sightline_${id.replaceAll('-', '')}`, table };
}

/** Slots and publications of this name. */
const objects = async (name: string): Promise<string[]> =>
  (
    await onServer<{ name: string }>(
      `SELECT 'slot' AS name FROM pg_replication_slots WHERE slot_name = '${name}'
       UNION ALL SELECT 'publication' FROM pg_publication WHERE pubname = '${name}' ORDER BY 1`,
    )
  ).map((row) => row.name);

const deletingMetric = async (): Promise<string | undefined> =>
  /^sightline_pipes_deleting (\d+)$/m.exec(await (await fetch(`${api.url}/metrics`)).text())?.[1];

describe.skipIf(postgresMissing())('DELETE of a PostgreSQL pipe', () => {
  beforeAll(async () => {
    peer = await startPostgres({ wal_level: 'logical' });
    engine = await openTestTelemetry({ database: 'telemetry' });
    api = await startApi({ telemetry: engine.telemetry, pipes: true });
    base = `/organizations/${api.managed.organizationId}/services/${api.managed.serviceId}/pipes`;
  });
  afterAll(async () => {
    await api?.stop();
    await engine?.close();
    await peer?.remove();
  });

  it('answers when slot and publication are gone, if the server is there', async () => {
    const { id, name } = await runningPipe();
    expect(await objects(name)).toEqual(['publication', 'slot']);
    const { status, json } = await call('DELETE', `/${id}`);
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(['requestId', 'status']);
    expect(await objects(name)).toEqual([]);
    expect((await call('GET', `/${id}`)).status).toBe(404);
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
  });

  it('shows Deleting with the reason while the server is away, and cleans up when it returns', async () => {
    const { id, name, table } = await runningPipe();
    await peer.stop();
    const deleted = await call('DELETE', `/${id}`);
    expect(deleted.status).toBe(200);
    expect(Object.keys(deleted.json).sort()).toEqual(['message', 'requestId', 'status']);
    expect(deleted.json.message).toContain(`replication slot "${name}" and publication "${name}"`);

    const shown = await until('the reason', async () => {
      const { result } = (await call('GET', `/${id}`)).json;
      return result.stateMessage === undefined ? undefined : result;
    });
    expect(shown).toMatchObject({ id, state: 'Deleting' });
    expect(shown.stateMessage).toMatch(/^cannot remove replication slot .*force=true/);
    expect((await call('GET')).json.result).toEqual([
      expect.objectContaining({ id, state: 'Deleting' }),
    ]);
    expect(await until('the metric', deletingMetric)).toBe('1');
    expect(api.logLines.join('\n')).toContain('cannot clean up source of deleted pipe; retrying');

    expect((await call('DELETE', `/${id}`)).json.message).toBe(shown.stateMessage);
    const started = await call('PATCH', `/${id}/state`, { command: 'start' });
    expect(started.status).toBe(409);
    expect(started.json.error).toContain('the pipe is being deleted');

    await peer.start();
    await onServer(
      `INSERT INTO ${table} SELECT n, repeat('x', 1000) FROM generate_series(1, 20000) n`,
    );
    await until('the end', async () => (await call('GET', `/${id}`)).status === 404, 60_000);
    expect(await objects(name)).toEqual([]);
    expect((await call('GET')).json.result).toEqual([]);
    await until('the metric', async () => (await deletingMetric()) === '0');
  });

  it('gives up with force=true, and names the objects that remain', async () => {
    const { id, name } = await runningPipe();
    await peer.stop();
    await call('DELETE', `/${id}`);
    const given = await call('DELETE', `/${id}?force=true`);
    expect(given.status).toBe(200);
    expect(given.json.message).toBe(
      `The server did not remove replication slot "${name}" and publication "${name}" at the source. ` +
        'Remove them yourself.',
    );
    expect((await call('GET', `/${id}`)).status).toBe(404);
    await until('forgotten', async () => (await deletingMetric()) === '0');
    await peer.start();
    expect(await objects(name)).toEqual(['publication', 'slot']);
    await onServer(`SELECT pg_drop_replication_slot('${name}')`);
    await onServer(`DROP PUBLICATION ${name}`);
  });

  it('cleans up with credentials that a PATCH mends during the deletion', async () => {
    const { id, name } = await runningPipe();
    const moved = { host: '127.0.0.1', port: 1 };
    expect((await call('PATCH', `/${id}`, { source: { postgres: moved } })).status).toBe(200);
    expect((await call('DELETE', `/${id}`)).json.message).toContain(name);
    const back = await call('PATCH', `/${id}`, { source: { postgres: { port: peer.port } } });
    expect(back.json.result.state).toBe('Deleting');
    await until('the end', async () => (await call('GET', `/${id}`)).status === 404, 60_000);
    expect(await objects(name)).toEqual([]);
  });

  it('removes a pipe at once whose server has never answered', async () => {
    const { json } = await call('POST', '', {
      source: {
        postgres: {
          host: '127.0.0.1',
          port: 1,
          database: 'postgres',
          credentials: { username: 'postgres', password: 'x' },
          tableMappings: [{ sourceSchemaName: 'public', sourceTable: 't', targetTable: 't' }],
        },
      },
      destination: { database: 'telemetry' },
    });
    const { id } = json.result;
    await until(
      'trouble',
      async () => (await call('GET', `/${id}`)).json.result.state === 'Degraded',
    );
    const { json: answer } = await call('DELETE', `/${id}`);
    expect(Object.keys(answer).sort()).toEqual(['requestId', 'status']);
    expect((await call('GET', `/${id}`)).status).toBe(404);
    await until('forgotten', async () => (await deletingMetric()) === '0');
  });
});
