import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/drivers/sqlite.ts';
import { Fault } from '../../src/contract/errors.ts';
import { allActivities } from '../../src/core/audit/audit.ts';
import { operatorActions } from '../../src/core/identity/operator-actions.ts';
import { startApi, type ApiKit, type TestKey } from '../kit/api.ts';

let api: ApiKit;
let admin: TestKey;
beforeAll(async () => {
  api = await startApi({ auditLimits: { linesPerWindow: 20, windowMs: 3_600_000 } });
  admin = api.managed;
});
afterAll(() => api.stop());

const activities = async (query = '', key = admin) =>
  (await key.organization('GET', `/activities${query}`)).json.result;
const webhook = (name: string) => ({
  name,
  service: 'generic',
  url: 'https://hooks.example.com/x',
});

describe('the audit trail of changes', () => {
  it('a change over the managed surface records actor, action, object, time, address and outcome', async () => {
    const before = Date.now();
    const { json } = await admin.organization('POST', '/keys', { body: { name: 'recorded' } });
    const { key, keyId, keySecret } = json.result;
    const [line] = await activities('?operation=createKey&limit=1');
    expect(line).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      actor: { kind: 'key', id: admin.id, name: 'first key' },
      operation: 'createKey',
      object: { kind: 'key', id: key.id },
      address: '127.0.0.1',
      requestId: json.requestId,
      outcome: 'success',
      count: 1,
    });
    expect(Date.parse(line.createdAt)).toBeGreaterThanOrEqual(before - 1);
    await admin.organization('PATCH', `/keys/${key.id.toUpperCase()}`, {
      body: { state: 'disabled' },
    });
    await admin.organization('DELETE', `/keys/${key.id}`);
    expect(
      (await activities(`?objectId=${key.id}`)).map(
        ({ operation }: { operation: string }) => operation,
      ),
    ).toEqual(['deleteKey', 'updateKey', 'createKey']);
    const everything = JSON.stringify(await activities());
    for (const secret of [keyId, keySecret]) {
      expect(everything).not.toContain(secret);
    }
  });

  it('a change over the open-source surface is on the same record, with its user and service', async () => {
    const { json } = await api.call('POST', '/webhooks', { body: webhook('seen') });
    const [line] = await activities(`?objectId=${json.data.id}`);
    expect(line).toMatchObject({
      actor: { kind: 'user', id: api.userId, name: 'admin@sightline.local' },
      operation: 'createWebhook',
      object: { kind: 'webhook', id: json.data.id },
      serviceId: admin.serviceId,
      outcome: 'success',
    });
  });

  it('reading leaves no line, and neither does preparing one', async () => {
    const total = (await activities()).length;
    await api.call('GET', '/webhooks');
    await admin.organization('GET', '/keys');
    expect((await activities()).length).toBe(total);
  });
});

