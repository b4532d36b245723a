import { Fault, notFound } from '../../contract/errors.ts';
import {
  createKey,
  deleteKey,
  getKey,
  listKeys,
  updateKey,
  type CreatedKey,
  type Key,
  type KeyCreateBody,
  type KeyUpdateBody,
} from '../../contract/key.ts';
import type { Ids } from '../../ports/ambient.ts';
import type { Principal } from '../../ports/principal.ts';
import type { IdentityStore, OrganizationKey } from '../../ports/store/identity-store.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import { stale } from '../verb/crud.ts';
import { changeVerb, readVerb } from '../verb/verb.ts';
import { credentialHash, newKeyId, newKeySecret, suffixOf } from './credentials.ts';

export interface OrganizationKeyDeps {
  store: StoreReader;
  ids: Ids;
}

/** API keys of the organization that asks. */
export function organizationKeyVerbs({ store, ids }: OrganizationKeyDeps) {
  return {
    listKeys: readVerb(listKeys, async ({ principal, query }) => {
      const { items, total } = await store.identity.organizationKeys(
        organizationOf(principal),
        query,
      );
      return { value: items.map(keyRecord), page: { ...query, total } };
    }),

    getKey: readVerb(getKey, async ({ principal, params }) =>
      answer(await keyOf(store.identity, organizationOf(principal), params.keyId)),
    ),

    createKey: changeVerb(createKey, async ({ principal, body, commit }) => {
      const { stored, shown } = newKey(body, {
        id: ids.uuid(),
        organizationId: organizationOf(principal),
      });
      return commit(stored.id, async ({ identity }) => {
        const key = await identity.insertOrganizationKey(stored);
        return { value: { key: keyRecord(key), ...shown }, version: key.version };
      });
    }),

    updateKey: changeVerb(updateKey, ({ principal, params, body, ifMatch, commit }) =>
      commit(params.keyId, async ({ identity }) =>
        answer(await changed(identity, organizationOf(principal), params.keyId, body, ifMatch)),
      ),
    ),

    deleteKey: changeVerb(deleteKey, async ({ principal, params, ifMatch, commit }) => {
      if (principal.subject.kind === 'key' && principal.subject.id === params.keyId) {
        throw new Fault('conflict', 'a key cannot delete itself: use another admin key');
      }
      return commit(params.keyId, async ({ identity }) => {
        await removed(identity, organizationOf(principal), params.keyId, ifMatch);
        return { value: undefined };
      });
    }),
  };
}

const organizationOf = (principal: Principal): string => principal.workspace.organizationId;

const answer = (key: OrganizationKey) => ({ value: keyRecord(key), version: key.version });

async function keyOf(
  identity: Pick<IdentityStore, 'organizationKey'>,
  organizationId: string,
  id: string,
  ifMatch?: readonly number[],
): Promise<OrganizationKey> {
  const key = await identity.organizationKey(organizationId, id);
  if (!key) {
    throw notFound('key');
  }
  if (ifMatch && !ifMatch.includes(key.version)) {
    throw stale('key');
  }
  return key;
}

async function changed(
  identity: IdentityStore,
  organizationId: string,
  id: string,
  body: KeyUpdateBody,
  ifMatch?: readonly number[],
): Promise<OrganizationKey> {
  const change = keyChange(body);
  // On PostgreSQL another node may get between the read and the write. Without If-Match the last
  // write wins, so it is tried on the newer version.
  for (let attempt = 0; attempt < 5; attempt++) {
    const key = await keyOf(identity, organizationId, id, ifMatch);
    const updated = await identity.updateOrganizationKey(organizationId, id, key.version, change);
    if (updated) {
      return updated;
    }
  }
  throw stale('key');
}

function keyChange({
  name,
  roles,
  state,
  expireAt,
  ipAccessList,
}: KeyUpdateBody): Parameters<IdentityStore['updateOrganizationKey']>[3] {
  return {
    ...(name !== undefined && { name }),
    ...(roles && { roles: distinct(roles) }),
    ...(state && { state }),
    ...(expireAt !== undefined && { expireAtMs: timeOf(expireAt) }),
    ...(ipAccessList && { ipAccessList: ipAccessList.map(storedEntry) }),
  };
}

async function removed(
  identity: IdentityStore,
  organizationId: string,
  id: string,
  ifMatch?: readonly number[],
): Promise<void> {
  const key = await keyOf(identity, organizationId, id, ifMatch);
  if (await identity.removeOrganizationKey(organizationId, id, ifMatch ? key.version : undefined)) {
    return;
  }
  throw ifMatch ? stale('key') : notFound('key');
}

/**
 * A key to store, and what only this once may be shown of it. With `hashData` the caller keeps both
 * to itself.
 */
function newKey(
  body: KeyCreateBody,
  names: { id: string; organizationId: string },
): {
  stored: Parameters<IdentityStore['insertOrganizationKey']>[0];
  shown: Pick<CreatedKey, 'keyId' | 'keySecret'>;
} {
  const common = {
    ...names,
    name: body.name,
    roles: distinct(body.roles),
    state: body.state,
    expireAtMs: timeOf(body.expireAt ?? null),
    ipAccessList: body.ipAccessList.map(storedEntry),
  };
  if (body.hashData) {
    const { keyIdHash, keyIdSuffix, keySecretHash } = body.hashData;
    return { stored: { ...common, keyIdHash, keySecretHash, keySuffix: keyIdSuffix }, shown: {} };
  }
  const keyId = newKeyId();
  const keySecret = newKeySecret();
  return {
    stored: {
      ...common,
      keyIdHash: credentialHash(keyId),
      keySecretHash: credentialHash(keySecret),
      keySuffix: suffixOf(keyId),
    },
    shown: { keyId, keySecret },
  };
}

const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)];

const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));
const timeText = (ms: number): string => new Date(ms).toISOString();

/** What may be seen of a key: neither hash. */
export function keyRecord(key: OrganizationKey): Key {
  return {
    id: key.id,
    name: key.name,
    state: key.state,
    roles: [...key.roles],
    keySuffix: key.keySuffix,
    createdAt: timeText(key.createdAtMs),
    expireAt: key.expireAtMs === null ? null : timeText(key.expireAtMs),
    ...(key.usedAtMs !== null && { usedAt: timeText(key.usedAtMs - (key.usedAtMs % 60_000)) }),
    ipAccessList: key.ipAccessList.map((entry) => ({ ...entry })),
  };
}

const storedEntry = ({
  source,
  description,
}: KeyCreateBody['ipAccessList'][number]): OrganizationKey['ipAccessList'][number] => ({
  source,
  ...(description !== undefined && { description }),
});
