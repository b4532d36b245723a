import type { Clock } from '../../ports/ambient.ts';
import type { StoredWorkspace } from '../../ports/identity-store.ts';
import type { Store } from '../../ports/store.ts';
import { randomText } from './credentials.ts';
import {
  createAccessKey,
  createOrganization,
  createOrganizationKey,
  createUser,
  createWorkspace,
  setIngestionKey,
  type ProvisionDeps,
} from './provision.ts';

/** What the operator set for the first start; everything absent is made up. */
export interface BootstrapWishes {
  email?: string | undefined;
  password?: string | undefined;
  accessKey?: string | undefined;
  ingestionKey?: string | undefined;
  organizationId?: string | undefined;
  serviceId?: string | undefined;
  keyId?: string | undefined;
  keySecret?: string | undefined;
  database: string;
}

/** Everything a first user needs, in clear: to be printed once. `madeUp` names the credentials the operator did not set. */
export interface FirstCredentials {
  workspace: StoredWorkspace;
  email: string;
  password: string;
  accessKey: string;
  ingestionKey: string;
  organizationId: string;
  serviceId: string;
  keyId: string;
  keySecret: string;
  madeUp: ReadonlySet<'password' | 'accessKey' | 'ingestionKey' | 'keyId' | 'keySecret'>;
}

const leaseName = 'bootstrap';
const leaseTtlMs = 30_000;

/**
 * Fills an empty store: one organization with one service, which is also the team of one user, with its keys and default sources. Undefined where the
 * store was not empty. Of several processes that start at once on one store, one fills it and the others wait for it.
 */
export async function bootstrap(
  deps: ProvisionDeps & { store: Store; clock: Clock; wait: (ms: number) => Promise<void> },
  wishes: BootstrapWishes,
): Promise<FirstCredentials | undefined> {
  const { store } = deps;
  const holder = deps.ids.uuid();
  const deadlineMs = deps.clock.now() + 2 * leaseTtlMs;
  while ((await store.identity.organizations()).length === 0) {
    const lease = await store.leases.acquire(leaseName, holder, leaseTtlMs);
    if (lease) {
      try {
        if ((await store.identity.organizations()).length > 0) {
          return undefined;
        }
        return await fill(deps, wishes);
      } finally {
        await store.leases.release(lease);
      }
    }
    if (deps.clock.now() > deadlineMs) {
      throw new Error('another process holds the first start and does not finish it');
    }
    await deps.wait(100);
  }
  return undefined;
}

async function fill(
  deps: ProvisionDeps & { store: Store },
  wishes: BootstrapWishes,
): Promise<FirstCredentials> {
  const email = wishes.email ?? 'admin@sightline.local';
  const password = wishes.password ?? randomText(20);
  return deps.store.transaction(async (parts) => {
    const inside = { ...deps, store: parts };
    const organization = await createOrganization(inside, 'Sightline', wishes.organizationId);
    const workspace = await createWorkspace(inside, {
      organizationId: organization.id,
      name: 'default',
      database: wishes.database,
      ...(wishes.serviceId !== undefined && { serviceId: wishes.serviceId }),
    });
    const user = await createUser(inside, { workspaceId: workspace.id, email, password });
    const access = await createAccessKey(inside, {
      workspaceId: workspace.id,
      userId: user.id,
      name: 'first key',
      ...(wishes.accessKey !== undefined && { text: wishes.accessKey }),
    });
    const ingestionKey = await setIngestionKey(inside, workspace.id, wishes.ingestionKey);
    const key = await createOrganizationKey(inside, {
      organizationId: organization.id,
      name: 'first key',
      roles: ['admin'],
      ...(wishes.keyId !== undefined && { keyId: wishes.keyId }),
      ...(wishes.keySecret !== undefined && { keySecret: wishes.keySecret }),
    });
    const madeUp = new Set(
      (['password', 'accessKey', 'ingestionKey', 'keyId', 'keySecret'] as const).filter(
        (name) => wishes[name] === undefined,
      ),
    );
    return {
      workspace,
      email,
      password,
      accessKey: access.text,
      ingestionKey,
      organizationId: organization.id,
      serviceId: workspace.serviceId,
      keyId: key.keyId,
      keySecret: key.keySecret,
      madeUp,
    };
  });
}
