import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit } from '../kit/api.ts';
import type { JsonAnswer } from '../kit/http.ts';
import { maintenanceInput, newAlert, nobodysId } from '../kit/stack-objects.ts';

let api: ApiKit;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const path = '/maintenance-windows';
const post = (over: object) => api.call('POST', path, { body: maintenanceInput(over) });
const pathsOf = (json: JsonAnswer) => json.errors.map((issue: { path: string }) => issue.path);

describe('maintenance windows', () => {
  it('are created, listed, changed and deleted on both surfaces', async () => {
    const { json } = await post({ name: 'first' });
    const created = json.data;
    expect(created).toEqual({
      id: expect.any(String) as string,
      name: 'first',
      schedule: maintenanceInput().schedule,
      alerts: { all: true, ids: [], tags: [] },
      active: false,
      occurrence: {
        from: expect.any(String) as string,
        to: expect.any(String) as string,
      },
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
    const managed = api.managed.stack;
    const { result } = (await managed('GET', `${path}/${created.id}`)).json;
    expect(result).toEqual(created);
    const changed = await managed('PUT', `${path}/${created.id}`, {
      body: { ...created, name: 'second' },
    });
    expect(changed.json.result).toMatchObject({ name: 'second', schedule: created.schedule });
    const listed = await api.call('GET', path);
    expect(listed.json.data.map(({ name }: JsonAnswer) => name)).toEqual(['second']);
    expect((await api.call('DELETE', `${path}/${created.id}`)).status).toBe(200);
    expect((await managed('GET', `${path}/${created.id}`)).status).toBe(404);
  });

  it('keep a deleted alert without hindering a change', async () => {
    const alert = await newAlert(api);
    const { json } = await post({ alerts: { ids: [alert.id, alert.id] } });
    expect(json.data.alerts.ids).toEqual([alert.id]);
    await api.call('DELETE', `/alerts/${alert.id}`);
    const renamed = await api.call('PUT', `${path}/${json.data.id}`, { body: { name: 'still' } });
    expect(renamed.json.data).toMatchObject({ name: 'still', alerts: { ids: [alert.id] } });
  });

  it.each<[string, object]>([
    ['name', { name: '' }],
    ['schedule', { schedule: null }],
    ['schedule.type', { schedule: { type: 'weekly' } }],
    [
      'schedule.to',
      { schedule: { type: 'once', from: '2026-03-14T12:00:00Z', to: '2026-03-14T12:00:00Z' } },
    ],
    ['schedule.from', { schedule: { type: 'once', from: 'noon', to: '2026-03-14T12:00:00Z' } }],
    ['schedule.expression', cron({ expression: '99 2 * * *' })],
    ['schedule.expression', cron({ expression: '0 0 30 2 *' })],
    ['schedule.timeZone', cron({ timeZone: 'Mars/Olympus' })],
    ['schedule.timeZone', cron({ timeZone: '' })],
    ['schedule.duration', cron({ duration: '8d' })],
    ['alerts', { alerts: {} }],
    ['alerts.ids.0', { alerts: { ids: ['x'] } }],
    ['alerts.ids.1', { alerts: { ids: [nobodysId.replace('0', '1'), nobodysId] } }],
  ])('a bad %s is a 400 that names it: %j', async (at, over) => {
    const { status, json } = await post(over);
    expect(status).toBe(400);
    expect(pathsOf(json)).toContain(at);
  });

  it('of others do not exist, and their alerts cannot be named', async () => {
    const { json } = await post({});
    const stranger = await api.newCaller();
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await stranger.call(method, `${path}/${json.data.id}`)).status).toBe(404);
    }
    const foreign = await newAlert(stranger);
    const refused = await post({ alerts: { ids: [foreign.id] } });
    expect(pathsOf(refused.json)).toEqual(['alerts.ids.0']);
  });
});

function cron(over: object): object {
  return { schedule: { ...maintenanceInput().schedule, ...over } };
}
