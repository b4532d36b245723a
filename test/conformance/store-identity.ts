import { beforeAll, describe, expect, test } from 'vitest';
import type { OrganizationKey } from '../../src/ports/store/identity-store.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { name } from './store-documents.ts';
import { memberLinkTests, sessionTests } from './store-sessions.ts';
import type { StoreUnderTest } from './store-under-test.ts';

interface Tenant {
  organizationId: string;
  workspaceId: string;
  serviceId: string;
  userId: string;
}

async function tenant(store: Store): Promise<Tenant> {
  const ids = {
    organizationId: name('org'),
    workspaceId: name('team'),
    serviceId: name('service'),
    userId: name('user'),
  };
  await store.identity.insertOrganization({ id: ids.organizationId, name: 'Shop' });
  await store.identity.insertWorkspace({
    id: ids.workspaceId,
    organizationId: ids.organizationId,
    serviceId: ids.serviceId,
    name: 'Team',
    database: 'telemetry',
  });
  await store.identity.insertUser({
    id: ids.userId,
    workspaceId: ids.workspaceId,
    email: `${ids.userId}@example.com`,
    name: 'Ann',
    passwordHash: 'scrypt$1',
  });
  return ids;
}

function organizationKey(
  organizationId: string,
  id = name('key'),
): Omit<OrganizationKey, 'createdAtMs' | 'usedAtMs' | 'version'> {
  return {
    id,
    organizationId,
    name: 'ci',
    keyIdHash: `hash of ${id}`,
    keySecretHash: `secret of ${id}`,
    keySuffix: 'abcd',
    roles: ['developer', 'admin'],
    state: 'enabled',
    expireAtMs: null,
    ipAccessList: [{ source: '10.0.0.0/8', description: 'vpn' }, { source: '::1' }],
  };
}

let mine: Tenant;
let theirs: Tenant;

export function identityTests(under: StoreUnderTest): void {
  describe('identity', () => {
    beforeAll(async () => {
      mine = await tenant(under.a);
      under.clock.nowMs += 1;
      theirs = await tenant(under.a);
    });

    tenantTests(under);
    accessKeyTests(under);
    organizationKeyTests(under);
    sessionTests(under, () => mine);
    memberLinkTests(under, () => mine);
    revisionTests(under);
  });
}

