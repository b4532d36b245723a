import {
  getOrganization,
  getService,
  listOrganizations,
  listServices,
  type Organization,
  type Service,
} from '../../contract/organization.ts';
import { Fault, notFound } from '../../contract/errors.ts';
import type {
  Organization as StoredOrganization,
  StoredWorkspace,
} from '../../ports/store/identity-store.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import { readVerb } from '../verb/verb.ts';

/** Time after which the telemetry engine counts as not responding. */
const pingTimeoutMs = 2000;

/** What a client needs to discover its ids: the organization of its key, and the services of it. */
export function organizationVerbs({
  store,
  telemetry,
}: {
  store: StoreReader;
  telemetry: Pick<Telemetry, 'ping'>;
}) {
  const serviceState = (): Promise<Service['state']> =>
    telemetry.ping(pingTimeoutMs).then(
      () => 'running',
      () => 'degraded',
    );
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
      if (params.organizationId !== principal.workspace.organizationId) {
        throw doesNotBelong('organization', 'key');
      }
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
      const workspace = await store.identity.workspaceOfService(
        principal.workspace.organizationId,
        params.serviceId,
      );
      if (!workspace) {
        throw doesNotBelong('service', 'organization');
      }
      return { value: serviceRecord(workspace, await serviceState()) };
    }),
  };
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
