import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit } from '../kit/api.ts';
import type { JsonAnswer } from '../kit/http.ts';
import {
  alertInput,
  newAlert,
  newDashboard,
  newSavedSearch,
  newWebhook,
  nobodysId,
} from '../kit/stack-objects.ts';

let api: ApiKit;
let webhookId: string;
const clock = {
  time: Date.parse('2027-01-15T10:20:30.400Z'),
  now() {
    return this.time;
  },
};
beforeAll(async () => {
  api = await startApi({ clock });
  webhookId = (await newWebhook(api)).id;
});
afterAll(() => api.stop());

const post = (over: object) => api.call('POST', '/alerts', { body: alertInput(webhookId, over) });
const pathsOf = (json: JsonAnswer) => json.errors.map(({ path }: { path: string }) => path);

describe('an alert record', () => {
  it('of a tile has the keys of the specification, and what is unset is left out', async () => {
    const dashboard = await newDashboard(api);
    const tileId = dashboard.tiles[0].id as string;
    const { json } = await post({
      source: 'tile',
      dashboardId: dashboard.id,
      tileId,
      name: 'n',
      message: 'm',
    });
    expect(json.data).toEqual({
      id: expect.any(String) as string,
      name: 'n',
      message: 'm',
      threshold: 10,
      interval: '5m',
      thresholdType: 'above',
      source: 'tile',
      state: 'inactive',
      channel: { type: 'webhook', webhookId },
      team: api.teamId,
      tileId,
      dashboard: dashboard.id,
      silenced: false,
      createdAt: '2027-01-15T10:20:30.400Z',
      updatedAt: '2027-01-15T10:20:30.400Z',
    });
  });

  it('carries every addition that was given', async () => {
    const savedSearchId = (await newSavedSearch(api)).id as string;
    const other = (await newWebhook(api)).id as string;
    const additions = {
      groupBy: 'ServiceName',
      thresholdType: 'between',
      thresholdMax: 20,
      numConsecutiveWindows: 3,
      renotifyInterval: '1h',
      noData: 'keep',
      severity: 'warning',
      silencedUntil: '2027-01-15T11:00:00Z',
      channels: [{ type: 'webhook', webhookId: other }],
    };
    const { json } = await post({ savedSearchId, ...additions });
    expect(json.data).toMatchObject({ savedSearch: savedSearchId, silenced: true, ...additions });
    clock.time += 3_600_000;
    expect((await api.call('GET', `/alerts/${json.data.id}`)).json.data).toMatchObject({
      silenced: false,
    });
  });

  it('says "search" for a saved search, whichever word was sent', async () => {
    const savedSearchId = (await newSavedSearch(api)).id;
    expect((await post({ source: 'saved_search', savedSearchId })).json.data.source).toBe('search');
  });

  it('that names nothing to watch is accepted, inactive, and says why', async () => {
    for (const [source, missing] of [
      ['search', 'savedSearchId'],
      ['tile', 'dashboardId'],
    ]) {
      const { status, json } = await post({ source });
      expect(status).toBe(200);
      expect(json.data.state).toBe('inactive');
      expect(json.data.executionErrors).toEqual([
        {
          type: 'INVALID_ALERT',
          message: expect.stringContaining(missing!) as string,
          timestamp: json.data.updatedAt,
        },
      ]);
    }
  });

  it('takes neutral values of a schedule, and refuses others with the reason', async () => {
    const { id } = await newAlert(api, { scheduleOffsetMinutes: 0, scheduleStartAt: null });
    for (const neutral of [
      { scheduleOffsetMinutes: 0, scheduleStartAt: '' },
      { scheduleOffsetMinutes: null, scheduleStartAt: null },
    ]) {
      const { status, json } = await api.call('PUT', `/alerts/${id}`, { body: neutral });
      expect(status).toBe(200);
      expect(Object.keys(json.data)).not.toContain('scheduleOffsetMinutes');
    }
    const { status, json } = await api.call('PUT', `/alerts/${id}`, {
      body: { scheduleOffsetMinutes: 5, scheduleStartAt: '2026-03-14T09:26:53.589Z' },
    });
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([
      {
        path: 'scheduleOffsetMinutes',
        message: expect.stringContaining('not supported') as string,
      },
      { path: 'scheduleStartAt', message: expect.stringContaining('not supported') as string },
    ]);
  });

  it('takes null for unset', async () => {
    const { status, json } = await post({
      name: null,
      message: null,
      groupBy: null,
      dashboardId: null,
      tileId: null,
      savedSearchId: null,
      thresholdMax: null,
      channels: null,
      silencedUntil: null,
    });
    expect(status).toBe(200);
    expect(Object.values(json.data)).not.toContain(null);
    expect(json.data).not.toHaveProperty('name');
  });
});

