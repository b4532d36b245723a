import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EgressProxy } from '../../src/adapters/telemetry/embedded/egress-proxy.ts';
import { refusedStatus } from '../../src/adapters/telemetry/embedded/forward-request.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import { EgressRefused } from '../../src/ports/egress.ts';
import { sql } from '../../src/sql/sql.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

describe('the proxy through which the embedded engine fetches objects', () => {
  const guard = egressGuard({
    allow: ['127.0.0.1'],
    resolver: async (name) => {
      const address = { 'store.test': '127.0.0.1', 'inner.test': '127.0.0.2' }[name];
      return address === undefined ? [] : [{ address, family: 4 }];
    },
  });
  let proxy: EgressProxy;
  const open: Server[] = [];
  beforeAll(async () => {
    proxy = await EgressProxy.open(guard);
  });
  afterEach(() => {
    for (const server of open.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  afterAll(() => proxy.close());

  const serve = async (answer: RequestListener): Promise<number> => {
    const server = createServer(answer);
    open.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const through = async (path: string, options: object = {}): Promise<IncomingMessage> => {
    const request = httpRequest({
      host: '127.0.0.1',
      port: new URL(proxy.url).port,
      path,
      agent: false,
      ...options,
    });
    request.end();
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return answer;
  };
  const tunnel = async (
    target: string,
  ): Promise<{ status: string; ask(words: string): Promise<string> }> => {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    return {
      status: String(first).split(' ')[1] ?? '',
      ask: async (words) => {
        socket.write(words);
        const [answer] = (await once(socket, 'data')) as [Buffer];
        socket.destroy();
        return String(answer);
      },
    };
  };

  it('passes requests on to the letter: path, query and headers are what the signature covers', async () => {
    const seen: unknown[] = [];
    const port = await serve((request, response) => {
      seen.push([request.method, request.url, request.headers.host, request.headers['x-amz-meta']]);
      response
        .writeHead(206, { etag: '"x"', 'content-length': 4 })
        .end(request.method === 'HEAD' ? undefined : 'rows');
    });
    const headers = {
      host: `store.test:${port}`,
      'x-amz-meta': 'a  b',
      'proxy-connection': 'keep-alive',
    };
    const answer = await through(
      `http://store.test:${port}/bucket/a%20b/../c%2Fd?list-type=2&prefix=%2B`,
      { headers },
    );
    expect([answer.statusCode, answer.headers.etag, await text(answer)]).toEqual([
      206,
      '"x"',
      'rows',
    ]);
    const head = await through(`http://store.test:${port}/bucket/k`, { headers, method: 'HEAD' });
    expect([head.statusCode, head.headers['content-length']]).toEqual([206, '4']);
    expect(seen).toEqual([
      ['GET', '/bucket/a%20b/../c%2Fd?list-type=2&prefix=%2B', `store.test:${port}`, 'a  b'],
      ['HEAD', '/bucket/k', `store.test:${port}`, 'a  b'],
    ]);
  });

  it('an answer that breaks off does not look whole', async () => {
    const port = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half', () => response.destroy());
    });
    const answer = await through(`http://store.test:${port}/k`, {
      headers: { host: 'store.test' },
    });
    await expect(text(answer)).rejects.toThrow(/aborted/);
  });

  it('carries TLS through without looking into it', async () => {
    const echo = createTcpServer((socket) => socket.pipe(socket));
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    const { status, ask } = await tunnel(`store.test:${(echo.address() as AddressInfo).port}`);
    expect([status, await ask('hello')]).toEqual(['200', 'hello']);
    echo.close();
  });

  it.each(['inner.test', '127.0.0.2', '[::1]', '169.254.169.254', '[::ffff:169.254.169.254]'])(
    'refuses %s, in a tunnel too',
    async (host) => {
      expect(
        (await through(`http://${host.replace(/^\[|\]$/g, '')}/k`, { headers: { host } }))
          .statusCode,
      ).toBe(refusedStatus);
      expect((await tunnel(`${host.replace(/^\[|\]$/g, '')}:443`)).status).toBe(
        String(refusedStatus),
      );
    },
  );

  it.each([
    ['an address without a host', '/bucket/k', 400],
    ['another protocol', 'ftp://store.test/k', 400],
    ['a user name', 'http://127.0.0.1@inner.test/k', 400],
    ['a name that stands for nothing', 'http://nowhere.test/k', 502],
  ])('%s is no way in', async (_, path, status) => {
    expect((await through(path)).statusCode).toBe(status);
  });
});

describe('the embedded engine beside the proxy', () => {
  const lookups: string[] = [];
  let engine: TestTelemetry;
  beforeAll(async () => {
    const guard = {
      resolve: (name: string) => {
        lookups.push(name);
        return Promise.reject(new EgressRefused('no'));
      },
    };
    engine = await openTestTelemetry({
      egress: { guard, trusted: ['inner.test', '127.0.0.1', '10.0.0.0/8', '::1'] },
    });
  });
  afterAll(() => engine.close());

  const fetched = async (host: string): Promise<string> => {
    lookups.length = 0;
    const [row] = await engine
      .rows(
        sql`SELECT *
          FROM s3(${`http://${host}/bucket/a.json`}, NOSIGN, 'JSONEachRow', 'n UInt8')
          SETTINGS s3_retry_attempts = 0, s3_connect_timeout_ms = 300`,
      )
      .catch((error: Error) => [error.message]);
    return String(row);
  };

  it.each([
    'xinner.test',
    'inner.test.elsewhere.test',
    '127.0.0.1.elsewhere.test',
    '127.0.0.2',
    '10.0.0.1',
    '[::2]',
    '169.254.169.254',
    'localhost',
    's3.amazonaws.com.elsewhere.test',
    'xs3.amazonaws.com',
    'ec2-1-2-3-4.compute.amazonaws.com',
    's3-us-west-2.amazonaws.com',
  ])('asks before it connects to %s', async (host) => {
    const said = await fetched(host);
    expect([...new Set(lookups)]).toEqual([host]);
    expect(said).toMatch(new RegExp(`${refusedStatus}`));
  });

  it.each(['inner.test', 'bucket.inner.test', '127.0.0.1:9', '[::1]:9'])(
    'connects to %s by itself: the operator allowed it',
    async (host) => {
      await fetched(host);
      expect(lookups).toEqual([]);
    },
  );
});
