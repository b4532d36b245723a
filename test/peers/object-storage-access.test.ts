import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { objectStorageConnector } from '../../src/adapters/connectors/object-storage/object-storage-connector.ts';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { startSts, type StsPeer } from '../kit/sts.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const caller = { accessKeyId: 'AKIDCALLER', secretKey: 'the secret of the caller' };
const role = 'arn:aws:iam::123456789012:role/reader';
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `{"n":${from + index}}\n`).join('');

const own = {
  AWS_ACCESS_KEY_ID: process.env['AWS_ACCESS_KEY_ID'],
  AWS_SECRET_ACCESS_KEY: process.env['AWS_SECRET_ACCESS_KEY'],
};
/** What `store.test` stands for; only 127.0.0.1 may be reached. */
let storeAddress = '127.0.0.1';
let peer: S3Peer;
let sts: StsPeer;
let world: PipeWorld;
/** At an address that is not allowed: it must never be asked for anything. */
let forbidden: Server;
let forbiddenUrl: string;
const trespasses: string[] = [];
beforeAll(async () => {
  forbidden = createServer((request, response) => {
    trespasses.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    response.end(lines(900, 910));
  });
  // The rights of this program itself.
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: caller.accessKeyId,
    AWS_SECRET_ACCESS_KEY: caller.secretKey,
  });
  [peer, sts] = await Promise.all([startS3(), startSts(caller)]);
  // The port of the line: whoever is led elsewhere by a host name alone stays at it.
  forbiddenUrl = peer.endpoint.replace('127.0.0.1', '127.0.0.2');
  await new Promise<void>((resolve) => {
    forbidden.listen(Number(new URL(forbiddenUrl).port), '127.0.0.2', resolve);
  });
  const egress = egressGuard({
    allow: ['127.0.0.1'],
    resolver: async (name) => {
      const address = { 'store.test': storeAddress, 'inner.test': '127.0.0.2' }[name];
      return address === undefined ? [] : [{ address, family: 4 }];
    },
  });
  world = await pipeWorld({
    egress,
    connectors: {
      ...createConnectors(),
      objectStorage: objectStorageConnector({ stsEndpoint: sts.endpoint }),
    },
  });
  world.pipes.start();
  await peer.bucket('access');
});
afterEach(() => {
  storeAddress = '127.0.0.1';
  peer.interfere(undefined);
});
afterAll(async () => {
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined) {
      delete process.env[name];
    } else {
      process.env[name] = value;
    }
  }
  await world?.close();
  await Promise.all([peer?.remove(), sts?.close()]);
  forbidden?.closeAllConnections();
  forbidden?.close();
});
const pipeOf = (name: string, source: object, settings = {}): object => ({
  source: { objectStorage: { url: `${peer.endpoint}/access/${name}/*.json`, ...source } },
  settings,
  destination: {
    database: 'shop',
    table: name,
    columns: [{ name: 'n', type: 'UInt64' }],
    tableDefinition: { sortingKey: ['n'] },
  },
});
const count = async (table: string): Promise<number> =>
  Number((await world.rows(sql`SELECT count() FROM ${qualified('shop', table)}`))[0]?.[0]);
const failed = (id: string): Promise<string | undefined> =>
  until(
    'Failed',
    async () => {
      const { state, stateMessage } = await world.get(id);
      if (state !== 'Failed') {
        throw new Error(`${state}: ${stateMessage}`);
      }
      return stateMessage ?? '-';
    },
    30_000,
  );

describe('who an object storage pipe is', () => {
  it('as a role both the listing and the engine use its temporary key, which is made anew before it ends', async () => {
    // The listing's client asks anew five minutes before the end, the engine's before each batch
    // that begins in the last half hour.
    sts.roles.set(role, { seconds: 303 });
    const askedWith = { list: new Set<string>(), look: new Set<string>(), read: new Set<string>() };
    peer.interfere(({ method, url = '', headers }, response) => {
      const key = /Credential=([^/]+)/.exec(headers.authorization ?? '')?.[1] ?? 'nobody';
      if (headers['x-amz-security-token'] !== (sts.issued.get(key) ?? '')) {
        response
          .writeHead(403, { 'content-type': 'application/xml' })
          .end('<Error><Code>InvalidAccessKeyId</Code></Error>');
        return true;
      }
      askedWith[requestKind(method, url)].add(key);
      // The emulator knows one key only; who asks without any is let in.
      delete headers.authorization;
      return false;
    });
    await peer.put('access', 'assumed/a.json', lines(0, 10));
    const pipe = await world.create(
      pipeOf(
        'assumed',
        { iamRole: role, isContinuous: true },
        { object_storage_polling_interval_ms: 100 },
      ),
    );
    await until('the first rows', async () => (await count('assumed')) === 10);
    const first = sts.issued.size;
    expect(first).toBeGreaterThan(0);
    await until('a listing with other credentials', () => Promise.resolve(askedWith.list.size > 1));
    await peer.put('access', 'assumed/b.json', lines(10, 20));
    await until('the next rows', async () => (await count('assumed')) === 20);
    for (const keys of Object.values(askedWith)) {
      expect(keys.size).toBeGreaterThan(1);
      for (const key of keys) {
        expect(sts.issued.has(key)).toBe(true);
      }
    }
    const output = JSON.stringify([
      pipe,
      await world.get(pipe.id),
      await world.metrics(pipe.id),
      world.logged,
    ]);
    for (const secret of [caller.secretKey, 'assumed-secret-', 'session/']) {
      expect(output).not.toContain(secret);
    }
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
  });

  it('a role that may not be assumed fails the pipe with what to do', async () => {
    const pipe = await world.create(
      pipeOf('other', { iamRole: 'arn:aws:iam::123456789012:role/other' }),
    );
    expect(await failed(pipe.id)).toBe(
      'cannot assume the role arn:aws:iam::123456789012:role/other. ' +
        "Allow the server's own identity in the role's trust policy.",
    );
  });

  it('without credentials it is nobody, and never uses the rights of the program', async () => {
    const requests: string[] = [];
    peer.interfere(({ method, url = '', headers }) => {
      const isSigned =
        headers.authorization !== undefined ||
        headers['x-amz-security-token'] !== undefined ||
        /X-Amz-(?:Signature|Credential)|AWSAccessKeyId/i.test(url);
      requests.push(`${requestKind(method, url)} ${isSigned ? 'signed' : 'as nobody'}`);
      return false;
    });
    await peer.put('access', 'public/a.json', lines(0, 5));
    await peer.put('access', 'public/b?.json', lines(5, 10));
    const pipe = await world.create(pipeOf('public', {}));
    await until('the rows', async () => (await world.get(pipe.id)).state === 'Completed');
    expect(await count('public')).toBe(10);
    expect([...new Set(requests)].sort()).toEqual([
      'list as nobody',
      'look as nobody',
      'read as nobody',
    ]);
  });
});