function tenantTests(under: StoreUnderTest): void {
  test('organizations and workspaces are read back, in creation order', async () => {
    const { identity } = under.b;
    expect(await identity.organization(mine.organizationId)).toMatchObject({
      id: mine.organizationId,
      name: 'Shop',
    });
    expect((await identity.organizations()).map(({ id }) => id)).toEqual([
      mine.organizationId,
      theirs.organizationId,
    ]);
    const workspace = await identity.workspace(mine.workspaceId);
    expect(workspace).toMatchObject({
      id: mine.workspaceId,
      organizationId: mine.organizationId,
      serviceId: mine.serviceId,
      name: 'Team',
      database: 'telemetry',
    });
    expect(await identity.workspaceOfService(mine.organizationId, mine.serviceId)).toEqual(
      workspace,
    );
    expect(
      await identity.workspaceOfService(theirs.organizationId, mine.serviceId),
    ).toBeUndefined();
    expect(await identity.workspaces(mine.organizationId)).toEqual([workspace]);
    expect((await identity.workspaces()).map(({ id }) => id)).toEqual([
      mine.workspaceId,
      theirs.workspaceId,
    ]);
  });

  test('a workspace takes another name, and others keep theirs', async () => {
    const nameOf = async (id: string) => (await under.b.identity.workspace(id))?.name;
    const before = await nameOf(theirs.workspaceId);
    expect(await under.a.identity.renameWorkspace(mine.workspaceId, 'Shop')).toBe(true);
    expect(await nameOf(mine.workspaceId)).toBe('Shop');
    expect(await nameOf(theirs.workspaceId)).toBe(before);
    expect(await under.a.identity.renameWorkspace('nowhere', 'Shop')).toBe(false);
  });

  test('an organization takes another name, and others keep theirs', async () => {
    const nameOf = async (id: string) => (await under.b.identity.organization(id))?.name;
    const before = await nameOf(theirs.organizationId);
    expect(await under.a.identity.renameOrganization(mine.organizationId, 'Shops')).toBe(true);
    expect(await nameOf(mine.organizationId)).toBe('Shops');
    expect(await nameOf(theirs.organizationId)).toBe(before);
    expect(await under.a.identity.renameOrganization('nowhere', 'Shops')).toBe(false);
  });

  test('the listed databases of a workspace change only from the list that was read', async () => {
    const set = (expected: string[], databases: string[]) =>
      under.a.identity.setListedDatabases(mine.workspaceId, expected, databases);
    const read = async () => (await under.b.identity.workspace(mine.workspaceId))?.listedDatabases;
    expect(await read()).toEqual([]);
    expect(await set([], ['one', 'two'])).toBe(true);
    expect(await read()).toEqual(['one', 'two']);
    expect(await set([], ['lost'])).toBe(false);
    expect(await set(['one', 'two'], [])).toBe(true);
    expect(await read()).toEqual([]);
  });

  test('ids, service ids and email addresses are taken once', async () => {
    const { identity } = under.a;
    await expect(
      identity.insertOrganization({ id: mine.organizationId, name: 'again' }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await expect(
      identity.insertWorkspace({
        id: name('team'),
        organizationId: theirs.organizationId,
        serviceId: mine.serviceId,
        name: '',
        database: '',
      }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await expect(
      identity.insertUser({
        id: name('user'),
        workspaceId: theirs.workspaceId,
        email: `${mine.userId}@EXAMPLE.com`,
        name: null,
        passwordHash: null,
      }),
    ).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a user is found by address in any case, and by its own workspace only', async () => {
    const { identity } = under.b;
    const user = await identity.user(mine.workspaceId, mine.userId);
    expect(user).toMatchObject({
      id: mine.userId,
      email: `${mine.userId}@example.com`,
      name: 'Ann',
      passwordHash: 'scrypt$1',
    });
    expect(await identity.userByEmail(`${mine.userId}@Example.COM`)).toEqual(user);
    expect(await identity.users(mine.workspaceId)).toEqual([user]);
    expect(await identity.user(theirs.workspaceId, mine.userId)).toBeUndefined();
    expect(await identity.setPassword(theirs.workspaceId, mine.userId, 'stolen')).toBe(false);
    expect(await identity.removeUser(theirs.workspaceId, mine.userId)).toBe(false);
    expect(await identity.setPassword(mine.workspaceId, mine.userId, null)).toBe(true);
    expect((await identity.user(mine.workspaceId, mine.userId))?.passwordHash).toBeNull();
  });
}

function accessKeyTests(under: StoreUnderTest): void {
  test('an access key leads to its user and workspace until it is removed', async () => {
    const { identity } = under.a;
    const key = {
      id: name('ak'),
      userId: mine.userId,
      name: 'laptop',
      suffix: 'wxyz',
      hash: name('hash'),
    };
    const inserted = await identity.insertAccessKey(mine.workspaceId, key);
    expect(inserted).toMatchObject({
      id: key.id,
      userId: mine.userId,
      name: 'laptop',
      suffix: 'wxyz',
      usedAtMs: null,
    });
    expect(await under.b.identity.accessKeyByHash(key.hash)).toEqual({
      key: inserted,
      user: await identity.user(mine.workspaceId, mine.userId),
      workspace: await identity.workspace(mine.workspaceId),
    });
    expect(await identity.accessKeyByHash('unknown')).toBeUndefined();
    expect(await identity.accessKeys(mine.workspaceId)).toEqual([inserted]);
    expect(await identity.accessKeys(mine.workspaceId, 'somebody else')).toEqual([]);
    expect(await identity.accessKeys(theirs.workspaceId)).toEqual([]);
    expect(await identity.removeAccessKey(theirs.workspaceId, key.id)).toBe(false);
    await expect(
      identity.insertAccessKey(theirs.workspaceId, {
        ...key,
        id: name('ak'),
        hash: name('hash'),
      }),
      'a key for a user of another workspace',
    ).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      identity.insertAccessKey(mine.workspaceId, { ...key, id: name('ak') }),
      'the same text twice',
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(await identity.removeAccessKey(mine.workspaceId, key.id)).toBe(true);
    expect(await under.b.identity.accessKeyByHash(key.hash)).toBeUndefined();
  });

  test('the keys of a removed user are gone with it', async () => {
    const { identity } = under.a;
    const [userId, hash] = [name('user'), name('hash')];
    await identity.insertUser({
      id: userId,
      workspaceId: mine.workspaceId,
      email: `${userId}@example.com`,
      name: null,
      passwordHash: null,
    });
    await identity.insertAccessKey(mine.workspaceId, {
      id: name('ak'),
      userId,
      name: '',
      suffix: '',
      hash,
    });
    expect(await identity.removeUser(mine.workspaceId, userId)).toBe(true);
    expect(await under.b.identity.accessKeyByHash(hash)).toBeUndefined();
    expect(
      (await identity.accessKeys(mine.workspaceId)).filter((key) => key.userId === userId),
    ).toEqual([]);
  });

  test('a rotated ingestion key replaces the one before at once', async () => {
    const { identity } = under.a;
    const [first, second] = [name('hash'), name('hash')];
    await identity.setIngestionKey(mine.workspaceId, { hash: first, sealed: 'one' });
    expect(
      await identity.setIngestionKey(mine.workspaceId, { hash: second, sealed: 'two' }),
    ).toMatchObject({ workspaceId: mine.workspaceId, sealed: 'two' });
    expect(await under.b.identity.workspaceOfIngestionKey(first)).toBeUndefined();
    expect(await under.b.identity.workspaceOfIngestionKey(second)).toMatchObject({
      id: mine.workspaceId,
    });
    expect(await under.b.identity.ingestionKey(mine.workspaceId)).toMatchObject({
      sealed: 'two',
    });
    expect(await under.b.identity.ingestionKey(theirs.workspaceId)).toBeUndefined();
    await expect(
      identity.setIngestionKey(theirs.workspaceId, { hash: second, sealed: 'stolen' }),
    ).rejects.toMatchObject({ code: 'conflict' });
  });
}

function organizationKeyTests(under: StoreUnderTest): void {
  test('an organization key is read, changed by version and removed only within its organization', async () => {
    const { identity } = under.a;
    const given = organizationKey(mine.organizationId);
    const inserted = await identity.insertOrganizationKey(given);
    expect(inserted).toEqual({
      ...given,
      createdAtMs: under.clock.nowMs,
      usedAtMs: null,
      version: 1,
    });
    expect(await under.b.identity.organizationKey(mine.organizationId, given.id)).toEqual(inserted);
    expect(await under.b.identity.organizationKeyByIdHash(given.keyIdHash)).toEqual(inserted);
    expect(await identity.organizationKey(theirs.organizationId, given.id)).toBeUndefined();
    expect(
      await identity.updateOrganizationKey(theirs.organizationId, given.id, 1, {
        state: 'disabled',
      }),
    ).toBeUndefined();
    expect(await identity.removeOrganizationKey(theirs.organizationId, given.id)).toBe(false);
    expect(
      await identity.updateOrganizationKey(mine.organizationId, given.id, 1, {
        state: 'disabled',
        roles: ['admin'],
        expireAtMs: 5,
        ipAccessList: [],
      }),
    ).toEqual({
      ...inserted,
      state: 'disabled',
      roles: ['admin'],
      expireAtMs: 5,
      ipAccessList: [],
      version: 2,
    });
    expect(
      await identity.updateOrganizationKey(mine.organizationId, given.id, 1, { name: 'late' }),
    ).toBeUndefined();
    expect(
      await identity.updateOrganizationKey(mine.organizationId, given.id, 2, {
        expireAtMs: null,
      }),
    ).toMatchObject({ expireAtMs: null, state: 'disabled', name: 'ci' });
    expect(await identity.removeOrganizationKey(mine.organizationId, given.id, 1)).toBe(false);
    expect(await identity.removeOrganizationKey(mine.organizationId, given.id, 3)).toBe(true);
    expect(await under.b.identity.organizationKeyByIdHash(given.keyIdHash)).toBeUndefined();
  });

  test('an organization has at most 100 keys, also when they are made at once', async () => {
    const organizationId = name('org');
    await under.a.identity.insertOrganization({ id: organizationId, name: '' });
    const results = await Promise.allSettled(
      Array.from({ length: 104 }, (_, index) =>
        (index % 2 ? under.a : under.b).identity.insertOrganizationKey(
          organizationKey(organizationId),
        ),
      ),
    );
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as { code: string }).code] : [],
    );
    expect(refused).toEqual(['bad_request', 'bad_request', 'bad_request', 'bad_request']);
    const page = await under.a.identity.organizationKeys(organizationId, {
      limit: 7,
      offset: 98,
    });
    expect([page.items.length, page.total]).toEqual([2, 100]);
    await expect(
      under.a.identity.insertOrganizationKey(organizationKey('no such organization')),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test('last use is recorded for both kinds of key, never moves back, and is no new version', async () => {
    const { identity } = under.a;
    const access = {
      id: name('ak'),
      userId: mine.userId,
      name: '',
      suffix: '',
      hash: name('hash'),
    };
    const organization = organizationKey(mine.organizationId);
    await identity.insertAccessKey(mine.workspaceId, access);
    await identity.insertOrganizationKey(organization);
    const revision = await identity.identityRevision();
    const touch = (usedAtMs: number) =>
      identity.touchKeys([
        { kind: 'organization', id: organization.id, usedAtMs },
        { kind: 'access', id: access.id, usedAtMs },
        { kind: 'access', id: 'gone', usedAtMs },
      ]);
    await touch(2000);
    await touch(1000);
    await identity.touchKeys([]);
    expect((await identity.accessKeyByHash(access.hash))?.key.usedAtMs).toBe(2000);
    expect(await identity.organizationKey(mine.organizationId, organization.id)).toMatchObject({
      usedAtMs: 2000,
      version: 1,
    });
    expect(await identity.identityRevision(), 'caches of lookups stay').toBe(revision);
  });
}

function revisionTests(under: StoreUnderTest): void {
  const changes: Record<string, (identity: Store['identity']) => Promise<unknown>> = {
    insertOrganization: (identity) => identity.insertOrganization({ id: name('org'), name: '' }),
    insertWorkspace: (identity) =>
      identity.insertWorkspace({
        id: name('team'),
        organizationId: mine.organizationId,
        serviceId: name('service'),
        name: '',
        database: '',
      }),
    insertUser: (identity) =>
      identity.insertUser({
        id: name('user'),
        workspaceId: mine.workspaceId,
        email: name('email'),
        name: null,
        passwordHash: null,
      }),
    setPassword: (identity) => identity.setPassword(mine.workspaceId, mine.userId, 'new'),
    insertAccessKey: (identity) =>
      identity.insertAccessKey(mine.workspaceId, {
        id: name('ak'),
        userId: mine.userId,
        name: '',
        suffix: '',
        hash: name('hash'),
      }),
    removeAccessKey: async (identity) =>
      identity.removeAccessKey(
        mine.workspaceId,
        (await identity.accessKeys(mine.workspaceId))[0]?.id ?? '',
      ),
    setIngestionKey: (identity) =>
      identity.setIngestionKey(mine.workspaceId, { hash: name('hash'), sealed: '' }),
    insertOrganizationKey: (identity) =>
      identity.insertOrganizationKey(organizationKey(mine.organizationId, 'revised')),
    updateOrganizationKey: (identity) =>
      identity.updateOrganizationKey(mine.organizationId, 'revised', 1, { state: 'disabled' }),
    removeOrganizationKey: (identity) =>
      identity.removeOrganizationKey(mine.organizationId, 'revised'),
    renameWorkspace: (identity) => identity.renameWorkspace(mine.workspaceId, 'renamed'),
    renameOrganization: (identity) => identity.renameOrganization(mine.organizationId, 'renamed'),
    updateUser: (identity) =>
      identity.updateUser(mine.workspaceId, mine.userId, { name: 'Ann', role: 'admin' }),
    removeUser: (identity) => identity.removeUser(mine.workspaceId, mine.userId),
  };

  test.each(Object.keys(changes))('%s moves the revision, seen by every node', async (method) => {
    const before = await under.b.identity.identityRevision();
    await changes[method]?.(under.a.identity);
    expect(await under.b.identity.identityRevision()).toBeGreaterThan(before);
  });
}
