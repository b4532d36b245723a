import { systemClock } from '../adapters/ambient/clock.ts';
import { createIds } from '../adapters/ambient/ids.ts';
import { createLog } from '../adapters/ambient/log.ts';
import { readConfig } from '../app/config/config.ts';
import { createAccessKey } from '../core/identity/provision.ts';
import { openStore, openVault } from '../app/stores.ts';
import type { Started } from '../app/app.ts';
import { serve } from './serve.ts';

type Environment = Record<string, string | undefined>;

const keyName = 'demo';

/**
 * `sightline demo`: the server, a simulated shop that sends to it, a dashboard, an alert, and the
 * notifications of its webhook as they arrive.
 */
export async function demo(environment: Environment, version: string): Promise<void> {
  const demoEnvironment = { SIGHTLINE_LOG_LEVEL: 'warn', ...environment };
  await serve(demoEnvironment, version, (started) => play(demoEnvironment, started));
}

async function play(
  environment: Environment,
  { addresses, running: { api } }: Started,
): Promise<void> {
  const base = addresses.surfaces?.find((surface) => surface.endsWith('/api/v2'));
  if (base === undefined || !api || addresses.otlpHttp === undefined) {
    throw new Error('the demo needs the roles api and ingest, and the open-source surface');
  }
  const keys = await demoKeys(environment);
  api.demoShops.onNotification((body) => console.log(`notification: ${body.slice(0, 2000)}`));
  const shop = api.demoShops.run(keys.workspaceId);
  const sources = await api.demoShops.furnishAsSystem(keys.workspaceId, 'command line');
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
      'The demo prints each notification.',
    'Errors by service, and the dashboard:',
    '',
    `curl -s ${base}/charts/series -H 'Authorization: Bearer ${key}' ` +
      `-H 'Content-Type: application/json' -d '${JSON.stringify(chart)}'`,
    '',
    `curl -s ${base}/dashboards -H 'Authorization: Bearer ${key}'`,
    '',
  ].join('\n');
}
