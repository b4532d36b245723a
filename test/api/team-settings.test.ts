import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit } from '../kit/api.ts';
import type { JsonAnswer } from '../kit/http.ts';
import { nobodysId } from '../kit/stack-objects.ts';

let api: ApiKit;
const clock = {
  time: Date.parse('2027-01-15T10:20:30.400Z'),
  now() {
    return this.time;
  },
};
beforeAll(async () => {
  api = await startApi({ clock });
});
afterAll(() => api.stop());

const withKey = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

describe('access keys', () => {
  it('are several per user, named, and shown once', async () => {
    const { status, json } = await api.call('POST', '/team/access-keys', {
      body: { name: 'deploy' },
    });
    expect(status).toBe(200);
    const { key, ...record } = json.data;
    expect(key).toMatch(/^slp_\w{40}$/);
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
      name: 'deploy',
      keySuffix: key.slice(-4),
      createdAt: '2027-01-15T10:20:30.400Z',
    });
    expect((await api.call('GET', '/team', withKey(key))).json.data).toEqual({
      id: api.teamId,
      name: 'default',
    });
    const list = await api.call('GET', '/team/access-keys');
    expect(list.json.data.map(({ name }: JsonAnswer) => name)).toEqual(['first key', 'deploy']);
    expect(list.text).not.toContain(key);
    expect(JSON.stringify(await api.store.identity.accessKeys(api.teamId))).not.toContain(key);
  });

  it('say when they were last used, to the minute', async () => {
    const { json } = await api.call('POST', '/team/access-keys', { body: { name: 'used' } });
    const find = async () =>
      (await api.call('GET', '/team/access-keys')).json.data.find(
        ({ id }: JsonAnswer) => id === json.data.id,
      );
    expect((await find()).usedAt).toBeUndefined();
    await api.call('GET', '/team', withKey(json.data.key));
    await api.usage.flush();
    expect((await find()).usedAt).toBe('2027-01-15T10:20:00.000Z');
  });

  it('are revoked at once, by their owner, except the one that makes the call', async () => {
    const { json } = await api.call('POST', '/team/access-keys', { body: { name: 'short-lived' } });
    const keyPath = `/team/access-keys/${json.data.id}`;
    expect((await api.call('GET', '/team', withKey(json.data.key))).status).toBe(200);
    expect((await api.call('DELETE', keyPath, withKey(json.data.key))).status).toBe(409);
    const mate = await api.newCaller(api.teamId);
    expect((await mate.call('DELETE', keyPath)).status).toBe(404);
    expect((await api.call('DELETE', keyPath)).text).toBe('{}');
    expect((await api.call('GET', '/team', withKey(json.data.key))).status).toBe(401);
    expect((await api.call('DELETE', keyPath)).status).toBe(404);
    expect((await api.call('DELETE', `/team/access-keys/${nobodysId}`)).status).toBe(404);
  });

  it('revoked on another node, are refused within a second', async () => {
    const { json } = await api.call('POST', '/team/access-keys', { body: { name: 'elsewhere' } });
    expect((await api.call('GET', '/team', withKey(json.data.key))).status).toBe(200);
    await api.store.identity.removeAccessKey(api.teamId, json.data.id);
    clock.time += 1000;
    expect((await api.call('GET', '/team', withKey(json.data.key))).status).toBe(401);
  });

  it("are one user's own", async () => {
    const mate = await api.newCaller(api.teamId);
    expect(
      (await mate.call('GET', '/team/access-keys')).json.data.map(({ name }: JsonAnswer) => name),
    ).toEqual(['key']);
  });

  it.each([{}, { name: '' }, { name: 7 }, { name: 'x'.repeat(256) }])(
    'need a name: %j',
    async (body) => {
      const { status, json } = await api.call('POST', '/team/access-keys', { body });
      expect(status).toBe(400);
      expect(json.errors[0].path).toBe('name');
    },
  );

  it('are at most a hundred', async () => {
    const caller = await api.newCaller();
    for (let key = 1; key < 100; key++) {
      expect(
        (await caller.call('POST', '/team/access-keys', { body: { name: `key ${key}` } })).status,
      ).toBe(200);
    }
    const { status, json } = await caller.call('POST', '/team/access-keys', {
      body: { name: 'one too many' },
    });
    expect(status).toBe(400);
    expect(json.message).toContain('100');
  });
});

describe('the ingestion key', () => {
  it('is shown, and replaced by another', async () => {
    const before = await api.call('GET', '/team/ingestion-key');
    expect(before.json.data.key).toBe(api.first.ingestionKey);
    const { json } = await api.call('POST', '/team/ingestion-key/rotate');
    expect(json.data.key).toMatch(/^sli_\w{40}$/);
    expect(json.data.key).not.toBe(before.json.data.key);
    expect((await api.call('GET', '/team/ingestion-key')).json).toEqual(json);
  });

  it('every read of it is on the audit trail, without the key', async () => {
    const lines = async () =>
      (await api.store.audit.list({ operation: 'getIngestionKey' }, { limit: 100, offset: 0 }))
        .items;
    const before = (await lines()).length;
    const shown = await api.call('GET', '/team/ingestion-key');
    const after = await lines();
    expect(after).toHaveLength(before + 1);
    expect(after[0]).toMatchObject({
      actor: { kind: 'user', id: api.userId },
      object: { kind: 'team', id: null },
      requestId: shown.headers.get('x-request-id'),
      outcome: 'success',
    });
    expect(JSON.stringify(after)).not.toContain(shown.json.data.key);
  });
});
