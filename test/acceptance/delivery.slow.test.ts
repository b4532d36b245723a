import { describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { clockText } from '../kit/timeline.ts';
import { startWebhookReceiver, type Reaction } from '../kit/webhook-receiver.ts';
import { errorsOf, setStage, t } from './stage.ts';

setStage();

/** Fires in the window that ends at 12:01, and resolves in the one that ends at 12:02. */
async function firing(change: Record<string, unknown> = {}): Promise<string> {
  await t.logs('12:00:30', 10);
  return t.alert({
    savedSearchId: await t.search(''),
    interval: '1m',
    channel: { type: 'webhook', webhookId: await t.webhook() },
    ...change,
  } as never);
}

const attempts = (): string[] =>
  t.receiver.received.map(
    ({ atMs, json }) => `${clockText(atMs)} ${(json as { data: { state: string } }).data.state}`,
  );
const webhookErrorsOf = async (alertId: string): Promise<string[]> =>
  (await errorsOf(alertId)).map((text) => text.replace(/\([0-9a-f]{24}\)/, '(id)'));

describe('a receiver that is not well', () => {
  it('down: attempts follow the schedule, with one id and new signatures, until one succeeds', async () => {
    const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
    const webhookId = await t.webhook({ name: 'signed' }, { secret });
    const alertId = await firing({ channel: { type: 'webhook', webhookId } });
    t.receiver.react(503);
    await t.runUntil('12:01:45');
    expect(attempts()).toEqual(['12:01:05 firing', '12:01:10 firing', '12:01:40 firing']);
    expect(await webhookErrorsOf(alertId)).toEqual([
      'WEBHOOK_ERROR webhook signed (id): returned 503; attempt 3 of 8',
    ]);
    t.receiver.react(200);
    await t.runUntil('12:03:45');
    expect(attempts().slice(3)).toEqual(['12:03:40 firing', '12:03:40 inactive']);
    expect(await webhookErrorsOf(alertId)).toEqual([]);
    expect(
      new Set(t.receiver.received.slice(0, 4).map(({ headers }) => headers['webhook-id'])).size,
    ).toBe(1);
    for (const { headers, text } of t.receiver.received) {
      const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
      expect(new Webhook(secret).sign(headers['webhook-id'] as string, sentAt, text)).toBe(
        headers['webhook-signature'],
      );
    }
  });

  it('retries after 5 s, 30 s, 2 m, 10 m, 1 h, 6 h, 24 h, then gives up and sends the next event', async () => {
    await t.logs('11:59:30', 10);
    await firing({ interval: '12h' });
    t.receiver.react(500);
    await t.runUntil('12:00:05');
    const id = t.receiver.received[0]!.headers['webhook-id'];
    const waitsMs = [5, 30, 120, 600, 3600, 21_600, 86_400].map((seconds) => seconds * 1000);
    const ofFirst = (): number =>
      t.receiver.received.filter(({ headers }) => headers['webhook-id'] === id).length;
    for (const [index, waitMs] of waitsMs.entries()) {
      const last = t.now();
      t.jump(new Date(last + waitMs - 1).toISOString());
      await t.settle();
      expect(ofFirst()).toBe(index + 1);
      t.jump(new Date(last + waitMs).toISOString());
      await t.settle();
      expect(ofFirst()).toBe(index + 2);
    }
    expect(t.logLines.join('\n')).toContain('given up after 8 attempts');
    t.receiver.react(200);
    await t.runUntil('2026-03-18T00:00:00Z', 3_600_000);
    expect(ofFirst()).toBe(8);
    expect(attempts().at(-1)).toMatch(/inactive$/);
  });

  it.each<[string, Reaction, RegExp]>([
    ['a reset', 'reset', /reset|closed/],
    [
      'a redirect',
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      /returned 302; redirects are not followed/,
    ],
    ['silence', 'hang', /no complete response within/],
    ['a slow drip', 'drip', /no complete response within/],
    ['404', 404, /returned 404/],
  ])('%s is a failure, shown on the alert, and tried again', async (_, reaction, message) => {
    const alertId = await firing();
    t.receiver.reactOnce(reaction);
    await t.runUntil('12:01:05');
    expect(await webhookErrorsOf(alertId)).toEqual([expect.stringMatching(message)]);
    await t.runUntil('12:01:10');
    expect(attempts()).toEqual(['12:01:05 firing', '12:01:10 firing']);
    expect(await webhookErrorsOf(alertId)).toEqual([]);
  });

  it('nobody listens: nothing is lost', async () => {
    await firing();
    await t.receiver.down();
    await t.runUntil('12:01:30');
    await t.receiver.up();
    await t.runUntil('12:03:00');
    expect(attempts()).toEqual(['12:01:40 firing', '12:02:05 inactive']);
  });

  it('Retry-After is honoured', async () => {
    await firing();
    t.receiver.reactOnce({ status: 429, headers: { 'retry-after': '40' } });
    await t.runUntil('12:02:00');
    expect(attempts()).toEqual(['12:01:05 firing', '12:01:45 firing']);
  });

  it.each([
    ['429', 429, {}],
    ['503 with Retry-After', 503, { 'retry-after': '5' }],
  ])(
    'a success does not end the wait after a %s: a receiver that limits its rate uses up no attempts',
    async (_, status, headers) => {
      const channel = { type: 'webhook', webhookId: await t.webhook() };
      const savedSearchId = await t.search('');
      await t.logs('12:00:30', 10);
      for (let index = 0; index < 6; index++) {
        await t.alert({ savedSearchId, interval: '1m', name: `alert ${index}`, channel } as never);
      }
      t.receiver.reactOnce(
        { status, headers },
        200,
        { status, headers },
        200,
        { status, headers },
        200,
      );
      await t.runUntil('12:01:09');
      expect(attempts()).toHaveLength(6);
      await t.runUntil('12:01:11');
      expect(attempts()).toHaveLength(9);
    },
  );

  it('410 disables the webhook until it is changed', async () => {
    const webhookId = await t.webhook();
    const alertId = await firing({ channel: { type: 'webhook', webhookId } });
    t.receiver.reactOnce(410);
    await t.runUntil('12:02:30');
    expect(attempts()).toEqual(['12:01:05 firing']);
    expect(await webhookErrorsOf(alertId)).toEqual([
      'WEBHOOK_ERROR webhook on-call (id): returned 410 earlier; change the webhook to send to it again',
    ]);
    await t.restart();
    await t.logs('12:02:40', 10);
    await t.runUntil('12:03:10');
    expect(attempts()).toHaveLength(1);
    await t.change('webhook', webhookId, { description: 'moved' });
    await t.runUntil('12:04:10');
    expect(attempts()).toEqual(['12:01:05 firing', '12:04:05 inactive']);
    expect(await webhookErrorsOf(alertId)).toEqual([]);
  });

  it('an alert says that its webhook does not exist', async () => {
    const alertId = await firing({ channel: { type: 'webhook', webhookId: 'f'.repeat(24) } });
    await t.runUntil('12:01:10');
    expect(await webhookErrorsOf(alertId)).toEqual([
      `WEBHOOK_ERROR the webhook ${'f'.repeat(24)} does not exist`,
    ]);
  });
});

describe('order and independence', () => {
  it('a webhook whose secrets do not open is said so, and holds up no other alert', async () => {
    const webhookId = await t.webhook({ name: 'locked' }, { secret: 'hunter2-secret' });
    const stored = (await t.store.documents.get(t.workspaceId, 'webhook', webhookId))!;
    await t.store.documents.update(t.workspaceId, 'webhook', webhookId, stored.version, {
      body: stored.body,
      sealed: `${stored.sealed!.slice(0, -8)}AAAAAAAA`,
    });
    const locked = await firing({ channel: { type: 'webhook', webhookId } });
    const other = await t.alert({
      savedSearchId: await t.search(''),
      interval: '1m',
      name: 'Other',
      channel: { type: 'webhook', webhookId: await t.webhook({ name: 'well' }) },
    } as never);
    await t.runUntil('12:01:06');
    expect(attempts()).toEqual(['12:01:05 firing']);
    expect(await webhookErrorsOf(other)).toEqual([]);
    expect(await webhookErrorsOf(locked)).toEqual([
      expect.stringMatching(
        /^WEBHOOK_ERROR webhook locked \(id\): .*the stored secrets cannot be decrypted .*attempt 1 of 8$/,
      ),
    ]);
    expect(t.logLines.join('\n')).not.toContain('hunter2');
  });

  it('many events of one alert come one after the other, each once', async () => {
    const services = Array.from(
      { length: 120 },
      (_, index) => `service-${String(index).padStart(3, '0')}`,
    );
    await t.manyLogs(
      '12:00:30',
      services.map((ServiceName) => ({ ServiceName })),
    );
    await t.alert({
      savedSearchId: await t.search(''),
      interval: '1m',
      threshold: 1,
      groupBy: 'ServiceName',
      channel: { type: 'webhook', webhookId: await t.webhook() },
    } as never);
    let open = 0;
    let most = 0;
    t.receiver.react((response) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open--;
        response.end();
      });
    });
    await t.runUntil('12:01:05');
    expect(most).toBe(1);
    expect(
      t
        .events()
        .map(({ data }) => data.group)
        .toSorted(),
    ).toEqual(services);
  });

  it('what happened later is never heard earlier, for one alert', async () => {
    await firing();
    t.receiver.reactOnce(500, 500, 500);
    await t.runUntil('12:04:00');
    expect(attempts()).toEqual([
      '12:01:05 firing',
      '12:01:10 firing',
      '12:01:40 firing',
      '12:03:40 firing',
      '12:03:40 inactive',
    ]);
  });

  it('one success sets everything free that waits for the same webhook', async () => {
    const channel = { type: 'webhook', webhookId: await t.webhook() };
    await firing({ channel });
    t.receiver.reactOnce(500, 500, 500);
    await t.runUntil('12:01:45');
    await t.logs('12:01:50', 10);
    await firing({ channel, name: 'Other' });
    await t.runUntil('12:02:05');
    expect(attempts().slice(3, 5)).toEqual(['12:01:50 firing', '12:01:50 firing']);
  });

  it('a receiver that hangs delays the others not at all', async () => {
    const slow = await startWebhookReceiver();
    slow.react('hang');
    const bad = await t.webhook({ name: 'slow', url: slow.url });
    const good = await t.webhook({ name: 'good' });
    const savedSearchId = await t.search('');
    await t.logs('12:00:30', 10);
    for (let index = 0; index < 40; index++) {
      await t.alert({
        savedSearchId,
        interval: '1m',
        name: `bad ${index}`,
        channel: { type: 'webhook', webhookId: bad },
      });
    }
    for (let index = 0; index < 20; index++) {
      await t.alert({
        savedSearchId,
        interval: '1m',
        name: `good ${index}`,
        channel: { type: 'webhook', webhookId: good },
      });
    }
    t.jump('12:01:05');
    const startedMs = performance.now();
    await t.alerting.tick();
    await t.receiver.waitFor(20);
    // The slow one takes 40 / 16 times half a second.
    expect(performance.now() - startedMs).toBeLessThan(1400);
    expect(slow.received.length).toBeLessThan(40);
    await slow.close();
  });

  it('every channel is told, each webhook once', async () => {
    const one = await t.webhook({ name: 'one' });
    const two = await t.webhook({ name: 'two', url: `${t.receiver.url}/two` });
    await firing({
      channel: { type: 'webhook', webhookId: one },
      channels: [
        { type: 'webhook', webhookId: two },
        { type: 'webhook', webhookId: one },
      ],
    });
    await t.runUntil('12:01:10');
    expect(t.receiver.received.map(({ path }) => path).sort()).toEqual(['/hook', '/hook/two']);
    expect(new Set(t.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });
});

