import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapters/store/drivers/sqlite.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import type { RefusalLimits } from '../../src/core/audit/audit-refusals.ts';
import type { RateLimit } from '../../src/http/rate-limit.ts';
import type { ApiServerOptions } from '../../src/http/server.ts';
import type { Clock } from '../../src/ports/ambient.ts';
import type { Store } from '../../src/ports/store/store.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { linesOfLog, noEngine, startTestApp } from './app.ts';
import { callerAt, keyAt, provisioning, type TestKey } from './callers.ts';

export type { TestCaller, TestKey } from './callers.ts';

export interface ApiKitOptions {
  rateLimit?: RateLimit | 'off';
  trustedProxies?: string[];
  corsOrigins?: string[];
  limits?: ApiServerOptions['limits'];
  clock?: Clock;
  auditLimits?: Partial<RefusalLimits>;
  /** Puts something between the server and the store, such as an outage. */
  through?: (store: Store) => Store;
  /** A real engine; without one, what needs it answers 503. */
  telemetry?: Telemetry;
  /** 30 s where absent. */
  queryTimeoutMs?: number;
  /** Runs the pipes too; they may connect to this machine only. */
  pipes?: boolean;
}

/** Both surfaces over a real embedded store, on a free port. */
export async function startApi(options: ApiKitOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'sightline-api-'));
  const clock = options.clock ?? { now: () => Date.now() };
  const { log, lines } = linesOfLog();
  const store = await openSqliteStore({ path: join(directory, 'store.db'), clock });
  const { rateLimit, trustedProxies, corsOrigins, queryTimeoutMs } = options;
  const app = await startTestApp({
    folder: directory,
    roles: options.pipes === true ? ['api', 'pipes'] : ['api'],
    config: {
      ...(rateLimit && { rateLimit }),
      ...(trustedProxies && { trustedProxies }),
      ...(corsOrigins && { corsOrigins }),
      ...(queryTimeoutMs !== undefined && { queryTimeoutMs }),
    },
    log,
    clock,
    parts: {
      store: options.through?.(store) ?? store,
      telemetry: options.telemetry ?? noEngine,
      ...(options.pipes === true && { egress: egressGuard({ allow: ['127.0.0.1', 'localhost'] }) }),
    },
    tuning: {
      ...(options.pipes === true && { pipes: { tickMs: 200, leaseMs: 4000 } }),
      api: { eventLoopDelayMs: 0, ...options.limits },
      ...(options.auditLimits && { auditRefusals: options.auditLimits }),
    },
  });
  const { first, vault, ids, api } = app;
  if (!first || !api?.server) {
    throw new Error('the app did not start its API on an empty store');
  }
  const { port, origin: url } = new URL(app.addresses.surfaces?.[0] ?? '');
  const [user] = await store.identity.users(first.workspace.id);
  return {
    url,
    port: Number(port),
    server: api.server,
    directory,
    store,
    vault,
    ids,
    clock,
    usage: api.usage,
    identityChanged: api.identityChanged,
    trail: api.trail,
    verbs: api.verbs,
    first,
    logLines: lines,
    ...callerAt(url, {
      teamId: first.workspace.id,
      userId: user?.id ?? '',
      accessKey: first.accessKey,
    }),
    managed: await firstKey(url, store, first),
    keyOf: (names: Parameters<typeof keyAt>[1]) => keyAt(url, names),
    ...provisioning(url, first, { store, ids, vault }, api.identityChanged),
    async stop() {
      await app.stop();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The key of the first start, under its record's id. */
async function firstKey(
  url: string,
  store: Store,
  first: Pick<TestKey, 'organizationId' | 'serviceId' | 'keyId' | 'keySecret'>,
): Promise<TestKey> {
  const { items } = await store.identity.organizationKeys(first.organizationId, {
    limit: 1,
    offset: 0,
  });
  const { organizationId, serviceId, keyId, keySecret } = first;
  return keyAt(url, { id: items[0]?.id ?? '', organizationId, serviceId, keyId, keySecret });
}

export type ApiKit = Awaited<ReturnType<typeof startApi>>;