describe('bounds of an alert', () => {
  it.each(['1m', '5m', '15m', '30m', '1h', '6h', '12h', '1d', '7m', '90m', '7d', '168h', '10080m'])(
    'interval %s is taken',
    async (interval) => {
      expect((await post({ interval })).json.data.interval).toBe(interval);
    },
  );

  it.each([
    '0m',
    '30s',
    '8d',
    '10081m',
    '1w',
    '1M',
    '1.5h',
    '-1m',
    ' 5m',
    '5 m',
    '05m',
    'm',
    '',
    '1h30m',
    5,
    null,
    ['5m'],
  ])('interval %j is a 400 that names it', async (interval) => {
    const { status, json } = await post({ interval });
    expect(status).toBe(400);
    expect(pathsOf(json)).toEqual(['interval']);
  });

  it.each([0, -1.5, 1e308, 5e-324, 9007199254740992])(
    'threshold %d is taken',
    async (threshold) => {
      expect((await post({ threshold })).json.data.threshold).toBe(threshold);
    },
  );

  it.each<[string, object]>([
    ['threshold', { threshold: null }],
    ['threshold', { threshold: '1' }],
    ['thresholdType', { thresholdType: 'sideways' }],
    ['source', { source: 'chart' }],
    ['name', { name: 'x'.repeat(513) }],
    ['message', { message: 'x'.repeat(4097) }],
    ['numConsecutiveWindows', { numConsecutiveWindows: 0 }],
    ['numConsecutiveWindows', { numConsecutiveWindows: 1.5 }],
    ['renotifyInterval', { renotifyInterval: '10s' }],
    ['noData', { noData: 'maybe' }],
    ['silencedUntil', { silencedUntil: 'tomorrow' }],
    ['silencedUntil', { silencedUntil: '2027-01-01T00:00:00' }],
    ['channels', { channels: [] }],
    ['thresholdMax', { thresholdType: 'between' }],
    ['thresholdMax', { thresholdType: 'not_between', thresholdMax: 9 }],
    ['thresholdMax', { thresholdMax: 20 }],
    ['channel', { channel: null }],
    ['channel.type', { channel: { type: 'slack', webhookId: nobodysId } }],
    ['channel.webhookId', { channel: { type: 'webhook', webhookId: 'x' } }],
    ['dashboardId', { dashboardId: 'x' }],
    ['dashboardId', { tileId: nobodysId }],
  ])('%s: %j is a 400 that names it', async (path, over) => {
    const { status, json } = await post(over);
    expect(status).toBe(400);
    expect(pathsOf(json)).toEqual([path]);
  });

  it('the longest name and message are taken', async () => {
    expect((await post({ name: 'ü'.repeat(512), message: '💥'.repeat(2048) })).status).toBe(200);
  });

  it('ten channels are taken, eleven are not', async () => {
    const channels = (count: number) =>
      Array.from({ length: count }, () => ({ type: 'webhook', webhookId }));
    expect((await post({ channels: channels(10) })).status).toBe(200);
    expect(pathsOf((await post({ channels: channels(11) })).json)).toEqual(['channels']);
  });
});

