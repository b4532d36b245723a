import type { UserRole } from '../../contract/people/role.ts';
import { notFound } from '../../contract/errors.ts';
import type { Ids, Vault } from '../../ports/ambient.ts';
import type {
  AccessKey,
  Organization,
  OrganizationKey,
  StoredWorkspace,
  User,
} from '../../ports/store/identity-store.ts';
import {
  operatorChanges,
  type OperatorChanges,
  type OperatorDeps,
  type OperatorLine,
} from '../verb/operator.ts';
import { listDatabase, unlistDatabase } from './listed-databases.ts';
import {
  createAccessKey,
  createOrganization,
  createOrganizationKey,
  createUser,
  createWorkspace,
  ingestionKeyContext,
  setIngestionKey,
  type NewAccessKey,
  type NewOrganizationKey,
  type NewUser,
  type NewWorkspace,
} from './provision.ts';

interface OperatorActionDeps {
  changes: OperatorChanges;
  ids: Ids;
  vault: Vault;
}

type Owner = Pick<StoredWorkspace, 'id' | 'organizationId' | 'serviceId'>;

export function operatorActions(deps: OperatorDeps & { vault: Vault }): OperatorActions {
  return new OperatorActions({ ...deps, changes: operatorChanges(deps) });
}

/**
 * What an operator does to organizations, services, users and credentials without the API. Each
 * action commits with its audit line.
 */
export class OperatorActions {
  readonly #deps: OperatorActionDeps;

  constructor(deps: OperatorActionDeps) {
    this.#deps = deps;
  }

  /** Does several actions in one transaction. */
  together<T>(work: (actions: OperatorActions) => Promise<T>): Promise<T> {
    return this.#deps.changes.together((changes) =>
      work(new OperatorActions({ ...this.#deps, changes })),
    );
  }

  createOrganization(name: string, id?: string): Promise<Organization> {
    const { changes, ...deps } = this.#deps;
    return changes.change(
      (store) => createOrganization({ ...deps, store }, name, id),
      (organization) => ({
        operation: 'createOrganization',
        object: { kind: 'organization', id: organization.id },
        organizationId: organization.id,
      }),
    );
  }

  /** Creates a service, which is also a team, with its default sources. */
  createService(service: NewWorkspace): Promise<StoredWorkspace> {
    const { changes, ...deps } = this.#deps;
    return changes.change(
      (store) => createWorkspace({ ...deps, store }, service),
      (workspace) => ofWorkspace(workspace, 'createService', 'service', workspace.serviceId),
    );
  }

  /** Lets pipes of a service write to another database. @throws Fault bad_request */
  async listDatabase(workspace: Owner, database: string): Promise<void> {
    await this.#deps.changes.change(
      (store) => listDatabase(store, workspace.id, database),
      () => ofWorkspace(workspace, 'listDatabase', 'service', workspace.serviceId),
    );
  }

  /** @throws Fault bad_request while pipes of the service write to the database */
  async unlistDatabase(workspace: Owner, database: string): Promise<void> {
    await this.#deps.changes.change(
      (store) => unlistDatabase(store, workspace.id, database),
      () => ofWorkspace(workspace, 'unlistDatabase', 'service', workspace.serviceId),
    );
  }

  /** @throws Fault conflict if the email address is taken. */
  createUser(workspace: Owner, user: Omit<NewUser, 'workspaceId'>): Promise<User> {
    const { changes, ...deps } = this.#deps;
    return changes.change(
      (store) => createUser({ ...deps, store }, { ...user, workspaceId: workspace.id }),
      ({ id }) => ofWorkspace(workspace, 'createUser', 'user', id),
    );
  }

