import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit } from '../kit/api.ts';
import { webhookInput } from '../kit/stack-objects.ts';

let api: ApiKit;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const post = (key: string, body: object, path = '/webhooks') =>
  api.call('POST', path, { body, headers: { 'idempotency-key': key } });
const total = async () => (await api.call('GET', '/webhooks')).json.meta.total as number;

describe('Idempotency-Key', () => {
  it('answers the first response again, headers and request id included, and does nothing a second time', async () => {
    const body = webhookInput();
    const first = await post('k1', body);
    const before = await total();
    const again = await post('k1', body);
    expect(first.status).toBe(200);
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(again.headers.get('x-request-id')).toBe(first.headers.get('x-request-id'));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(await total()).toBe(before);
  });

  it('with another body, or on another path, is a 409', async () => {
    await post('k2', webhookInput());
    const other = await post('k2', webhookInput());
    expect(other.status).toBe(409);
    expect(other.json.code).toBe('conflict');
    expect((await post('k2', webhookInput(), '/dashboards')).status).toBe(409);
  });

  it('answers a refusal again too', async () => {
    const first = await post('k3', { name: '' });
    const again = await post('k3', { name: '' });
    expect([first.status, again.status]).toEqual([400, 400]);
    expect(again.text).toBe(first.text);
  });

  it('of a request that runs at the same moment does the work once', async () => {
    const body = webhookInput();
    const before = await total();
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('k4', body)));
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThanOrEqual(1);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(
      answers
        .filter(({ status }) => status !== 200)
        .map(({ status }) => status)
        .every((status) => status === 409),
    ).toBe(true);
    expect(await total()).toBe(before + 1);
  });

  it('belongs to one credential: the same key of another caller is another key', async () => {
    const other = await api.newCaller();
    const body = webhookInput();
    const mine = await post('k5', body);
    const theirs = await other.call('POST', '/webhooks', {
      body,
      headers: { 'idempotency-key': 'k5' },
    });
    expect(theirs.status).toBe(200);
    expect(theirs.json.data.id).not.toBe(mine.json.data.id);
  });

  it('keeps a secret that is shown once sealed', async () => {
    const first = await post('k6', { name: 'shown once' }, '/team/access-keys');
    const again = await post('k6', { name: 'shown once' }, '/team/access-keys');
    expect(again.json.data.key).toBe(first.json.data.key);
    const claim = await api.store.idempotency.claim(
      `${api.teamId}/${(await api.store.identity.accessKeys(api.teamId))[0]!.id}`,
      'k6',
      '',
      1000,
    );
    expect(claim.state).toBe('answered');
    expect(JSON.stringify(claim)).not.toContain(first.json.data.key);
  });

  it.each(['', ' ', 'x'.repeat(256), 'ü'])('that is no key is a 400: %j', async (key) => {
    expect((await post(key, webhookInput())).status).toBe(400);
  });

  it('does not matter to other methods', async () => {
    const { json } = await api.call('POST', '/webhooks', { body: webhookInput() });
    for (const description of ['a', 'b']) {
      const { status } = await api.call('PUT', `/webhooks/${json.data.id}`, {
        body: { description },
        headers: { 'idempotency-key': 'k7' },
      });
      expect(status).toBe(200);
    }
  });
});
