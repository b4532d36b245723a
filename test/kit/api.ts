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
import { bootstrap } from '../../src/core/resources/bootstrap.ts';
import { createAccessKey, createUser, createWorkspace } from '../../src/core/resources/provision.ts';
import { createStackVerbs, type StackDependencies } from '../../src/core/resources/stack.ts';
import { bearerAuthenticator } from '../../src/http/auth/bearer.ts';
import { KeyUsage } from '../../src/http/auth/key-usage.ts';
import { createApiServer, type ApiServerOptions } from '../../src/http/server.ts';
import { openSurface } from '../../src/http/surfaces/open.ts';
import type { Clock } from '../../src/ports/ambient.ts';
import type { Store, StoreParts } from '../../src/ports/store.ts';
import { http, type HttpAnswer, type HttpCall } from './http.ts';

export interface ApiKitOptions extends Partial<Pick<ApiServerOptions, 'rateLimit' | 'trustedProxies' | 'corsOrigins' | 'limits'>> {
  clock?: Clock;
  /** Puts something between the server and the store, such as an outage. */
  through?: (store: Store) => Store;
  dependencies?: Partial<StackDependencies>;
}

/** A user of a team, who calls the open-source surface. */
export interface TestCaller {
  teamId: string;
  userId: string;
  accessKey: string;
  call(method: string, path: string, call?: HttpCall): Promise<HttpAnswer>;
}

/** The open-source surface over a real embedded store, on a free port. */
export async function startApi(options: ApiKitOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'sightline-api-'));
  const clock = options.clock ?? { now: () => Date.now() };
  const ids = createIds(clock);
  const vault = createVault(randomBytes(32));
  const lines: string[] = [];
  const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
  const own = await openSqliteStore({ path: join(directory, 'store.db'), clock });
  const store = options.through?.(own) ?? own;
  const first = (await bootstrap({ store: own, ids, vault, clock, wait: async () => {} }, { database: 'telemetry' }))!;

  const usage = new KeyUsage(store.identity, clock, log);
  const authenticator = bearerAuthenticator({ identity: store.identity, clock, usage });
  const verbs = createStackVerbs({ store, ids, vault, clock, egress: egressGuard({ allow: ['127.0.0.0/8'] }), identityChanged: () => authenticator.forget(), ...options.dependencies });
  const registry = new Registry();
  const server = await createApiServer({
    surfaces: [openSurface({ verbs, authenticator })],
    clock, log,
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
    teamId, userId, accessKey,
    call: (method, path, call = {}) => http(method, `${url}/api/v2${path}`, { ...call, headers: { authorization: `Bearer ${accessKey}`, ...call.headers } }),
  });

  /** A user with a key, in a team of their own or in the given one. */
  const newCaller = async (teamId?: string): Promise<TestCaller> => {
    const deps = { store: own as StoreParts, ids, vault };
    const workspaceId = teamId ?? (await createWorkspace(deps, { organizationId: first.organizationId, name: 'another team', database: 'another' })).id;
    const user = await createUser(deps, { workspaceId, email: `${ids.object()}@example.com` });
    const { text } = await createAccessKey(deps, { workspaceId, userId: user.id, name: 'key' });
    authenticator.forget();
    return caller(workspaceId, user.id, text);
  };

  const [user] = await own.identity.users(first.workspace.id);
  return {
    url, port, server, store: own, vault, ids, clock, usage, first, logLines: lines,
    ...caller(first.workspace.id, user!.id, first.accessKey),
    newCaller,
    async stop() {
      await server.stop(2000);
      await usage.stop();
      await own.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export type ApiKit = Awaited<ReturnType<typeof startApi>>;
