import { beforeEach, describe, expect, it } from 'vitest';
import { timelineVerbs } from '../kit/timeline-verbs.ts';
import { setStage, t } from './stage.ts';

setStage();

let api: ReturnType<typeof timelineVerbs>;
beforeEach(() => {
  api = timelineVerbs(t);
});

const at = (time: string): string => `2026-03-14T${time}Z`;
const once = (from: string, to: string) => ({ type: 'once', from: at(from), to: at(to) });

const maintain = async (schedule: object, alerts: object = { all: true }): Promise<string> =>
  (
    await api.call(api.verbs.createMaintenanceWindow, {
      body: { name: 'upgrade', schedule, alerts },
    })
  ).id;

async function watched(change: Record<string, unknown> = {}): Promise<string> {
  const webhookId = await t.webhook();
  return t.alert({
    savedSearchId: await t.search(''),
    interval: '1m',
    channel: { type: 'webhook', webhookId },
    ...change,
  } as never);
}

async function errors(...minutes: number[]): Promise<void> {
  for (const minute of minutes) {
    await t.logs(`12:${String(minute).padStart(2, '0')}:30`, 10);
  }
}

describe('during a maintenance window', () => {
  it('states change and nothing is sent; what still fires is told once at its end', async () => {
    const id = await watched({ renotifyInterval: '1m' });
    await maintain(once('12:00:00', '12:04:00'));
    await errors(0, 2, 3, 4, 5);
    await t.runUntil('12:05:00');
    expect(t.deliveries()).toEqual(['12:04:05 firing maintenance_ended 10']);
    expect(await t.history(id)).toEqual([
      '12:00 inactive -',
      '12:01 firing 10 breached',
      '12:02 inactive - recovered',
      '12:03 firing 10 breached',
      '12:04 firing 10',
    ]);
    await t.runUntil('12:07:10');
    expect(t.deliveries().slice(1)).toEqual([
      '12:05:05 firing still_firing 10',
      '12:06:05 firing still_firing 10',
      '12:07:05 inactive resolved -',
    ]);
  });

  it('an incident that was told before ends, and the end is told afterwards', async () => {
    await watched();
    await maintain(once('12:01:30', '12:04:00'));
    await errors(0, 1);
    await t.runUntil('12:06:10');
    expect(t.deliveries()).toEqual([
      '12:01:05 firing fired 10',
      '12:04:05 inactive maintenance_ended -',
    ]);
    expect(new Set(t.events().map(({ data }) => data.incidentId)).size).toBe(1);
  });

  it('only the alerts that it names are covered: by id, by tag, and of their own team', async () => {
    const named = await watched({ name: 'named' });
    await watched({ name: 'tagged', tags: ['db', 'night'] });
    await watched({ name: 'other', tags: ['day'] });
    await maintain(once('12:00:00', '12:30:00'), { ids: [named] });
    await maintain(once('12:00:00', '12:30:00'), { tags: ['night', 'none'] });
    await t.store.documents.insert('f'.repeat(24), {
      kind: 'maintenanceWindow',
      id: 'f'.repeat(24),
      body: {
        name: 'of others',
        schedule: { type: 'once', from: at('12:00:00'), to: at('12:30:00') },
        alerts: { all: true, ids: [], tags: [] },
      },
    });
    await errors(0);
    await t.runUntil('12:03:10');
    expect(t.events().map(({ data }) => `${data.alert.name} ${data.reason}`)).toEqual([
      'other fired',
      'other resolved',
    ]);
  });

  it('two that overlap end with the later one, and a deletion ends one at once', async () => {
    await watched();
    await maintain(once('12:00:00', '12:03:00'));
    const longer = await maintain(once('12:02:00', '12:20:00'));
    await errors(0, 1, 2, 3, 4, 5, 6, 7);
    await t.runUntil('12:05:30');
    expect(t.deliveries()).toEqual([]);
    await api.call(api.verbs.deleteMaintenanceWindow, { params: { id: longer } });
    await t.runUntil('12:07:10');
    expect(t.deliveries()).toEqual(['12:06:05 firing maintenance_ended 10']);
  });

  it('recurs by cron, also after a restart and a change', async () => {
    await watched();
    const schedule = {
      type: 'cron',
      expression: '*/5 * * * *',
      timeZone: 'Asia/Kolkata',
      duration: '2m',
    };
    const id = await maintain(schedule);
    await errors(0, 1, 4, 5, 6);
    await t.runUntil('12:02:10');
    expect(t.deliveries()).toEqual(['12:02:05 firing maintenance_ended 10']);
    await t.restart();
    await t.runUntil('12:06:10');
    expect(t.deliveries().slice(1)).toEqual(['12:03:05 inactive resolved -']);
    await api.call(api.verbs.updateMaintenanceWindow, {
      params: { id },
      body: { schedule: once('11:00:00', '11:01:00') },
    });
    await t.runUntil('12:07:10');
    expect(t.deliveries().slice(2)).toEqual(['12:07:05 firing maintenance_ended 10']);
  });

  it('inside a silence the later of both tells', async () => {
    await watched({ silencedUntil: at('12:03:00') });
    await maintain(once('12:00:00', '12:02:00'));
    await errors(0, 1, 2, 3);
    await t.runUntil('12:03:10');
    expect(t.deliveries()).toEqual(['12:03:05 firing silence_ended 10']);
  });
});

describe('the record of a maintenance window', () => {
  it('shows the current or next occurrence', async () => {
    const get = async (id: string) => api.call(api.verbs.getMaintenanceWindow, { params: { id } });
    const id = await maintain(once('12:01:00', '12:02:00'));
    const occurrence = { from: '2026-03-14T12:01:00.000Z', to: '2026-03-14T12:02:00.000Z' };
    expect(await get(id)).toMatchObject({ active: false, occurrence });
    t.jump('12:01:00');
    expect(await get(id)).toMatchObject({ active: true, occurrence });
    t.jump('12:02:00');
    expect(await get(id)).toMatchObject({ active: false });
    expect(await get(id)).not.toHaveProperty('occurrence');
  });
});
