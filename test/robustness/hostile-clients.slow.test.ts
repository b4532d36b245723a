import { connect, type Socket } from 'node:net';
import { Client } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { http } from '../kit/http.ts';
import { rawHttp } from '../kit/raw-http.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';
import { eventually } from '../kit/eventually.ts';

const mebibyte = 1024 * 1024;
const headersTimeoutMs = 3000;
let server: ServerProcess;
let restBytes: number;
beforeAll(async () => {
  server = await startServerProcess({ headersTimeoutMs, requestTimeoutMs: 4000 });
  for (let call = 0; call < 50; call++) {
    await alive();
  }
  restBytes = await server.memoryBytes();
});
afterAll(async () => {
  server.process.kill('SIGTERM');
  expect((await server.exit).code).toBe(0);
});

const headers = () => ({ authorization: `Bearer ${server.accessKey}` });
const alive = async () =>
  expect((await http('GET', `${server.url}/api/v2/team`, { headers: headers() })).status).toBe(200);
const head = (method: string, path: string, more: string[]) =>
  [
    `${method} /api/v2${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${server.accessKey}`,
    ...more,
    '',
    '',
  ].join('\r\n');
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

describe('a thousand connections that send nothing more', () => {
  it('do not keep others from being served, and are closed in time', async () => {
    const begin = `GET /api/v2/team HTTP/1.1\r\nHost: x\r\nX-Slow: `;
    const sockets: Socket[] = [];
    const closed: Promise<string>[] = [];
    for (let index = 0; index < 1000; index++) {
      const socket = connect(server.port, '127.0.0.1');
      sockets.push(socket);
      closed.push(
        new Promise((resolve) => {
          let text = '';
          socket.on('connect', () => socket.write(begin));
          socket.on('data', (chunk) => {
            text += chunk.toString();
          });
          socket.on('error', () => resolve(text));
          socket.on('close', () => resolve(text));
        }),
      );
    }
    const startedMs = performance.now();
    for (let call = 0; call < 20; call++) {
      await alive();
    }
    expect(performance.now() - startedMs).toBeLessThan(headersTimeoutMs);
    const answers = await Promise.all(closed);
    expect(answers.filter((answer) => statusOf(answer) === 408).length).toBe(1000);
    await alive();
  });
});

