import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit, type TestKey } from '../kit/api.ts';

let api: ApiKit;
let admin: TestKey;
/** Moved forward by tests about time. */
let aheadMs = 0;
beforeAll(async () => {
  api = await startApi({ clock: { now: () => Date.now() + aheadMs } });
  admin = api.managed;
});
afterAll(() => api.stop());

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('base64');
const create = (body: object = {}) => admin.organization('POST', '/keys', { body });

describe('the fields of an API key', () => {
  it('a new key is enabled, a developer, never expires, and shows its id and secret once', async () => {
    const { status, json, headers } = await create();
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(['requestId', 'result', 'status']);
    expect(json.status).toBe(200);
    expect(json.requestId).toMatch(uuid4);
    expect(headers.get('x-request-id')).toBe(json.requestId);
    expect(headers.get('etag')).toBe('"1"');
    const { key, keyId, keySecret } = json.result;
    expect(keyId).toHaveLength(20);
    expect(keySecret.length).toBeGreaterThanOrEqual(40);
    expect(key).toEqual({
      id: key.id,
      name: '',
      state: 'enabled',
      roles: ['developer'],
      keySuffix: keyId.slice(-4),
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      expireAt: null,
      ipAccessList: [],
    });
    const answers = [
      await admin.organization('GET', `/keys/${key.id}`),
      await admin.organization('GET', '/keys'),
      await admin.organization('PATCH', `/keys/${key.id}`, { body: { name: 'renamed' } }),
    ];
    for (const { text } of answers) {
      for (const hidden of [keyId, keySecret, sha256(keyId), sha256(keySecret)]) {
        expect(text).not.toContain(hidden);
      }
    }
    expect(answers[0]!.json.result).toEqual(key);
    expect(answers[2]!.json.result).toEqual({ ...key, name: 'renamed' });
    expect(
      JSON.stringify(await api.store.identity.organizationKey(admin.organizationId, key.id)),
    ).not.toContain(keySecret);
  });

  it('an update merges; lists are replaced whole; null and empty both mean never', async () => {
    const { json } = await create({
      name: 'a',
      roles: ['developer', 'query_endpoints', 'developer'],
      expireAt: '2030-01-02T03:04:05+02:00',
      state: 'disabled',
      ipAccessList: [{ source: '10.0.0.0/8', description: 'inside' }, { source: '2001:db8::1' }],
    });
    const { key } = json.result;
    expect(key).toMatchObject({
      roles: ['developer', 'query_endpoints'],
      expireAt: '2030-01-02T01:04:05.000Z',
      state: 'disabled',
      ipAccessList: [{ source: '10.0.0.0/8', description: 'inside' }, { source: '2001:db8::1' }],
    });
    const patch = async (body: object) =>
      (await admin.organization('PATCH', `/keys/${key.id}`, { body })).json.result;
    expect(await patch({})).toEqual(key);
    expect(await patch({ state: 'enabled' })).toEqual({ ...key, state: 'enabled' });
    expect((await patch({ ipAccessList: [{ source: '::/0' }] })).ipAccessList).toEqual([
      { source: '::/0' },
    ]);
    expect((await patch({ ipAccessList: [] })).ipAccessList).toEqual([]);
    expect((await patch({ roles: ['admin'] })).roles).toEqual(['admin']);
    expect((await patch({ expireAt: '' })).expireAt).toBeNull();
    await patch({ expireAt: '2031-01-01T00:00:00Z' });
    expect((await patch({ expireAt: null })).expireAt).toBeNull();
  });

  it('a caller may bring the hashes of its own id and secret, and gets neither back', async () => {
    const [keyId, keySecret] = ['my-own-id', 'ünï-secret-that-only-i-know'];
    const { json } = await create({
      name: 'own',
      roles: ['admin'],
      hashData: { keyIdHash: sha256(keyId), keyIdSuffix: 'n-id', keySecretHash: sha256(keySecret) },
    });
    expect(Object.keys(json.result)).toEqual(['key']);
    expect(json.result.key.keySuffix).toBe('n-id');
    const own = api.keyOf({ ...admin, id: json.result.key.id, keyId, keySecret });
    expect((await own.organization('GET', '')).status).toBe(200);
    const again = await create({
      hashData: { keyIdHash: sha256(keyId), keyIdSuffix: 'n-id', keySecretHash: sha256('other') },
    });
    expect(again.status).toBe(409);
    expect(again.json.error).toMatch(/^CONFLICT: /);
  });
});