describe('where an object storage pipe connects', () => {
  it.each([301, 302, 307, 308])(
    'a redirect (%i) to an address that may not be reached is followed neither by the listing nor by the engine',
    async (status) => {
      const before = trespasses.length;
      for (let index = 0; index < 6; index++) {
        await peer.put('access', `r${status}/${index}.json`, lines(index * 5, index * 5 + 5));
      }
      const { port } = new URL(peer.endpoint);
      let to = '127.0.0.2';
      let what: 'list' | 'engine' = 'list';
      let redirected = 0;
      peer.interfere(({ url = '', headers }, response) => {
        const isEngine = headers['user-agent']?.startsWith('aws-sdk-js') !== true;
        if (!url.includes(`r${status}`) || isEngine !== (what === 'engine')) {
          return false;
        }
        redirected++;
        response
          .writeHead(status, {
            location: `http://${to}:${port}${url}`,
            'x-amz-bucket-region': 'eu-west-1',
            'content-type': 'application/xml',
          })
          .end(
            '<Error><Code>PermanentRedirect</Code><Message>elsewhere</Message>' +
              `<Endpoint>${to}:${port}</Endpoint></Error>`,
          );
        return true;
      });
      const pipe = await world.create(pipeOf(`r${status}`, { accessKey: peer.accessKey }));
      const says = (message: RegExp): Promise<unknown> =>
        until(
          String(message),
          async () => {
            const { state, stateMessage } = await world.get(pipe.id);
            if (redirected === 0 || state !== 'Degraded' || !message.test(stateMessage ?? '')) {
              throw new Error(`${redirected} redirected, ${state}: ${stateMessage}`);
            }
            return true;
          },
          20_000,
        );
      await says(
        /^the object store of the bucket access redirects to another address.* Use the final address/,
      );
      // To an address, and to a name that leads there.
      for (to of ['127.0.0.2', 'inner.test']) {
        [what, redirected] = ['engine', 0];
        await says(/^no object can be fetched: the object store redirects to another address/);
      }
      expect(trespasses.slice(before)).toEqual([]);
      peer.interfere(undefined);
      await until('the rows', async () => (await world.get(pipe.id)).state === 'Completed');
      expect(await count(`r${status}`)).toBe(30);
    },
  );

  it('a forbidden address is refused on creation, and later before each listing and read', async () => {
    await expect(
      world.create(pipeOf('private', { url: `${forbiddenUrl}/access/private/*.json` })),
    ).rejects.toThrow(
      /source\.objectStorage\.url: .*127\.0\.0\.2 is a loopback, private, link-local or reserved address/,
    );
    const { port } = new URL(peer.endpoint);
    for (const moment of ['listing', 'reading'] as const) {
      const name = `moved_${moment}`;
      const leadsAway = moment === 'listing' ? '169.254.169.254' : '127.0.0.2';
      await peer.put('access', `${name}/a.json`, lines(0, 5));
      let moved = false;
      peer.interfere(({ url = '', headers }) => {
        if (moment === 'reading' && !moved && url.includes('list-type')) {
          storeAddress = leadsAway;
        }
        // The emulator takes a name for a bucket.
        headers.host = new URL(peer.direct).host;
        return false;
      });
      const pipe = await world.create(
        pipeOf(name, { url: `http://store.test:${port}/access/${name}/*.json` }),
      );
      if (moment === 'listing') {
        storeAddress = leadsAway;
      }
      expect(await failed(pipe.id)).toBe(
        'store.test resolves to a loopback, private, link-local or reserved address; ' +
          'an operator can allow it with SIGHTLINE_EGRESS_ALLOW',
      );
      [moved, storeAddress] = [true, '127.0.0.1'];
      await world.call('changePipeState', {
        params: { pipeId: pipe.id },
        body: { command: 'start' },
      });
      await until('the rows', async () => (await world.get(pipe.id)).state === 'Completed');
      expect(await count(name)).toBe(5);
    }
    expect(trespasses).toEqual([]);
  });
});

function requestKind(method: string | undefined, url: string): 'list' | 'look' | 'read' {
  if (url.includes('list-type')) {
    return 'list';
  }
  return method === 'HEAD' ? 'look' : 'read';
}