describe('the audit trail of refusals', () => {
  it('what was refused or failed is on record too, gathered', async () => {
    const developer = await api.newKey(['developer']);
    for (let time = 0; time < 3; time++) {
      await developer.organization('POST', '/keys', { body: {} });
    }
    await admin.organization('POST', '/keys', { body: { roles: [] } });
    const missing = '00000000-0000-4000-8000-000000000000';
    await admin.organization('DELETE', `/keys/${missing}`);
    const wrong = api.keyOf({ ...developer, keySecret: 'wrong' });
    for (let time = 0; time < 4; time++) {
      await wrong.organization('GET', '/keys');
    }
    await api.call('GET', '/webhooks', {
      headers: { authorization: 'Bearer nobody-has-this-key' },
    });
    await admin.call('GET', `/organizations/${missing}/keys`);
    await api.trail.flush();
    const lines = await activities('?outcome=denied');
    expect(lines).toContainEqual(
      expect.objectContaining({
        actor: { kind: 'key', id: developer.id, name: 'developer' },
        operation: 'createKey',
        code: 'forbidden',
        count: 3,
        address: '127.0.0.1',
      }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({
        actor: { kind: 'key', id: developer.id, name: 'developer' },
        operation: 'authenticate',
        code: 'unauthorized',
        count: 4,
      }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({
        actor: expect.objectContaining({ id: admin.id }),
        operation: 'authenticate',
        code: 'bad_request',
        count: 1,
      }),
    );
    const failures = await activities('?outcome=failure');
    expect(failures).toContainEqual(
      expect.objectContaining({ operation: 'createKey', code: 'bad_request', count: 1 }),
    );
    expect(failures).toContainEqual(
      expect.objectContaining({
        operation: 'deleteKey',
        object: { kind: 'key', id: missing },
        code: 'not_found',
      }),
    );
    const everybody = await allActivities(api.store, { limit: 100, offset: 0, outcome: 'denied' });
    expect(everybody.items).toContainEqual(
      expect.objectContaining({
        actor: { kind: 'anonymous' },
        operation: 'authenticate',
        code: 'unauthorized',
      }),
    );
    expect(JSON.stringify(everybody)).not.toContain('nobody-has-this-key');
  });

  it('a flood of refusals writes few lines, and takes none from an organization', async () => {
    const { total } = await allActivities(api.store, { limit: 1, offset: 0 });
    const developer = await api.newKey(['developer']);
    const ids = Array.from(
      { length: 200 },
      (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    );
    for (const id of ids) {
      api.trail.credentialRefused({
        address: `192.0.2.${Number(id.slice(-3))}`,
        fault: new Fault('unauthorized', 'x'),
      });
    }
    for (const id of ids) {
      await admin.organization('DELETE', `/keys/${id}`);
    }
    await developer.organization('POST', '/keys', { body: {} });
    await api.trail.flush();
    const after = await allActivities(api.store, { limit: 200, offset: 0 });
    const written = after.items.slice(0, after.total - total);
    expect(written.length).toBeLessThanOrEqual(2 * 20 + 3);
    expect(written.reduce((sum, { count }) => sum + count, 0)).toBe(401);
    expect(
      written
        .filter(({ operation }) => operation === 'various')
        .map(({ organizationId, count }) => [organizationId, count])
        .sort(),
    ).toEqual(
      [
        [undefined, 180],
        [admin.organizationId, 180],
        [admin.organizationId, 1],
      ].sort(),
    );
  });
});

describe('the audit trail as its organization reads it', () => {
  it('an organization reads its own activities only, by whoever may read', async () => {
    const other = await api.newOrganization();
    const [owner, endpoints] = [
      await api.newKey(['admin'], other),
      await api.newKey(['query_endpoints']),
    ];
    expect(await activities('', owner)).toEqual([]);
    await owner.organization('POST', '/keys', { body: {} });
    expect(await activities('', owner)).toHaveLength(1);
    expect((await endpoints.organization('GET', '/activities')).status).toBe(403);
    expect((await activities('', await api.newKey(['developer']))).length).toBeGreaterThan(1);
    expect(
      (await owner.call('GET', `/organizations/${admin.organizationId}/activities`)).status,
    ).toBe(400);
  });

  it('pages and filters; a bad filter is a 400 naming it', async () => {
    const answer = await admin.organization('GET', '/activities?limit=2&offset=1');
    expect(answer.json.result).toEqual((await activities()).slice(1, 3));
    expect(Number(answer.headers.get('x-total-count'))).toBe((await activities()).length);
    for (const [query, path] of [
      ['outcome=ok', 'outcome'],
      ['from=yesterday', 'from'],
      ['to=2026-01-01', 'to'],
      ['actorKind=robot', 'actorKind'],
      ['serviceId=1', 'serviceId'],
      ['limit=0', 'limit'],
    ]) {
      const { status, json } = await admin.organization('GET', `/activities?${query}`);
      expect([status, json.errors[0].path]).toEqual([400, path]);
    }
    const newest = (await activities('?limit=1'))[0];
    expect(await activities(`?to=${encodeURIComponent('2020-01-01T00:00:00+01:00')}`)).toEqual([]);
    expect((await activities(`?from=${newest.createdAt}`))[0]).toEqual(newest);
  });
});

describe('the audit trail is kept with the change, and unchanged', () => {
  it('a change and its line are one: when the line cannot be written, nothing has changed', async () => {
    let diskIsFull = false;
    const broken = await startApi({
      through: (store) => ({
        ...store,
        transaction: (work) =>
          store.transaction((parts) =>
            work({
              ...parts,
              audit: {
                ...parts.audit,
                append: (entry) =>
                  diskIsFull ? Promise.reject(new Error('disk full')) : parts.audit.append(entry),
              },
            }),
          ),
      }),
    });
    diskIsFull = true;
    try {
      const { status, json } = await broken.managed.organization('POST', '/keys', {
        body: { name: 'lost' },
      });
      expect([status, json.error.slice(0, 9)]).toEqual([500, 'INTERNAL:']);
      expect((await broken.managed.organization('GET', '/keys')).json.result).toHaveLength(1);
      expect((await broken.call('POST', '/webhooks', { body: webhook('lost') })).status).toBe(500);
      expect((await broken.call('GET', '/webhooks')).json.data).toEqual([]);
    } finally {
      await broken.stop();
    }
  });

  it("what the operator does without the API is on record as the system's, with its change", async () => {
    const { store, clock, ids, vault } = api;
    const actions = operatorActions({ store, clock, ids, vault, actor: 'command line' });
    const organization = await actions.createOrganization('by hand');
    const workspace = await actions.createService({
      organizationId: organization.id,
      name: 'by hand',
      database: 'by_hand',
    });
    const ingestionKey = await actions.rotateIngestionKey(workspace);
    expect(await actions.showIngestionKey(workspace)).toBe(ingestionKey);
    const { key, keyId, keySecret } = await actions.createKey({
      organizationId: organization.id,
      name: 'by hand',
      roles: ['admin'],
    });
    await expect(
      actions.deleteKey(organization.id, '11111111-2222-4333-8444-555555555555'),
    ).rejects.toThrow('key not found');
    const lines = (
      await activities(
        '',
        api.keyOf({
          ...admin,
          organizationId: organization.id,
          serviceId: workspace.serviceId,
          keyId,
          keySecret,
        }),
      )
    ).toReversed();
    expect(
      lines.map(({ actor, operation, object, outcome }: Record<string, unknown>) => ({
        actor,
        operation,
        object,
        outcome,
      })),
    ).toEqual(
      [
        ['createOrganization', { kind: 'organization', id: organization.id }],
        ['createService', { kind: 'service', id: workspace.serviceId }],
        ['rotateIngestionKey', { kind: 'ingestionKey' }],
        ['getIngestionKey', { kind: 'ingestionKey' }],
        ['createKey', { kind: 'key', id: key.id }],
      ].map(([operation, object]) => ({
        actor: { kind: 'system', id: 'command line' },
        operation,
        object,
        outcome: 'success',
      })),
    );
    expect(JSON.stringify(lines)).not.toContain(keySecret);
    expect(JSON.stringify(lines)).not.toContain(ingestionKey);
  });

  it('the database refuses to change a line, and to delete one of a success', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sightline-audit-'));
    try {
      const path = join(folder, 'store.db');
      const store = await openSqliteStore({ path });
      const line = {
        atMs: 1,
        organizationId: null,
        serviceId: null,
        actor: { kind: 'system' as const, id: null, name: null },
        operation: 'x',
        object: { kind: 'x', id: null },
        address: null,
        requestId: null,
        code: null,
        count: 1,
      };
      await store.audit.append([
        { ...line, id: 'a', outcome: 'success' },
        { ...line, id: 'b', outcome: 'denied' },
      ]);
      await store.close();
      const database = new Database(path);
      expect(() => database.exec("update audit set actor_name = 'somebody else'")).toThrow(
        'append-only',
      );
      expect(() => database.exec('delete from audit')).toThrow('append-only');
      expect(() =>
        database.exec("insert or replace into audit select * from audit where id = 'a'"),
      ).toThrow('append-only');
      database.exec("delete from audit where outcome = 'denied'");
      database.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
