import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIds } from '../../src/adapters/ambient/ids.ts';
import { openSqliteStore } from '../../src/adapters/store/drivers/sqlite.ts';
import { createVault } from '../../src/adapters/vault/vault.ts';
import {
  createOrganization,
  createWorkspace,
  setIngestionKey,
} from '../../src/core/identity/provision.ts';
import { createIngestionAuth, ingestionKey } from '../../src/http/otlp/ingestion-auth.ts';
import type { IdentityStore } from '../../src/ports/store/identity-store.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { movableClock } from '../kit/store.ts';

const directory = mkdtempSync(join(tmpdir(), 'sightline-ingestion-'));
const clock = movableClock();
let store: Store;
let provision: {
  store: Store;
  ids: ReturnType<typeof createIds>;
  vault: ReturnType<typeof createVault>;
};
let workspaceId: string;

beforeAll(async () => {
  store = await openSqliteStore({ path: join(directory, 'store.db'), clock });
  provision = { store, ids: createIds(clock), vault: createVault(randomBytes(32)) };
  const organization = await createOrganization(provision, 'Shop');
  workspaceId = (
    await createWorkspace(provision, {
      organizationId: organization.id,
      name: 'Shop',
      database: 'shop',
    })
  ).id;
});
afterAll(async () => {
  await store?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** The real store, with its calls counted and, if wanted, away. */
function watched() {
  const calls = { revision: 0, lookup: 0 };
  const link = { away: false };
  const through = async <T>(name: keyof typeof calls, work: () => Promise<T>): Promise<T> => {
    calls[name]++;
    if (link.away) {
      throw new Error('the store is away');
    }
    return work();
  };
  const identity: Pick<IdentityStore, 'identityRevision' | 'workspaceOfIngestionKey'> = {
    identityRevision: () => through('revision', () => store.identity.identityRevision()),
    workspaceOfIngestionKey: (hash) =>
      through('lookup', () => store.identity.workspaceOfIngestionKey(hash)),
  };
  return { calls, link, authenticate: createIngestionAuth({ identity, clock }) };
}

test('a key is looked up once, and the store asked for changes at most once a second', async () => {
  const key = await setIngestionKey(provision, workspaceId);
  const { calls, authenticate } = watched();
  const answers = await Promise.all(Array.from({ length: 50 }, () => authenticate(key)));
  for (let call = 0; call < 50; call++) {
    answers.push(await authenticate(key));
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set([JSON.stringify({ workspaceId, database: 'shop' })]),
  );
  expect(calls.revision).toBe(1);
  const { lookup } = calls;
  clock.nowMs += 1000;
  await authenticate(key);
  expect(calls).toEqual({ revision: 2, lookup });
});

test('a replaced key is refused within a second, the new one taken', async () => {
  const old = await setIngestionKey(provision, workspaceId);
  const { authenticate } = watched();
  expect(await authenticate(old)).toBeDefined();
  const fresh = await setIngestionKey(provision, workspaceId);
  expect(await authenticate(fresh)).toEqual({ workspaceId, database: 'shop' });
  clock.nowMs += 1000;
  expect(await authenticate(old)).toBeUndefined();
});

test('an unknown key is remembered as unknown until something changes', async () => {
  const { calls, authenticate } = watched();
  expect([await authenticate('nobody'), await authenticate('nobody')]).toEqual([
    undefined,
    undefined,
  ]);
  expect(calls.lookup).toBe(1);
  await setIngestionKey(provision, workspaceId, 'a-key-of-somebody-now');
  clock.nowMs += 1000;
  expect(await authenticate('a-key-of-somebody-now')).toBeDefined();
});

test('with the store away a known key stays good for a minute, an unknown one is told to come back', async () => {
  const key = await setIngestionKey(provision, workspaceId);
  const { link, authenticate } = watched();
  await authenticate(key);
  link.away = true;
  clock.nowMs += 59_000;
  expect(await authenticate(key)).toBeDefined();
  await expect(authenticate('another')).rejects.toMatchObject({
    code: 'unavailable',
    retryAfterSeconds: 2,
  });
  clock.nowMs += 2000;
  await expect(authenticate(key)).rejects.toMatchObject({ code: 'unavailable' });
  link.away = false;
  clock.nowMs += 1000;
  expect(await authenticate(key)).toBeDefined();
});

describe('the Authorization header', () => {
  test.each([
    ['the-key', 'the-key'],
    ['Bearer the-key', 'the-key'],
    ['bEARER   the-key ', 'the-key'],
    ['Basic dXNlcjpwYXNz', undefined],
    ['', undefined],
    [undefined, undefined],
    ['Bearer a b', undefined],
  ])('%s carries %s', (header, key) => {
    expect(ingestionKey(header)).toBe(key);
  });
});
