import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fault } from '../../src/contract/errors.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import { http, type HttpAnswer, type HttpCall } from '../kit/http.ts';
import { rawHttp } from '../kit/raw-http.ts';

let api: ApiKit;
/** While set, listing keys fails with it. */
let outage: Error | undefined;
beforeAll(async () => {
  api = await startApi({
    through: (store) => ({
      ...store,
      identity: {
        ...store.identity,
        organizationKeys: (id, page) =>
          outage ? Promise.reject(outage) : store.identity.organizationKeys(id, page),
      },
    }),
  });
});
afterAll(() => api.stop());

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function expectFailure(
  { status, json, headers, text }: HttpAnswer,
  expected: number,
  word: string,
): void {
  expect([status, json.status], text).toEqual([expected, expected]);
  expect(json.error).toMatch(new RegExp(`^${word}: .`));
  expect(json.requestId).toMatch(uuid4);
  expect(headers.get('x-request-id')).toBe(json.requestId);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(
    Object.keys(json).filter((key) => !['status', 'requestId', 'error', 'errors'].includes(key)),
  ).toEqual([]);
}

function expectRawFailure(answer: string, status: number): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  const json = JSON.parse(body) as Record<string, unknown>;
  expect(json).toEqual({
    status,
    requestId: expect.stringMatching(uuid4),
    error: expect.stringMatching(/^BAD_REQUEST: /),
  });
  expect(head.toLowerCase()).toContain(`x-request-id: ${String(json['requestId'])}`);
}

