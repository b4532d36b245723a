import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../src/http/answer.ts';
import { Idempotency } from '../../src/http/idempotency.ts';
import type { Principal } from '../../src/ports/principal.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import { linesOfLog } from '../kit/app.ts';
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

  it('of a request that is still running waits for it and answers the same', async () => {
    const body = webhookInput();
    const before = await total();
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('k4', body)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
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
    const kept = await api.store.idempotency.answer(
      `${api.teamId}/${(await api.store.identity.accessKeys(api.teamId))[0]!.id}`,
      'k6',
    );
    expect(kept?.status).toBe(200);
    expect(JSON.stringify(kept)).not.toContain(first.json.data.key);
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

describe('a request that waits for a running one with the same Idempotency-Key', () => {
  const principal = {
    workspace: {
      id: 'w',
      organizationId: 'o',
      serviceId: 's',
      name: 'w',
      database: 'd',
      listedDatabases: [],
    },
    subject: { kind: 'system', id: 'test' },
    scopes: new Set(),
  } as const satisfies Principal;
  const request = { path: '/x', body: { a: 1 } };
  const answer: Answer = { status: 200, headers: {}, body: 'first' };
  const log = { ...linesOfLog().log };
  const answering = (run: () => Promise<Answer>) => ({ answerOf: () => answer, run });

  it('waits no longer than the bound, then answers 409 with Retry-After', async () => {
    const { store, vault } = api;
    const idempotency = new Idempotency({ store: store.idempotency, vault, log, waitMs: 50 });
    let finish = (): void => undefined;
    const blocked = new Promise<void>((resolve) => void (finish = resolve));
    const first = idempotency.once(
      principal,
      'slow',
      request,
      answering(async () => {
        await blocked;
        return answer;
      }),
    );
    const second = idempotency.once(
      principal,
      'slow',
      request,
      answering(async () => answer),
    );
    await expect(second).rejects.toMatchObject({ code: 'conflict', retryAfterSeconds: 1 });
    finish();
    expect(await first).toEqual(answer);
  });

  it('does the work itself if the first one fails', async () => {
    const { store, vault } = api;
    const idempotency = new Idempotency({ store: store.idempotency, vault, log });
    const first = idempotency.once(
      principal,
      'failing',
      request,
      answering(() => Promise.reject(new Error('no'))),
    );
    const second = idempotency.once(
      principal,
      'failing',
      request,
      answering(async () => answer),
    );
    await expect(first).rejects.toThrow('no');
    expect(await second).toEqual(answer);
  });
});
