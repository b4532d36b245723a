import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit } from '../kit/api.ts';
import { http } from '../kit/http.ts';
import { rawHttp } from '../kit/raw-http.ts';
import { webhookInput } from '../kit/stack-objects.ts';

let api: ApiKit;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('every answer', () => {
  it.each([
    ['GET', '/api/v2/alerts'],
    ['GET', '/api/v2/nowhere'],
    ['GET', '/'],
    ['PATCH', '/api/v2/alerts'],
    ['GET', '/health'],
    ['GET', '/ready'],
    ['GET', '/metrics'],
    ['GET', '/api/v2/docs'],
    ['GET', '/api/v2/openapi.json'],
  ])('%s %s has a request id of its own and the standing headers', async (method, path) => {
    const first = await http(method, api.url + path);
    const second = await http(method, api.url + path);
    expect(first.headers.get('x-request-id')).toMatch(uuidV4);
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.headers.get('x-content-type-options')).toBe('nosniff');
    expect(first.headers.get('x-frame-options')).toBe('DENY');
    expect(first.headers.get('referrer-policy')).toBe('no-referrer');
    expect(first.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(first.headers.get('x-powered-by')).toBeNull();
    expect(first.headers.get('server')).toBeNull();
  });

  it('has an id of ours, whatever the caller sends', async () => {
    const { headers } = await api.call('GET', '/alerts', { headers: { 'x-request-id': 'mine' } });
    expect(headers.get('x-request-id')).toMatch(uuidV4);
  });
});

