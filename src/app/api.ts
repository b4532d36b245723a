import { alertStatusReader } from '../core/alerting/api/alert-status.ts';
import { alertingVerbs } from '../core/alerting/api/verbs.ts';
import { auditVerbs } from '../core/audit/audit.ts';
import { AuditTrail } from '../core/audit/audit-trail.ts';
import { organizationKeyVerbs } from '../core/identity/organization-key.ts';
import { organizationVerbs } from '../core/identity/organization.ts';
import { teamVerbs } from '../core/identity/team.ts';
import { pipeVerbs } from '../core/pipes/api/pipe-verbs.ts';
import type { Supervisor } from '../core/pipes/run/supervisor.ts';
import { alertVerbs } from '../core/resources/alert.ts';
import { chartVerbs } from '../core/resources/chart.ts';
import { dashboardVerbs } from '../core/resources/dashboard.ts';
import { savedSearchVerbs } from '../core/resources/saved-search.ts';
import { sourceVerbs } from '../core/resources/source.ts';
import { webhookVerbs } from '../core/resources/webhook.ts';
import { basicAuthenticator } from '../http/auth/basic.ts';
import { bearerAuthenticator } from '../http/auth/bearer.ts';
import { KeyUsage } from '../http/auth/key-usage.ts';
import { createApiServer, type ApiServer, type ApiServerOptions } from '../http/server.ts';
import { managedSurface } from '../http/surfaces/managed.ts';
import { openSurface } from '../http/surfaces/open.ts';
import { urlOf, type Addresses } from './address.ts';
import type { Config } from './config/config.ts';
import { publicUrlOf } from './config/public-url.ts';
import type { Foundation } from './foundation.ts';
import { checkDisk } from './data/disk-space.ts';
import { startMetrics } from './metrics/metrics.ts';
import { pipeDependencies } from './pipes.ts';
import type { RunningApi } from './running.ts';
import type { StopList } from './stop-list.ts';

/** The REST API. `pipes` are those of this process, if it runs any. */
export async function startApi(
  base: Foundation,
  stops: StopList,
  pipes: Supervisor | undefined,
): Promise<{ addresses: Addresses; running: RunningApi }> {
  const { config, log, clock, ids, store, tuning } = base;
  const usage = new KeyUsage(store.identity, clock, log);
  stops.add('key usage', 'flush', () => usage.stop());
  const bearer = bearerAuthenticator({ identity: store.identity, clock, usage });
  const basic = basicAuthenticator({ identity: store.identity, clock, usage });
  const identityChanged = (): void => {
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
  const verbs = verbsOf(base, trail, pipes);
  const surfaces = surfacesOf(
    config.deployment,
    openSurface({ verbs, authenticator: bearer }),
    managedSurface({ verbs, authenticator: basic }),
  );
  const server = await apiServer(base, surfaces, trail);
  const { port } = await server.listen({ host: config.host, port: config.apiPort });
  stops.add('API', 'traffic', (withinMs) => server.stop(withinMs));
  const url = urlOf(config.host, port);
  const metrics = await startMetrics(base, stops);
  return {
    addresses: {
      surfaces: surfaces.map(({ basePath }) => `${url}${basePath}`),
      metrics: metrics ?? `${url}/metrics`,
    },
    running: { server, verbs, trail, usage, identityChanged },
  };
}

/** Every verb by operation name; both surfaces route to the same ones. */
function verbsOf(base: Foundation, trail: AuditTrail, pipes: Supervisor | undefined) {
  const { config, ids, vault, telemetry, query, egress, sender } = base;
  const shared = {
    store: trail.store,
    ids,
    vault,
    query,
    inspector: query,
    egress,
    statusReader: alertStatusReader(),
  };
  return {
    ...alertVerbs(shared),
    ...chartVerbs(shared),
    ...dashboardVerbs(shared),
    ...savedSearchVerbs(shared),
    ...sourceVerbs(shared),
    ...teamVerbs(shared),
    ...webhookVerbs(shared),
    ...alertingVerbs({
      store: trail.store,
      telemetry,
      query,
      sender,
      vault,
      ingestDelayMs: config.alertIngestDelayMs,
      publicUrl: publicUrlOf(config),
    }),
    ...pipeVerbs({ ...pipeDependencies(base), store: trail.store }, () => pipes?.wake()),
    ...organizationVerbs(trail),
    ...organizationKeyVerbs({ store: trail.store, ids }),
    ...auditVerbs(trail),
  };
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

function apiServer(
  { config, clock, log, version, vault, store, telemetry, metrics, tuning }: Foundation,
  surfaces: Surfaces,
  trail: AuditTrail,
): Promise<ApiServer> {
  return createApiServer({
    surfaces,
    audit: trail,
    clock,
    log,
    health: {
      version,
      checks: {
        store: () => store.ping(),
        engine: () => telemetry.ping(2000),
        ...(keepsData(config) && { disk: () => checkDisk(config.dataDir) }),
      },
      details: () => ({ brokenParts: telemetry.engineProcess?.brokenParts ?? 0 }),
      metrics,
      metricsElsewhere: config.metricsAddress !== undefined,
    },
    idempotency: { store: store.idempotency, vault },
    rateLimit: config.rateLimit,
    trustedProxies: config.trustedProxies,
    corsOrigins: config.corsOrigins,
    ...(tuning.api && { limits: tuning.api }),
  });
}

/** Whether this process writes to its data directory. */
const keepsData = ({ databaseUrl, clickhouseUrl }: Config): boolean =>
  databaseUrl === undefined || clickhouseUrl === undefined;
