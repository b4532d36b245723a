import { describe, expect, it } from 'vitest';
import type { StoredDelivery } from '../../src/ports/store/alert-store.ts';
import { clockText } from '../kit/timeline.ts';
import { setStage, t } from './stage.ts';

setStage();

async function deliveriesOf(alertId: string): Promise<StoredDelivery[]> {
  const page = { limit: 100, after: undefined };
  return t.store.alerts.deliveries(t.workspaceId, { alertId }, page);
}

describe('the deliveries of an alert', () => {
  it('keep the time, status and answer of each attempt, without the secrets of the webhook', async () => {
    const secrets = { headers: { authorization: 'Bearer t0p-secret' } };
    const webhookId = await t.webhook({}, secrets);
    const alertId = await t.alert({
      savedSearchId: await t.search(''),
      interval: '1m',
      channel: { type: 'webhook', webhookId },
    });
    await t.logs('12:00:30', 10);
    t.receiver.reactOnce(
      (response, { headers }) => {
        response.writeHead(500).end(`bad token in ${headers.authorization}`);
      },
      'reset',
      { status: 200, body: 'ok' },
    );
    await t.runUntil('12:01:45');
    const [delivery, ...others] = await deliveriesOf(alertId);
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({ status: 'delivered', attemptCount: 3, error: null });
    expect(
      delivery!.attempts.map(({ atMs, status, body, error }) => [
        clockText(atMs),
        status,
        body,
        error,
      ]),
    ).toEqual([
      ['12:01:05', 500, 'bad token in ***', 'returned 500'],
      ['12:01:10', null, null, expect.stringMatching(/connection/)],
      ['12:01:40', 200, 'ok', null],
    ]);
  });
});