describe('an error', () => {
  it('has a message, a code and the request id; it has errors only after a validation', async () => {
    const { status, json, headers } = await api.call('GET', '/alerts/0123456789abcdef01234567');
    expect(status).toBe(404);
    expect(json).toEqual({
      message: 'alert not found',
      code: 'not_found',
      requestId: headers.get('x-request-id'),
    });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('of /charts carries its message as error too', async () => {
    const invalid = await api.call('POST', '/charts/series', {
      body: { series: [{}], startTime: 1, endTime: 2 },
    });
    expect(invalid.status).toBe(400);
    expect(invalid.json.error).toBe(invalid.json.message);
    const unknown = await api.call('GET', '/charts/nowhere');
    expect(unknown.json.error).toBe(unknown.json.message);
    const method = await api.call('GET', '/charts/series');
    expect(method.status).toBe(405);
    expect(method.json.error).toBe(method.json.message);
    expect((await api.call('GET', '/chartsandmore')).json.error).toBeUndefined();
  });
});

describe('authentication', () => {
  it.each<[string, (key: string) => Record<string, string>]>([
    ['no header', () => ({})],
    ['an empty header', () => ({ authorization: '' })],
    ['the key alone', (key) => ({ authorization: key })],
    ['the scheme alone', () => ({ authorization: 'Bearer' })],
    ['an empty key', () => ({ authorization: 'Bearer ' })],
    [
      'an unknown key',
      () => ({ authorization: 'Bearer slp_0000000000000000000000000000000000000000' }),
    ],
    ['a cut key', (key) => ({ authorization: `Bearer ${key.slice(0, -1)}` })],
    ['a key with more behind it', (key) => ({ authorization: `Bearer ${key} x` })],
    ['another case', (key) => ({ authorization: `Bearer ${key.toLowerCase()}` })],
    ['two keys', (key) => ({ authorization: `Bearer ${key}, Bearer ${key}` })],
    [
      'Basic with the key',
      (key) => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }),
    ],
    ['a very long key', () => ({ authorization: `Bearer ${'x'.repeat(8000)}` })],
    ['a key in another header', (key) => ({ 'x-api-key': key })],
  ])('refuses %s', async (_name, headers) => {
    const answer = await http('GET', `${api.url}/api/v2/alerts`, {
      headers: headers(api.accessKey),
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(answer.json).toEqual({
      message: expect.any(String) as string,
      code: 'unauthorized',
      requestId: answer.headers.get('x-request-id'),
    });
  });

  it('refuses the ingestion key', async () => {
    const { status } = await api.call('GET', '/alerts', {
      headers: { authorization: `Bearer ${api.first.ingestionKey}` },
    });
    expect(status).toBe(401);
  });

  it.each(['bearer', 'BEARER', 'BeArEr', 'Bearer  '])(
    'takes the scheme word in any case: %s',
    async (scheme) => {
      expect(
        (
          await api.call('GET', '/alerts', {
            headers: { authorization: `${scheme} ${api.accessKey}` },
          })
        ).status,
      ).toBe(200);
    },
  );

  it('comes before the body: nobody without a key learns what is wrong with it', async () => {
    expect((await http('POST', `${api.url}/api/v2/alerts`, { body: '{' })).status).toBe(401);
    expect((await http('GET', `${api.url}/api/v2/alerts/nonsense`)).status).toBe(401);
  });
});

describe('paths and methods', () => {
  it.each([
    '/nowhere',
    '/alerts/0123456789abcdef01234567/nothing',
    '/Alerts',
    '/keys',
    '/pipes',
    '/organizations',
    '/../secrets',
    '//alerts',
    '/alerts%2f',
    '/alerts/a/b/c/d',
  ])('%s is a 404 in JSON, with or without a key', async (path) => {
    for (const headers of [{}, { authorization: `Bearer ${api.accessKey}` }]) {
      const { status, json } = await http('GET', `${api.url}/api/v2${path}`, { headers });
      expect(status).toBe(404);
      expect(json).toMatchObject({ code: 'not_found', message: expect.any(String) as string });
    }
  });

  it.each([
    ['PATCH', '/alerts', 'GET, HEAD, POST'],
    ['DELETE', '/alerts', 'GET, HEAD, POST'],
    ['POST', '/alerts/0123456789abcdef01234567', 'GET, HEAD, PUT, DELETE'],
    ['PATCH', '/dashboards/0123456789abcdef01234567', 'GET, HEAD, PUT, DELETE'],
    ['GET', '/charts/series', 'POST'],
    ['PATCH', '/dashboards/validate', 'POST'],
    ['PUT', '/alerts/preview', 'POST'],
    ['GET', '/alerts/preview', 'POST'],
    ['DELETE', '/dashboards/validate', 'POST'],
    ['BREW', '/alerts', 'GET, HEAD, POST'],
    ['BREW', '/alerts/preview', 'POST'],
    ['PUT', '/openapi.json', 'GET, HEAD'],
    ['OPTIONS', '/alerts', 'GET, HEAD, POST'],
    ['PROPFIND', '/alerts', 'GET, HEAD, POST'],
    ['TRACE', '/alerts', 'GET, HEAD, POST'],
  ])('%s %s is a 405 that lists %s', async (method, path, allow) => {
    const answer = await rawHttp(
      api.port,
      `${method} /api/v2${path} HTTP/1.1\r\nHost: x\r\n` +
        `Authorization: Bearer ${api.accessKey}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    const allowed = /\r\nallow: ([^\r]*)/i.exec(answer)![1]!;
    expect(allowed.split(', ').sort()).toEqual(allow.split(', ').sort());
    expect(answer).toContain('"code":"method_not_allowed"');
  });

  it('a slash at the end changes nothing', async () => {
    expect((await api.call('GET', '/alerts/')).status).toBe(200);
    expect((await api.call('POST', '/webhooks/', { body: webhookInput() })).status).toBe(200);
    expect((await api.call('PATCH', '/alerts/')).status).toBe(405);
  });

  it('HEAD answers what GET does, without the body', async () => {
    const { status, headers, text } = await api.call('HEAD', '/webhooks');
    expect(status).toBe(200);
    expect(text).toBe('');
    expect(headers.get('x-total-count')).toBe('1');
  });

  it('a path that is no URL is a 400', async () => {
    const { status, json } = await http('GET', `${api.url}/api/v2/alerts/%zz`);
    expect(status).toBe(400);
    expect(json.code).toBe('bad_request');
  });
});

describe('bodies', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    api.call('POST', '/webhooks', { body, headers });
  const valid = () => JSON.stringify(webhookInput());

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="latin1"',
    'APPLICATION/JSON',
  ])('takes %s', async (type) => {
    expect((await post(valid(), { 'content-type': type })).status).toBe(200);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'application/json-patch+json',
    'multipart/form-data; boundary=x',
    'nonsense',
    'application/jsonx',
  ])('%s is a 415', async (type) => {
    const { status, json } = await post(valid(), { 'content-type': type });
    expect(status).toBe(415);
    expect(json.code).toBe('unsupported_media_type');
  });

  it('no type at all, or a compressed body, is a 415', async () => {
    const bare = await rawHttp(
      api.port,
      'POST /api/v2/webhooks HTTP/1.1\r\nHost: x\r\n' +
        `Authorization: Bearer ${api.accessKey}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    expect(bare).toMatch(/^HTTP\/1\.1 415 /);
    expect((await post(valid(), { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it('another type without a body does not matter', async () => {
    expect(
      (
        await api.call('DELETE', '/webhooks/0123456789abcdef01234567', {
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(404);
    expect(
      (await api.call('GET', '/webhooks', { headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(200);
  });

  it.each([
    ['cut short', '{"name":'],
    ['two values', '{} {}'],
    ['single quotes', "{'a':1}"],
    ['a trailing comma', '{"a":1,}'],
    ['NaN', '{"threshold":NaN}'],
    ['a comment', '{} // x'],
    ['a byte order mark and rubbish', '\ufeff{'],
  ])('bad JSON is a 400: %s', async (_name, body) => {
    const { status, json } = await post(body);
    expect(status).toBe(400);
    expect(json.message).toContain('JSON');
  });

  it('bytes that are not UTF-8 are a 400', async () => {
    const { status, json } = await post(Buffer.from('7b226e616d65223a22ff22007d', 'hex'));
    expect(status).toBe(400);
    expect(json.message).toContain('UTF-8');
  });

  it('64 levels are read, 65 are a 400', async () => {
    const nested = (levels: number) => `{"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(
      (await post(nested(64))).json.errors.map((error: { path: string }) => error.path),
    ).toEqual(['name', 'service', 'url', 'x']);
    const { status, json } = await post(nested(65));
    expect(status).toBe(400);
    expect(json.message).toContain('64');
  });

  it('brackets inside text are not nesting', async () => {
    expect(
      (
        await api.call('POST', '/webhooks', {
          body: webhookInput({ description: `\\"${'[{'.repeat(200)}\\` }),
        })
      ).status,
    ).toBe(200);
  });

  it('10 MiB are read, one byte more is a 413', async () => {
    const padded = (bytes: number) => {
      const body = valid();
      return body + ' '.repeat(bytes - body.length);
    };
    expect((await post(padded(10 * 1024 * 1024))).status).toBe(200);
    const { status, json } = await post(padded(10 * 1024 * 1024 + 1));
    expect(status).toBe(413);
    expect(json.code).toBe('payload_too_large');
  });

  it('a number beyond what JSON numbers can be is a 400 that names it', async () => {
    for (const number of ['1e309', '-1e309']) {
      const { status, json } = await api.call('POST', '/alerts', {
        body: `{"threshold":${number}}`,
      });
      expect(status).toBe(400);
      expect(json.errors.map((error: { path: string }) => error.path)).toContain('threshold');
    }
    const { json } = await api.call('POST', '/alerts', {
      body: '{"numConsecutiveWindows":9007199254740993}',
    });
    expect(json.errors.map((error: { path: string }) => error.path)).toContain(
      'numConsecutiveWindows',
    );
  });

  it('NUL and half a surrogate pair are a 400 that names where', async () => {
    const { status, json } = await post(
      '{"name":"a\\u0000b","description":"\\ud800","url":"\\ud83d\\ude00"}',
    );
    expect(status).toBe(400);
    expect(json.errors.map((error: { path: string }) => error.path)).toEqual([
      'name',
      'description',
    ]);
  });
});