describe('what an alert refers to', () => {
  it('must exist in the workspace: every reference that does not is named at once', async () => {
    const { status, json } = await post({
      dashboardId: nobodysId,
      tileId: nobodysId,
      savedSearchId: nobodysId,
      channel: { type: 'webhook', webhookId: nobodysId },
      channels: [
        { type: 'webhook', webhookId },
        { type: 'webhook', webhookId: nobodysId },
      ],
    });
    expect(status).toBe(400);
    expect(pathsOf(json).sort()).toEqual([
      'channel.webhookId',
      'channels.1.webhookId',
      'dashboardId',
      'savedSearchId',
    ]);
  });

  it("may not be another team's", async () => {
    const stranger = await api.newCaller();
    const foreign = {
      webhook: (await newWebhook(stranger)).id,
      search: (await newSavedSearch(stranger)).id,
    };
    expect(
      pathsOf((await post({ channel: { type: 'webhook', webhookId: foreign.webhook } })).json),
    ).toEqual(['channel.webhookId']);
    expect(pathsOf((await post({ savedSearchId: foreign.search })).json)).toEqual([
      'savedSearchId',
    ]);
  });

  it('names a tile of that very dashboard', async () => {
    const [one, other] = [await newDashboard(api), await newDashboard(api)];
    const { status, json } = await post({
      source: 'tile',
      dashboardId: one.id,
      tileId: other.tiles[0].id,
    });
    expect(status).toBe(400);
    expect(pathsOf(json)).toEqual(['tileId']);
  });

  it('stays when it is a webhook: a 409 that names the alert, until the alert is gone', async () => {
    const webhook = await newWebhook(api);
    const { json } = await post({ channels: [{ type: 'webhook', webhookId: webhook.id }] });
    const refused = await api.call('DELETE', `/webhooks/${webhook.id}`);
    expect(refused.status).toBe(409);
    expect(refused.json.message).toContain(json.data.id);
    await api.call('DELETE', `/alerts/${json.data.id}`);
    expect((await api.call('DELETE', `/webhooks/${webhook.id}`)).status).toBe(200);
  });

  it('takes the alert with it when it is a saved search', async () => {
    const savedSearch = await newSavedSearch(api);
    const alert = await newAlert(api, { savedSearchId: savedSearch.id });
    const bystander = await newAlert(api);
    await api.call('DELETE', `/saved-searches/${savedSearch.id}`);
    expect((await api.call('GET', `/alerts/${alert.id}`)).status).toBe(404);
    expect((await api.call('GET', `/alerts/${bystander.id}`)).status).toBe(200);
  });
});

describe('changing an alert', () => {
  it('merges: what is absent stays, null unsets', async () => {
    const alert = await newAlert(api, { name: 'n', message: 'm', groupBy: 'ServiceName' });
    clock.time += 1000;
    const { json } = await api.call('PUT', `/alerts/${alert.id}`, {
      body: { threshold: 3, message: null },
    });
    const { message: _gone, ...kept } = alert;
    expect(json.data).toEqual({
      ...kept,
      threshold: 3,
      updatedAt: json.data.updatedAt,
      executionErrors: [{ ...alert.executionErrors[0], timestamp: json.data.updatedAt }],
    });
    expect(json.data.updatedAt > alert.updatedAt).toBe(true);
  });

  it('is checked as a whole', async () => {
    const alert = await newAlert(api, { thresholdType: 'between', thresholdMax: 20 });
    expect(
      pathsOf((await api.call('PUT', `/alerts/${alert.id}`, { body: { threshold: 21 } })).json),
    ).toEqual(['thresholdMax']);
    expect(
      pathsOf(
        (await api.call('PUT', `/alerts/${alert.id}`, { body: { thresholdMax: null } })).json,
      ),
    ).toEqual(['thresholdMax']);
    const plain = await api.call('PUT', `/alerts/${alert.id}`, {
      body: { thresholdType: 'below' },
    });
    expect(plain.json.data).not.toHaveProperty('thresholdMax');
    expect(
      pathsOf(
        (
          await api.call('PUT', `/alerts/${alert.id}`, {
            body: { channel: { type: 'webhook', webhookId: nobodysId } },
          })
        ).json,
      ),
    ).toEqual(['channel.webhookId']);
  });

  it('moves its references: what it no longer names may go', async () => {
    const [old, next] = [await newWebhook(api), await newWebhook(api)];
    const alert = (await api.call('POST', '/alerts', { body: alertInput(old.id) })).json.data;
    await api.call('PUT', `/alerts/${alert.id}`, {
      body: { channel: { type: 'webhook', webhookId: next.id } },
    });
    expect((await api.call('DELETE', `/webhooks/${old.id}`)).status).toBe(200);
    expect((await api.call('DELETE', `/webhooks/${next.id}`)).status).toBe(409);
  });

  it('takes the record as it was read', async () => {
    const savedSearch = await newSavedSearch(api);
    const alert = await newAlert(api, { savedSearchId: savedSearch.id, name: 'n' });
    const { status, json } = await api.call('PUT', `/alerts/${alert.id}`, { body: alert });
    expect(status).toBe(200);
    expect(json.data).toEqual({ ...alert, updatedAt: json.data.updatedAt });
  });
});
