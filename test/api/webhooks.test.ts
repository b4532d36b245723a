import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWebhookSecrets } from '../../src/core/webhook/webhook-secrets.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import type { JsonAnswer } from '../kit/http.ts';
import { newWebhook, uniqueName, webhookInput } from '../kit/stack-objects.ts';

let api: ApiKit;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const post = (body: object) => api.call('POST', '/webhooks', { body });
const pathsOf = (json: JsonAnswer) => json.errors.map(({ path }: { path: string }) => path).sort();
const stored = async (id: string) => (await api.store.documents.get(api.teamId, 'webhook', id))!;
const secretsOf = async (id: string) => openWebhookSecrets(api.vault, await stored(id));

const secrets = {
  headers: { 'X-Token': 'canary-1' },
  queryParams: { token: 'canary-2' },
  secret: 'canary-3',
};

describe('a webhook', () => {
  it('answers the record without its write-only parts, in every answer', async () => {
    const { json } = await post(
      webhookInput({ description: 'd', body: '{"text": "{{title}}"}', ...secrets }),
    );
    expect(json.data).toEqual({
      id: expect.any(String) as string,
      name: expect.any(String) as string,
      service: 'generic',
      url: 'https://hooks.example.com/alerts',
      description: 'd',
      body: '{"text": "{{title}}"}',
      headerNames: ['X-Token'],
      queryParamNames: ['token'],
      hasSecret: true,
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
    const webhookPath = `/webhooks/${json.data.id}`;
    const answers = [
      await api.call('GET', webhookPath),
      await api.call('GET', '/webhooks'),
      await api.call('PUT', webhookPath, { body: { description: 'e' } }),
      await post({ ...webhookInput(secrets), service: 'x' }),
    ];
    for (const { text } of answers) {
      expect(text).not.toContain('canary');
    }
    expect(api.logLines.join('')).not.toContain('canary');
  });

  it('keeps its secrets sealed in the store', async () => {
    const { id } = await newWebhook(api, secrets);
    const document = await stored(id);
    expect(JSON.stringify(document)).not.toContain('canary');
    expect(await secretsOf(id)).toEqual(secrets);
  });

  it('keeps its URL sealed in the store, and shows it whole only to who may change webhooks', async () => {
    const url = 'https://hooks.example.com/services/canary-4?token=canary-5';
    const { id, url: shown } = await newWebhook(api, { url, ...secrets });
    expect(shown).toBe(url);
    expect(JSON.stringify(await stored(id))).not.toContain('canary');
    const path = `/webhooks/${id}`;
    expect((await api.call('GET', path)).json.data.url).toBe(url);
    const masked = 'https://hooks.example.com/***';
    const { workspace } = api.first;
    const seen = await api.trail.invoke(api.verbs['getWebhook']!, {
      principal: {
        workspace,
        scopes: new Set(['stack:read']),
        subject: { kind: 'key', id: 'k', name: 'reader' },
      },
      requestId: 'r',
      params: { id },
      query: {},
      body: undefined,
    });
    expect(seen).toMatchObject({ value: { url: masked } });
    for (const name of ['headerNames', 'queryParamNames', 'hasSecret']) {
      expect(seen).not.toHaveProperty(`value.${name}`);
    }

    await api.call('PUT', path, { body: { url: masked, description: 'd' } });
    expect((await api.call('GET', path)).json.data.url).toBe(url);
    expect(await secretsOf(id)).toEqual(secrets);
    await api.call('PUT', path, { body: { url: 'https://hooks.example.com/other' } });
    expect((await api.call('GET', path)).json.data.url).toBe('https://hooks.example.com/other');
    expect(await secretsOf(id)).toEqual({});
  });
});

describe('the fields of a webhook', () => {
  it('are left out where they are null or absent', async () => {
    const { id, ...record } = await newWebhook(api, {
      description: null,
      body: null,
      headers: null,
      queryParams: {},
      secret: null,
    });
    expect(Object.keys(record).sort()).toEqual([
      'createdAt',
      'name',
      'service',
      'updatedAt',
      'url',
    ]);
    expect(await secretsOf(id)).toEqual({});
  });

  it('include a name that is unique within its service', async () => {
    const name = uniqueName();
    const first = await newWebhook(api, { name });
    const duplicate = await post(webhookInput({ name }));
    expect(duplicate.status).toBe(409);
    const message = `A webhook named "${name}" already exists for the service generic.`;
    expect(duplicate.json).toMatchObject({ code: 'conflict', message });
    const slack = await newWebhook(api, { name, service: 'slack' });
    const moved = await api.call('PUT', `/webhooks/${slack.id}`, { body: { service: 'generic' } });
    expect(moved.status).toBe(409);
    expect(moved.json).toMatchObject({ code: 'conflict', message });
    expect((await api.call('PUT', `/webhooks/${first.id}`, { body: { name } })).status).toBe(200);
    const elsewhere = await api.newCaller();
    expect(
      (await elsewhere.call('POST', '/webhooks', { body: webhookInput({ name }) })).status,
    ).toBe(200);
  });

  it.each(['generic', 'slack', 'incidentio', 'pagerduty'])(
    'of service %s are taken',
    async (service) => {
      expect((await post(webhookInput({ service }))).status).toBe(200);
    },
  );

  it.each<[string, object, string[]]>([
    ['no url', { url: undefined }, ['url']],
    ['a url that is none', { url: 'hooks.example.com' }, ['url']],
    ['another protocol', { url: 'file:///etc/passwd' }, ['url']],
    ['a long name', { name: 'x'.repeat(256) }, ['name']],
    ['an unknown service', { service: 'email' }, ['service']],
    ['a header with a line break', { headers: { a: 'b\r\nc: d' } }, ['headers.a']],
    ['a header name with a space', { headers: { 'a b': 'c' } }, ['headers.a b']],
    ['a header of the connection', { headers: { Host: 'x' } }, ['headers']],
    ['a secret that is no base64', { secret: 'whsec_!!!' }, ['secret']],
    ['a secret that is hardly one', { secret: 'whsec_YWJj' }, ['secret']],
    ['a template that is not JSON', { body: '{"text": ' }, ['body']],
    ['a template with an unknown variable', { body: '{"text": "{{nonsense}}"}' }, ['body']],
  ])('with %s is a 400 that names it', async (_name, over, paths) => {
    const { status, json } = await post(webhookInput(over));
    expect(status).toBe(400);
    expect(pathsOf(json)).toEqual(paths);
  });

  it.each([
    'http://[::]/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'http://192.168.1.1:8080/x',
    'http://[::ffff:10.0.0.1]/',
    'http://0x0a000001/',
  ])('at the private address %s is refused at save, on creation and change', async (url) => {
    const created = await post(webhookInput({ url }));
    expect(created.status).toBe(400);
    expect(pathsOf(created.json)).toEqual(['url']);
    const { id } = await newWebhook(api);
    expect((await api.call('PUT', `/webhooks/${id}`, { body: { url } })).status).toBe(400);
  });

  it('at an allow-listed address is taken', async () => {
    expect((await post(webhookInput({ url: 'http://127.0.0.1:9000/x' }))).status).toBe(200);
  });
});

describe('changing a webhook', () => {
  const change = (id: string, body: object) => api.call('PUT', `/webhooks/${id}`, { body });

  it('keeps secrets while the address stays, and takes its own record back', async () => {
    const { id, url } = await newWebhook(api, secrets);
    await change(id, { description: 'd', url });
    expect(await secretsOf(id)).toEqual(secrets);
    const { json } = await api.call('GET', `/webhooks/${id}`);
    expect((await change(id, json.data as object)).status).toBe(200);
    expect(await secretsOf(id)).toEqual(secrets);
    await change(id, { headers: { 'X-Other': 'v' }, secret: null });
    expect(await secretsOf(id)).toEqual({
      headers: { 'X-Other': 'v' },
      queryParams: secrets.queryParams,
    });
  });

  it('drops them with the address, unless they are sent again', async () => {
    const { id } = await newWebhook(api, secrets);
    await change(id, { url: 'https://elsewhere.example.com/' });
    expect(await secretsOf(id)).toEqual({});
    const other = await newWebhook(api, secrets);
    await change(other.id, {
      url: 'https://elsewhere.example.com/',
      headers: { 'X-Token': 'again' },
    });
    expect(await secretsOf(other.id)).toEqual({ headers: { 'X-Token': 'again' } });
  });

  it('null unsets description and template', async () => {
    const { id } = await newWebhook(api, { description: 'd', body: '{}' });
    const { json } = await change(id, { description: null, body: null });
    expect(json.data).not.toHaveProperty('description');
    expect(json.data).not.toHaveProperty('body');
  });
});