describe('durability', () => {
  it('what was not delivered is delivered after a restart, with the same id', async () => {
    await firing();
    t.receiver.react(500);
    await t.runUntil('12:01:15');
    const { headers } = t.receiver.received[0]!;
    await t.restart();
    t.receiver.react(200);
    await t.runUntil('12:02:30');
    const later = t.receiver.received.slice(2);
    expect(later[0]!.headers['webhook-id']).toBe(headers['webhook-id']);
    expect(later.map(({ json }) => (json as { data: { state: string } }).data.state)).toEqual([
      'firing',
      'inactive',
    ]);
  });

  it('no secret of a webhook is in any log line, also when deliveries fail', async () => {
    const webhookId = await t.webhook(
      {},
      {
        secret: 'hunter2-secret',
        headers: { Authorization: 'Bearer hunter2-header' },
        queryParams: { token: 'hunter2-query' },
      },
    );
    const alertId = await firing({ channel: { type: 'webhook', webhookId } });
    t.receiver.reactOnce(500, 'reset', 'hang');
    await t.runUntil('12:02:10');
    await t.receiver.down();
    await t.runUntil('12:02:20');
    await t.receiver.up();
    expect(t.logLines.length).toBeGreaterThan(0);
    expect([...t.logLines, ...(await webhookErrorsOf(alertId))].join('\n')).not.toContain(
      'hunter2',
    );
  });
});
