import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { Program, until, type Server } from '../kit/program.ts';

const accessKey = 'slp_test_access_key_000000000000000000000000';
const ingestionKey = 'sli_test_ingestion_key_0000000000000000000000';
const logLine = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: `${Date.now()}000000`, body: { stringValue: 'sent' } }] }] }] });

describe.skipIf(postgresMissing())('two processes on one PostgreSQL', () => {
  let postgres: PostgresPeer;
  let programs: Program[] = [];
  let servers: Server[] = [];
  const get = (server: Server, path = '/api/v2/sources', key = accessKey) => fetch(`${server.api}${path}`, { headers: { authorization: `Bearer ${key}` } });
  const send = async (server: Server) => (await fetch(`${server.otlpHttp}/v1/logs`, { method: 'POST', headers: { 'content-type': 'application/json', authorization: ingestionKey }, body: logLine })).status;

  beforeAll(async () => {
    postgres = await startPostgres();
    const shared = { SIGHTLINE_DATABASE_URL: await postgres.createDatabase(), SIGHTLINE_SECRET_KEY: randomBytes(32).toString('base64'), SIGHTLINE_BOOTSTRAP_ACCESS_KEY: accessKey, SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey };
    programs = [new Program(shared), new Program(shared)];
    servers = await Promise.all(programs.map((program) => program.serve()));
  });
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.remove()));
    await postgres?.remove();
  });

  it('that race for the first start: one fills the store, and both serve it', async () => {
    expect(servers.filter(({ banner }) => banner.includes('First start'))).toHaveLength(1);
    const lists = await Promise.all(servers.map(async (server) => (await get(server)).json()));
    expect(lists[0]).toEqual(lists[1]);
  });

  it('a key revoked through one is refused by the other within two seconds', async () => {
    const [one, other] = servers as [Server, Server];
    const made = (await (await fetch(`${one.api}/api/v2/team/access-keys`, { method: 'POST', headers: { authorization: `Bearer ${accessKey}`, 'content-type': 'application/json' }, body: '{"name":"short-lived"}' })).json()) as { data: Record<string, string> };
    const key = Object.values(made.data).find((value) => String(value).startsWith('slp_'))!;
    expect((await get(other, '/api/v2/sources', key)).status).toBe(200);
    expect((await fetch(`${one.api}/api/v2/team/access-keys/${made.data['id']}`, { method: 'DELETE', headers: { authorization: `Bearer ${accessKey}` } })).status).toBe(200);
    await until('the other to refuse it', async () => ((await get(other, '/api/v2/sources', key)).status === 401 ? true : undefined), 2000);
  });

  it('while the store is away they answer 503 with Retry-After, stay alive, and recover by themselves', async () => {
    const [server] = servers as [Server, Server];
    expect(await send(server)).toBe(200);
    await postgres.stop('immediate');
    const ready = await until('/ready to notice', async () => { const answer = await get(server, '/ready'); return answer.status === 503 ? answer : undefined; });
    expect(await ready.json()).toEqual({ status: 'unavailable', failing: ['store'] });
    const refused = await get(server);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect((await get(server, '/health')).status).toBe(200);
    expect([200, 503]).toContain(await send(server));
    await postgres.start();
    await until('recovery', async () => ((await get(server)).status === 200 && (await get(server, '/ready')).status === 200 && (await send(server)) === 200 ? true : undefined));
    expect(servers.map(({ child }) => child.exitCode)).toEqual([null, null]);
  });
});
