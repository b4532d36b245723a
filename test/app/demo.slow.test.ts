import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopesOfRoles } from '../../src/contract/key.ts';
import { sql } from '../../src/sql/sql.ts';
import { until } from '../kit/eventually.ts';
import type { JsonAnswer } from '../kit/http.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';
import { startUiKit, type Browser, type UiKit } from '../kit/ui.ts';

const path = '/api/v2/demo';
let engine: TestTelemetry;
let kit: UiKit;
let admin: Browser;
beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'telemetry' });
  kit = await startUiKit(
    {},
    {
      roles: ['api', 'ui', 'ingest'],
      parts: { telemetry: engine.telemetry },
    },
  );
  admin = await kit.signedIn();
});
afterAll(async () => {
  await kit?.stop();
  await engine?.close();
});

const stateOf = async (browser: Browser): Promise<unknown> =>
  (await browser.call('GET', path)).json.data.state;

/** Number of log records of the shop since a time. */
async function logsSince(ms: number): Promise<number> {
  const [row] = await engine.rows(
    sql`SELECT toUInt32(count()) AS found FROM telemetry.otel_logs
      WHERE Timestamp >= fromUnixTimestamp64Milli(${ms})`,
  );
  return Number(row?.['found']);
}

describe('the demo shop', () => {
  it('is started and stopped by an admin only', async () => {
    const { json } = await admin.call('POST', '/api/v2/team/members', {
      body: { email: 'grace@example.com' },
    });
    const member = kit.browser();
    await member.call('POST', '/api/v2/session/link', {
      body: { token: json.data.link.path.split('#')[1], password: 'a good password' },
    });
    expect((await member.call('POST', path)).status).toBe(403);
    expect((await member.call('DELETE', path)).status).toBe(403);
    expect(await stateOf(member)).toBe('stopped');
    expect(scopesOfRoles(['admin']).has('demo:write')).toBe(false);
  });

  it('sends telemetry of the past and the present, also with a new ingestion key', async () => {
    const beforeMs = Date.now();
    const first = await admin.call('POST', path);
    expect([first.status, first.json.data.state]).toEqual([200, 'running']);
    expect(first.json.data.objects).toHaveLength(3);
    const second = await admin.call('POST', path);
    expect(second.json.data).toEqual(first.json.data);
    expect((await admin.call('GET', path)).json.data).toEqual(first.json.data);
    await until('rows of the past', async () => (await logsSince(0)) > 500 || undefined, 60_000);

    expect((await admin.call('POST', '/api/v2/team/ingestion-key/rotate')).status).toBe(200);
    const rotatedMs = Date.now();
    expect(rotatedMs).toBeGreaterThan(beforeMs);
    await until(
      'rows with the new key',
      async () => (await logsSince(rotatedMs)) > 0 || undefined,
      60_000,
    );
  });

  it('ends without a loss, and a second stop changes nothing', async () => {
    expect((await admin.call('DELETE', path)).status).toBe(200);
    expect(await stateOf(admin)).toBe('stopped');
    expect((await admin.call('DELETE', path)).status).toBe(200);
    expect(await logsSince(0)).toBeGreaterThan(500);
  });

  it('is on the audit trail', async () => {
    const { json } = await admin.call(
      'GET',
      `/v1/organizations/${kit.first.organizationId}/activities`,
    );
    const lines: string[] = json.result.map((line: { operation: string }) => line.operation);
    expect(lines).toEqual(expect.arrayContaining(['startDemo', 'stopDemo']));
  });
});

