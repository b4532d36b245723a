import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Client, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOfLog, noEngine, startTestApp, type TestApp } from '../kit/app.ts';
import { keyAt } from '../kit/callers.ts';
import { http } from '../kit/http.ts';
import { rawHttp } from '../kit/raw-http.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-interface-'));
const site = join(folder, 'site');
const script = 'console.log("the interface");\n'.repeat(20);
const page =
  '<!doctype html><meta name="csp-nonce" content="__NONCE__">' +
  '<script type="module" src="/assets/main-a1.js"></script>';

let app: TestApp;
let ui: string;
beforeAll(async () => {
  mkdirSync(join(site, 'assets'), { recursive: true });
  writeFileSync(join(site, 'index.html'), page);
  writeFileSync(join(site, 'theme.js'), 'document.title = "x";');
  writeFileSync(join(site, 'assets/main-a1.js'), script);
  writeFileSync(join(site, 'assets/main-a1.js.br'), brotliCompressSync(script));
  writeFileSync(join(site, 'assets/main-a1.js.gz'), gzipSync(script));
  writeFileSync(join(folder, 'secret.txt'), 'outside of the site');
  app = await startTestApp({
    folder,
    roles: ['api', 'ui'],
    config: { deployment: 'open-source', corsOrigins: ['https://elsewhere.example.com'] },
    siteDirectory: site,
    tuning: { api: { eventLoopDelayMs: 0 } },
    parts: { telemetry: noEngine },
  });
  ui = app.addresses.ui ?? '';
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

const api = (): string => new URL(app.addresses.surfaces?.[0] ?? '').origin;
/** As sent: `fetch` would normalize the path and decode the body. */
const raw = async (path: string, headers: Record<string, string> = {}) => {
  const client = new Client(ui);
  const answer = await client.request({ method: 'GET', path, headers });
  const body = Buffer.from(await answer.body.arrayBuffer());
  await client.close();
  return { status: answer.statusCode, headers: answer.headers, body };
};

describe('a page of the interface', () => {
  it('has the policy of the interface, with a nonce of its own in every answer', async () => {
    const nonces = new Set<string>();
    for (const path of ['/', '/search?q=a.b', '/alerts/0123456789abcdef01234567', '/metrics']) {
      const { status, headers, text } = await http('GET', ui + path);
      const nonce = /content="([^"]+)"/.exec(text)?.[1] ?? '';
      expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
      nonces.add(nonce);
      expect(status).toBe(200);
      expect(text).toBe(page.replace('__NONCE__', nonce));
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
          `font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; ` +
          `require-trusted-types-for 'script'; trusted-types 'none'`,
      );
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    }
    expect(nonces.size).toBe(4);
  });

  it.each([
    '/index.html',
    '/favicon.ico',
    '/assets/main-a2.js',
    '/assets/main-a1.js.br',
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
  ])('is not what %s answers: a 404', async (path) => {
    const { status, body } = await raw(path);
    expect(status).toBe(404);
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'not_found' });
  });

  it('is at /health for a browser, and probes read the state of the process there', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const path of ['/health', '/health/']) {
      const { headers, body } = await raw(path, browser);
      expect([headers['content-type'], headers['vary']]).toEqual([
        'text/html; charset=utf-8',
        'Accept',
      ]);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(body.toString()).toContain('/assets/main-a1.js');
    }
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      expect(JSON.parse((await raw('/health', headers)).body.toString())).toMatchObject({
        status: 'ok',
      });
    }
    const { json } = await http('GET', `${api()}/health`, { headers: browser });
    expect(json).toMatchObject({ status: 'ok' });
  });

  it('answers GET and HEAD only', async () => {
    expect((await http('HEAD', `${ui}/search`)).status).toBe(200);
    expect((await http('POST', `${ui}/search`)).status).toBe(404);
  });
});

describe('a file of the interface', () => {
  it('under /assets is kept for ever, and is sent in the smallest encoding accepted', async () => {
    const path = '/assets/main-a1.js';
    const encodings = [
      ['gzip, deflate, br', 'br', brotliCompressSync(script)],
      ['gzip', 'gzip', gzipSync(script)],
      ['br;q=0, gzip;q=0.5', 'gzip', gzipSync(script)],
      ['identity', undefined, Buffer.from(script)],
    ] as const;
    for (const [accepted, encoding, content] of encodings) {
      const { status, headers, body } = await raw(path, { 'accept-encoding': accepted });
      expect([status, headers['content-encoding']]).toEqual([200, encoding]);
      expect(body.equals(content)).toBe(true);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(headers['vary']).toBe('Accept-Encoding');
    }
  });

  it('elsewhere is asked for again, and is not sent twice', async () => {
    const first = await http('GET', `${ui}/theme.js`);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const again = await raw('/theme.js', { 'if-none-match': first.headers.get('etag') ?? '' });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });
});

