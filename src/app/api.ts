import { fileURLToPath } from 'node:url';
import type { IngestionEndpoints } from '../contract/team.ts';
import { alertStatusReader } from '../core/alerting/api/alert-status.ts';
import { alertsHealth, outboxHealth } from '../core/alerting/api/alerts-health.ts';
import { alertingVerbs } from '../core/alerting/api/verbs.ts';
import { auditVerbs } from '../core/audit/audit.ts';
import { AuditTrail } from '../core/audit/audit-trail.ts';
import { memberVerbs } from '../core/identity/member.ts';
import { organizationKeyVerbs } from '../core/identity/organization-key.ts';
import { organizationVerbs } from '../core/identity/organization.ts';
import { sessionVerbs } from '../core/identity/session.ts';
import { teamVerbs } from '../core/identity/team.ts';
import { pipeVerbs } from '../core/pipes/api/pipe-verbs.ts';
import { pipesHealth } from '../core/pipes/api/pipes-health.ts';
import type { Supervisor } from '../core/pipes/run/supervisor.ts';
import { alertVerbs } from '../core/resources/alert.ts';
import { chartVerbs } from '../core/resources/chart.ts';
import { dashboardVerbs } from '../core/resources/dashboard.ts';
import { demoVerbs } from '../core/resources/demo.ts';
import { savedSearchVerbs } from '../core/resources/saved-search.ts';
import { sourceVerbs } from '../core/resources/source.ts';
import { webhookVerbs } from '../core/resources/webhook.ts';
import { statusVerbs } from '../core/status/status.ts';
import { basicAuthenticator } from '../http/auth/basic.ts';
import { bearerAuthenticator } from '../http/auth/bearer.ts';
import { Sessions } from '../http/auth/session.ts';
import { KeyUsage } from '../http/auth/key-usage.ts';
import { RateLimiter } from '../http/rate-limit.ts';
import { RequestDurations } from '../http/request-durations.ts';
import { createApiServer, type ApiServer, type ApiServerOptions } from '../http/server.ts';
import type { Surface } from '../http/surface.ts';
import { managedSurface } from '../http/surfaces/managed.ts';
import { openSurface } from '../http/surfaces/open.ts';
import { readSiteFiles } from '../http/ui/site-files.ts';
import { createSite } from '../http/ui/site.ts';
import { urlOf, type Addresses } from './address.ts';
import type { Config } from './config/config.ts';
import { DemoObjects } from './demo-objects.ts';
import { DemoShops } from './demo-shops.ts';
import { interfaceUrlOf, publicUrlOf } from './config/public-url.ts';
import type { Foundation } from './foundation.ts';
import { checkDisk, keepsData } from './data/disk-space.ts';
import { startMetrics } from './metrics/metrics.ts';
import { pipeDependencies } from './pipes.ts';
import type { RunningApi } from './running.ts';
import { singleSignOn } from './single-sign-on.ts';
import type { StopList } from './stop-list.ts';

/** What the listeners of the API and of the web interface share. */
export interface ApiParts {
  sessions: Sessions;
  open: Surface;
  managed: Surface;
  running: RunningApi;
  durations: RequestDurations;
  rateLimiter: RateLimiter | undefined;
}

/** The parts of this process that verbs act on; absent without their role. */
export interface Beside {
  pipes: Supervisor | undefined;
  /** Addresses of the OTLP receivers. */
  receivers: Pick<Addresses, 'otlpHttp' | 'otlpGrpc'>;
}

/** Verbs, surfaces and authentication. */
export function createApi(base: Foundation, stops: StopList, beside: Beside): ApiParts {
  const { config, log, clock, ids, store, metrics, tuning } = base;
  const usage = new KeyUsage(store.identity, clock, log);
  stops.add('key usage', 'flush', () => usage.stop());
  const bearer = bearerAuthenticator({ identity: store.identity, clock, usage });
  const basic = basicAuthenticator({ identity: store.identity, clock, usage });
  const sessions = new Sessions({
    identity: store.identity,
    clock,
    usage,
    publicUrl: config.publicUrl,
  });
  const identityChanged = (): void => {
    sessions.forget();
    bearer.forget();
    basic.forget();
  };
  const trail = new AuditTrail({
    store,
    ids,
    clock,
    log,
    identityChanged,
    ...(tuning.auditRefusals && { limits: tuning.auditRefusals }),
  });
  stops.add('audit trail', 'flush', () => trail.flush());
  const shared = sharedOf(base, trail);
  const demoObjects = new DemoObjects(shared, trail, base.demoReceiver);
  const demoShops = new DemoShops(base, stops, beside.receivers.otlpHttp, demoObjects);
  const verbs = verbsOf(base, trail, { ...beside, demoShops });
  return {
    sessions,
    open: openSurface({ verbs, authenticator: bearer }),
    managed: managedSurface({ verbs, authenticator: basic }),
    running: { verbs, trail, usage, identityChanged, demoShops },
    durations: new RequestDurations(metrics),
    rateLimiter: config.rateLimit === 'off' ? undefined : new RateLimiter(config.rateLimit, clock),
  };
}

/** The REST API. `interfaceUrl`: the address of the web interface in this process. */
export async function startApi(
  base: Foundation,
  stops: StopList,
  api: ApiParts,
  interfaceUrl: string | undefined,
): Promise<{ addresses: Addresses; server: ApiServer }> {
  const { config } = base;
  const surfaces = surfacesOf(config.deployment, api.open, api.managed);
  const server = await createApiServer({
    ...commonOptions(base, api, config.metricsAddress === undefined),
    surfaces,
    corsOrigins: config.corsOrigins,
    interfaceUrl: interfaceUrlOf(config, interfaceUrl),
  });
  const { port } = await server.listen({ host: config.host, port: config.apiPort });
  stops.add('API', 'traffic', (withinMs) => server.stop(withinMs));
  const url = urlOf(config.host, port);
  const metrics = await startMetrics(base, stops);
  return {
    addresses: {
      surfaces: surfaces.map(({ basePath }) => `${url}${basePath}`),
      metrics: metrics ?? `${url}/metrics`,
    },
    server,
  };
}

