import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { createIds } from '../../src/adapters/ambient/ids.ts';
import { createLog } from '../../src/adapters/ambient/log.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite.ts';
import { createVault } from '../../src/adapters/vault/vault.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import type { RefusalLimits } from '../../src/core/resources/audit-refusals.ts';
import { pipeVerbs } from '../../src/core/pipes/pipe-verbs.ts';
import { createAuditTrail } from '../../src/core/resources/audit-trail.ts';
import { auditVerbs } from '../../src/core/resources/audit.ts';
import { createWebhookSender } from '../../src/adapters/webhook/webhook-sender.ts';
import { alertStatusReader } from '../../src/core/alerting/alert-status.ts';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { alertingVerbs } from '../../src/core/alerting/verbs.ts';
import { createQuery } from '../../src/core/query/index.ts';
import { bootstrap } from '../../src/core/resources/bootstrap.ts';
import { organizationKeyVerbs } from '../../src/core/resources/organization-key.ts';
import { organizationVerbs } from '../../src/core/resources/organization.ts';
import {
  createAccessKey,
  createOrganization,
  createOrganizationKey,
  createUser,
  createWorkspace,
} from '../../src/core/resources/provision.ts';
import { createStackVerbs, type StackDependencies } from '../../src/core/resources/stack.ts';
import { basicAuthenticator } from '../../src/http/auth/basic.ts';
import { bearerAuthenticator } from '../../src/http/auth/bearer.ts';
import { KeyUsage } from '../../src/http/auth/key-usage.ts';
import { createApiServer, type ApiServerOptions } from '../../src/http/server.ts';
import { managedSurface } from '../../src/http/surfaces/managed.ts';
import { openSurface } from '../../src/http/surfaces/open.ts';
import type { Clock } from '../../src/ports/ambient.ts';
import type { KeyRole } from '../../src/ports/identity-store.ts';
import type { Store, StoreParts } from '../../src/ports/store.ts';
import { TelemetryError, type Telemetry } from '../../src/ports/telemetry.ts';
import { http, type HttpAnswer, type HttpCall } from './http.ts';

export interface ApiKitOptions extends Partial<
  Pick<ApiServerOptions, 'rateLimit' | 'trustedProxies' | 'corsOrigins' | 'limits'>
> {
  clock?: Clock;
  auditLimits?: Partial<RefusalLimits>;
  /** Puts something between the server and the store, such as an outage. */
  through?: (store: Store) => Store;
  /** A real engine; without one, what needs it answers 503. */
  telemetry?: Telemetry;
  /** 30 s where absent. */
  queryTimeoutMs?: number;
  dependencies?: Partial<StackDependencies>;
}

/** An engine that cannot be reached. */
const engineAway = new Proxy({} as Telemetry, {
  get: () => () =>
    Promise.reject(new TelemetryError('unavailable', 'there is no engine in this test')),
});

/** A user of a team, who calls the open-source surface. */
export interface TestCaller {
  teamId: string;
  userId: string;
  accessKey: string;
  call(method: string, path: string, call?: HttpCall): Promise<HttpAnswer>;
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
  call(method: string, path: string, call?: HttpCall): Promise<HttpAnswer>;
  /** Under /v1/organizations/{organizationId}. */
  organization(method: string, path: string, call?: HttpCall): Promise<HttpAnswer>;
  /** Under …/services/{serviceId}/stack. */
  stack(method: string, path: string, call?: HttpCall): Promise<HttpAnswer>;
}

