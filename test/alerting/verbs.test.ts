import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import type { JsonAnswer } from '../kit/http.ts';
import { timelineVerbs } from '../kit/timeline-verbs.ts';
import { clockText, startTimeline, type Timeline } from '../kit/timeline.ts';

let t: Timeline;
let verbs: ReturnType<typeof timelineVerbs>['verbs'];
let call: ReturnType<typeof timelineVerbs>['call'];
const publicUrl = 'https://sightline.test';
const alertLink = `${publicUrl}/alerts/65f0c1d2e3a4b5c6d7e8f901`;
const dataLink =
  `${publicUrl}/search?savedSearchId=65f0c1d2e3a4b5c6d7e8f902` +
  `&from=${Date.parse('2026-03-14T09:25:00Z')}&to=${Date.parse('2026-03-14T09:30:00Z')}`;
const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

beforeAll(async () => {
  t = await startTimeline();
  ({ verbs, call } = timelineVerbs(t));
  await t.logs('12:01:30', 12);
  await t.logs('12:02:30', 4);
  await t.logs('12:02:31', 11, { ServiceName: 'cart' });
});
afterAll(() => t.close());

describe('history', () => {
  it('answers evaluations newest first, in pages, to the own workspace only', async () => {
    const id = await t.alert({
      savedSearchId: await t.search(''),
      interval: '1m',
      groupBy: 'ServiceName',
    });
    await t.runUntil('12:04:10');
    const all = await call(verbs.getAlertHistory, { params: { id } });
    expect(
      all.map(({ windowEnd, state }) => `${clockText(Date.parse(windowEnd))} ${state}`),
    ).toEqual([
      '12:04:00 inactive',
      '12:03:00 firing',
      '12:02:00 firing',
      '12:01:00 inactive',
      '12:00:00 inactive',
    ]);
    expect(all[1]).toMatchObject({
      value: 11,
      windowStart: '2026-03-14T12:02:00.000Z',
      evaluatedAt: '2026-03-14T12:03:05.000Z',
      groups: expect.arrayContaining([
        { group: ['cart'], value: 11, state: 'firing', reason: 'breached' },
        { group: ['checkout'], value: 4, state: 'inactive', reason: 'recovered' },
      ]) as unknown,
    });
    expect(all[1]!.rowsRead).toBeGreaterThan(0);
    const page = await call(verbs.getAlertHistory, {
      params: { id },
      query: { limit: '2', before: all[1]!.windowEnd },
    });
    expect(page).toEqual(all.slice(2, 4));
    await expect(
      call(verbs.getAlertHistory, { params: { id } }, 'f'.repeat(24)),
    ).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      call(verbs.getAlertHistory, { params: { id }, query: { limit: '0' } }),
    ).rejects.toMatchObject({ code: 'bad_request' });
  });
});