  /** Ends all sessions of the user. @throws Fault not_found */
  async setPassword(workspace: Owner, userId: string, passwordHash: string): Promise<void> {
    await this.#deps.changes.change(
      async ({ identity }) => {
        mustExist('user', await identity.setPassword(workspace.id, userId, passwordHash));
        await identity.removeSessions(userId);
      },
      () => ofWorkspace(workspace, 'setPassword', 'user', userId),
    );
  }

  /** @throws Fault not_found */
  async setRole(workspace: Owner, { id, name }: User, role: UserRole): Promise<void> {
    await this.#deps.changes.change(
      async ({ identity }) =>
        mustExist('user', await identity.updateUser(workspace.id, id, { name, role })),
      () => ofWorkspace(workspace, 'setRole', 'user', id),
    );
  }

  /** Deletes a user with their access keys. @throws Fault not_found */
  async deleteUser(workspace: Owner, userId: string): Promise<void> {
    await this.#deps.changes.change(
      async ({ identity }) => mustExist('user', await identity.removeUser(workspace.id, userId)),
      () => ofWorkspace(workspace, 'deleteUser', 'user', userId),
    );
  }

  /** The text of the key is in the result and nowhere else. */
  createAccessKey(
    workspace: Owner,
    accessKey: Omit<NewAccessKey, 'workspaceId'>,
  ): Promise<{ key: AccessKey; text: string }> {
    const { changes, ...deps } = this.#deps;
    return changes.change(
      (store) => createAccessKey({ ...deps, store }, { ...accessKey, workspaceId: workspace.id }),
      ({ key }) => ofWorkspace(workspace, 'createAccessKey', 'accessKey', key.id),
    );
  }

  /** @throws Fault not_found */
  async deleteAccessKey(workspace: Owner, id: string): Promise<void> {
    await this.#deps.changes.change(
      async ({ identity }) =>
        mustExist('access key', await identity.removeAccessKey(workspace.id, id)),
      () => ofWorkspace(workspace, 'deleteAccessKey', 'accessKey', id),
    );
  }

  /** The text of the ingestion key of a workspace. @throws Fault not_found */
  showIngestionKey(workspace: Owner): Promise<string> {
    const { changes, vault } = this.#deps;
    return changes.change(
      async ({ identity }) => {
        const stored = await identity.ingestionKey(workspace.id);
        if (!stored) {
          throw notFound('ingestion key');
        }
        return vault.open(stored.sealed, ingestionKeyContext(workspace.id));
      },
      () => ofWorkspace(workspace, 'getIngestionKey', 'ingestionKey', null),
    );
  }

  /** Replaces the ingestion key of a workspace and returns the text of the new one. */
  rotateIngestionKey(workspace: Owner, text?: string): Promise<string> {
    const { changes, ...deps } = this.#deps;
    return changes.change(
      (store) => setIngestionKey({ ...deps, store }, workspace.id, text),
      () => ofWorkspace(workspace, 'rotateIngestionKey', 'ingestionKey', null),
    );
  }

  /** Id and secret are in the result and nowhere else. */
  createKey(
    key: NewOrganizationKey,
  ): Promise<{ key: OrganizationKey; keyId: string; keySecret: string }> {
    const { changes, ...deps } = this.#deps;
    return changes.change(
      (store) => createOrganizationKey({ ...deps, store }, key),
      (created) => ({
        operation: 'createKey',
        object: { kind: 'key', id: created.key.id },
        organizationId: key.organizationId,
      }),
    );
  }

  /** @throws Fault not_found */
  async deleteKey(organizationId: string, id: string): Promise<void> {
    await this.#deps.changes.change(
      async ({ identity }) =>
        mustExist('key', await identity.removeOrganizationKey(organizationId, id)),
      () => ({ operation: 'deleteKey', object: { kind: 'key', id }, organizationId }),
    );
  }
}

const ofWorkspace = (
  { organizationId, serviceId }: Owner,
  operation: string,
  kind: string,
  id: string | null,
): OperatorLine => ({ operation, object: { kind, id }, organizationId, serviceId });

/** A change of something that is not there fails, so that it leaves no audit line. */
function mustExist(what: string, existed: boolean): void {
  if (!existed) {
    throw notFound(what);
  }
}
