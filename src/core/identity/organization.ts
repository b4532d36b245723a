import {
  createService,
  getOrganization,
  getService,
  listOrganizations,
  listServices,
  updateOrganization,
  updateService,
  type Organization,
  type Service,
} from '../../contract/organization.ts';
import { Fault, notFound } from '../../contract/errors.ts';
import type {
  Organization as StoredOrganization,
  StoredWorkspace,
} from '../../ports/store/identity-store.ts';
import type { Principal } from '../../ports/principal.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import type { Ids, Vault } from '../../ports/ambient.ts';
import { changeVerb, readVerb } from '../verb/verb.ts';
import { createWorkspace, ownDatabase, setIngestionKey } from './provision.ts';

/** Time after which the telemetry engine counts as not responding. */
const pingTimeoutMs = 2000;

const servicesMax = 100;

export interface OrganizationDependencies {
  store: StoreReader;
  telemetry: Pick<Telemetry, 'ping' | 'migrate'>;
  ids: Ids;
  vault: Vault;
}

/** What a client needs to discover its ids: the organization of its key, and the services of it. */
export function organizationVerbs(deps: OrganizationDependencies) {
  const serviceState = stateReader(deps.telemetry);
  return { ...readVerbs(deps, serviceState), ...changeVerbs(deps, serviceState) };
}

type StateReader = () => Promise<Service['state']>;

const stateReader =
  (telemetry: Pick<Telemetry, 'ping'>): StateReader =>
  () =>
    telemetry.ping(pingTimeoutMs).then(
      () => 'running',
      () => 'degraded',
    );

function readVerbs({ store }: OrganizationDependencies, serviceState: StateReader) {
  const organization = async (id: string): Promise<Organization> => {
    const stored = await store.identity.organization(id);
    if (!stored) {
      throw notFound('organization');
    }
    return organizationRecord(stored);
  };
  return {
    listOrganizations: readVerb(listOrganizations, async ({ principal, query }) =>
      paged([await organization(principal.workspace.organizationId)], query),
    ),

    getOrganization: readVerb(getOrganization, async ({ principal, params }) => {
      requireOwn(params.organizationId, principal);
      return { value: await organization(params.organizationId) };
    }),

    listServices: readVerb(listServices, async ({ principal, query }) => {
      const [workspaces, state] = await Promise.all([
        store.identity.workspaces(principal.workspace.organizationId),
        serviceState(),
      ]);
      return paged(
        workspaces.map((workspace) => serviceRecord(workspace, state)),
        query,
      );
    }),

    getService: readVerb(getService, async ({ principal, params }) => {
      const workspace = await serviceOf(store, principal, params.serviceId);
      return { value: serviceRecord(workspace, await serviceState()) };
    }),
  };
}

function changeVerbs(deps: OrganizationDependencies, serviceState: StateReader) {
  const { store, ids, vault, telemetry } = deps;
  return {
    updateOrganization: changeVerb(
      updateOrganization,
      async ({ principal, params, body, ifMatch, commit }) => {
        const id = params.organizationId;
        requireOwn(id, principal);
        refuseVersion(ifMatch, 'organization');
        return commit(id, async ({ identity }) => {
          if (body.name !== undefined) {
            await identity.renameOrganization(id, body.name);
          }
          const renamed = await identity.organization(id);
          if (!renamed) {
            throw notFound('organization');
          }
          return { value: organizationRecord(renamed) };
        });
      },
    ),

    createService: changeVerb(createService, async ({ principal, body, commit }) => {
      const { organizationId } = principal.workspace;
      const serviceId = await newServiceId(deps);
      const state = await serviceState();
      const made = await commit(serviceId, async (parts) => {
        const existing = await parts.identity.workspaces(organizationId);
        if (existing.length >= servicesMax) {
          throw new Fault('bad_request', `an organization has at most ${servicesMax} services`);
        }
        const provision = { store: parts, ids, vault };
        const workspace = await createWorkspace(provision, {
          organizationId,
          serviceId,
          name: body.name,
          database: ownDatabase(serviceId),
        });
        const ingestionKey = await setIngestionKey(provision, workspace.id);
        return { value: { ...serviceRecord(workspace, state), ingestionKey } };
      });
      // Without them its charts fail until its first telemetry creates them.
      await telemetry.migrate(ownDatabase(serviceId)).catch(() => {});
      return made;
    }),

    updateService: changeVerb(updateService, async (call) => {
      const { principal, params, body, ifMatch, commit } = call;
      refuseVersion(ifMatch, 'service');
      const workspace = await serviceOf(store, principal, params.serviceId);
      const state = await serviceState();
      return commit(params.serviceId, async ({ identity }) => {
        const { name = workspace.name } = body;
        await identity.renameWorkspace(workspace.id, name);
        return { value: serviceRecord({ ...workspace, name }, state) };
      });
    }),
  };
}

/** An id whose database no service has. */
async function newServiceId({ store, ids }: OrganizationDependencies): Promise<string> {
  const all = await store.identity.workspaces();
  const taken = new Set(all.flatMap((one) => [one.database, ...one.listedDatabases]));
  for (;;) {
    const id = ids.uuid();
    if (!taken.has(ownDatabase(id))) {
      return id;
    }
  }
}

/** Organizations and services have no versions, so none that a caller names is the current one. */
function refuseVersion(ifMatch: readonly number[] | undefined, what: string): void {
  if (ifMatch) {
    throw new Fault(
      'precondition_failed',
      `the ${what} has no version. Send the request without If-Match`,
    );
  }
}

function requireOwn(organizationId: string, { workspace }: Principal): void {
  if (organizationId !== workspace.organizationId) {
    throw doesNotBelong('organization', 'key');
  }
}

async function serviceOf(
  store: StoreReader,
  { workspace: { organizationId } }: Principal,
  serviceId: string,
): Promise<StoredWorkspace> {
  const workspace = await store.identity.workspaceOfService(organizationId, serviceId);
  if (!workspace) {
    throw doesNotBelong('service', 'organization');
  }
  return workspace;
}

/** The fault for an id of somebody else, and for one that does not exist. */
export function doesNotBelong(
  what: 'organization' | 'service',
  whose: 'key' | 'session' | 'organization',
): Fault {
  const owner = whose === 'organization' ? whose : `${whose} of this request`;
  return new Fault('bad_request', `the ${what} in the path does not belong to the ${owner}`);
}

function paged<T>(items: T[], { limit, offset }: { limit: number; offset: number }) {
  return {
    value: items.slice(offset, offset + limit),
    page: { total: items.length, limit, offset },
  };
}

const organizationRecord = ({ id, name, createdAtMs }: StoredOrganization): Organization => ({
  id,
  name,
  createdAt: new Date(createdAtMs).toISOString(),
});

const serviceRecord = (workspace: StoredWorkspace, state: Service['state']): Service => ({
  id: workspace.serviceId,
  name: workspace.name,
  state,
  organizationId: workspace.organizationId,
  team: workspace.id,
  database: workspace.database,
  createdAt: new Date(workspace.createdAtMs).toISOString(),
});
