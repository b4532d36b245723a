import {
  createAccessKey,
  createOrganization,
  createOrganizationKey,
  createUser,
  createWorkspace,
  type ProvisionDeps,
} from '../../src/core/identity/provision.ts';
import type { FirstCredentials } from '../../src/core/identity/bootstrap.ts';
import type { Ids } from '../../src/ports/ambient.ts';
import type { KeyRole } from '../../src/ports/store/identity-store.ts';
import { http, type HttpAnswer, type HttpCall } from './http.ts';

type Call = (method: string, path: string, call?: HttpCall) => Promise<HttpAnswer>;

/** A user of a team, who calls the open-source surface. */
export interface TestCaller {
  teamId: string;
  userId: string;
  accessKey: string;
  call: Call;
}

/** A key of an organization, for the managed surface. */
export interface TestKey {
  /** Of its record; the user name of Basic is `keyId`. */
  id: string;
  organizationId: string;
  serviceId: string;
  keyId: string;
  keySecret: string;
  authorization: string;
  /** Under /v1. */
  call: Call;
  /** Under /v1/organizations/{organizationId}. */
  organization: Call;
  /** Under …/services/{serviceId}/stack. */
  stack: Call;
}

const callAt =
  (base: string, authorization: string): Call =>
  (method, path, call = {}) =>
    http(method, base + path, { ...call, headers: { authorization, ...call.headers } });

export function callerAt(url: string, names: Omit<TestCaller, 'call'>): TestCaller {
  return { ...names, call: callAt(`${url}/api/v2`, `Bearer ${names.accessKey}`) };
}

export function keyAt(
  url: string,
  names: Pick<TestKey, 'id' | 'organizationId' | 'serviceId' | 'keyId' | 'keySecret'>,
): TestKey {
  const pair = Buffer.from(`${names.keyId}:${names.keySecret}`).toString('base64');
  const authorization = `Basic ${pair}`;
  const organization = `${url}/v1/organizations/${names.organizationId}`;
  return {
    ...names,
    authorization,
    call: callAt(`${url}/v1`, authorization),
    organization: callAt(organization, authorization),
    stack: callAt(`${organization}/services/${names.serviceId}/stack`, authorization),
  };
}

/** Who may call, made beside the running server as an operator would. */
export function provisioning(
  url: string,
  first: FirstCredentials,
  deps: ProvisionDeps & { ids: Ids },
  identityChanged: () => void,
) {
  return {
    /** A user with a key, in a team of their own or in the given one. */
    async newCaller(teamId?: string): Promise<TestCaller> {
      const team = { organizationId: first.organizationId, name: 'another team' };
      const workspaceId =
        teamId ?? (await createWorkspace(deps, { ...team, database: 'another' })).id;
      const email = `${deps.ids.object()}@example.com`;
      const user = await createUser(deps, { workspaceId, email });
      const key = await createAccessKey(deps, { workspaceId, userId: user.id, name: 'key' });
      identityChanged();
      return callerAt(url, { teamId: workspaceId, userId: user.id, accessKey: key.text });
    },

    /** A key with these roles, of the first organization and service or of the given ones. */
    async newKey(
      roles: KeyRole[],
      { organizationId, serviceId }: { organizationId: string; serviceId: string } = first,
    ): Promise<TestKey> {
      const made = await createOrganizationKey(deps, { organizationId, name: roles.join(), roles });
      const { keyId, keySecret } = made;
      return keyAt(url, { id: made.key.id, organizationId, serviceId, keyId, keySecret });
    },

    /** Another organization with one service. */
    async newOrganization(): Promise<{
      organizationId: string;
      serviceId: string;
      teamId: string;
    }> {
      const { id: organizationId } = await createOrganization(deps, 'another organization');
      const names = { name: 'its service', database: 'elsewhere' };
      const workspace = await createWorkspace(deps, { organizationId, ...names });
      return { organizationId, serviceId: workspace.serviceId, teamId: workspace.id };
    },
  };
}
