import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { systemClock } from './adapters/ambient/clock.ts';
import { createIds } from './adapters/ambient/ids.ts';
import { createConnectors } from './adapters/connectors/registry.ts';
import { egressGuard } from './adapters/webhook/egress-guard.ts';
import { createWebhookSender } from './adapters/webhook/webhook-sender.ts';
import { publicUrlOf, type Config, type Role } from './config.ts';
import { alertStatusReader } from './core/alerting/alert-status.ts';
import { createAlerting } from './core/alerting/alerting.ts';
import { alertingVerbs } from './core/alerting/verbs.ts';
import { createPipes, type Pipes } from './core/pipes/create-pipes.ts';
import { pipeVerbs } from './core/pipes/pipe-verbs.ts';
import { operatorStore } from './core/resources/audit-operator.ts';
import { createAuditTrail } from './core/resources/audit-trail.ts';
import { auditVerbs } from './core/resources/audit.ts';
import { bootstrap, type FirstCredentials } from './core/resources/bootstrap.ts';
import { organizationKeyVerbs } from './core/resources/organization-key.ts';
import { organizationVerbs } from './core/resources/organization.ts';
import { createQuery } from './core/query/index.ts';
import { createStackVerbs } from './core/resources/stack.ts';
import { createIngest } from './core/otlp/ingest.ts';
import { basicAuthenticator } from './http/auth/basic.ts';
import { bearerAuthenticator } from './http/auth/bearer.ts';
import { KeyUsage } from './http/auth/key-usage.ts';
import { createIngestionAuth } from './http/otlp/ingestion-auth.ts';
import { createOtlpGrpc } from './http/otlp/otlp-grpc.ts';
import { createOtlpHttp } from './http/otlp/otlp-http.ts';
import { createMetricsServer } from './http/metrics-server.ts';
import { createApiServer, type ApiServerOptions } from './http/server.ts';
import { managedSurface } from './http/surfaces/managed.ts';
import { openSurface } from './http/surfaces/open.ts';
import { openStore, openTelemetry, openVault } from './open-stores.ts';
import { measurePipes } from './pipe-metrics.ts';
import type { Clock, Log } from './ports/ambient.ts';
import { StopList } from './stop-list.ts';

export interface AppOptions {
  config: Config;
  log: Log;
  version: string;
  clock?: Clock;
}

export interface Addresses {
  /** Of each routed surface, base path included. */
  surfaces?: string[];
  metrics?: string;
  otlpHttp?: string;
  otlpGrpc?: string;
}

export interface Started {
  addresses: Addresses;
  /** Set when this start filled an empty store. */
  first?: FirstCredentials;
}

export interface App {
  /** Starts everything the configured roles name. A start that fails stops what it had started. */
  start(): Promise<Started>;
  /** In reverse order; drops no accepted request. */
  stop(): Promise<void>;
}

/** The composition root: the one place that knows every part. */
export function createApp(options: AppOptions): App {
  const stops = new StopList(options.log);
  return {
    async start() {
      try {
        return await start(options, stops);
      } catch (error) {
        await stops.run();
        throw error;
      }
    },
    stop: () => stops.run(),
  };
}

async function start(options: AppOptions, stops: StopList): Promise<Started> {
  const base = await foundation(options, stops);
  const has = (role: Role): boolean => options.config.roles.includes(role);
  const pipes = has('pipes') ? createPipes({ ...pipeParts(base), holder: base.holder }) : undefined;
  const addresses: Addresses = {
    ...(has('ingest') && (await startIngest(base, stops))),
    ...(has('api') && (await startApi(base, stops, pipes))),
  };
  if (has('alerts')) {
    await startAlerts(base, stops);
  }
  if (pipes) {
    startPipes(pipes, base, stops);
  }
  return { addresses, ...(base.first && { first: base.first }) };
}

type Foundation = Awaited<ReturnType<typeof foundation>>;