describe('silence', () => {
  it('is set, with or without an end, and taken back; the rest of the alert stays', async () => {
    const id = await t.alert({ savedSearchId: await t.search('') });
    const until = new Date(t.now() + 3_600_000).toISOString();
    expect(await call(verbs.silenceAlert, { params: { id }, body: { until } })).toEqual({
      silenced: true,
      silencedUntil: until,
    });
    expect((await t.store.documents.get(t.workspaceId, 'alert', id))!.body).toMatchObject({
      name: 'Errors',
      silenced: true,
      silencedUntil: until,
    });
    expect(await call(verbs.silenceAlert, { params: { id }, body: {} })).toEqual({
      silenced: true,
    });
    expect(await call(verbs.unsilenceAlert, { params: { id } })).toEqual({ silenced: false });
    expect((await t.store.documents.get(t.workspaceId, 'alert', id))!.body).not.toHaveProperty(
      'silencedUntil',
    );
    await expect(
      call(verbs.silenceAlert, { params: { id }, body: { until: '2020-01-01T00:00:00Z' } }),
    ).rejects.toThrow(/until: must be in the future/);
    await expect(
      call(verbs.silenceAlert, { params: { id: 'f'.repeat(24) }, body: {} }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('preview', () => {
  it('says what would have fired, and stores and sends nothing', async () => {
    const sent = t.receiver.received.length;
    const result = await call(verbs.previewAlert, {
      body: {
        threshold: 10,
        thresholdType: 'above',
        interval: '1m',
        source: 'search',
        savedSearchId: await t.search(''),
        windows: 4,
      },
    });
    expect(
      result.windows.map(({ windowEnd, state, value }) => [
        clockText(Date.parse(windowEnd)),
        state,
        value,
      ]),
    ).toEqual([
      ['12:01:00', 'inactive', null],
      ['12:02:00', 'firing', 12],
      ['12:03:00', 'firing', 15],
      ['12:04:00', 'inactive', null],
    ]);
    expect(
      result.notifications.map(({ windowEnd, state, reason, value }) => [
        clockText(Date.parse(windowEnd)),
        state,
        reason,
        value,
      ]),
    ).toEqual([
      ['12:02:00', 'firing', 'fired', 12],
      ['12:04:00', 'inactive', 'resolved', null],
    ]);
    expect(t.receiver.received).toHaveLength(sent);
  });

  it('agrees with the evaluation of the same definition', async () => {
    const definition = {
      threshold: 4,
      thresholdType: 'above',
      interval: '1m',
      source: 'search',
      savedSearchId: await t.search(''),
      groupBy: 'ServiceName',
    };
    const result = await call(verbs.previewAlert, { body: { ...definition, windows: 3 } });
    expect(
      result.windows
        .at(-2)!
        .groups!.map(({ group, value, state }) => [...group, value, state])
        .sort(),
    ).toEqual([
      ['cart', 11, 'firing'],
      ['checkout', 4, 'firing'],
    ]);
  });

  it.each<[string, object, string]>([
    [
      'a range without an upper end',
      { thresholdType: 'between' },
      'thresholdMax: is required for between',
    ],
    [
      'a range whose ends are the wrong way round',
      { thresholdType: 'not_between', thresholdMax: 0 },
      'thresholdMax: must not be less than threshold',
    ],
    ['an upper end without a range', { thresholdMax: 5 }, 'thresholdMax: is only allowed with'],
    [
      'a search that is not there',
      { savedSearchId: 'f'.repeat(24) },
      'savedSearchId: the saved search does not exist',
    ],
    [
      'a dashboard that is not there',
      { source: 'tile', dashboardId: 'f'.repeat(24), tileId: 'f'.repeat(24) },
      'dashboardId: the dashboard does not exist',
    ],
    ['a group of no column', { groupBy: 'Nothing' }, 'groupBy: unknown column'],
  ])('refuses %s, and names the field', async (_, over, message) => {
    const body = {
      threshold: 1,
      thresholdType: 'above',
      interval: '1m',
      source: 'search',
      savedSearchId: await t.search(''),
      ...over,
    };
    await expect(call(verbs.previewAlert, { body })).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(message) as string,
    });
  });

  it('names what is missing', async () => {
    await expect(
      call(verbs.previewAlert, {
        body: { threshold: 1, thresholdType: 'above', interval: '1m', source: 'search' },
      }),
    ).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('savedSearchId') as string,
    });
  });
});

describe('test of a webhook', () => {
  it('sends a signed sample and answers what the receiver said', async () => {
    const id = await t.webhook(
      {},
      { secret, headers: { 'X-Team': 'shop' }, queryParams: { token: 'abc' } },
    );
    t.receiver.reactOnce({ status: 202, body: 'queued' });
    expect(await call(verbs.testWebhook, { params: { id } })).toMatchObject({
      delivered: true,
      status: 202,
      body: 'queued',
    });
    const got = t.receiver.received.at(-1)!;
    expect(got).toMatchObject({
      path: '/hook?token=abc',
      headers: { 'x-team': 'shop' },
      json: { type: 'alert.test' },
    });
    expect(
      new Webhook(secret).sign(
        got.headers['webhook-id'] as string,
        new Date(Number(got.headers['webhook-timestamp']) * 1000),
        got.text,
      ),
    ).toBe(got.headers['webhook-signature']);
  });

  it('says why it was not delivered, without the secrets', async () => {
    const id = await t.webhook({ name: 'broken' }, { queryParams: { token: 'hunter2' } });
    t.receiver.reactOnce(500);
    expect(await call(verbs.testWebhook, { params: { id } })).toMatchObject({
      delivered: false,
      status: 500,
      error: 'returned 500',
    });
    t.receiver.reactOnce('hang');
    const silent = await call(verbs.testWebhook, { params: { id } });
    expect(silent).toMatchObject({ delivered: false, error: 'no complete response within 0.5 s' });
    expect(JSON.stringify(silent)).not.toContain('hunter2');
  });

  it.each([
    [
      'generic',
      {
        type: 'alert.test',
        data: { state: 'firing', value: 12, links: { alert: alertLink, data: dataLink } },
      },
    ],
    [
      'slack',
      {
        text: expect.stringContaining('is firing') as string,
        attachments: [
          {
            color: '#d92d20',
            blocks: [
              { type: 'section' },
              {
                type: 'actions',
                elements: [
                  { type: 'button', url: alertLink },
                  { type: 'button', url: dataLink },
                ],
              },
            ],
          },
        ],
      },
    ],
    [
      'incidentio',
      {
        title: expect.any(String) as string,
        status: 'firing',
        deduplication_key: expect.stringMatching(/^inc_test_/) as string,
        source_url: alertLink,
        metadata: { value: 12, data_url: dataLink },
      },
    ],
    [
      'pagerduty',
      {
        routing_key: 'R0UTE',
        event_action: 'trigger',
        dedup_key: expect.stringMatching(/^inc_test_/) as string,
        client_url: alertLink,
        links: [
          { href: alertLink, text: 'Alert' },
          { href: dataLink, text: 'Data' },
        ],
        payload: {
          summary: expect.any(String) as string,
          severity: 'critical',
          source: 'checkout',
        },
      },
    ],
  ] as const)('%s gets what it expects', async (service, body) => {
    const id = await t.webhook(
      { name: service, service },
      service === 'pagerduty' ? { queryParams: { routing_key: 'R0UTE' } } : {},
    );
    const before = t.receiver.received.length;
    expect(await call(verbs.testWebhook, { params: { id } })).toMatchObject({ delivered: true });
    const got = t.receiver.received[before]!;
    expect(got.json).toMatchObject(body);
    expect(got.path).toBe('/hook');
  });

  it.each([
    ['pagerduty', 'dedup_key', { event_action: 'resolve' }],
    ['incidentio', 'deduplication_key', { status: 'resolved' }],
  ] as const)('a test of %s resolves the incident that it opens', async (service, key, resolve) => {
    const id = await t.webhook({ name: `resolves ${service}`, service });
    const before = t.receiver.received.length;
    await call(verbs.testWebhook, { params: { id } });
    const bodies = t.receiver.received.slice(before).map(({ json }) => json as JsonAnswer);
    expect(bodies).toHaveLength(2);
    const incident = bodies[0]![key] as string;
    expect(bodies[1]).toMatchObject({ ...resolve, [key]: incident });
    await call(verbs.testWebhook, { params: { id } });
    expect((t.receiver.received.at(-1)!.json as JsonAnswer)[key]).not.toBe(incident);
  });

  it('a template of its own is filled in', async () => {
    const id = await t.webhook({
      name: 'own',
      body: '{"say": "{{title}}", "n": {{value}}, "at": ["{{link}}", "{{links.alert}}", "{{links.data}}"]}',
    });
    await call(verbs.testWebhook, { params: { id } });
    expect(t.receiver.received.at(-1)!.json).toEqual({
      say: 'Test: Checkout errors is firing',
      n: 12,
      at: [alertLink, alertLink, dataLink],
    });
  });
});

describe('test of a webhook that is not saved', () => {
  const draft = (body: object, workspaceId?: string) =>
    call(verbs.testWebhookDraft, { body }, workspaceId);

  it('sends the sample as the draft says, and answers what the receiver said', async () => {
    const before = await t.store.documents.list(t.workspaceId, 'webhook', { limit: 1, offset: 0 });
    t.receiver.reactOnce({ status: 201, body: 'taken' });
    expect(
      await draft({
        service: 'generic',
        url: t.receiver.url,
        body: '{"say": "{{title}}"}',
        headers: { 'X-Team': 'shop' },
        queryParams: { token: 'abc' },
      }),
    ).toMatchObject({ delivered: true, status: 201, body: 'taken' });
    expect(t.receiver.received.at(-1)).toMatchObject({
      path: '/hook?token=abc',
      headers: { 'x-team': 'shop' },
      json: { say: 'Test: Checkout errors is firing' },
    });
    const after = await t.store.documents.list(t.workspaceId, 'webhook', { limit: 1, offset: 0 });
    expect(after.total).toBe(before.total);
  });

  it('uses the stored secrets of the webhook that it names, but never at another URL', async () => {
    const secrets = { headers: { authorization: 'Bearer canary' }, queryParams: { key: 'canary' } };
    const id = await t.webhook({ name: 'stored' }, secrets);
    await draft({ id, service: 'slack' });
    expect(t.receiver.received.at(-1)).toMatchObject({
      path: '/hook?key=canary',
      headers: { authorization: 'Bearer canary' },
      json: { text: expect.any(String) as string },
    });
    await draft({ id, url: `${new URL(t.receiver.url).origin}/***`, queryParams: { key: 'new' } });
    expect(t.receiver.received.at(-1)).toMatchObject({
      path: '/hook?key=new',
      headers: { authorization: 'Bearer canary' },
    });
    await draft({ id, url: `${t.receiver.url}/elsewhere` });
    const moved = t.receiver.received.at(-1)!;
    expect(moved.path).toBe('/hook/elsewhere');
    expect(JSON.stringify(moved.headers)).not.toContain('canary');
  });

  it.each<[string, object, string[]]>([
    ['without service and URL', {}, ['service', 'url']],
    ['to a private address', { service: 'generic', url: 'http://10.0.0.1/' }, ['url']],
    ['to no address', { service: 'generic', url: 'ftp://example.com' }, ['url']],
    ['of a bad template', { service: 'generic', url: 'https://x.example', body: '{' }, ['body']],
    [
      'of a bad secret',
      { service: 'generic', url: 'https://x.example', secret: 'whsec_1' },
      ['secret'],
    ],
  ])('refuses a draft %s', async (_, body, paths) => {
    const sent = t.receiver.received.length;
    await expect(draft(body)).rejects.toMatchObject({
      code: 'bad_request',
      issues: paths.map((path) => expect.objectContaining({ path }) as unknown),
    });
    expect(t.receiver.received).toHaveLength(sent);
  });

  it('knows no webhook of another workspace', async () => {
    const id = await t.webhook({ name: 'foreign' });
    await expect(draft({ id }, 'f'.repeat(24))).rejects.toMatchObject({ code: 'not_found' });
  });
});
