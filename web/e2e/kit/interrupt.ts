import type { BrowserContext, Page } from 'playwright-core';
import { startS3, type S3Peer } from '../../../test/kit/s3.ts';
import { callApi, logSource } from './call-api.ts';
import { makeDashboard, shopDashboard } from './dashboards.ts';
import { shopMetrics } from './metrics.ts';
import { callPipes } from './pipes.ts';
import { orderTrace, traceIdOf } from './spans.ts';
import { shopRecords } from './telemetry.ts';
import { makeSavedSearch, makeWebhook, receiverAllowed } from './webhooks.ts';
import { account, World } from './world.ts';

const email = 'grace@example.com';
const bucket = 'shop';

/** A server with one object of each kind, and a person whose session and role can end in mid-use. */
export interface InterruptWorld {
  world: World;
  storage: S3Peer;
  /** URL of objects that a pipe can load. */
  objects: string;
  traceId: string;
  searchId: string;
  dashboardId: string;
  pipeId: string;
  /** A page of the person, with a session of its own. */
  opened(path: string): ReturnType<World['page']>;
  /** Ends the session on the server. The browser keeps its cookie and does not know. */
  endSession(context: BrowserContext): Promise<void>;
  setRole(role: 'admin' | 'member'): Promise<void>;
  /** Calls the API as another admin. */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  pipes(): Promise<unknown>;
  keys(): Promise<unknown>;
  close(): Promise<void>;
}

export async function openInterruptWorld(): Promise<InterruptWorld> {
  const [world, storage] = await Promise.all([
    World.open({ ...receiverAllowed, SIGHTLINE_ALLOW_HTTP_SOURCES: 'true' }),
    startS3(),
  ]);
  const nowMs = Date.now();
  const traceId = traceIdOf(1);
  await storage.bucket(bucket);
  await storage.put(bucket, 'orders/1.json', '{"id":1,"city":"Bern"}\n{"id":2,"city":"Rome"}');
  await world.send(shopRecords(nowMs, 200));
  await world.sendMetrics(shopMetrics(nowMs));
  await world.sendSpans(orderTrace(nowMs - 60_000, traceId, traceIdOf(2)));
  await (await world.joined({ email, name: 'Grace', role: 'admin' })).context.close();
  const { page } = await world.signedIn();
  await page.goto('/settings');
  const members = await callApi<{ id: string; email: string }[]>(page, 'GET', '/team/members');
  const memberId = members.find((member) => member.email === email)?.id ?? '';
  const objects = `${storage.endpoint}/${bucket}/orders/*.json`;
  await makeWebhook(page, 'on-call', { url: 'http://127.0.0.1:9/hook' });
  const pipe = await callPipes<{ id: string }>(page, 'POST', '', {
    name: 'Orders',
    source: { objectStorage: { url: objects, accessKey: storage.accessKey } },
    destination: {
      table: 'orders',
      columns: [{ name: 'id', type: 'UInt64' }],
      tableDefinition: { sortingKey: ['id'] },
    },
  });
  return {
    world,
    storage,
    objects,
    traceId,
    searchId: await makeSavedSearch(page, 'Errors', 'SeverityText:ERROR'),
    dashboardId: await makeDashboard(page, shopDashboard(await logSource(page))),
    pipeId: pipe.id,
    async opened(path) {
      const made = await world.page();
      await made.page.goto('/sign-in');
      await callApi(made.page, 'POST', '/session', { email, password: account.password });
      await made.page.goto(path);
      return made;
    },
    endSession: (context) => endSession(world, context),
    setRole: async (role) => callApi(page, 'PATCH', `/team/members/${memberId}`, { role }),
    call: (method, path, body) => callApi(page, method, path, body),
    pipes: () => callPipes(page, 'GET'),
    keys: () => organizationKeys(page),
    async close() {
      await world.close();
      await storage.remove();
    },
  };
}

async function endSession(world: World, context: BrowserContext): Promise<void> {
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const ended = await fetch(`${world.server.ui}/api/v2/session`, {
    method: 'DELETE',
    headers: { cookie, origin: world.server.ui, 'x-sightline': '1' },
  });
  if (!ended.ok) {
    throw new Error(`the session did not end: ${ended.status}`);
  }
}

const organizationKeys = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    const session = await (await fetch('/api/v2/session')).json();
    const keys = await fetch(`/v1/organizations/${session.data.organizationId}/keys`);
    return keys.json();
  });