/** What every role stands on: stores, keys, tables, the first start. */
async function foundation(
  { config, log, version, clock = systemClock }: AppOptions,
  stops: StopList,
) {
  const ids = createIds(clock);
  const vault = await openVault(config);
  const store = await openStore(config, log);
  stops.add('store', () => store.close());
  const egress = egressGuard({ allow: config.egressAllow });
  const telemetry = await openTelemetry(config, egress);
  stops.add('telemetry', () => telemetry.close());
  const first = await bootstrap(
    {
      store: operatorStore(store, { clock, ids, actor: 'first start' }),
      ids,
      vault,
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
  const databases = new Set((await store.identity.workspaces()).map(({ database }) => database));
  for (const database of databases) {
    await telemetry.migrate(database);
  }
  const sweeping = setInterval(
    () =>
      void store
        .sweep()
        .catch((error: unknown) => log.warn({ err: error }, 'sweeping the store failed')),
    60_000,
  );
  stops.add('sweep', () => clearInterval(sweeping));
  const query = createQuery({
    telemetry,
    clock,
    limits: { timeoutMs: config.queryTimeoutMs },
    cache: { ingestDelayMs: config.alertIngestDelayMs },
  });
  const sender = createWebhookSender({ egress });
  stops.add('webhook sender', () => sender.close());
  // A process that has the store to itself is the same holder after a restart, and takes its leases over at once.
  const holder =
    config.databaseUrl === undefined ? 'embedded' : `${hostname()}/${process.pid}/${ids.uuid()}`;
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  return {
    config,
    log,
    version,
    clock,
    ids,
    vault,
    store,
    telemetry,
    query,
    egress,
    sender,
    holder,
    first,
    databases,
    metrics,
  };
}

async function startAlerts(
  { config, log, clock, vault, store, telemetry, query, sender, holder }: Foundation,
  stops: StopList,
): Promise<void> {
  const alerting = createAlerting({
    store,
    telemetry,
    query,
    sender,
    vault,
    clock,
    log,
    holder,
    tickMs: config.alertTickMs,
    ingestDelayMs: config.alertIngestDelayMs,
    queryTimeoutMs: config.queryTimeoutMs,
    publicUrl: publicUrlOf(config),
  });
  await alerting.start();
  stops.add('alerts', () => alerting.stop());
}

function startPipes(pipes: Pipes, base: Foundation, stops: StopList): void {
  pipes.start();
  measurePipes(base.metrics, () => pipes.readings());
  stops.add('pipes', () => pipes.stop());
}

/** What the pipes of this process and the verbs over them share. */
function pipeParts({ config, log, clock, ids, vault, store, telemetry, egress }: Foundation) {
  return {
    store,
    telemetry,
    connectors: createConnectors({
      ...(config.cloudstreamEndpoint !== undefined && { endpoint: config.cloudstreamEndpoint }),
      ...(config.cloudstreamStsEndpoint !== undefined && {
        stsEndpoint: config.cloudstreamStsEndpoint,
      }),
      regions: config.objectStorageRegions,
      retainedLogWarningBytes: config.retainedLogWarningMib * 2 ** 20,
    }),
    vault,
    egress,
    clock,
    ids,
    log,
    allowHttp: config.allowHttpSources,
    random: Math.random,
  };
}

async function startIngest(
  { config, log, clock, store, telemetry, query, databases, metrics }: Foundation,
  stops: StopList,
): Promise<Addresses> {
  const ingest = createIngest({
    telemetry,
    clock,
    log,
    stored: (database, oldestMs) => query.inserted(database, oldestMs),
  });
  stops.add('ingest', () => ingest.stop());
  metrics.registerMetric(
    new Gauge({
      name: 'sightline_ingest_pending_bytes',
      help: 'Telemetry taken and not yet stored',
      registers: [],
      collect() {
        this.set(ingest.pendingBytes());
      },
    }),
  );
  const known = createIngestionAuth({ identity: store.identity, clock });
  const authenticate: typeof known = async (key) => {
    const target = await known(key);
    if (target && !databases.has(target.database)) {
      // A service made by the command line while we run.
      await telemetry.migrate(target.database);
      databases.add(target.database);
    }
    return target;
  };
  const common = { ingest, authenticate, host: config.host, log };
  const overHttp = createOtlpHttp({
    ...common,
    port: config.otlpHttpPort,
    corsOrigins: config.corsOrigins,
  });
  await overHttp.start();
  stops.add('OTLP/HTTP', () => overHttp.stop());
  const overGrpc = createOtlpGrpc({ ...common, port: config.otlpGrpcPort });
  await overGrpc.start();
  stops.add('OTLP/gRPC', () => overGrpc.stop());
  return {
    otlpHttp: urlOf(config.host, overHttp.address!.port),
    otlpGrpc: urlOf(config.host, overGrpc.address!.port),
  };
}

async function startApi(
  base: Foundation,
  stops: StopList,
  runner: Pipes | undefined,
): Promise<Addresses> {
  const { config, log, clock, ids, vault, store, telemetry, query, egress, sender } = base;
  const usage = new KeyUsage(store.identity, clock, log);
  stops.add('key usage', () => usage.stop());
  const bearer = bearerAuthenticator({ identity: store.identity, clock, usage });
  const basic = basicAuthenticator({ identity: store.identity, clock, usage });
  const identityChanged = (): void => {
    bearer.forget();
    basic.forget();
  };
  const trail = createAuditTrail({ store, ids, clock, log, identityChanged });
  stops.add('audit trail', () => trail.flush());
  const stack = createStackVerbs({
    store: trail.store,
    ids,
    vault,
    clock,
    query,
    inspector: query,
    egress,
    evaluation: alertStatusReader(store.alerts),
    identityChanged,
  });
  const alerting = alertingVerbs({
    store: trail.store,
    telemetry,
    query,
    sender,
    vault,
    clock,
    ingestDelayMs: config.alertIngestDelayMs,
    publicUrl: publicUrlOf(config),
  });
  const pipes = pipeVerbs({ ...pipeParts(base), store: trail.store }, () => runner?.wake());
  const verbs = { ...stack, ...alerting };
  const open = openSurface({ verbs, authenticator: bearer });
  const managed = managedSurface({
    verbs: {
      ...verbs,
      ...pipes,
      ...organizationVerbs(trail),
      ...organizationKeyVerbs({ store: trail.store, ids }),
      ...auditVerbs(trail),
    },
    authenticator: basic,
  });
  const surfaces: ApiServerOptions['surfaces'] =
    config.deployment === 'open-source'
      ? [open]
      : config.deployment === 'managed'
        ? [managed]
        : [open, managed];
  const server = await createApiServer({
    surfaces,
    audit: trail,
    clock,
    log,
    health: {
      version: base.version,
      checks: { store: () => store.ping(), engine: () => telemetry.ping(2000) },
      metrics: base.metrics,
      metricsElsewhere: config.metricsAddress !== undefined,
    },
    idempotency: { store: store.idempotency, vault },
    rateLimit: config.rateLimit,
    trustedProxies: config.trustedProxies,
    corsOrigins: config.corsOrigins,
  });
  const { port } = await server.listen({ host: config.host, port: config.apiPort });
  stops.add('API', () => server.stop());
  const metrics = await startMetrics(base, stops);
  return {
    surfaces: surfaces.map(({ basePath }) => `${urlOf(config.host, port)}${basePath}`),
    metrics: metrics ?? `${urlOf(config.host, port)}/metrics`,
  };
}

/** Where `/metrics` is served when the configuration moves it away from the API's port. */
async function startMetrics(
  { config, log, metrics }: Foundation,
  stops: StopList,
): Promise<string | undefined> {
  if (config.metricsAddress === undefined) {
    return undefined;
  }
  const server = createMetricsServer(metrics, log);
  const { port } = await server.listen(config.metricsAddress);
  stops.add('metrics', () => server.stop());
  return `${urlOf(config.metricsAddress.host, port)}/metrics`;
}

/** As a person would paste it: the wildcard addresses are not for connecting to. */
function urlOf(host: string, port: number): string {
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}