describe('the objects of the demo shop', () => {
  const objectsOf = async (browser: Browser): Promise<JsonAnswer[]> =>
    (await browser.call('GET', path)).json.data.objects;
  const lists = { dashboard: 'dashboards', webhook: 'webhooks', alert: 'alerts' } as const;
  const listed = async (kind: keyof typeof lists): Promise<JsonAnswer[]> =>
    (await admin.call('GET', `/api/v2/${lists[kind]}`)).json.data;

  it('are made by a start, once, and stay after a stop', async () => {
    const objects = await objectsOf(admin);
    expect(objects.map(({ kind }) => kind as string)).toEqual(['dashboard', 'webhook', 'alert']);
    await admin.call('POST', path);
    await admin.call('DELETE', path);
    for (const { kind, id, name } of objects) {
      const matches = (await listed(kind)).filter((one) => one.name === name);
      expect(matches.map((one) => one.id as string)).toEqual([id]);
    }
    const [alert] = await listed('alert');
    const [dashboard] = await listed('dashboard');
    expect(alert.dashboard).toBe(dashboard.id);
    expect(dashboard.tiles.map((tile: JsonAnswer) => tile.id as string)).toContain(alert.tileId);
  });

  it('get what the webhook delivers, and of their own team only', async () => {
    const [webhook] = await listed('webhook');
    const before = (await admin.call('GET', path)).json.data.notifications.count as number;
    const sent = await admin.call('POST', `/api/v2/webhooks/${webhook.id}/test`);
    expect(sent.json.data).toMatchObject({ delivered: true });
    const { notifications } = (await admin.call('GET', path)).json.data;
    expect(notifications).toEqual({ count: before + 1, lastAt: expect.any(String) as string });
    const guess = await admin.call('POST', '/api/v2/webhooks', {
      body: { name: 'guess', service: 'generic', url: `${new URL(webhook.url).origin}/another` },
    });
    const guessed = await admin.call('POST', `/api/v2/webhooks/${guess.json.data.id}/test`);
    expect(guessed.json.data).toMatchObject({ delivered: true });
    expect((await admin.call('GET', path)).json.data.notifications.count).toBe(before + 1);
    await admin.call('DELETE', `/api/v2/webhooks/${guess.json.data.id}`);
  });

  it('that somebody deleted come back at a start; what somebody changed stays', async () => {
    const [alert] = await listed('alert');
    const [dashboard] = await listed('dashboard');
    await admin.call('DELETE', `/api/v2/alerts/${alert.id}`);
    const renamed = { ...dashboard, name: 'My shop', tiles: dashboard.tiles.slice(0, 1) };
    await admin.call('PUT', `/api/v2/dashboards/${dashboard.id}`, { body: renamed });
    const withoutTile = await admin.call('POST', path);
    expect(withoutTile.json.data.objects).toEqual([
      { kind: 'dashboard', id: dashboard.id, name: 'My shop' },
      expect.objectContaining({ kind: 'webhook' }),
    ]);
    await admin.call('DELETE', `/api/v2/dashboards/${dashboard.id}`);
    const again = await admin.call('POST', path);
    expect(again.json.data.objects).toHaveLength(3);
  });

  it('are deleted on request, and nothing else is', async () => {
    const own = await admin.call('POST', '/api/v2/webhooks', {
      body: { name: 'own', service: 'generic', url: 'http://127.0.0.1:9/own' },
    });
    const answer = await admin.call('DELETE', `${path}?objects=delete`);
    expect([answer.status, await objectsOf(admin)]).toEqual([200, []]);
    expect(await listed('dashboard')).toEqual([]);
    expect(await listed('alert')).toEqual([]);
    expect((await listed('webhook')).map(({ id }) => id as string)).toEqual([own.json.data.id]);
    expect((await admin.call('DELETE', `${path}?objects=delete`)).status).toBe(200);
    expect((await admin.call('DELETE', `${path}?objects=all`)).status).toBe(400);
  });

  it('stay as long as an alert of the team needs the webhook', async () => {
    const started = (await admin.call('POST', path)).json.data.objects as JsonAnswer[];
    const [webhook] = await listed('webhook').then((all) =>
      all.filter(({ name }) => name !== 'own'),
    );
    const [source] = (await admin.call('GET', '/api/v2/sources')).json.data;
    const search = await admin.call('POST', '/api/v2/saved-searches', {
      body: { name: 'errors', sourceId: source.id, where: '' },
    });
    const alert = await admin.call('POST', '/api/v2/alerts', {
      body: {
        name: 'own alert',
        source: 'saved_search',
        savedSearchId: search.json.data.id,
        interval: '1m',
        threshold: 1,
        thresholdType: 'above',
        channel: { type: 'webhook', webhookId: webhook.id },
      },
    });
    expect(alert.status).toBe(200);
    const refused = await admin.call('DELETE', `${path}?objects=delete`);
    expect([refused.status, refused.json.message]).toEqual([
      409,
      expect.stringContaining('used by an alert') as string,
    ]);
    expect(await stateOf(admin)).toBe('stopped');
    await admin.call('DELETE', `/api/v2/alerts/${alert.json.data.id}`);
    expect((await admin.call('DELETE', `${path}?objects=delete`)).status).toBe(200);
    expect(started).toHaveLength(3);
    expect(await objectsOf(admin)).toEqual([]);
  });

  it('are on the audit trail, each as a change of the admin', async () => {
    const { json } = await admin.call(
      'GET',
      `/v1/organizations/${kit.first.organizationId}/activities?operation=createDashboard`,
    );
    expect(json.result[0]).toMatchObject({
      actor: { kind: 'user', name: 'ada@example.com' },
      outcome: 'success',
    });
  });
});

describe('the endpoints of telemetry', () => {
  it('are the ports of the receivers', async () => {
    const { json } = await admin.call('GET', '/api/v2/team/ingestion-endpoints');
    expect(json.data).toEqual({
      httpPort: Number(new URL(kit.addresses.otlpHttp ?? '').port),
      grpcPort: Number(new URL(kit.addresses.otlpGrpc ?? '').port),
    });
  });

  it('are unknown, and the shop unavailable, in a process that receives no telemetry', async () => {
    const other = await startUiKit();
    try {
      const browser = await other.signedIn();
      expect(await stateOf(browser)).toBe('unavailable');
      const refused = await browser.call('POST', path);
      expect([refused.status, refused.json.code]).toEqual([409, 'conflict']);
      const { json } = await browser.call('GET', '/api/v2/team/ingestion-endpoints');
      expect(json.data).toEqual({});
    } finally {
      await other.stop();
    }
  });
});