const failures: [
  name: string,
  method: string,
  path: string,
  call: HttpCall,
  status: number,
  word: string,
][] = [
  [
    'no credential',
    'GET',
    '/organizations',
    { headers: { authorization: '' } },
    401,
    'UNAUTHORIZED',
  ],
  [
    'a credential of the other surface',
    'GET',
    '/organizations',
    { headers: { authorization: 'Bearer x' } },
    401,
    'UNAUTHORIZED',
  ],
  [
    'no credential and a bad body',
    'POST',
    '/organizations/x/keys',
    { headers: { authorization: '' }, body: '{' },
    401,
    'UNAUTHORIZED',
  ],
  ['an unknown path', 'GET', '/nothing', {}, 404, 'NOT_FOUND'],
  [
    'an unknown path without a credential',
    'GET',
    '/nothing',
    { headers: { authorization: '' } },
    404,
    'NOT_FOUND',
  ],
  ['the root', 'GET', '', {}, 404, 'NOT_FOUND'],
  [
    'charts',
    'POST',
    '/organizations/{org}/services/{service}/stack/charts/series',
    { body: {} },
    404,
    'NOT_FOUND',
  ],
  [
    'webhooks',
    'GET',
    '/organizations/{org}/services/{service}/stack/webhooks',
    {},
    404,
    'NOT_FOUND',
  ],
  [
    'creating a source',
    'POST',
    '/organizations/{org}/services/{service}/stack/sources',
    { body: {} },
    405,
    'BAD_REQUEST',
  ],
  ['another method', 'PUT', '/organizations/{org}/keys', { body: {} }, 405, 'BAD_REQUEST'],
  [
    'malformed JSON',
    'POST',
    '/organizations/{org}/keys',
    { body: '{"name": ' },
    400,
    'BAD_REQUEST',
  ],
  ['a list for a body', 'POST', '/organizations/{org}/keys', { body: '[]' }, 400, 'BAD_REQUEST'],
  ['no body', 'POST', '/organizations/{org}/keys', {}, 400, 'BAD_REQUEST'],
  [
    'deep nesting',
    'POST',
    '/organizations/{org}/keys',
    { body: '['.repeat(100) + ']'.repeat(100) },
    400,
    'BAD_REQUEST',
  ],
  [
    'an unknown property',
    'POST',
    '/organizations/{org}/keys',
    { body: { colour: 'red' } },
    400,
    'BAD_REQUEST',
  ],
  [
    'another content type',
    'POST',
    '/organizations/{org}/keys',
    { body: 'name=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    415,
    'BAD_REQUEST',
  ],
  [
    'a compressed body',
    'POST',
    '/organizations/{org}/keys',
    { body: '{}', headers: { 'content-encoding': 'gzip' } },
    415,
    'BAD_REQUEST',
  ],
  [
    '11 MiB',
    'POST',
    '/organizations/{org}/keys',
    { body: JSON.stringify({ name: 'x'.repeat(11 * 1024 * 1024) }) },
    413,
    'BAD_REQUEST',
  ],
  ['a malformed id', 'GET', '/organizations/{org}/keys/1', {}, 400, 'BAD_REQUEST'],
  [
    'an unknown id',
    'GET',
    '/organizations/{org}/keys/11111111-2222-4333-8444-555555555555',
    {},
    404,
    'NOT_FOUND',
  ],
  [
    'an Idempotency-Key that is none',
    'POST',
    '/organizations/{org}/keys',
    { body: {}, headers: { 'idempotency-key': 'a b' } },
    400,
    'BAD_REQUEST',
  ],
];

describe('the envelope', () => {
  it.each(failures)('of a failure: %s', async (_name, method, path, call, status, word) => {
    const filled = path
      .replace('{org}', api.managed.organizationId)
      .replace('{service}', api.managed.serviceId);
    const answer = await api.managed.call(method, filled, call);
    expectFailure(answer, status, word);
    if (status === 401) {
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    }
    if (status === 405) {
      expect(answer.headers.get('allow')).toMatch(/^[A-Z, ]+$/);
    }
  });

  it('of an unexpected failure says nothing of its cause, and the log has it under the request id', async () => {
    outage = new Error('secret detail at /var/lib/sightline SELECT * FROM keys');
    const answer = await api.managed.organization('GET', '/keys');
    outage = undefined;
    expectFailure(answer, 500, 'INTERNAL');
    expect(answer.text).not.toMatch(/secret detail|SELECT|\/var/);
    expect(
      api.logLines.some(
        (line) => line.includes('secret detail') && line.includes(answer.json.requestId),
      ),
    ).toBe(true);
  });

  it('of a store that is away is a 503 with Retry-After', async () => {
    outage = new Fault('unavailable', 'the metadata store cannot be reached');
    const answer = await api.managed.organization('GET', '/keys');
    outage = undefined;
    expectFailure(answer, 503, 'INTERNAL');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('of too many requests, by credential and, for those who show none, by address', async () => {
    const limited = await startApi({ rateLimit: { requests: 3, windowMs: 3_600_000 } });
    try {
      const other = await limited.newKey(['developer']);
      for (let request = 0; request < 3; request++) {
        expect((await limited.managed.organization('GET', '')).status).toBe(200);
      }
      const over = await limited.managed.organization('GET', '');
      expectFailure(over, 429, 'RATE_LIMITED');
      for (const name of [
        'retry-after',
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        'x-ratelimit-policy',
      ]) {
        expect(over.headers.get(name), name).toMatch(/^\d/);
      }
      expect((await other.organization('GET', '')).status).toBe(200);
      for (let request = 0; request < 3; request++) {
        expect(
          (await limited.keyOf({ ...other, keySecret: `guess ${request}` }).organization('GET', ''))
            .status,
        ).toBe(401);
      }
      expectFailure(
        await limited.keyOf({ ...other, keySecret: 'guess' }).organization('GET', ''),
        429,
        'RATE_LIMITED',
      );
      expectFailure(await http('GET', `${limited.url}/v1/nothing`), 429, 'RATE_LIMITED');
      expect((await other.organization('GET', '')).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });

  it('of a success has the status, the request id and the result, and a trailing slash changes nothing', async () => {
    for (const path of ['', '/', '/services', '/services/', '/keys/', '/activities/']) {
      const { status, json, headers } = await api.managed.organization('GET', path);
      expect([status, json.status, Object.keys(json).sort()]).toEqual([
        200,
        200,
        ['requestId', 'result', 'status'],
      ]);
      expect(json.requestId).toMatch(uuid4);
      expect(headers.get('x-request-id')).toBe(json.requestId);
    }
  });

  it('names every unknown property and every other mistake at once, at any depth', async () => {
    const body = {
      colour: 'red',
      roles: ['boss'],
      ipAccessList: [{ source: '::1', note: 'x' }],
      hashData: { keyIdHash: 'x', extra: 1 },
    };
    const { json } = await api.managed.organization('POST', '/keys', { body });
    expect(json.errors.map((issue: { path: string }) => issue.path).sort()).toEqual([
      'colour',
      'hashData.extra',
      'hashData.keyIdHash',
      'hashData.keyIdSuffix',
      'hashData.keySecretHash',
      'ipAccessList.0.note',
      'roles.0',
    ]);
  });
});

describe('the envelope of a request that reached no route', () => {
  it('of what is not even HTTP', async () => {
    expectRawFailure(
      await rawHttp(api.port, 'GET /v1/organizations HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n'),
      400,
    );
  });

  it('of headers that are too large', async () => {
    expectRawFailure(
      await rawHttp(
        api.port,
        `GET /v1/organizations?limit=1 HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`,
        { until: /\r\n\r\n[\s\S]/ },
      ),
      431,
    );
  });

  it('of a body whose chunks break off', async () => {
    const head =
      `POST /v1/organizations/${api.managed.organizationId}/keys HTTP/1.1\r\nHost: x\r\n` +
      `Authorization: ${api.managed.authorization}\r\nContent-Type: application/json\r\n` +
      'Transfer-Encoding: chunked\r\n\r\n';
    expectRawFailure(await rawHttp(api.port, `${head}zz\r\n`, { until: /\r\n\r\n[\s\S]/ }), 400);
    const [, later = ''] = (
      await rawHttp(
        api.port,
        [head.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'), 'zz\r\n'],
        { until: /error/ },
      )
    ).split('100 Continue\r\n\r\n');
    expectRawFailure(later, 400);
  });

  it('of what does not arrive in time', async () => {
    const impatient = await startApi({ limits: { headersTimeoutMs: 100, requestTimeoutMs: 200 } });
    try {
      const head =
        `POST /v1/organizations/${impatient.managed.organizationId}/keys HTTP/1.1\r\nHost: x\r\n` +
        `Authorization: ${impatient.managed.authorization}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
      expectRawFailure(await rawHttp(impatient.port, head), 408);
    } finally {
      await impatient.stop();
    }
  });

  it('that cannot be known, for want of a path, is still JSON with the request id', async () => {
    // What is answered at once shows that the beginning of what follows it has been read.
    const answer = await rawHttp(
      api.port,
      [
        'GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/organizations HTTP/1.1\r\nHost: x\r\n',
        `X-Big: ${'x'.repeat(20_000)}\r\n\r\n`,
      ],
      { until: /16 KiB/ },
    );
    const [head = '', body = ''] = answer.slice(answer.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(body)).toEqual({
      message: expect.stringMatching(/16 KiB/),
      code: 'bad_request',
      requestId: expect.stringMatching(uuid4),
    });
    expect(head.toLowerCase()).toContain(
      `x-request-id: ${(JSON.parse(body) as { requestId: string }).requestId}`,
    );
  });
});