/** Both surfaces over a real embedded store, on a free port. */
export async function startApi(options: ApiKitOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'sightline-api-'));
  const clock = options.clock ?? { now: () => Date.now() };
  const ids = createIds(clock);
  const vault = createVault(randomBytes(32));
  const lines: string[] = [];
  const log = createLog({
    level: 'debug',
    destination: { write: (line) => void lines.push(line) },
  });
  const own = await openSqliteStore({ path: join(directory, 'store.db'), clock });
  const store = options.through?.(own) ?? own;
  const first = (await bootstrap(
    { store: own, ids, vault, clock, wait: async () => {} },
    { database: 'telemetry' },
  ))!;

  const usage = new KeyUsage(store.identity, clock, log);
  const authenticator = bearerAuthenticator({ identity: store.identity, clock, usage });
  const basic = basicAuthenticator({ identity: store.identity, clock, usage });
  const identityChanged = (): void => {
    authenticator.forget();
    basic.forget();
  };
  const trail = createAuditTrail({
    store,
    ids,
    clock,
    log,
    identityChanged,
    ...(options.auditLimits && { limits: options.auditLimits }),
  });
  const telemetry = options.telemetry ?? engineAway;
  const query = createQuery({
    telemetry,
    clock,
    limits: { timeoutMs: options.queryTimeoutMs ?? 30_000 },
  });
  const egress = egressGuard({ allow: ['127.0.0.0/8'] });
  const sender = createWebhookSender({ egress, timeoutMs: 5000 });
  const verbs = {
    ...createStackVerbs({
      store: trail.store,
      ids,
      vault,
      clock,
      query,
      inspector: query,
      egress,
      identityChanged,
      evaluation: alertStatusReader(store.alerts),
      ...options.dependencies,
    }),
    ...alertingVerbs({
      store: trail.store,
      telemetry,
      query,
      sender,
      vault,
      clock,
      ingestDelayMs: 5000,
    }),
  };
  const pipes = pipeVerbs({
    store: trail.store,
    telemetry,
    connectors: createConnectors(),
    vault,
    egress,
    clock,
    ids,
    log,
    allowHttp: true,
    random: Math.random,
  });
  const registry = new Registry();
  const server = await createApiServer({
    surfaces: [
      openSurface({ verbs, authenticator }),
      managedSurface({
        verbs: {
          ...verbs,
          ...pipes,
          ...organizationVerbs(trail),
          ...organizationKeyVerbs({ store: trail.store, ids }),
          ...auditVerbs(trail),
        },
        authenticator: basic,
      }),
    ],
    audit: trail,
    clock,
    log,
    health: { version: '0.0.0-test', checks: { store: () => store.ping() }, metrics: registry },
    idempotency: { store: store.idempotency, vault },
    rateLimit: options.rateLimit ?? 'off',
    trustedProxies: options.trustedProxies ?? [],
    ...(options.corsOrigins && { corsOrigins: options.corsOrigins }),
    limits: { eventLoopDelayMs: 0, ...options.limits },
  });
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${port}`;

  const caller = (teamId: string, userId: string, accessKey: string): TestCaller => ({
    teamId,
    userId,
    accessKey,
    call: (method, path, call = {}) =>
      http(method, `${url}/api/v2${path}`, {
        ...call,
        headers: { authorization: `Bearer ${accessKey}`, ...call.headers },
      }),
  });

  /** A user with a key, in a team of their own or in the given one. */
  const newCaller = async (teamId?: string): Promise<TestCaller> => {
    const deps = { store: own as StoreParts, ids, vault };
    const workspaceId =
      teamId ??
      (
        await createWorkspace(deps, {
          organizationId: first.organizationId,
          name: 'another team',
          database: 'another',
        })
      ).id;
    const user = await createUser(deps, { workspaceId, email: `${ids.object()}@example.com` });
    const { text } = await createAccessKey(deps, { workspaceId, userId: user.id, name: 'key' });
    identityChanged();
    return caller(workspaceId, user.id, text);
  };

  const keyOf = (
    names: Pick<TestKey, 'id' | 'organizationId' | 'serviceId' | 'keyId' | 'keySecret'>,
  ): TestKey => {
    const authorization = `Basic ${Buffer.from(`${names.keyId}:${names.keySecret}`).toString('base64')}`;
    const under =
      (base: string): TestKey['call'] =>
      (method, path, call = {}) =>
        http(method, `${url}/v1${base}${path}`, {
          ...call,
          headers: { authorization, ...call.headers },
        });
    const organization = `/organizations/${names.organizationId}`;
    return {
      ...names,
      authorization,
      call: under(''),
      organization: under(organization),
      stack: under(`${organization}/services/${names.serviceId}/stack`),
    };
  };

  /** A key with these roles, of the first organization and service or of the given ones. */
  const newKey = async (
    roles: KeyRole[],
    of: { organizationId: string; serviceId: string } = first,
  ): Promise<TestKey> => {
    const { key, keyId, keySecret } = await createOrganizationKey(
      { store: own, ids, vault },
      { organizationId: of.organizationId, name: roles.join(), roles },
    );
    return keyOf({
      id: key.id,
      organizationId: of.organizationId,
      serviceId: of.serviceId,
      keyId,
      keySecret,
    });
  };

  /** Another organization with one service. */
  const newOrganization = async (): Promise<{
    organizationId: string;
    serviceId: string;
    teamId: string;
  }> => {
    const deps = { store: own as StoreParts, ids, vault };
    const organization = await createOrganization(deps, 'another organization');
    const workspace = await createWorkspace(deps, {
      organizationId: organization.id,
      name: 'its service',
      database: 'elsewhere',
    });
    return {
      organizationId: organization.id,
      serviceId: workspace.serviceId,
      teamId: workspace.id,
    };
  };

  const [firstKey] = (
    await own.identity.organizationKeys(first.organizationId, { limit: 1, offset: 0 })
  ).items;
  const [user] = await own.identity.users(first.workspace.id);
  return {
    url,
    port,
    server,
    directory,
    store: own,
    vault,
    ids,
    clock,
    usage,
    first,
    logLines: lines,
    ...caller(first.workspace.id, user!.id, first.accessKey),
    newCaller,
    managed: keyOf({
      id: firstKey!.id,
      organizationId: first.organizationId,
      serviceId: first.serviceId,
      keyId: first.keyId,
      keySecret: first.keySecret,
    }),
    newKey,
    newOrganization,
    keyOf,
    trail,
    async stop() {
      await server.stop(2000);
      await usage.stop();
      await sender.close();
      await trail.flush();
      await own.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export type ApiKit = Awaited<ReturnType<typeof startApi>>;