describe('a bad API key', () => {
  it.each([
    [{ roles: [] }, 'roles'],
    [{ roles: ['owner'] }, 'roles.0'],
    [{ roles: 'admin' }, 'roles'],
    [{ state: 'Enabled' }, 'state'],
    [{ name: 5 }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ expireAt: '2030-01-01' }, 'expireAt'],
    [{ expireAt: '2030-01-01T00:00:00' }, 'expireAt'],
    [{ expireAt: 'soon' }, 'expireAt'],
    [{ expireAt: 1893456000000 }, 'expireAt'],
    [{ expireAt: '2030-02-30T00:00:00Z' }, 'expireAt'],
    [{ hashData: {} }, 'hashData.keyIdHash'],
    [{ hashData: { keyIdHash: sha256('a'), keySecretHash: sha256('b') } }, 'hashData.keyIdSuffix'],
    [
      { hashData: { keyIdHash: sha256('a'), keyIdSuffix: 'abcde', keySecretHash: sha256('b') } },
      'hashData.keyIdSuffix',
    ],
    [
      {
        hashData: {
          keyIdHash: createHash('sha256').update('a').digest('hex'),
          keyIdSuffix: 'abcd',
          keySecretHash: sha256('b'),
        },
      },
      'hashData.keyIdHash',
    ],
    [
      {
        hashData: {
          keyIdHash: sha256('a').replace('=', ''),
          keyIdSuffix: 'abcd',
          keySecretHash: sha256('b'),
        },
      },
      'hashData.keyIdHash',
    ],
    [
      {
        hashData: {
          keyIdHash: createHash('sha1').update('a').digest('base64'),
          keyIdSuffix: 'abcd',
          keySecretHash: sha256('b'),
        },
      },
      'hashData.keyIdHash',
    ],
    [{ ipAccessList: [{ source: '10.0.0.0/33' }] }, 'ipAccessList.0.source'],
    [{ ipAccessList: [{ source: '10.0.0' }] }, 'ipAccessList.0.source'],
    [{ ipAccessList: [{ source: '::1' }, { source: 'localhost' }] }, 'ipAccessList.1.source'],
    [{ ipAccessList: [{ source: '::1/129' }] }, 'ipAccessList.0.source'],
    [{ ipAccessList: [{ description: 'x' }] }, 'ipAccessList.0.source'],
    [{ ipAccessList: ['10.0.0.1'] }, 'ipAccessList.0'],
    [{ ipAccessList: null }, 'ipAccessList'],
    [{ names: 'x' }, 'names'],
    [{ ipAccessList: [{ source: '::1', note: 'x' }] }, 'ipAccessList.0.note'],
    [{ keySecret: 'x' }, 'keySecret'],
    [{ id: 'x' }, 'id'],
  ])('%j is refused naming %s', async (body, path) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatch(/^BAD_REQUEST: /);
    expect(answer.json.error).toContain(`${path}: `);
    expect(answer.json.errors.map((issue: { path: string }) => issue.path)).toContain(path);
    expect(answer.json).not.toHaveProperty('result');
  });

  it('an update refuses what is no field of it, hashData included', async () => {
    const { json } = await create();
    for (const body of [
      { hashData: { keyIdHash: sha256('a'), keyIdSuffix: 'abcd', keySecretHash: sha256('b') } },
      { id: json.result.key.id },
      { keySuffix: 'abcd' },
      { usedAt: '2026-03-14T09:26:53.589Z' },
    ]) {
      const { status, json: answer } = await admin.organization(
        'PATCH',
        `/keys/${json.result.key.id}`,
        { body },
      );
      expect([status, answer.errors[0].path]).toEqual([400, Object.keys(body)[0]]);
    }
  });
});

