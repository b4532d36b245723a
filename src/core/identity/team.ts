import { Fault, notFound } from '../../contract/errors.ts';
import {
  createAccessKey,
  deleteAccessKey,
  getIngestionEndpoints,
  getIngestionKey,
  getTeam,
  listAccessKeys,
  rotateIngestionKey,
  updateTeam,
  type AccessKey,
  type IngestionEndpoints,
  type IngestionKey,
} from '../../contract/team.ts';
import type { Ids, Vault } from '../../ports/ambient.ts';
import type {
  AccessKey as StoredKey,
  IngestionKey as StoredIngestionKey,
} from '../../ports/store/identity-store.ts';
import type { Principal } from '../../ports/principal.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import { changeVerb, readVerb } from '../verb/verb.ts';
import { newIngestionKey } from './credentials.ts';
import {
  ingestionKeyContext,
  createAccessKey as provisionAccessKey,
  storeIngestionKey,
} from './provision.ts';

export interface TeamDependencies {
  store: StoreReader;
  ids: Ids;
  vault: Vault;
  endpoints: IngestionEndpoints;
}

const accessKeysMax = 100;

/**
 * What a user may see and change of the team's settings: its own access keys, the ingestion key.
 */
export function teamVerbs(deps: TeamDependencies) {
  return {
    getTeam: readVerb(getTeam, async ({ principal: { workspace } }) => ({
      value: { id: workspace.id, name: workspace.name },
    })),
    updateTeam: changeVerb(updateTeam, async ({ principal: { workspace }, body, commit }) =>
      commit(workspace.id, async ({ identity }) => {
        await identity.renameWorkspace(workspace.id, body.name);
        return { value: { id: workspace.id, name: body.name } };
      }),
    ),
    getIngestionEndpoints: readVerb(getIngestionEndpoints, async () => ({ value: deps.endpoints })),
    ...accessKeyVerbs(deps),
    ...ingestionKeyVerbs(deps),
  };
}

function accessKeyVerbs({ store, ids, vault }: TeamDependencies) {
  const { identity } = store;
  return {
    listAccessKeys: readVerb(listAccessKeys, async ({ principal }) => ({
      value: (await identity.accessKeys(principal.workspace.id, userOf(principal))).map(keyRecord),
    })),

    createAccessKey: changeVerb(createAccessKey, async ({ principal, body, commit }) => {
      const userId = userOf(principal);
      const workspaceId = principal.workspace.id;
      const id = ids.object();
      return commit(id, async (parts) => {
        const existing = await parts.identity.accessKeys(workspaceId, userId);
        if (existing.length >= accessKeysMax) {
          throw new Fault(
            'bad_request',
            `a user has at most ${accessKeysMax} access keys: revoke one first`,
          );
        }
        const { key, text } = await provisionAccessKey(
          { store: parts, ids, vault },
          { id, workspaceId, userId, name: body.name },
        );
        return { value: { ...keyRecord(key), key: text } };
      });
    }),

    deleteAccessKey: changeVerb(deleteAccessKey, async ({ principal, params, commit }) => {
      const userId = userOf(principal);
      if (params.id === principal.credential) {
        throw new Fault('conflict', 'a key cannot revoke itself: use another key');
      }
      return commit(params.id, async (parts) => {
        const own = await parts.identity.accessKeys(principal.workspace.id, userId);
        if (!own.some(({ id }) => id === params.id)) {
          throw notFound('access key');
        }
        await parts.identity.removeAccessKey(principal.workspace.id, params.id);
        return { value: undefined };
      });
    }),
  };
}

function ingestionKeyVerbs({ store, vault }: TeamDependencies) {
  return {
    getIngestionKey: readVerb(getIngestionKey, async ({ principal: { workspace } }) => {
      const stored = await store.identity.ingestionKey(workspace.id);
      if (!stored) {
        throw notFound('ingestion key');
      }
      return { value: ingestionKeyRecord(vault, stored) };
    }),

    rotateIngestionKey: changeVerb(rotateIngestionKey, async ({ principal, commit }) => {
      const { id } = principal.workspace;
      return commit(null, async ({ identity }) => {
        const stored = await storeIngestionKey(identity, vault, id, newIngestionKey());
        return { value: ingestionKeyRecord(vault, stored) };
      });
    }),
  };
}

function userOf({ subject }: Principal): string {
  if (subject.kind !== 'user') {
    throw new Fault('forbidden', 'access keys belong to users. Send the access key of a user');
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
