import type { UserRole } from '../../../contract/people/role.ts';
import { Fault } from '../../../contract/errors.ts';
import type {
  AccessKey,
  IdentityStore,
  IngestionKey,
  Organization,
  StoredWorkspace,
  User,
} from '../../../ports/store/identity-store.ts';
import { changing, inserted, optional } from './identity-change.ts';
import * as statements from './identity-statements.ts';
import { createOrganizationKeys } from './organization-keys.ts';
import { createMemberLinks, removeOfUser } from './member-links.ts';
import { createSessions } from './sessions.ts';
import { ownerOf, workspace, type OwnerRow } from './owner.ts';
import type { Session } from '../statements/session.ts';

/**
 * Organizations, workspaces, users and their credentials. Every change increments the revision in
 * its own transaction.
 */
export function createIdentity(session: Session): IdentityStore {
  return {
    ...organizations(session),
    ...users(session),
    ...credentials(session),
    ...createOrganizationKeys(session),
    ...createMemberLinks(session),
    ...createSessions(session),
    identityRevision: async () => (await session.first(statements.revision, {}))?.value ?? 0,
  };
}

type Part<K extends keyof IdentityStore> = Pick<IdentityStore, K>;

function organizations(
  session: Session,
): Part<
  | 'insertOrganization'
  | 'organization'
  | 'organizations'
  | 'renameOrganization'
  | 'insertWorkspace'
  | 'renameWorkspace'
  | 'setListedDatabases'
  | 'workspace'
  | 'workspaceOfService'
  | 'workspaces'
> {
  return {
    insertOrganization: ({ id, name }) =>
      changing(session, async (inside) =>
        organization(
          inserted(
            await inside.first(statements.insertOrganization, { id, name }),
            'an organization with this id',
          ),
        ),
      ),
    organization: async (id) =>
      optional(await session.first(statements.organization, { id }), organization),
    organizations: async () => (await session.all(statements.organizations, {})).map(organization),
    renameOrganization: (id, name) =>
      changing(
        session,
        async (inside) => (await inside.run(statements.renameOrganization, { id, name })) > 0,
      ),
    insertWorkspace: ({ id, organizationId, serviceId, name, database }) =>
      changing(session, async (inside) =>
        workspace(
          inserted(
            await inside.first(statements.insertWorkspace, {
              id,
              organizationId,
              serviceId,
              name,
              database,
            }),
            'a workspace with this id or service id',
          ),
        ),
      ),
    renameWorkspace: (id, name) =>
      changing(
        session,
        async (inside) => (await inside.run(statements.renameWorkspace, { id, name })) > 0,
      ),
    setListedDatabases: (workspaceId, expected, databases) =>
      changing(
        session,
        async (inside) =>
          (await inside.run(statements.setListedDatabases, {
            workspaceId,
            expected: JSON.stringify(expected),
            databases: JSON.stringify(databases),
          })) > 0,
      ),
    workspace: async (id) => optional(await session.first(statements.workspace, { id }), workspace),
    workspaceOfService: async (organizationId, serviceId) =>
      optional(
        await session.first(statements.workspaceOfService, { organizationId, serviceId }),
        workspace,
      ),
    workspaces: async (organizationId) =>
      (organizationId === undefined
        ? await session.all(statements.workspaces, {})
        : await session.all(statements.workspacesOfOrganization, { organizationId })
      ).map(workspace),
  };
}

function users(
  session: Session,
): Part<
  | 'insertUser'
  | 'user'
  | 'userByEmail'
  | 'users'
  | 'setPassword'
  | 'updateUser'
  | 'removeUser'
  | 'lockWorkspace'
