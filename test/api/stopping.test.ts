import { Client, request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { read, readVerb } from '../../src/core/verb/verb.ts';
import { createApiServer, type ApiServer } from '../../src/http/server.ts';
import { openSurface, type OpenSurfaceOptions } from '../../src/http/surfaces/open.ts';
import { getTeam } from '../../src/contract/team.ts';
import type { Principal } from '../../src/ports/principal.ts';
import { rawHttp } from '../kit/raw-http.ts';
import { eventually } from '../kit/eventually.ts';

/** A server whose GET /team waits until the test lets it go. */
async function slowServer() {
  const waiting: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  const slow = readVerb(getTeam, async ({ signal }) => {
    signals.push(signal!);
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
    return { value: { id: '0123456789abcdef01234567', name: 'slow' } };
  });
  const principal: Principal = {
    workspace: {
      id: '0123456789abcdef01234567',
      name: 't',
      serviceId: '',
      organizationId: '',
      database: 'd',
      listedDatabases: [],
    },
    scopes: new Set(['team:read']),
    subject: { kind: 'user', id: 'u', email: 'e' },
  };
  const verbs = new Proxy({} as OpenSurfaceOptions['verbs'], {
    get: () => slow,
    ownKeys: () => ['getTeam'],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
  const surface = {
    ...openSurface({ verbs, authenticator: { authenticate: () => principal } }),
    routes: [['GET', '/team', getTeam]] as const,
  };
  const quiet = {
    debug() {},
    info() {},
    warn() {},
    error() {},
    child() {
      return quiet;
    },
  };
  const server = await createApiServer({
    surfaces: [surface],
    clock: { now: () => Date.now() },
    log: quiet,
    audit: { invoke: (_verb, raw) => read(slow, raw), credentialRefused() {} },
    trustedProxies: [],
    limits: { eventLoopDelayMs: 0 },
  });
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    server,
    port,
    url: `http://127.0.0.1:${port}/api/v2/team`,
    signals,
    letGo: () => waiting.splice(0).forEach((go) => go()),
    waiting,
  };
}

let running: ApiServer | undefined;
afterEach(() => running?.stop(100));

describe('stopping', () => {
  it('answers every request that was accepted, tells connections to close, and refuses new ones', async () => {
    const { server, port, url, letGo, waiting } = await slowServer();
    const accepted = Array.from({ length: 20 }, () => request(url));
    await eventually(() => expect(waiting).toHaveLength(20));
    const stopped = server.stop(9000);
    await expect(rawHttp(port, 'GET / HTTP/1.1\r\n\r\n')).rejects.toThrow(/ECONNREFUSED/);
    letGo();
    const answers = await Promise.all(accepted);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(
      Array.from({ length: 20 }, () => 200),
    );
    for (const { body } of answers) {
      expect(await body.json()).toMatchObject({ data: { name: 'slow' } });
    }
    await stopped;
  });

  it('still answers what comes on a connection that was open already', async () => {
    const { server, port, letGo, waiting } = await slowServer();
    const connection = new Client(`http://127.0.0.1:${port}`);
    const [first, second] = [1, 2].map(() =>
      connection.request({ method: 'GET', path: '/api/v2/team' }),
    );
    await eventually(() => expect(waiting).toHaveLength(1));
    const stopped = server.stop(9000);
    letGo();
    await (await first)!.body.text();
    await eventually(() => expect(waiting).toHaveLength(1));
    letGo();
    const answer = (await second)!;
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['connection']).toBe('close');
    await answer.body.text();
    await stopped;
    await connection.destroy();
  });

  it('does not wait longer than its deadline', async () => {
    const { server, url, waiting } = await slowServer();
    const hanging = request(url).then(
      () => 'answered',
      () => 'cut',
    );
    await eventually(() => expect(waiting).toHaveLength(1));
    const startedMs = performance.now();
    await server.stop(300);
    expect(performance.now() - startedMs).toBeLessThan(3000);
    expect(await hanging).toBe('cut');
  });
});

describe('a caller who goes away', () => {
  it('aborts the work that was done for it', async () => {
    const { server, url, signals, waiting } = await slowServer();
    running = server;
    const abort = new AbortController();
    const gone = request(url, { signal: abort.signal }).catch(() => 'gone');
    await eventually(() => expect(waiting).toHaveLength(1));
    expect(signals[0]!.aborted).toBe(false);
    abort.abort();
    expect(await gone).toBe('gone');
    await eventually(() => expect(signals[0]?.aborted).toBe(true));
  });

  it('is not one who was answered', async () => {
    const { server, url, signals, letGo, waiting } = await slowServer();
    running = server;
    const answer = request(url);
    await eventually(() => expect(waiting).toHaveLength(1));
    letGo();
    await (await answer).body.text();
    expect(signals[0]!.aborted).toBe(false);
  });
});
