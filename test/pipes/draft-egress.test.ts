import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import { pipeDrafts } from './pipe-drafts.ts';
import { pipeWorld, type PipeWorld } from './pipe-world.ts';

/** Where a look at a source may connect: the addresses are those that a pipe may use. */

const credentials = { username: 'reader', password: 'egress-secret-word' };
const accessKey = { accessKeyId: 'AKID', secretKey: 'egress-secret-word' };
let world: PipeWorld;
/** Redirects to an address inside, where another server waits. */
let outside: Server;
let inside: Server;
let [outsidePort, insidePort] = [0, 0];
let reached = 0;
let lookups = 0;
beforeAll(async () => {
  inside = createServer((_, response) => void response.end('{}'));
  inside.on('connection', () => reached++);
  insidePort = await listening(inside, '127.0.0.2');
  outside = createServer((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.2:${insidePort}/` }).end();
  });
  outsidePort = await listening(outside, '127.0.0.1');
  // The name moves inside after the first question.
  const resolver = () =>
    Promise.resolve([{ address: lookups++ === 0 ? '8.8.8.8' : '127.0.0.2', family: 4 as const }]);
  world = await pipeWorld({ egress: egressGuard({ allow: ['127.0.0.1'], resolver }) });
});
afterAll(async () => {
  await world?.close();
  outside?.close();
  inside?.close();
});
async function listening(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

const host = 'moves.example';
const sources = (address: string): [kind: string, source: object, path: string][] => [
  ['kafka', { brokers: address, authentication: 'PLAIN', credentials }, 'brokers'],
  [
    'postgres',
    { host, port: Number(address.split(':')[1]), database: 'shop', credentials },
    'host',
  ],
  ['objectStorage', { url: `http://${address}/bucket/*.json`, accessKey }, 'url'],
];

describe('a look at a source', () => {
  it.each(['kafka', 'postgres', 'objectStorage'])(
    'connects to no address inside, although the name was outside when it was checked: %s',
    async (kind) => {
      const [, source = {}, path] =
        sources(`${host}:${insidePort}`).find(([name]) => name === kind) ?? [];
      const drafts = pipeDrafts(() => world, kind);
      for (const look of [drafts.check, drafts.list]) {
        lookups = 0;
        const { ok, issues } = await look({ ...source });
        expect([ok, issues]).toEqual([
          false,
          [
            {
              path: `source.${kind}.${path}`,
              reason: 'address_refused',
              message: expect.stringMatching(/moves\.example resolves to a .*private/),
            },
          ],
        ]);
        expect(lookups).toBeGreaterThan(1);
      }
      expect(reached).toBe(0);
    },
  );

  it('follows no redirect', async () => {
    const url = `http://127.0.0.1:${outsidePort}`;
    const bucket = await pipeDrafts(() => world, 'objectStorage').check({
      url: `${url}/bucket/*.json`,
      accessKey,
    });
    expect(bucket.issues).toEqual([
      {
        path: 'source.objectStorage.url',
        reason: 'address_refused',
        message: expect.stringMatching(/the server follows no redirect\. Use the final address/),
      },
    ]);
    expect(reached).toBe(0);
    expect(world.logged.join('\n')).not.toContain('egress-secret-word');
  });
});