> {
  return {
    insertUser: ({ id, workspaceId, email, name, passwordHash, role = 'member' }) =>
      changing(session, async (inside) =>
        user(
          inserted(
            await inside.first(statements.insertUser, {
              id,
              workspaceId,
              email,
              emailKey: email.toLowerCase(),
              name,
              passwordHash,
              role,
            }),
            'a user with this email',
          ),
        ),
      ),
    user: async (workspaceId, id) =>
      optional(await session.first(statements.user, { workspaceId, id }), user),
    userByEmail: async (email) =>
      optional(
        await session.first(statements.userByEmail, { emailKey: email.toLowerCase() }),
        user,
      ),
    users: async (workspaceId) => (await session.all(statements.users, { workspaceId })).map(user),
    setPassword: (workspaceId, id, passwordHash) =>
      changing(session, async (inside) => {
        await inside.run(removeOfUser, { userId: id });
        return (await inside.run(statements.setPassword, { workspaceId, id, passwordHash })) > 0;
      }),
    updateUser: (workspaceId, id, { name, role }) =>
      changing(
        session,
        async (inside) =>
          (await inside.run(statements.updateUser, { workspaceId, id, name, role })) > 0,
      ),
    lockWorkspace: async (id) => {
      await session.first(statements.lockWorkspace, { id });
    },
    removeUser: (workspaceId, id) =>
      changing(
        session,
        async (inside) => (await inside.run(statements.removeUser, { workspaceId, id })) > 0,
      ),
  };
}

function credentials(
  session: Session,
): Part<
  | 'insertAccessKey'
  | 'accessKeys'
  | 'removeAccessKey'
  | 'accessKeyByHash'
  | 'setIngestionKey'
  | 'ingestionKey'
  | 'workspaceOfIngestionKey'
> {
  return {
    insertAccessKey: (workspaceId, { id, userId, name, suffix, hash }) =>
      changing(session, async (inside) => {
        if (!(await inside.first(statements.user, { workspaceId, id: userId }))) {
          throw new Fault('not_found', 'user not found');
        }
        return accessKey(
          inserted(
            await inside.first(statements.insertAccessKey, {
              workspaceId,
              id,
              userId,
              name,
              suffix,
              hash,
            }),
            'an access key with this id or text',
          ),
        );
      }),
    accessKeys: async (workspaceId, userId) =>
      (userId === undefined
        ? await session.all(statements.accessKeys, { workspaceId })
        : await session.all(statements.accessKeysOfUser, { workspaceId, userId })
      ).map(accessKey),
    removeAccessKey: (workspaceId, id) =>
      changing(
        session,
        async (inside) => (await inside.run(statements.removeAccessKey, { workspaceId, id })) > 0,
      ),
    accessKeyByHash: async (hash) =>
      optional(await session.first(statements.accessKeyByHash, { hash }), owned),
    setIngestionKey: (workspaceId, { hash, sealed }) =>
      changing(session, async (inside) => {
        await inside.run(statements.removeIngestionKey, { workspaceId });
        return ingestionKey(
          inserted(
            await inside.first(statements.insertIngestionKey, { workspaceId, hash, sealed }),
            'this ingestion key',
          ),
        );
      }),
    ingestionKey: async (workspaceId) =>
      optional(await session.first(statements.ingestionKey, { workspaceId }), ingestionKey),
    workspaceOfIngestionKey: async (hash) =>
      optional(await session.first(statements.workspaceOfIngestionKey, { hash }), workspace),
  };
}

function organization(row: { id: string; name: string; created_at_ms: number }): Organization {
  return { id: row.id, name: row.name, createdAtMs: row.created_at_ms };
}

interface UserRow {
  id: string;
  workspace_id: string;
  email: string;
  name: string | null;
  password_hash: string | null;
  role: string;
  created_at_ms: number;
}

function user(row: UserRow): User {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
    role: row.role as UserRole,
    createdAtMs: row.created_at_ms,
  };
}

interface AccessKeyRow {
  id: string;
  user_id: string;
  name: string;
  suffix: string;
  created_at_ms: number;
  used_at_ms: number | null;
}

function accessKey(row: AccessKeyRow): AccessKey {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    suffix: row.suffix,
    createdAtMs: row.created_at_ms,
    usedAtMs: row.used_at_ms,
  };
}

function ingestionKey(row: {
  workspace_id: string;
  sealed: string;
  created_at_ms: number;
}): IngestionKey {
  return { workspaceId: row.workspace_id, sealed: row.sealed, createdAtMs: row.created_at_ms };
}

interface OwnedRow extends AccessKeyRow, OwnerRow {}

function owned(row: OwnedRow): { key: AccessKey; user: User; workspace: StoredWorkspace } {
  return { key: accessKey(row), ...ownerOf(row) };
}
