import { describe, expect, it } from 'vitest';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { eventually } from '../kit/eventually.ts';
import { setStage, statusOf, t } from './stage.ts';

setStage();

const path = (webhook: string): string[] =>
  t.receiver.received
    .filter((one) => one.path.endsWith(webhook))
    .map(({ json }) => {
      const { data } = json as { data: { state: string; reason: string; window: { end: string } } };
      return `${data.window.end.slice(11, 16)} ${data.state} ${data.reason}`;
    });
const channel = (webhookId: string) => ({ channel: { type: 'webhook', webhookId } });

describe('one alert beside another', () => {
  it('a query that does not come to an end delays no window of other alerts', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = new Proxy(t.telemetry, {
      get: (target, name: keyof Telemetry) =>
        name !== 'query'
          ? ((target[name] as () => unknown).bind?.(target) ?? target[name])
          : async (...call: Parameters<Telemetry['query']>) => {
              if (call[0].text.includes('stuck')) {
                await held;
              }
              return target.query(...call);
            },
    });
    await t.restart({ telemetry: slow });
    const stuck = await t.alert({
      savedSearchId: await t.search('ServiceName:stuck*'),
      groupBy: 'SeverityText',
      interval: '1m',
    });
    const other = await t.alert({ savedSearchId: await t.search('payment'), interval: '1m' });
    for (const minute of ['00', '01', '02']) {
      await t.logs(`12:${minute}:30`, 10);
    }
    const ticks: Promise<void>[] = [];
    for (const minute of ['01', '02', '03']) {
      t.jump(`12:${minute}:10`);
      ticks.push(t.alerting.tick());
      await eventually(async () =>
        expect((await t.history(other)).at(-1)).toContain(`12:${minute} firing 10`),
      );
    }
    expect(await t.history(stuck)).toEqual([]);
    release();
    await Promise.all(ticks);
    await t.settle();
    expect(await t.history(stuck)).toEqual([
      '12:01 inactive -',
      '12:02 inactive -',
      '12:03 inactive -',
    ]);
    expect(await t.history(other)).toEqual([
      '12:01 firing 10 breached',
      '12:02 firing 10',
      '12:03 firing 10',
    ]);
  });
});

/** Two webhooks, and an alert that names the first. */
async function twoWebhooks(): Promise<{ one: string; two: string; alertId: string }> {
  const one = await t.webhook({ name: 'one', url: `${t.receiver.url}/one` });
  const two = await t.webhook({ name: 'two', url: `${t.receiver.url}/two` });
  const searchId = await t.search('');
  const alertId = await t.alert({ savedSearchId: searchId, interval: '1m', ...channel(one) });
  return { one, two, alertId };
}

describe('another webhook while an alert fires', () => {
  it('who was told of a firing is told of its end, and so is whoever the alert names by then', async () => {
    const { two, alertId } = await twoWebhooks();
    for (const minute of ['00', '01', '02']) {
      await t.logs(`12:${minute}:30`, 10);
    }
    await t.runUntil('12:01:10');
    await t.change('alert', alertId, channel(two));
    await t.runUntil('12:02:10');
    await t.restart();
    await t.runUntil('12:05:10');
    expect(path('/one')).toEqual(['12:01 firing fired', '12:04 inactive resolved']);
    expect(path('/two')).toEqual(['12:04 inactive resolved']);
    expect(new Set(t.events().map(({ data }) => data.incidentId)).size).toBe(1);
    // The next incident is the new one's only.
    await t.logs('12:05:30', 10);
    await t.runUntil('12:07:10');
    expect(path('/one')).toHaveLength(2);
    expect(path('/two').slice(1)).toEqual(['12:06 firing fired', '12:07 inactive resolved']);
  });

  it('one that is gone is not missed, and its errors go with it', async () => {
    const { one, two, alertId } = await twoWebhooks();
    await t.logs('12:00:30', 10);
    t.receiver.reactOnce(500);
    await t.runUntil('12:01:05');
    const errors = async () => (await statusOf(alertId)).executionErrors;
    expect(await errors()).toMatchObject([{ type: 'WEBHOOK_ERROR' }]);
    await t.change('alert', alertId, channel(two));
    await t.settle();
    expect(await errors()).toEqual([]);
    await t.remove('webhook', one);
    await t.runUntil('12:03:10');
    expect(path('/one')).toEqual(['12:01 firing fired']);
    expect(path('/two')).toEqual(['12:02 inactive resolved']);
    expect(await errors()).toEqual([]);
  });

  it('a change within a silence is told when it ends', async () => {
    const { two, alertId } = await twoWebhooks();
    for (const minute of ['00', '01', '02']) {
      await t.logs(`12:${minute}:30`, 10);
    }
    await t.runUntil('12:01:10');
    await t.change('alert', alertId, {
      ...channel(two),
      silenced: true,
      silencedUntil: '2026-03-14T12:05:00Z',
    });
    await t.runUntil('12:06:10');
    expect(path('/one')).toEqual(['12:01 firing fired', '12:05 inactive silence_ended']);
    expect(path('/two')).toEqual(['12:05 inactive silence_ended']);
  });
});
