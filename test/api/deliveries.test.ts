import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleWebhookEvent } from '../../src/contract/webhook/webhook-event.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import type { JsonAnswer } from '../kit/http.ts';
import { newAlert, nobodysId } from '../kit/stack-objects.ts';

let api: ApiKit;
let alert: JsonAnswer;
let webhookId: string;
beforeAll(async () => {
  api = await startApi();
  alert = await newAlert(api);
  webhookId = alert.channel.webhookId;
  await api.store.alerts.record({
    progress: [],
    evaluations: [],
    outbox: [1, 2, 3].map((number) => ({
      workspaceId: api.teamId,
      alertId: alert.id,
      shard: 1,
      eventId: eventId(number),
      webhookId,
      windowEndMs: number * 60_000,
      event: JSON.stringify({ ...sampleWebhookEvent, id: eventId(number) }),
      createdAtMs: number * 60_000 + 5000,
    })),
  });
  await api.store.alerts.recordMarks([
    {
      eventId: eventId(1),
      webhookId,
      attempts: 1,
      outcome: 'delivered',
      nextAttemptMs: 0,
      error: null,
      attempt: { atMs: 65_000, status: 204, elapsedMs: 7, body: null, error: null },
    },
    {
      eventId: eventId(2),
      webhookId,
      attempts: 1,
      outcome: 'pending',
      nextAttemptMs: 130_000,
      error: 'webhook on-call (x): returned 500; attempt 1 of 8',
      attempt: { atMs: 125_000, status: 500, elapsedMs: 9.5, body: 'no', error: 'returned 500' },
    },
  ]);
});
afterAll(() => api.stop());

const eventId = (number: number): string => `evt_${number.toString(16).padStart(32, '0')}`;

describe('deliveries', () => {
  it('of an alert tell status, attempts and answers, newest first', async () => {
    const { status, json } = await api.call('GET', `/alerts/${alert.id}/deliveries`);
    expect(status).toBe(200);
    const { data } = sampleWebhookEvent;
    const common = {
      alertId: alert.id,
      webhookId,
      type: sampleWebhookEvent.type,
      reason: data.reason,
      title: data.title,
      incidentId: data.incidentId,
      group: data.groupValues,
    };
    expect(json.data).toEqual({
      deliveries: [
        {
          ...common,
          eventId: eventId(3),
          windowEnd: '1970-01-01T00:03:00.000Z',
          createdAt: '1970-01-01T00:03:05.000Z',
          status: 'pending',
          attemptCount: 0,
          attempts: [],
          nextAttemptAt: '1970-01-01T00:03:05.000Z',
        },
        {
          ...common,
          eventId: eventId(2),
          windowEnd: '1970-01-01T00:02:00.000Z',
          createdAt: '1970-01-01T00:02:05.000Z',
          status: 'pending',
          attemptCount: 1,
          attempts: [
            {
              at: '1970-01-01T00:02:05.000Z',
              status: 500,
              elapsedMs: 9.5,
              body: 'no',
              error: 'returned 500',
            },
          ],
          nextAttemptAt: '1970-01-01T00:02:10.000Z',
          error: 'webhook on-call (x): returned 500; attempt 1 of 8',
        },
        {
          ...common,
          eventId: eventId(1),
          windowEnd: '1970-01-01T00:01:00.000Z',
          createdAt: '1970-01-01T00:01:05.000Z',
          status: 'delivered',
          attemptCount: 1,
          attempts: [{ at: '1970-01-01T00:01:05.000Z', status: 204, elapsedMs: 7 }],
          settledAt: expect.any(String) as string,
        },
      ],
    });
  });

  it('come in pages by cursor, of the alert and of the webhook, on both surfaces', async () => {
    for (const read of [
      async (query: string) =>
        (await api.call('GET', `/alerts/${alert.id}/deliveries${query}`)).json.data,
      async (query: string) =>
        (await api.call('GET', `/webhooks/${webhookId}/deliveries${query}`)).json.data,
      async (query: string) =>
        (await api.managed.stack('GET', `/alerts/${alert.id}/deliveries${query}`)).json.result,
    ]) {
      const first = await read('?limit=2');
      const rest = await read(`?limit=2&cursor=${first.cursor}`);
      expect(rest).not.toHaveProperty('cursor');
      expect(
        [...first.deliveries, ...rest.deliveries].map((one: JsonAnswer) => one.eventId),
      ).toEqual([3, 2, 1].map(eventId));
    }
  });

  it.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=201'],
    ['cursor', 'cursor=bm9uc2Vuc2U'],
    ['cursor', `cursor=${'x'.repeat(300)}`],
  ])('a bad %s is a 400 that names it (%s)', async (path, query) => {
    const { status, json } = await api.call('GET', `/alerts/${alert.id}/deliveries?${query}`);
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ path }]);
  });

  it('of objects of others do not exist', async () => {
    const stranger = await api.newCaller();
    for (const path of [`/alerts/${alert.id}`, `/webhooks/${webhookId}`]) {
      expect((await stranger.call('GET', `${path}/deliveries`)).status).toBe(404);
    }
    expect((await api.call('GET', `/alerts/${nobodysId}/deliveries`)).status).toBe(404);
  });
});
