import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { EngineClient, type EngineClientOptions } from './engine-client.ts';
import { EngineFailure } from './engine-failure.ts';
import { connectionBroke, engineError } from './engine-errors.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** A client of a server that answers this way. */
async function clientOf(
  answer: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void,
  options: Partial<EngineClientOptions> = {},
  path = '',
): Promise<EngineClient> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) {
      pieces.push(piece as Buffer);
    }
    answer(request, response, Buffer.concat(pieces));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new EngineClient({
    url: new URL(`http://127.0.0.1:${port}${path}`),
    username: 'own',
    password: 'p:w',
    connections: 2,
    ...options,
  });
  closers.push(() => client.close());
  closers.push(() => server.close());
  return client;
}

test('a statement is the body, and its settings are parameters below the path of the address', async () => {
  const client = await clientOf(
    ({ method, url, headers }, response, body) =>
      response.end(JSON.stringify([method, url, headers.authorization, body.toString()])),
    {},
    '/proxy/',
  );
  const settings = { max_threads: '1', readonly: '2' };
  expect(JSON.parse(await client.text({ query: 'SELECT 1', queryId: 'a&b', settings }))).toEqual([
    'POST',
    '/proxy/?max_threads=1&readonly=2&query_id=a%26b',
    `Basic ${Buffer.from('own:p:w').toString('base64')}`,
    'SELECT 1',
  ]);
});

test.each([
  ['one piece', Buffer.from('{"a":1}\n{"a":2}\n')],
  ['several pieces', [Buffer.from('{"a":1}\n'), Buffer.from('{"a":2}\n')]],
])('data in %s comes whole, of known length, behind the statement', async (_, data) => {
  const client = await clientOf(({ url, headers }, response, body) => {
    response.end(JSON.stringify([url, headers['content-length'], body.toString()]));
  });
  const auth = { username: 'other', password: '' };
  expect(JSON.parse(await client.text({ query: 'INSERT INTO t', auth, data }))).toEqual([
    '/?query=INSERT+INTO+t',
    '16',
    '{"a":1}\n{"a":2}\n',
  ]);
});

test('answers and refusals are unzipped', async () => {
  const client = await clientOf(
    ({ url, headers }, response, body) => {
      const isGood = body.toString() === 'good';
      response.writeHead(isGood ? 200 : 404, { 'content-encoding': 'gzip' });
      const refusal = 'Code: 60. DB::Exception: No table. (UNKNOWN_TABLE) (version 26.7.1.1)';
      response.end(gzipSync(isGood ? `${url} ${headers['accept-encoding']}` : refusal));
    },
    { compressed: true },
  );
  expect(await client.text({ query: 'good' })).toBe('/?enable_http_compression=1 gzip');
  await expect(client.text({ query: 'bad' })).rejects.toMatchObject({
    code: 60,
    message: 'Code: 60. DB::Exception: No table. (UNKNOWN_TABLE)',
  });
  await expect(client.stream({ query: 'bad' })).rejects.toBeInstanceOf(EngineFailure);
});

test.each([[false], [true]])(
  'an answer that breaks off is a broken connection (compressed: %s)',
  async (compressed) => {
    const client = await clientOf(
      (_, response) => {
        const part = compressed ? gzipSync('x'.repeat(10_000)).subarray(0, 20) : Buffer.from('x');
        response.writeHead(200, compressed ? { 'content-encoding': 'gzip' } : {});
        response.write(part, () => response.destroy());
      },
      { compressed },
    );
    const error = await client.text({ query: 'SELECT 1' }).catch(engineError);
    expect(error).toMatchObject({ kind: 'unavailable' });
    expect(connectionBroke(error)).toBe(true);
  },
);

test('an abort ends a statement that does not answer', async () => {
  const client = await clientOf(() => {});
  const signal = AbortSignal.timeout(20);
  await expect(client.text({ query: 'SELECT 1', signal })).rejects.toThrow();
  expect(await client.ping(AbortSignal.timeout(20))).toBe(false);
});

test('a closed client has no connection, and an address without a server refuses', async () => {
  const client = await clientOf((_, response) => response.end('Ok.\n'));
  expect(await client.ping(AbortSignal.timeout(5_000))).toBe(true);
  await closers.pop()!();
  await client.close();
  await expect(client.text({ query: 'SELECT 1' })).rejects.toThrow();
});
