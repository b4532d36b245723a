import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { systemClock } from '../adapters/ambient/clock.ts';
import { createIds } from '../adapters/ambient/ids.ts';
import { createConnectors } from '../adapters/connectors/registry.ts';
import { egressGuard } from '../adapters/webhook/egress-guard.ts';
import { createWebhookSender } from '../adapters/webhook/webhook-sender.ts';
import { operatorActions } from '../core/identity/operator-actions.ts';
import { bootstrap, type FirstCredentials } from '../core/identity/bootstrap.ts';
import { sourceKinds } from '../core/pipes/kinds/registry.ts';
import { createQuery, type Query } from '../core/query/index.ts';
import { DemoReceiver } from '../demo/receiver.ts';
import type { Clock, Ids, Log } from '../ports/ambient.ts';
import type { Store } from '../ports/store/store.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { Config } from './config/config.ts';
import { connectorSettings } from './config/connector-settings.ts';
import { warnOfReadableData } from './data/data-directory.ts';
import { FirstCredentialsFile } from './data/first-credentials.ts';
import { measureEngine } from './metrics/engine-metrics.ts';
import type { AppOptions, Parts } from './options.ts';
import { sealWebhookUrls } from './seal-webhook-urls.ts';
import type { StopList } from './stop-list.ts';
import { openStore, openTelemetry, openVault } from './stores.ts';
import type { Tuning } from './tuning.ts';
import { workspaceDatabases } from './workspace-databases.ts';

/** What every role stands on. */
export interface Foundation extends Parts {
  config: Config;
  log: Log;
  version: string;
  clock: Clock;
  ids: Ids;
  query: Query;
  random: () => number;
  /** Name under which this process holds leases. */
  holder: string;
  first: FirstCredentials | undefined;
  /** Telemetry databases whose tables are up to date. */
  databases: Set<string>;
  metrics: Registry;
  /** Takes the notifications of demo shops out of what `sender` sends. */
  demoReceiver: DemoReceiver;
  tuning: Tuning;
}

/** Opens the stores, fills an empty one, and brings every telemetry database up to date. */
export async function openFoundation(options: AppOptions, stops: StopList): Promise<Foundation> {
  const { config, log, version, clock = systemClock, random = Math.random, tuning = {} } = options;
  const ids = createIds(clock);
  const opened = await openParts(options, stops);
  const demoReceiver = new DemoReceiver(clock);
  const parts = {
    ...opened,
    sender: demoReceiver.before(opened.sender),
    egress: demoReceiver.allowedBy(opened.egress),
  };
  const { store, telemetry } = parts;
  const first = await firstStart(options, { ...parts, clock, ids }, stops);
  await sealWebhookUrls(store, parts.vault, log);
  const databases = await migrateDatabases(store, telemetry, log);
  sweepStore(store, log, stops);
  const query = createQuery({
    telemetry,
    workspaceDatabase: workspaceDatabases(store),
    clock,
    limits: { timeoutMs: config.queryTimeoutMs },
    exportTimeoutMs: config.exportTimeoutMs,
    cache: { ingestDelayMs: config.alertIngestDelayMs },
  });
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  measureEngine(metrics, telemetry);
  return {
    ...parts,
    config,
    log,
    version,
    clock,
    ids,
    query,
    random,
    holder: options.holder ?? holderOf(config, ids),
    first,
    databases,
    metrics,
    demoReceiver,
    tuning,
  };
}

async function openParts(
  { config, log, clock, parts = {} }: AppOptions,
  stops: StopList,
): Promise<Parts> {
  if (config.databaseUrl === undefined || config.clickhouseUrl === undefined) {
    await warnOfReadableData(config.dataDir, log);
  }
  const vault = parts.vault ?? (await openVault(config));
  const store = parts.store ?? (await openStore(config, log, clock && { clock }));
  if (!parts.store) {
    stops.add('store', 'base', () => store.close());
  }
  const egress = parts.egress ?? egressGuard({ allow: config.egressAllow });
  const databases = (await store.identity.workspaces()).map(({ database }) => database);
  const telemetry =
    parts.telemetry ?? (await openTelemetry(config, log, { guard: egress, vault, databases }));
  if (!parts.telemetry) {
    stops.add('telemetry', 'base', (withinMs) => telemetry.close(withinMs));
  }
  const sender = parts.sender ?? createWebhookSender({ egress });
  if (!parts.sender) {
    stops.add('webhook sender', 'base', () => sender.close());
  }
  const kinds = parts.kinds ?? sourceKinds;
  const connectors = parts.connectors ?? createConnectors(connectorSettings(config));
  return { vault, store, egress, telemetry, sender, kinds, connectors };
}

/** Fills an empty store. Undefined if it was filled before and its credentials are in use. */
async function firstStart(
  { config, parts = {} }: AppOptions,
  { store, vault, clock, ids }: Pick<Foundation, 'store' | 'vault' | 'clock' | 'ids'>,
  stops: StopList,
): Promise<FirstCredentials | undefined> {
  // Processes that share a store may have no directory that lasts.
  const ownsStore = config.databaseUrl === undefined && !parts.store;
  const file = ownsStore ? new FirstCredentialsFile(config, vault, store) : undefined;
  stops.add('first credentials', 'base', async () => void (await file?.unused()));
  const made = await bootstrap(
    {
      keep: (first) => file?.keep(first),
      store,
      actions: operatorActions({ store, clock, ids, vault, actor: 'first start' }),
      ids,
      clock,
      wait: (ms) => wait(ms),
    },
    {
      email: config.bootstrapEmail,
      password: config.bootstrapPassword,
      accessKey: config.bootstrapAccessKey,
      ingestionKey: config.bootstrapIngestionKey,
      organizationId: config.bootstrapOrganizationId,
      serviceId: config.bootstrapServiceId,
      keyId: config.bootstrapKeyId,
      keySecret: config.bootstrapKeySecret,
      database: config.clickhouseDatabase,
    },
  );
  return made ?? file?.unused();
}

async function migrateDatabases(
  store: Store,
  telemetry: Telemetry,
  log: Log,
): Promise<Set<string>> {
  const databases = new Set((await store.identity.workspaces()).map(({ database }) => database));
  for (const database of databases) {
    await migrateDatabase(telemetry, database, log);
  }
  return databases;
}

/** Brings the telemetry tables of a database up to date. */
export async function migrateDatabase(
  telemetry: Telemetry,
  database: string,
  log: Log,
): Promise<void> {
  const steps = await telemetry.migrate(database);
  if (steps.length > 0) {
    log.info({ database, steps }, 'telemetry database migrated');
  }
}

function sweepStore(store: Store, log: Log, stops: StopList): void {
  const sweeping = setInterval(
    () =>
      void store
        .sweep()
        .catch((error: unknown) => log.warn({ err: error }, 'cannot clean up the store; retrying')),
    60_000,
  );
  stops.add('sweep', 'base', () => clearInterval(sweeping));
}

/**
 * A process that has the store to itself is the same holder after a restart, and takes its leases
 * over at once.
 */
function holderOf(config: Config, ids: Ids): string {
  return config.databaseUrl === undefined
    ? 'embedded'
    : `${hostname()}/${process.pid}/${ids.uuid()}`;
}
