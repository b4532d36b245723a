import { SpareMemory } from '../adapters/ambient/spare-memory.ts';
import type { FirstCredentials } from '../core/identity/bootstrap.ts';
import type { Addresses } from './address.ts';
import { startAlerts } from './alerts.ts';
import { createApi, startApi, startUi } from './api.ts';
import type { Config } from './config/config.ts';
import type { Role } from './config/roles.ts';
import { openFoundation } from './foundation.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { AppOptions } from './options.ts';
import { startIngest } from './ingest.ts';
import { createPipes, startPipes } from './pipes.ts';
import type { Running } from './running.ts';
import { StopList } from './stop-list.ts';

export interface Started {
  addresses: Addresses;
  /** Set when this start filled an empty store. */
  first?: FirstCredentials;
  running: Running;
}

export interface App {
  /** Starts everything the configured roles name. A start that fails stops what it had started. */
  start(): Promise<Started>;
  /** Takes less than 10 s. Requests that were accepted are answered if that is possible by then. */
  stop(): Promise<void>;
}

/** The composition root: the one place that knows every part. */
export function createApp(options: AppOptions): App {
  const { config, log, version } = options;
  const stops = new StopList(log);
  return {
    async start() {
      try {
        const started = await start(options, stops);
        const { roles } = config;
        log.info(
          { version, roles, stores: storeKinds(config), addresses: started.addresses },
          'server started',
        );
        return started;
      } catch (error) {
        await stops.run();
        throw error;
      }
    },
    async stop() {
      const startedAtMs = performance.now();
      await stops.run();
      log.info({ elapsedMs: Math.round(performance.now() - startedAtMs) }, 'server stopped');
    },
  };
}

/** What keeps the data: never an address, which may hold a password. */
function storeKinds({ databaseUrl, clickhouseUrl }: Config): Record<string, string> {
  return {
    metadata: databaseUrl === undefined ? 'SQLite' : 'PostgreSQL',
    telemetry: clickhouseUrl === undefined ? 'embedded ClickHouse' : 'ClickHouse server',
  };
}

async function start(options: AppOptions, stops: StopList): Promise<Started> {
  const base = await openFoundation(options, stops);
  const spareMemory = new SpareMemory();
  await spareMemory.start();
  stops.add('spare memory', 'base', () => spareMemory.stop());
  const has = (role: Role): boolean => options.config.roles.includes(role);
  const pipes = has('pipes') ? createPipes(base) : undefined;
  const ingest = has('ingest') ? await startIngest(base, stops) : undefined;
  const api =
    has('api') || has('ui')
      ? createApi(base, stops, { pipes, receivers: ingest?.addresses ?? {} })
      : undefined;
  const ui = api && has('ui') ? await startUi(base, stops, api, options.siteDirectory) : undefined;
  const rest = api && has('api') ? await startApi(base, stops, api, ui?.ui) : undefined;
  const alerting = has('alerts') ? await startAlerts(base, stops) : undefined;
  if (pipes) {
    startPipes(pipes, base, stops);
  }
  await startHeartbeat(base, stops, ingest?.ingest);
  const { first, store, telemetry, vault, ids } = base;
  return {
    addresses: { ...ui, ...ingest?.addresses, ...rest?.addresses },
    ...(first && { first }),
    running: {
      store,
      telemetry,
      vault,
      ids,
      ...(api && { api: { ...api.running, server: rest?.server } }),
      ...(alerting && { alerting }),
      ...(pipes && { pipes }),
      ...(ingest && { ingest: ingest.ingest }),
    },
  };
}
