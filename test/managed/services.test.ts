import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKit, TestKey } from '../kit/api.ts';
import { startApiWithEngine, type ApiWithEngine } from '../kit/api-with-engine.ts';

let kit: ApiWithEngine;
let api: ApiKit;
let admin: TestKey;
let stranger: TestKey;
beforeAll(async () => {
  kit = await startApiWithEngine();
  api = kit.api;
  admin = api.managed;
  stranger = await api.newKey(['admin'], await api.newOrganization());
});
afterAll(() => kit.stop());

const path = (serviceId: string) => `/organizations/${admin.organizationId}/services/${serviceId}`;
const services = async (key: TestKey) => (await key.organization('GET', '/services')).json.result;
const create = async (name: string) =>
  (await admin.organization('POST', '/services', { body: { name } })).json.result;

describe('a new service', () => {
  it('has a team, a database with tables, sources over them and an ingestion key', async () => {
    const made = await create('  staging ');
    const { ingestionKey, ...service } = made;
    expect(service).toEqual({
      id: expect.any(String),
      name: 'staging',
      state: 'running',
      organizationId: admin.organizationId,
      team: expect.stringMatching(/^[0-9a-f]{24}$/),
      database: `sightline_${made.id.slice(0, 8)}`,
      createdAt: expect.any(String),
    });
    expect(ingestionKey).toMatch(/^sli_/);
    expect((await admin.call('GET', path(made.id))).json.result).toEqual(service);
    const sources = (await admin.call('GET', `${path(made.id)}/stack/sources`)).json.result;
    expect(sources.map((one: { from: { databaseName: string } }) => one.from.databaseName)).toEqual(
      [made.database, made.database, made.database],
    );
    const columns = await kit.engine.telemetry.columns(made.database, 'otel_logs');
    expect(columns.map(({ name }) => name)).toContain('Body');
  });

  it('belongs to its organization only', async () => {
    const made = await create('own');
    expect((await services(admin)).map(({ id }: { id: string }) => id)).toContain(made.id);
    expect((await services(stranger)).map(({ id }: { id: string }) => id)).not.toContain(made.id);
    for (const method of ['GET', 'PATCH'] as const) {
      const options = method === 'PATCH' ? { body: { name: 'taken' } } : {};
      const { status, json } = await stranger.call(
        method,
        `/organizations/${stranger.organizationId}/services/${made.id}`,
        options,
      );
      expect([status, json.error]).toEqual([400, expect.stringContaining('does not belong')]);
    }
  });

  it('is on the audit trail, without its key', async () => {
    const made = await create('audited');
    const lines = (await admin.organization('GET', `/activities?objectId=${made.id}`)).json.result;
    expect(lines).toMatchObject([{ operation: 'createService', outcome: 'success' }]);
    expect(JSON.stringify(lines)).not.toContain(made.ingestionKey);
  });

  it.each([
    [{}, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: 'ok', database: 'telemetry' }, 'database'],
  ])('is not created from %j', async (body, field) => {
    const before = (await services(admin)).length;
    const { status, json } = await admin.organization('POST', '/services', { body });
    expect([status, json.errors?.[0]?.path ?? json.error]).toEqual([
      400,
      expect.stringContaining(field),
    ]);
    expect((await services(admin)).length).toBe(before);
  });
});

describe('names', () => {
  it('of a service and of its team are one', async () => {
    const { status, json } = await admin.call('PATCH', path(admin.serviceId), {
      body: { name: ' production ' },
    });
    expect([status, json.result.name]).toEqual([200, 'production']);
    expect((await api.call('GET', '/team')).json.data.name).toBe('production');
    const unchanged = await admin.call('PATCH', path(admin.serviceId), { body: {} });
    expect(unchanged.json.result.name).toBe('production');
  });

  it('of an organization change for it alone', async () => {
    const before = (await stranger.organization('GET', '')).json.result;
    const { status, json } = await admin.organization('PATCH', '', { body: { name: 'Shops' } });
    expect([status, json.result.name]).toEqual([200, 'Shops']);
    expect((await admin.organization('GET', '')).json.result.name).toBe('Shops');
    expect((await stranger.organization('GET', '')).json.result).toEqual(before);
    const theirs = await stranger.call('PATCH', `/organizations/${admin.organizationId}`, {
      body: { name: 'taken' },
    });
    expect([theirs.status, theirs.json.error]).toEqual([
      400,
      expect.stringContaining('does not belong'),
    ]);
    expect((await admin.organization('GET', '')).json.result.name).toBe('Shops');
  });
});
