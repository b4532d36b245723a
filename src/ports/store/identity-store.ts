import type { UserRole } from '../../contract/people/role.ts';
import type { Workspace } from '../principal.ts';

export interface Organization {
  id: string;
  name: string;
  createdAtMs: number;
}

export interface StoredWorkspace extends Workspace {
  createdAtMs: number;
}

export interface User {
  id: string;
  email: string;
  name: string | null;
  /** A user belongs to one workspace (team). */
  workspaceId: string;
  /** scrypt, with its parameters and salt; null: cannot sign in with a password. */
  passwordHash: string | null;
  role: UserRole;
  createdAtMs: number;
}

/** A sign-in of a user: only the SHA-256 of its token is kept. */
export interface StoredSession {
  id: string;
  userId: string;
  createdAtMs: number;
  usedAtMs: number;
  /** At the sign-in. */
  address: string | null;
  browser: string | null;
}

/** A personal API access key: only the SHA-256 of it is kept. */
export interface AccessKey {
  id: string;
  userId: string;
  name: string;
  /** Last four characters, to tell keys apart. */
  suffix: string;
  createdAtMs: number;
  usedAtMs: number | null;
}

/** The credential of telemetry senders; it cannot call the API. */
export interface IngestionKey {
  workspaceId: string;
  /** Vault text: the team settings show the key again. */
  sealed: string;
  createdAtMs: number;
}

export type KeyRole = 'admin' | 'developer' | 'query_endpoints';

/** An API key of an organization (managed surface). */
export interface OrganizationKey {
  id: string;
  organizationId: string;
  name: string;
  /** base64 of the SHA-256 digests. */
  keyIdHash: string;
  keySecretHash: string;
  keySuffix: string;
  roles: KeyRole[];
  state: 'enabled' | 'disabled';
  createdAtMs: number;
  expireAtMs: number | null;
  usedAtMs: number | null;
  ipAccessList: { source: string; description?: string }[];
  version: number;
}

/**
 * Who and where: organizations, workspaces (team = service), users and the three kinds of
 * credential.
 */
export interface IdentityStore {
  insertOrganization(organization: { id: string; name: string }): Promise<Organization>;
  organization(id: string): Promise<Organization | undefined>;
  organizations(): Promise<Organization[]>;
  renameOrganization(id: string, name: string): Promise<boolean>;

  /** `listedDatabases` is empty at first. */
  insertWorkspace(workspace: Omit<Workspace, 'listedDatabases'>): Promise<StoredWorkspace>;
  renameWorkspace(id: string, name: string): Promise<boolean>;
  /** False if the list is not `expected` any more. */
  setListedDatabases(
    workspaceId: string,
    expected: readonly string[],
    databases: readonly string[],
  ): Promise<boolean>;
  workspace(id: string): Promise<StoredWorkspace | undefined>;
  workspaceOfService(
    organizationId: string,
    serviceId: string,
  ): Promise<StoredWorkspace | undefined>;
  /** In creation order; of every organization where none is given. */
  workspaces(organizationId?: string): Promise<StoredWorkspace[]>;

  /** Without a role: a member. */
  insertUser(user: Omit<User, 'createdAtMs' | 'role'> & { role?: UserRole }): Promise<User>;
  user(workspaceId: string, id: string): Promise<User | undefined>;
  userByEmail(email: string): Promise<User | undefined>;
  users(workspaceId: string): Promise<User[]>;
  setPassword(workspaceId: string, userId: string, passwordHash: string | null): Promise<boolean>;
  updateUser(
    workspaceId: string,
    id: string,
    change: { name: string | null; role: UserRole },
  ): Promise<boolean>;
  /** With their sessions, access keys and link. */
  removeUser(workspaceId: string, id: string): Promise<boolean>;
  /** In a transaction: others that lock the same workspace wait until it ends. */
  lockWorkspace(id: string): Promise<void>;

  /** A link that sets a password, in place of an earlier one. A new password removes it. */
  setMemberLink(userId: string, link: { hash: string; expiresAtMs: number }): Promise<void>;
  /** It may be past its time. */
  memberLinkByHash(
    hash: string,
  ): Promise<{ expiresAtMs: number; user: User; workspace: StoredWorkspace } | undefined>;
  /** False: it was used already. */
  removeMemberLink(hash: string): Promise<boolean>;

  /** `hash`: base64 SHA-256 of the token. */
  insertSession(
    session: Omit<StoredSession, 'createdAtMs' | 'usedAtMs'> & { hash: string },
  ): Promise<StoredSession>;
  /** One indexed read: whose session it is. It may be past its time. */
  sessionByHash(
    hash: string,
  ): Promise<{ session: StoredSession; user: User; workspace: StoredWorkspace } | undefined>;
  /** Of a user, newest first; some may be past their time. */
  sessions(userId: string): Promise<StoredSession[]>;
  removeSession(userId: string, id: string): Promise<boolean>;
  /** All of a user but the one to keep. */
  removeSessions(userId: string, keepId?: string): Promise<void>;

  /** `hash`: base64 SHA-256 of the key's text. */
  insertAccessKey(
    workspaceId: string,
    key: { id: string; userId: string; name: string; suffix: string; hash: string },
  ): Promise<AccessKey>;
  accessKeys(workspaceId: string, userId?: string): Promise<AccessKey[]>;
  removeAccessKey(workspaceId: string, id: string): Promise<boolean>;
  /** One indexed read: whose key it is. */
  accessKeyByHash(
    hash: string,
  ): Promise<{ key: AccessKey; user: User; workspace: StoredWorkspace } | undefined>;

  setIngestionKey(
    workspaceId: string,
    key: { hash: string; sealed: string },
  ): Promise<IngestionKey>;
  ingestionKey(workspaceId: string): Promise<IngestionKey | undefined>;
  workspaceOfIngestionKey(hash: string): Promise<StoredWorkspace | undefined>;

  /** Refuses the 101st of an organization with Fault `bad_request`. */
  insertOrganizationKey(
    key: Omit<OrganizationKey, 'createdAtMs' | 'usedAtMs' | 'version'>,
  ): Promise<OrganizationKey>;
  organizationKey(organizationId: string, id: string): Promise<OrganizationKey | undefined>;
  organizationKeys(
    organizationId: string,
    page: { limit: number; offset: number },
  ): Promise<{ items: OrganizationKey[]; total: number }>;
  organizationKeyByIdHash(keyIdHash: string): Promise<OrganizationKey | undefined>;
  /** Undefined where it is gone or its version is no longer the expected one. */
  updateOrganizationKey(
    organizationId: string,
    id: string,
    expectedVersion: number,
    change: Partial<
      Pick<OrganizationKey, 'name' | 'roles' | 'state' | 'expireAtMs' | 'ipAccessList'>
    >,
  ): Promise<OrganizationKey | undefined>;
  removeOrganizationKey(
    organizationId: string,
    id: string,
    expectedVersion?: number,
  ): Promise<boolean>;
  /** Records last use, many at once; never moves a time back. */
  touchKeys(
    uses: readonly { kind: 'access' | 'organization' | 'session'; id: string; usedAtMs: number }[],
  ): Promise<void>;

  /**
   * Grows with every change to a credential, membership or workspace, on any node. Polled (at most
   * once a second) by caches of lookups, which drop everything when it moved.
   */
  identityRevision(): Promise<number>;
}