describe('API keys in use', () => {
  it('disabling, enabling, expiry, roles and deletion are in force with the next request', async () => {
    const { json } = await create({ roles: ['admin'] });
    const { key, keyId, keySecret } = json.result;
    const user = api.keyOf({ ...admin, id: key.id, keyId, keySecret });
    const patch = (body: object) => admin.organization('PATCH', `/keys/${key.id}`, { body });
    const status = async () => (await user.organization('GET', '/keys')).status;
    expect(await status()).toBe(200);
    await patch({ state: 'disabled' });
    expect(await status()).toBe(401);
    await patch({ state: 'enabled' });
    expect(await status()).toBe(200);
    await patch({ expireAt: new Date(Date.now() - 1000).toISOString() });
    expect(await status()).toBe(401);
    await patch({ expireAt: null, roles: ['query_endpoints'] });
    expect(await status()).toBe(403);
    await patch({ roles: ['developer'] });
    expect(await status()).toBe(200);
    expect((await user.organization('POST', '/keys', { body: {} })).status).toBe(403);
    await patch({ ipAccessList: [{ source: '192.0.2.1' }] });
    expect(await status()).toBe(403);
    await patch({ ipAccessList: [{ source: '127.0.0.0/8' }] });
    expect(await status()).toBe(200);
    const removed = await admin.organization('DELETE', `/keys/${key.id}`);
    expect(removed.json).toEqual({ status: 200, requestId: expect.stringMatching(uuid4) });
    expect(await status()).toBe(401);
    expect((await admin.organization('GET', `/keys/${key.id}`)).status).toBe(404);
    expect((await admin.organization('DELETE', `/keys/${key.id}`)).status).toBe(404);
  });

  it('a change made by another process is in force within a second', async () => {
    const developer = await api.newKey(['developer']);
    expect((await developer.organization('GET', '/keys')).status).toBe(200);
    await api.store.identity.removeOrganizationKey(developer.organizationId, developer.id);
    aheadMs += 1000;
    expect((await developer.organization('GET', '/keys')).status).toBe(401);
  });

  it('a key cannot delete itself', async () => {
    const { status, json } = await admin.organization('DELETE', `/keys/${admin.id}`);
    expect([status, json.error.slice(0, 9)]).toEqual([409, 'CONFLICT:']);
    expect((await admin.organization('GET', '')).status).toBe(200);
  });

  it('its last use shows, to the minute', async () => {
    const developer = await api.newKey(['developer']);
    expect(
      (await admin.organization('GET', `/keys/${developer.id}`)).json.result,
    ).not.toHaveProperty('usedAt');
    await developer.organization('GET', '');
    await api.usage.flush();
    const { usedAt } = (await admin.organization('GET', `/keys/${developer.id}`)).json.result;
    expect(usedAt).toMatch(/T\d\d:\d\d:00\.000Z$/);
    expect(Math.abs(Date.parse(usedAt) - Date.now())).toBeLessThan(120_000);
  });

  it('a stale If-Match is a 412, a fresh one passes, and none lets the last write win', async () => {
    const { json } = await create();
    const path = `/keys/${json.result.key.id}`;
    const first = await admin.organization('PATCH', path, {
      body: { name: 'one' },
      headers: { 'if-match': '"1"' },
    });
    expect([first.status, first.headers.get('etag')]).toEqual([200, '"2"']);
    const stale = await admin.organization('PATCH', path, {
      body: { name: 'two' },
      headers: { 'if-match': '"1"' },
    });
    expect([stale.status, stale.json.error.slice(0, 9)]).toEqual([412, 'CONFLICT:']);
    expect(
      (await admin.organization('DELETE', path, { headers: { 'if-match': '"1"' } })).status,
    ).toBe(412);
    expect(
      (await admin.organization('PATCH', path, { body: { name: 'three' } })).json.result.name,
    ).toBe('three');
    expect(
      (await admin.organization('DELETE', path, { headers: { 'if-match': '"3"' } })).status,
    ).toBe(200);
  });
});

describe('the keys of an organization', () => {
  it('the same Idempotency-Key creates one key and answers its secret again', async () => {
    const before = (await admin.organization('GET', '/keys')).json.result.length;
    const call = () =>
      admin.organization('POST', '/keys', {
        body: { name: 'once' },
        headers: { 'idempotency-key': 'abc' },
      });
    const [first, second] = [await call(), await call()];
    expect(second.json.result).toEqual(first.json.result);
    expect((await admin.organization('GET', '/keys')).json.result.length).toBe(before + 1);
  });

  it('lists are pages, in creation order, with the total beside them', async () => {
    const all = await admin.organization('GET', '/keys');
    const total = all.json.result.length;
    expect(all.headers.get('x-total-count')).toBe(String(total));
    const page = await admin.organization('GET', '/keys?limit=2&offset=1');
    expect(page.json.result).toEqual(all.json.result.slice(1, 3));
    for (const query of ['limit=0', 'limit=1001', 'offset=-1', 'limit=x']) {
      expect((await admin.organization('GET', `/keys?${query}`)).status).toBe(400);
    }
  });

  it('the 101st key of an organization is refused', async () => {
    const other = await api.newOrganization();
    const owner = await api.newKey(['admin'], other);
    for (let made = 1; made < 100; made++) {
      expect((await owner.organization('POST', '/keys', { body: {} })).status).toBe(200);
    }
    const { status, json } = await owner.organization('POST', '/keys', { body: {} });
    expect(status).toBe(400);
    expect(json.error).toContain('100 keys');
  });
});

describe('organizations and services', () => {
  it('a key finds the ids of its organization and services', async () => {
    const organizations = (await admin.call('GET', '/organizations')).json.result;
    expect(organizations).toEqual([
      { id: admin.organizationId, name: 'Sightline', createdAt: expect.any(String) },
    ]);
    expect((await admin.organization('GET', '')).json.result).toEqual(organizations[0]);
    const services = (await admin.organization('GET', '/services')).json.result;
    expect(services[0]).toEqual({
      id: admin.serviceId,
      name: 'default',
      organizationId: admin.organizationId,
      team: api.teamId,
      database: 'telemetry',
      state: 'running',
      createdAt: expect.any(String),
    });
    expect((await admin.organization('GET', `/services/${admin.serviceId}`)).json.result).toEqual(
      services[0],
    );
    expect(
      (await admin.organization('GET', `/services/${admin.serviceId.toUpperCase()}`)).json.result,
    ).toEqual(services[0]);
  });
});
