import type { JsonAnswer } from './http.ts';
import type { TestCaller } from './api.ts';

let serial = 0;
/** A name that no other object of the run has. */
export const uniqueName = (): string => `object ${++serial}`;

/** Well formed, and of nothing. */
export const nobodysId = '0123456789abcdef01234567';

export const webhookInput = (over: object = {}) => ({
  name: uniqueName(),
  service: 'generic',
  url: 'https://hooks.example.com/alerts',
  ...over,
});

async function create(caller: TestCaller, path: string, body: object): Promise<JsonAnswer> {
  const { status, json, text } = await caller.call('POST', path, { body });
  if (status !== 200) {
    throw new Error(`POST ${path}: ${status} ${text}`);
  }
  return json.data;
}

export const newWebhook = (caller: TestCaller, over: object = {}) =>
  create(caller, '/webhooks', webhookInput(over));

/** The log source every workspace starts with. */
export async function logSource(caller: TestCaller): Promise<JsonAnswer> {
  return (await caller.call('GET', '/sources')).json.data.find(
    ({ kind }: { kind: string }) => kind === 'log',
  );
}

export const tileInput = (sourceId: string, over: object = {}) => ({
  name: 'Errors',
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  config: {
    displayType: 'line',
    sourceId,
    select: [{ aggFn: 'count', where: 'SeverityText:error' }],
  },
  ...over,
});

export const newDashboard = async (caller: TestCaller, over: object = {}) =>
  create(caller, '/dashboards', {
    name: uniqueName(),
    tiles: [tileInput((await logSource(caller)).id)],
    ...over,
  });

export const newSavedSearch = async (caller: TestCaller, over: object = {}) =>
  create(caller, '/saved-searches', {
    name: uniqueName(),
    sourceId: (await logSource(caller)).id,
    where: 'error',
    ...over,
  });

export const alertInput = (webhookId: string, over: object = {}) => ({
  threshold: 10,
  interval: '5m',
  source: 'search',
  thresholdType: 'above',
  channel: { type: 'webhook', webhookId },
  ...over,
});

export const newAlert = async (caller: TestCaller, over: object = {}) =>
  create(caller, '/alerts', alertInput((await newWebhook(caller)).id, over));

export const maintenanceInput = (over: object = {}) => ({
  name: uniqueName(),
  schedule: {
    type: 'cron',
    expression: '0 2 1 1 *',
    timeZone: 'Europe/Berlin',
    duration: '1m',
  },
  alerts: { all: true },
  ...over,
});

export const newMaintenance = (caller: TestCaller, over: object = {}) =>
  create(caller, '/maintenance-windows', maintenanceInput(over));