describe('the port of the interface', () => {
  it('serves both surfaces for keys, whatever the deployment routes', async () => {
    const first = app.first!;
    const { call } = keyAt(ui, { ...first, id: '' });
    expect((await call('GET', '/organizations')).status).toBe(200);
    const authorization = `Bearer ${first.accessKey}`;
    const team = await http('GET', `${ui}/api/v2/team`, { headers: { authorization } });
    expect(team.status).toBe(200);
    expect((await http('GET', `${api()}/v1/organizations`)).status).toBe(404);
    expect((await http('GET', `${ui}/ready`)).json).toEqual({ status: 'ready' });
  });

  it('answers an unknown path of a surface as the surface does, never with a page', async () => {
    expect((await http('GET', `${ui}/api/v2/nowhere`)).json).toMatchObject({ code: 'not_found' });
    expect((await http('GET', `${ui}/v1/nowhere`)).json).toMatchObject({ status: 404 });
  });

  it('answers a request that is too large with a page, and under a surface as the surface', async () => {
    const rest = `?c=${'x'.repeat(1_048_576)} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const port = Number(new URL(ui).port);
    const page = await rawHttp(port, `GET /explore${rest}`);
    expect(page).toMatch(/^HTTP\/1\.1 431 [^]*\r\ncontent-type: text\/html/);
    expect(page).toMatch(/\r\ncontent-security-policy: default-src 'none'; style-src 'sha256-/);
    expect(page).toContain('<h1>This address is too long</h1>');
    expect(page).toMatch(/<\/html>\s*$/);
    const call = await rawHttp(port, `GET /api/v2/team${rest}`);
    expect(call).toMatch(/^HTTP\/1\.1 431 [^]*"message":"the headers are larger than 16 KiB"/);
    const apiCall = await rawHttp(Number(new URL(api()).port), `GET /explore${rest}`);
    expect(apiCall).toMatch(/^HTTP\/1\.1 431 [^]*\r\ncontent-type: application\/json/);
  });

  it('lets no other origin read an answer, although the API port does', async () => {
    const headers = { origin: 'https://elsewhere.example.com' };
    const allowed = 'access-control-allow-origin';
    expect((await http('GET', `${ui}/health`, { headers })).headers.get(allowed)).toBeNull();
    expect((await http('GET', `${api()}/health`, { headers })).headers.get(allowed)).not.toBeNull();
  });
});

describe('the path / of the API port', () => {
  it('leads to the interface', async () => {
    const answer = await request(`${api()}/`);
    await answer.body.dump();
    expect([answer.statusCode, answer.headers['location']]).toEqual([302, `${ui}/`]);
  });

  it('lists the references where there is no interface, and a process without it has none', async () => {
    const alone = await startTestApp({
      folder: mkdtempSync(join(folder, 'api-')),
      roles: ['api'],
      tuning: { api: { eventLoopDelayMs: 0 } },
      parts: { telemetry: noEngine },
    });
    const { status, text } = await http('GET', new URL(alone.addresses.surfaces?.[0] ?? '').origin);
    await alone.stop();
    expect([status, alone.addresses.ui]).toEqual([200, undefined]);
    expect(text).toContain('<a href="/api/v2/docs">');
  });
});

it('an interface that is not built says what to do, and its API works', async () => {
  const { log, lines } = linesOfLog();
  const unbuilt = await startTestApp({
    folder: mkdtempSync(join(folder, 'unbuilt-')),
    roles: ['ui'],
    siteDirectory: join(folder, 'nowhere'),
    tuning: { api: { eventLoopDelayMs: 0 } },
    log,
    parts: { telemetry: noEngine },
  });
  const url = unbuilt.addresses.ui ?? '';
  const { status, text } = await http('GET', url);
  const headers = { authorization: `Bearer ${unbuilt.first?.accessKey}` };
  const team = await http('GET', `${url}/api/v2/team`, { headers });
  await unbuilt.stop();
  expect([status, team.status, unbuilt.addresses.surfaces]).toEqual([503, 200, undefined]);
  expect(text).toContain('npm run build');
  expect(lines.join('')).toContain('web interface is not built');
});
