import { systemClock } from '../adapters/ambient/clock.ts';
import { createIds } from '../adapters/ambient/ids.ts';
import { createLog } from '../adapters/ambient/log.ts';
import { readConfig } from '../app/config/config.ts';
import { createAccessKey } from '../core/identity/provision.ts';
import { alertTileName, demoAlert, demoDashboard } from '../demo/dashboard.ts';
import { OpenApi } from '../demo/open-api.ts';
import { startReceiver } from '../demo/receiver.ts';
import { openStore, openVault } from '../app/stores.ts';
import { serve, type Serving } from './serve.ts';

type Environment = Record<string, string | undefined>;

const keyName = 'demo';

/**
 * `sightline demo`: the server, a simulated shop that sends to it, a dashboard, an alert, and a
 * receiver for its webhook.
 */
export async function demo(environment: Environment, version: string): Promise<void> {
  const allowed = [environment['SIGHTLINE_EGRESS_ALLOW'], '127.0.0.1'].filter(Boolean).join(',');
  const demoEnvironment = {
    SIGHTLINE_LOG_LEVEL: 'warn',
    ...environment,
    SIGHTLINE_EGRESS_ALLOW: allowed,
  };
  await serve(demoEnvironment, version, (serving) => play(demoEnvironment, serving));
}

async function play(environment: Environment, serving: Serving): Promise<void> {
  const base = serving.addresses.surfaces?.find((surface) => surface.endsWith('/api/v2'));
  const { api } = serving.running;
  if (base === undefined || !api || serving.addresses.otlpHttp === undefined) {
    throw new Error('the demo needs the roles api and ingest, and the open-source surface');
  }
  const keys = await demoKeys(environment);
  const receiver = await startReceiver((line) => console.log(line));
  serving.before(() => receiver.stop());
  const shop = api.demoShops.run(keys.workspaceId);
  const sources = await furnish(new OpenApi(base, keys.access), receiver.url);
  await shop.backfilled;
  console.log(invitation(base, keys.access, sources.logs));
}

/**
 * Read and made on the store itself, as an operator would: only hashes of access keys are kept, so
 * each demo makes its own.
 */
async function demoKeys(
  environment: Environment,
): Promise<{ access: string; workspaceId: string }> {
  const { config } = readConfig(environment);
  const log = createLog({ level: config.logLevel, destination: process.stderr });
  const vault = await openVault(config);
  const store = await openStore(config, log, { beside: true });
  try {
    const [workspace] = await store.identity.workspaces();
    const [user] = workspace ? await store.identity.users(workspace.id) : [];
    const stored = workspace && (await store.identity.ingestionKey(workspace.id));
    if (!workspace || !user || !stored) {
      throw new Error('the first workspace has no user or no ingestion key; the demo needs both');
    }
    for (const old of await store.identity.accessKeys(workspace.id, user.id)) {
      if (old.name === keyName) {
        await store.identity.removeAccessKey(workspace.id, old.id);
      }
    }
    const { text } = await createAccessKey(
      { store, ids: createIds(systemClock), vault },
      { workspaceId: workspace.id, userId: user.id, name: keyName },
    );
    return { access: text, workspaceId: workspace.id };
  } finally {
    await store.close();
  }
}

/** The dashboard, the alert on one of its tiles, and the webhook it calls. */
async function furnish(api: OpenApi, receiverUrl: string): Promise<{ logs: string }> {
  const sources = await api.get<{ id: string; kind: string }[]>('/sources');
  const sourceOf = (kind: string): string => {
    const match = sources.find((source) => source.kind === kind);
    if (!match) {
      throw new Error(`the demo needs a ${kind} source`);
    }
    return match.id;
  };
  const logs = sourceOf('log');
  const dashboard = await api.ensure(
    '/dashboards',
    demoDashboard({ logs, traces: sourceOf('trace'), metrics: sourceOf('metric') }),
  );
  const { tiles } = await api.get<{ tiles: { id: string; name: string }[] }>(
    `/dashboards/${dashboard.id}`,
  );
  const receiver = { name: 'Demo receiver', service: 'generic', url: receiverUrl };
  const webhook = await api.ensure('/webhooks', receiver);
  // Its port is another at every start.
  await api.put(`/webhooks/${webhook.id}`, receiver);
  await api.ensure(
    '/alerts',
    demoAlert({
      dashboardId: dashboard.id,
      tileId: tiles.find(({ name }) => name === alertTileName)!.id,
      webhookId: webhook.id,
    }),
  );
  return { logs };
}

function invitation(base: string, key: string, logs: string): string {
  const nowMs = Date.now();
  const chart = {
    series: [
      { sourceId: logs, aggFn: 'count', where: 'SeverityText:"ERROR"', groupBy: ['ServiceName'] },
    ],
    startTime: nowMs - 1_800_000,
    endTime: nowMs + 3_600_000,
    granularity: '5m',
  };
  return [
    '',
    'The simulated shop is running and half an hour of history is stored. ' +
      'Its alert fires and resolves every few minutes. ' +
      'The demo prints each webhook it receives.',
    'Errors by service, and the dashboard:',
    '',
    `curl -s ${base}/charts/series -H 'Authorization: Bearer ${key}' ` +
      `-H 'Content-Type: application/json' -d '${JSON.stringify(chart)}'`,
    '',
    `curl -s ${base}/dashboards -H 'Authorization: Bearer ${key}'`,
    '',
  ].join('\n');
}