describe('huge bodies', () => {
  const piece = Buffer.alloc(mebibyte, 0x20);

  it('announced or not, are a 413 long before their end, and leave no memory behind', async () => {
    const send = (chunked: boolean) =>
      new Promise<string>((resolve) => {
        const socket = connect(server.port, '127.0.0.1');
        let answer = '';
        let sent = 0;
        const pump = (): void => {
          while (sent < 100 && !socket.destroyed) {
            sent++;
            const part = chunked
              ? Buffer.concat([
                  Buffer.from(`${mebibyte.toString(16)}\r\n`),
                  piece,
                  Buffer.from('\r\n'),
                ])
              : piece;
            if (!socket.write(part)) {
              return;
            }
          }
        };
        socket.on('connect', () => {
          socket.write(
            head('POST', '/webhooks', [
              'Content-Type: application/json',
              chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${100 * mebibyte}`,
            ]),
          );
          pump();
        });
        socket.on('drain', pump);
        socket.on('data', (chunk) => {
          answer += chunk.toString();
          socket.destroy();
        });
        socket.on('error', () => resolve(answer));
        socket.on('close', () => resolve(answer));
      });
    for (const chunked of [false, true]) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => send(chunked)));
      expect(answers.map(statusOf)).toEqual(Array.from({ length: 10 }, () => 413));
    }
    await alive();
    expect((await server.memoryBytes()) - restBytes).toBeLessThan(200 * mebibyte);
  });
});

describe('deep and strange JSON', () => {
  it.each<[string, string, number?]>([
    ['lists 100,000 deep', '['.repeat(100_000)],
    ['lists 100,000 deep, closed', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects 100,000 deep', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
    [
      'a hundred thousand properties',
      `{${Array.from({ length: 100_000 }, (_, index) => `"p${index}":1`).join(',')}}`,
      413,
    ],
    ['a number of a megabyte', `{"threshold":${'9'.repeat(mebibyte)}}`],
    ['a name of five megabytes', `{"name":"${'x'.repeat(5 * mebibyte)}"}`],
    ['five million escapes', `{"name":"${'\\u0041'.repeat(800_000)}"}`],
    ['a list of a million', `{"channels":[${'1,'.repeat(999_999)}1]}`, 413],
    ['quotes and backslashes', `{"name":"${'\\\\'.repeat(500_000)}"`],
  ])('%s is refused quickly', async (_name, body, status = 400) => {
    const startedMs = performance.now();
    for (const path of ['/alerts', '/dashboards']) {
      expect(
        (await http('POST', `${server.url}/api/v2${path}`, { headers: headers(), body })).status,
      ).toBe(status);
    }
    expect(performance.now() - startedMs).toBeLessThan(6000);
    await alive();
  });
});

describe('what is hardly HTTP', () => {
  it.each<[string, () => string | Buffer, number | RegExp]>([
    [
      'three thousand headers',
      () =>
        head(
          'GET',
          '/team',
          Array.from({ length: 3000 }, (_, index) => `X-${index}: ${index}`),
        ),
      431,
    ],
    ['a header of a megabyte', () => head('GET', '/team', [`X-Big: ${'x'.repeat(mebibyte)}`]), 431],
    [
      'a path of a megabyte',
      () => `GET /${'x'.repeat(mebibyte)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      /431|414/,
    ],
    [
      'a length that is no number',
      () => head('POST', '/webhooks', ['Content-Type: application/json', 'Content-Length: ten']),
      400,
    ],
    [
      'two lengths',
      () => head('POST', '/webhooks', ['Content-Length: 2', 'Content-Length: 3']) + '{}',
      400,
    ],
    [
      'a length and chunks (smuggling)',
      () =>
        head('POST', '/webhooks', ['Content-Length: 4', 'Transfer-Encoding: chunked']) +
        '0\r\n\r\nGET /health HTTP/1.1\r\n\r\n',
      400,
    ],
    [
      'a chunk that lies',
      () =>
        head('POST', '/webhooks', [
          'Content-Type: application/json',
          'Transfer-Encoding: chunked',
        ]) + 'zz\r\n',
      400,
    ],
    [
      'a line break within a header',
      () => 'GET /api/v2/team HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n',
      400,
    ],
    ['a TLS greeting', () => Buffer.from('1603010200010001fc0303', 'hex'), 400],
    [
      'noise',
      () => Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 131 + 7) % 256)),
      400,
    ],
    ['HTTP/2 without agreement', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ])('%s is refused', async (_name, bytes, expected) => {
    const answer = await rawHttp(server.port, bytes(), { until: /\r\n\r\n[\s\S]/ });
    expect(String(statusOf(answer))).toMatch(
      new RegExp(`^(?:${expected instanceof RegExp ? expected.source : expected})$`),
    );
    await alive();
  });

  it('a caller that closes its half after the request gets its answer', async () => {
    const answer = await rawHttp(server.port, head('GET', '/team', []), { halfClose: true });
    expect(statusOf(answer)).toBe(200);
    expect(answer).toContain('"data"');
  });

  it('a body that ends early, or never comes, is not waited for beyond the limit', async () => {
    const early = await rawHttp(
      server.port,
      head('POST', '/webhooks', ['Content-Type: application/json', 'Content-Length: 100']) +
        '{"name":',
      { halfClose: true },
    );
    expect([400, NaN]).toContain(statusOf(early));
    const never = await rawHttp(
      server.port,
      head('POST', '/webhooks', ['Content-Type: application/json', 'Content-Length: 100']) +
        '{"name":',
      { timeoutMs: 15_000 },
    );
    expect(statusOf(never)).toBe(408);
    await alive();
  });

  it('connections that are reset in the middle leave nothing behind', async () => {
    for (let round = 0; round < 200; round++) {
      await new Promise<void>((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () => {
          socket.write(head('GET', '/team', []), () => {
            socket.resetAndDestroy();
            resolve();
          });
        });
        socket.on('error', () => resolve());
      });
    }
    await alive();
    expect((await server.memoryBytes()) - restBytes).toBeLessThan(200 * mebibyte);
  });
});

describe('SIGTERM under load', () => {
  it('drops no accepted request and ends within ten seconds', async () => {
    const loaded = await startServerProcess();
    const authorization = { authorization: `Bearer ${loaded.accessKey}` };
    const outcomes = { answered: 0, refused: 0, dropped: [] as string[] };
    const work = async (index: number): Promise<void> => {
      const client = new Client(loaded.url);
      for (;;) {
        try {
          const body = JSON.stringify({
            name: `load ${index} ${performance.now()}`,
            service: 'generic',
            url: 'https://hooks.example.com/',
          });
          const answer = await client.request(
            index % 2 === 0
              ? { method: 'GET', path: '/api/v2/team', headers: authorization }
              : {
                  method: 'POST',
                  path: '/api/v2/webhooks',
                  headers: { ...authorization, 'content-type': 'application/json' },
                  body,
                },
          );
          await answer.body.text();
          if (answer.statusCode !== 200) {
            outcomes.dropped.push(String(answer.statusCode));
          }
          outcomes.answered++;
        } catch (error) {
          const { code } = error as { code?: string };
          if (code === 'ECONNREFUSED') {
            outcomes.refused++;
          } else {
            outcomes.dropped.push(String(error));
          }
          break;
        }
      }
      await client.destroy();
    };
    const load = Array.from({ length: 20 }, (_, index) => work(index));
    await eventually(() => expect(outcomes.answered).toBeGreaterThan(500), 20_000);
    loaded.process.kill('SIGTERM');
    const { code, afterMs } = await loaded.exit;
    await Promise.all(load);
    expect(code).toBe(0);
    expect(afterMs).toBeLessThan(10_000);
    expect(outcomes.dropped).toEqual([]);
    expect(outcomes.refused).toBe(20);
  });
});
