import { Fault, notFound } from '../../contract/errors.ts';
import {
  createAccessKey,
  deleteAccessKey,
  getIngestionKey,
  getTeam,
  listAccessKeys,
  rotateIngestionKey,
  type AccessKey,
  type IngestionKey,
} from '../../contract/team.ts';
import type { Ids, Vault } from '../../ports/ambient.ts';
import type {
  AccessKey as StoredKey,
  IngestionKey as StoredIngestionKey,
} from '../../ports/identity-store.ts';
import type { Principal } from '../../ports/principal.ts';
import type { Store } from '../../ports/store.ts';
import { verb } from '../verb.ts';
import {
  ingestionKeyContext,
  createAccessKey as provisionAccessKey,
  setIngestionKey,
} from './provision.ts';

export interface TeamDependencies {
  store: Store;
  ids: Ids;
  vault: Vault;
  /** Called after a credential was changed: caches of lookups drop what they know. */
  identityChanged: () => void;
}

const accessKeysMax = 100;

/** What a user may see and change of the team's settings: its own access keys, the ingestion key. */
export function teamVerbs({ store, ids, vault, identityChanged }: TeamDependencies) {
  const { identity } = store;

  return {
    getTeam: verb(getTeam, async ({ principal: { workspace } }) => ({
      value: { id: workspace.id, name: workspace.name },
    })),

    listAccessKeys: verb(listAccessKeys, async ({ principal }) => ({
      value: (await identity.accessKeys(principal.workspace.id, userOf(principal))).map(keyRecord),
    })),

    createAccessKey: verb(createAccessKey, async ({ principal, body }) => {
      const userId = userOf(principal);
      const { key, text } = await store.transaction(async (parts) => {
        if (
          (await parts.identity.accessKeys(principal.workspace.id, userId)).length >= accessKeysMax
        ) {
          throw new Fault(
            'bad_request',
            `a user has at most ${accessKeysMax} access keys: revoke one first`,
          );
        }
        return provisionAccessKey(
          { store: parts, ids, vault },
          { workspaceId: principal.workspace.id, userId, name: body.name },
        );
      });
      identityChanged();
      return { value: { ...keyRecord(key), key: text } };
    }),

    deleteAccessKey: verb(deleteAccessKey, async ({ principal, params }) => {
      const userId = userOf(principal);
      if (params.id === principal.credential) {
        throw new Fault(
          'conflict',
          'this is the very key that makes the call: revoke it with another one',
        );
      }
      await store.transaction(async (parts) => {
        const own = await parts.identity.accessKeys(principal.workspace.id, userId);
        if (!own.some(({ id }) => id === params.id)) {
          throw notFound('access key');
        }
        await parts.identity.removeAccessKey(principal.workspace.id, params.id);
      });
      identityChanged();
      return { value: undefined };
    }),

    getIngestionKey: verb(getIngestionKey, async ({ principal: { workspace } }) => {
      const stored = await identity.ingestionKey(workspace.id);
      if (!stored) {
        throw notFound('ingestion key');
      }
      return { value: ingestionKeyRecord(vault, stored) };
    }),

    rotateIngestionKey: verb(rotateIngestionKey, async ({ principal: { workspace } }) => {
      const stored = await store.transaction(async (parts) => {
        await setIngestionKey({ store: parts, ids, vault }, workspace.id);
        return (await parts.identity.ingestionKey(workspace.id))!;
      });
      identityChanged();
      return { value: ingestionKeyRecord(vault, stored) };
    }),
  };
}

function userOf({ subject }: Principal): string {
  if (subject.kind !== 'user') {
    throw new Fault(
      'forbidden',
      'access keys belong to users; this credential is not one of a user',
    );
  }
  return subject.id;
}

function keyRecord({ id, name, suffix, createdAtMs, usedAtMs }: StoredKey): AccessKey {
  return {
    id,
    name,
    keySuffix: suffix,
    createdAt: new Date(createdAtMs).toISOString(),
    ...(usedAtMs !== null && { usedAt: new Date(usedAtMs).toISOString() }),
  };
}

function ingestionKeyRecord(
  vault: Vault,
  { workspaceId, sealed, createdAtMs }: StoredIngestionKey,
): IngestionKey {
  return {
    key: vault.open(sealed, ingestionKeyContext(workspaceId)),
    createdAt: new Date(createdAtMs).toISOString(),
  };
}
