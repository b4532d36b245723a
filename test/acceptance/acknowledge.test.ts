import { beforeEach, describe, expect, it } from 'vitest';
import { timelineVerbs } from '../kit/timeline-verbs.ts';
import { setStage, t } from './stage.ts';

setStage();

let api: ReturnType<typeof timelineVerbs>;
beforeEach(() => {
  api = timelineVerbs(t);
});

const acknowledge = (id: string, body: object = {}) =>
  api.call(api.verbs.acknowledgeAlert, { params: { id }, body });
const withdraw = (id: string, query: object = {}) =>
  api.call(api.verbs.unacknowledgeAlert, { params: { id }, query });
const shown = async (id: string) =>
  (await api.call(api.verbs.getAlert, { params: { id } })).acknowledgements;

async function reminding(change: Record<string, unknown> = {}): Promise<string> {
  const webhookId = await t.webhook();
  return t.alert({
    savedSearchId: await t.search(''),
    interval: '1m',
    renotifyInterval: '2m',
    channel: { type: 'webhook', webhookId },
    ...change,
  } as never);
}

async function errors(fromMinute: number, toMinute: number, row: object = {}): Promise<void> {
  for (let minute = fromMinute; minute <= toMinute; minute++) {
    await t.logs(`12:${String(minute).padStart(2, '0')}:30`, 10, { ...row });
  }
}

describe('an acknowledged alert', () => {
  it('sends no reminder of the incident, but its end, and tells who, when and why', async () => {
    const id = await reminding();
    await errors(0, 5);
    await t.runUntil('12:01:30');
    const acknowledged = await acknowledge(id, { note: 'on it' });
    expect(acknowledged.acknowledgements).toEqual([
      {
        incidentId: t.events()[0]!.data.incidentId,
        group: [],
        by: { kind: 'user', id: 'u', name: 'ada@example.com' },
        at: '2026-03-14T12:01:30.000Z',
        note: 'on it',
      },
    ]);
    expect(await shown(id)).toEqual(acknowledged.acknowledgements);
    await t.runUntil('12:07:10');
    expect(t.deliveries()).toEqual(['12:01:05 firing fired 10', '12:07:05 inactive resolved -']);
  });

  it('is acknowledged until the incident ends: the next one reminds again', async () => {
    const id = await reminding();
    await errors(0, 0);
    await errors(2, 5);
    await t.runUntil('12:01:30');
    await acknowledge(id);
    await t.runUntil('12:02:10');
    expect(await shown(id)).toBeUndefined();
    await t.runUntil('12:05:10');
    expect(t.deliveries().slice(2)).toEqual([
      '12:03:05 firing fired 10',
      '12:05:05 firing still_firing 10',
    ]);
    expect(await shown(id)).toBeUndefined();
  });

  it('reminds again once the acknowledgement is withdrawn', async () => {
    const id = await reminding();
    await errors(0, 9);
    await t.runUntil('12:01:30');
    await acknowledge(id);
    await t.runUntil('12:06:30');
    expect(await withdraw(id)).toEqual({ acknowledgements: [] });
    expect(await shown(id)).toBeUndefined();
    await t.runUntil('12:09:10');
    expect(t.deliveries()).toEqual([
      '12:01:05 firing fired 10',
      '12:07:05 firing still_firing 10',
      '12:09:05 firing still_firing 10',
    ]);
  });

  it('is acknowledged for each group, also after a restart', async () => {
    const id = await reminding({ groupBy: 'ServiceName' });
    await errors(0, 5, { ServiceName: 'cart' });
    await errors(0, 5, { ServiceName: 'search' });
    await errors(3, 5, { ServiceName: 'late' });
    await t.runUntil('12:01:30');
    const { acknowledgements } = await acknowledge(id, { group: ['cart'] });
    expect(acknowledgements.map(({ group }) => group)).toEqual([['cart']]);
    await t.restart();
    await t.runUntil('12:03:10');
    await acknowledge(id);
    expect((await withdraw(id, { group: '["search"]' })).acknowledgements).toHaveLength(1);
    await t.runUntil('12:05:10');
    expect(t.deliveries().slice(2)).toEqual([
      '12:03:05 firing still_firing 10 [search]',
      '12:04:05 firing fired 10 [late]',
      '12:05:05 firing still_firing 10 [search]',
    ]);
  });

  it('has to fire, and exist', async () => {
    const id = await reminding();
    await expect(acknowledge(id)).rejects.toMatchObject({ code: 'conflict' });
    await errors(0, 0);
    await t.runUntil('12:01:10');
    await expect(acknowledge(id, { group: ['cart'] })).rejects.toMatchObject({
      code: 'conflict',
      message: 'no incident to acknowledge: the group ["cart"] does not fire',
    });
    await expect(acknowledge(id, { note: 'x'.repeat(1025) })).rejects.toMatchObject({
      issues: [{ path: 'note' }],
    });
    await expect(withdraw(id, { group: 'cart' })).rejects.toMatchObject({
      issues: [{ path: 'group' }],
    });
    await expect(acknowledge('f'.repeat(24))).rejects.toMatchObject({ code: 'not_found' });
    await expect(withdraw('f'.repeat(24))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('keeps its acknowledgement when the alert is silenced or changed', async () => {
    const id = await reminding();
    await errors(0, 5);
    await t.runUntil('12:01:30');
    await acknowledge(id);
    await api.call(api.verbs.silenceAlert, { params: { id }, body: {} });
    await api.call(api.verbs.updateAlert, { params: { id }, body: { name: 'Renamed' } });
    expect(await shown(id)).toHaveLength(1);
  });
});
