import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fault } from '../../src/contract/errors.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import { webhookInput } from '../kit/stack-objects.ts';

let api: ApiKit;
let failure: (() => Error) | undefined;

/** The store, between whose methods and their caller something may be broken. */
const breakable = <Part extends object>(part: Part): Part =>
  new Proxy(part, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') {
        return typeof member === 'object' && member !== null ? breakable(member) : member;
      }
      return (...args: unknown[]) =>
        failure
          ? Promise.reject(failure())
          : (member as (...args: unknown[]) => unknown).apply(target, args);
    },
  });

beforeAll(async () => {
  api = await startApi({ through: (store: Store) => breakable(store) });
});
afterAll(() => api.stop());

const secret = 'postgres://user:canary@10.1.2.3/db: select * from documents';

describe('while the store is away', () => {
  it('requests are a 503 with Retry-After, then work again by themselves', async () => {
    failure = () =>
      new Fault('unavailable', 'the metadata store is not available; try again', {
        cause: new Error(secret),
        retryAfterSeconds: 5,
      });
    for (const [method, path, body] of [
      ['GET', '/webhooks'],
      ['POST', '/webhooks', webhookInput()],
      ['PUT', '/webhooks/0123456789abcdef01234567', {}],
    ] as const) {
      const { status, headers, json, text } = await api.call(method, path, body ? { body } : {});
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('5');
      expect(json.code).toBe('unavailable');
      expect(text).not.toContain('canary');
    }
    failure = undefined;
    expect((await api.call('POST', '/webhooks', { body: webhookInput() })).status).toBe(200);
  });

  it('an Idempotency-Key that met a failure is free again', async () => {
    const call = { body: webhookInput(), headers: { 'idempotency-key': 'retry' } };
    failure = () => new Fault('unavailable', 'away');
    expect((await api.call('POST', '/webhooks', call)).status).toBe(503);
    failure = undefined;
    expect((await api.call('POST', '/webhooks', call)).status).toBe(200);
  });
});

describe('a failure that nobody expected', () => {
  it('is a 500 with a fixed text and the request id, without any detail; the log has the cause', async () => {
    failure = () => new TypeError(secret);
    const { status, json, text, headers } = await api.call('GET', '/webhooks');
    failure = undefined;
    expect(status).toBe(500);
    expect(json).toEqual({
      message: expect.stringContaining('unexpected') as string,
      code: 'internal',
      requestId: headers.get('x-request-id'),
    });
    expect(text).not.toMatch(/canary|TypeError|select|\.ts|\/src\//);
    expect(
      api.logLines.some((line) => line.includes(json.requestId) && line.includes('TypeError')),
    ).toBe(true);
  });

  it('of the engine is a 503, in the words of /charts', async () => {
    const sourceId = (await api.call('GET', '/sources')).json.data[0].id;
    const { status, json } = await api.call('GET', `/sources/${sourceId}/fields`);
    expect([status, json.code]).toEqual([503, 'unavailable']);
    const chart = await api.call('POST', '/charts/series', {
      body: {
        series: [{ sourceId, aggFn: 'count' }],
        startTime: 1_767_225_600_000,
        endTime: 1_767_229_200_000,
      },
    });
    expect(chart.status).toBe(503);
    expect(chart.json.error).toBe(chart.json.message);
  });
});
