import { encodeGroups } from '../../src/core/alerting/decide/group-states.ts';
import type { GroupState } from '../../src/core/alerting/decide/step.ts';
import type { Route } from '../../src/http/surface.ts';
import type { ApiKit } from '../kit/api.ts';
import type { HttpCall } from '../kit/http.ts';
import {
  alertInput,
  logSource,
  maintenanceInput,
  newAlert,
  newDashboard,
  newMaintenance,
  newSavedSearch,
  newWebhook,
  tileInput,
  uniqueName,
} from '../kit/stack-objects.ts';

export type PathIds = Record<string, string>;

/** A new object of the kind that a path is about, in the first workspace. */
async function newObject(api: ApiKit, path: string): Promise<{ id: string }> {
  if (path.includes('/dashboards')) {
    return newDashboard(api);
  }
  if (path.includes('/alerts')) {
    const alert = await newAlert(api, { savedSearchId: (await newSavedSearch(api)).id });
    if (path.endsWith('/acknowledge')) {
      await fires(api, alert.id);
    }
    return alert;
  }
  if (path.includes('/maintenance-windows')) {
    return newMaintenance(api);
  }
  if (path.includes('/saved-searches')) {
    return newSavedSearch(api);
  }
  if (path.includes('/pipes')) {
    return (
      await api.managed.call(
        'POST',
        `/organizations/${api.managed.organizationId}/services/${api.managed.serviceId}/pipes`,
        { body: path.endsWith('/replay') ? recordPipeInput() : pipeInput() },
      )
    ).json.result;
  }
  if (path.includes('/keys')) {
    return (await api.managed.organization('POST', '/keys', { body: { name: uniqueName() } })).json
      .result.key;
  }
  throw new Error(`no object for ${path}`);
}

/** What evaluation records of an alert without groups that fires. */
async function fires(api: ApiKit, alertId: string): Promise<void> {
  const firing: GroupState = {
    state: 'firing',
    sinceMs: 60_000,
    breaches: 1,
    incidentMs: 60_000,
    announced: true,
    notifiedMs: 60_000,
    lastDataMs: 60_000,
    notifiedWebhookIds: [],
  };
  const progress = {
    workspaceId: api.teamId,
    alertId,
    shard: 0,
    intervalMs: 60_000,
    lastEndMs: 60_000,
    lineEndMs: 60_000,
    state: 'firing' as const,
    lastValue: 1,
    lastEvaluatedAtMs: 65_000,
    groupBy: '',
    groups: encodeGroups(new Map([['[]', firing]])),
    executionErrors: [],
    deliveryErrors: [],
  };
  await api.store.alerts.record({ progress: [progress], evaluations: [], outbox: [] });
}

/** Of a kind that needs no table to be made. */
export const pipeInput = () => ({
  name: uniqueName(),
  source: {
    postgres: {
      host: '127.0.0.1',
      database: 'shop',
      credentials: { username: 'reader', password: 'secret' },
      tableMappings: [{ sourceSchemaName: 'public', sourceTable: 'orders', targetTable: 'orders' }],
    },
  },
  destination: { database: 'telemetry' },
});

/** Of a kind that reads records. */
const recordPipeInput = () => ({
  name: uniqueName(),
  source: { kafka: { brokers: '127.0.0.1:9', topics: 'orders' } },
  destination: {
    database: 'telemetry',
    table: uniqueName().replaceAll(/\W/g, '_'),
    columns: [{ name: 'id', type: 'UInt64' }],
  },
});

/** A valid body. Changes are empty ones, which change nothing and are fine everywhere. */
async function newBody(api: ApiKit, method: string, path: string): Promise<object | undefined> {
  if (method === 'GET' || method === 'DELETE' || path.endsWith('/replay')) {
    return undefined;
  }
  if (path.endsWith('/state')) {
    return { command: 'stop' };
  }
  if (path.endsWith('/maintenance-windows') && method === 'POST') {
    return maintenanceInput();
  }
  if (path.endsWith('/silence') || path.endsWith('/acknowledge')) {
    return {};
  }
  if (method !== 'POST') {
    return {};
  }
  if (path.includes('/dashboards')) {
    return { name: uniqueName(), tiles: [tileInput((await logSource(api)).id)] };
  }
  if (path.endsWith('/pipes')) {
    return pipeInput();
  }
  if (path.endsWith('/pipes/check') || path.endsWith('/pipes/discover')) {
    return { source: pipeInput().source };
  }
  if (path.endsWith('/preview')) {
    return alertInput((await newWebhook(api)).id, {
      savedSearchId: (await newSavedSearch(api)).id,
    });
  }
  if (path.endsWith('/alerts')) {
    return alertInput((await newWebhook(api)).id);
  }
  if (path.endsWith('/saved-searches')) {
    return { name: uniqueName(), sourceId: (await logSource(api)).id };
  }
  if (path.endsWith('/keys') || path.endsWith('/services')) {
    return { name: uniqueName() };
  }
  throw new Error(`no body for ${path}`);
}

/**
 * A call of a managed route that would succeed: on an object made for it, with a valid body. `ids`
 * wins over what is made.
 */
export async function managedCall(
  api: ApiKit,
  [method, path]: Route,
  ids: PathIds = {},
): Promise<{ path: string; options: HttpCall }> {
  const known: PathIds = {
    organizationId: api.managed.organizationId,
    serviceId: api.managed.serviceId,
    ...ids,
  };
  const last = /\{(id|keyId|pipeId)\}/.exec(path)?.[1];
  if (last !== undefined && known[last] === undefined) {
    known[last] = (await newObject(api, path)).id;
  }
  if (path.endsWith('/pipesCdcScaling')) {
    await newObject(api, '/pipes');
  }
  const body = await newBody(api, method, path);
  return { path: filled(path, known), options: body === undefined ? {} : { body } };
}

export const filled = (path: string, ids: PathIds): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
