import type { Clock, Ids } from '../../ports/ambient.ts';
import type { StoredWorkspace } from '../../ports/store/identity-store.ts';
import type { LeaseStore } from '../../ports/store/lease-store.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import { hashPassword, randomText } from './credentials.ts';
import type { OperatorActions } from './operator-actions.ts';

/** What the operator set for the first start. Absent values are generated. */
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

/**
 * The credentials of the first user, in clear text, to be printed until somebody uses them. `madeUp` names those that
 * the operator did not set.
 */
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

export interface BootstrapDeps {
  store: Pick<StoreReader, 'identity'> & { readonly leases: LeaseStore };
  actions: OperatorActions;
  ids: Ids;
  clock: Clock;
  wait: (ms: number) => Promise<void>;
  /** Called before the store is filled for good. */
  keep: (first: FirstCredentials) => void;
}

const leaseName = 'bootstrap';
const leaseTtlMs = 30_000;

/**
 * Fills an empty store with one organization, its service, one user, their keys and the default
 * sources. The service is also the team of the user. Returns undefined if the store was not empty.
 * If several processes start on one store, one of them fills it and the others wait.
 */
export async function bootstrap(
  deps: BootstrapDeps,
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
      throw new Error(
        'another process began the first start of this store and did not finish. Start the server again.',
      );
    }
    await deps.wait(100);
  }
  return undefined;
}

async function fill(
  { actions: operator, keep }: BootstrapDeps,
  wishes: BootstrapWishes,
): Promise<FirstCredentials> {
  const email = wishes.email ?? 'admin@sightline.local';
  const password = wishes.password ?? randomText(20);
  const passwordHash = await hashPassword(password);
  return operator.together(async (actions) => {
    const organization = await actions.createOrganization('Sightline', wishes.organizationId);
    const workspace = await actions.createService({
      organizationId: organization.id,
      name: 'default',
      database: wishes.database,
      ...(wishes.serviceId !== undefined && { serviceId: wishes.serviceId }),
    });
    const user = await actions.createUser(workspace, { email, passwordHash });
    const access = await actions.createAccessKey(workspace, {
      userId: user.id,
      name: 'first key',
      ...(wishes.accessKey !== undefined && { text: wishes.accessKey }),
    });
    const ingestionKey = await actions.rotateIngestionKey(workspace, wishes.ingestionKey);
    const key = await actions.createKey({
      organizationId: organization.id,
      name: 'first key',
      roles: ['admin'],
      ...(wishes.keyId !== undefined && { keyId: wishes.keyId }),
      ...(wishes.keySecret !== undefined && { keySecret: wishes.keySecret }),
    });
    const first: FirstCredentials = {
      workspace,
      email,
      password,
      accessKey: access.text,
      ingestionKey,
      organizationId: organization.id,
      serviceId: workspace.serviceId,
      keyId: key.keyId,
      keySecret: key.keySecret,
      madeUp: madeUp(wishes),
    };
    keep(first);
    return first;
  });
}

const madeUp = (wishes: BootstrapWishes): FirstCredentials['madeUp'] =>
  new Set(
    (['password', 'accessKey', 'ingestionKey', 'keyId', 'keySecret'] as const).filter(
      (name) => wishes[name] === undefined,
    ),
  );