/** The web interface, and both surfaces beside it on the same origin. */
export async function startUi(
  base: Foundation,
  stops: StopList,
  api: ApiParts,
  siteDirectory: string = builtSite,
): Promise<{ ui: string }> {
  const { config, log } = base;
  const files = await readSiteFiles(siteDirectory);
  if (!files) {
    log.warn({ directory: siteDirectory }, 'web interface is not built; run npm run build');
  }
  let origin = config.publicUrl ?? '';
  const { sessions, running } = api;
  const server = await createApiServer({
    ...commonOptions(base, api, false),
    surfaces: [api.sessions.on(api.open), api.sessions.on(api.managed)],
    site: createSite(files),
    singleSignOn: singleSignOn(base, { sessions, store: running.trail.store }, () => origin),
  });
  const { port } = await server.listen({ host: config.host, port: config.uiPort });
  stops.add('web interface', 'traffic', (withinMs) => server.stop(withinMs));
  const ui = urlOf(config.host, port);
  origin = config.publicUrl ?? ui;
  return { ui };
}

/** Beside the bundle. Sources take the one that the build made. */
const builtSite = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/web' : './web', import.meta.url),
);

/** What the verbs of most resources need. */
function sharedOf({ ids, vault, query, egress }: Foundation, trail: AuditTrail) {
  return {
    store: trail.store,
    ids,
    vault,
    query,
    inspector: query,
    egress,
    statusReader: alertStatusReader(),
  };
}

/** Every verb by operation name; both surfaces route to the same ones. */
function verbsOf(base: Foundation, trail: AuditTrail, beside: Beside & { demoShops: DemoShops }) {
  const { config, ids, sender } = base;
  const shared = sharedOf(base, trail);
  return {
    ...alertVerbs(shared),
    ...chartVerbs(shared),
    ...dashboardVerbs(shared),
    ...savedSearchVerbs(shared),
    ...memberVerbs({ store: trail.store, ids, clock: base.clock }),
    ...sessionVerbs({
      store: trail.store,
      ids,
      clock: base.clock,
      hasProvider: config.oidcIssuer !== undefined,
    }),
    ...sourceVerbs(shared),
    ...demoVerbs({ shops: beside.demoShops, clock: base.clock }),
    ...teamVerbs({ ...shared, endpoints: endpointsOf(config, beside.receivers) }),
    ...webhookVerbs(shared),
    ...alertingVerbs({
      ...shared,
      sender,
      ingestDelayMs: config.alertIngestDelayMs,
      publicUrl: publicUrlOf(config),
    }),
    ...pipeVerbs({ ...pipeDependencies(base), store: trail.store }, () => beside.pipes?.wake()),
    ...organizationVerbs({ ...shared, telemetry: base.telemetry }),
    ...organizationKeyVerbs({ store: trail.store, ids }),
    ...auditVerbs(trail),
    ...statusVerbs({
      store: trail.store,
      telemetry: base.telemetry,
      version: base.version,
      alerts: (workspaceId, nowMs) =>
        alertsHealth(trail.store, workspaceId, {
          nowMs,
          ingestDelayMs: config.alertIngestDelayMs,
        }),
      outbox: (workspaceId) => outboxHealth(trail.store, workspaceId),
      pipes: (workspaceId) => pipesHealth(trail.store, workspaceId),
    }),
  };
}

/** The ports of the receivers in this process, or else those that other processes are set to. */
function endpointsOf(
  config: Config,
  { otlpHttp, otlpGrpc }: Beside['receivers'],
): IngestionEndpoints {
  const portOf = (address: string | undefined, configured: number): number | undefined =>
    address === undefined ? configured || undefined : Number(new URL(address).port);
  const httpPort = portOf(otlpHttp, config.otlpHttpPort);
  const grpcPort = portOf(otlpGrpc, config.otlpGrpcPort);
  return { ...(httpPort && { httpPort }), ...(grpcPort && { grpcPort }) };
}

type Surfaces = ApiServerOptions['surfaces'];

/** The surfaces that a deployment routes. */
function surfacesOf(
  deployment: Config['deployment'],
  open: Surfaces[0],
  managed: Surfaces[0],
): Surfaces {
  switch (deployment) {
    case 'open-source':
      return [open];
    case 'managed':
      return [managed];
    case 'all':
      return [open, managed];
  }
}

/** What both listeners have. */
function commonOptions(
  { config, clock, log, version, vault, store, telemetry, metrics, tuning }: Foundation,
  { running, durations, rateLimiter }: ApiParts,
  servesMetrics: boolean,
): Omit<ApiServerOptions, 'surfaces'> {
  return {
    audit: running.trail,
    clock,
    log,
    health: {
      version,
      checks: {
        store: () => store.ping(),
        engine: () => telemetry.ping(2000),
        ...(keepsData(config) && { disk: () => checkDisk(config.dataDir) }),
      },
      details: () => ({
        brokenParts: telemetry.engineProcess?.brokenParts ?? 0,
        unstoredBlocks: telemetry.intakeLog?.unstoredBlocks ?? 0,
        damagedRecords: telemetry.intakeLog?.damagedRecords ?? 0,
      }),
      ...(servesMetrics && { metrics }),
    },
    durations,
    idempotency: { store: store.idempotency, vault },
    rateLimiter,
    trustedProxies: config.trustedProxies,
    ...(tuning.api && { limits: tuning.api }),
  };
}
