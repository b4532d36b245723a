import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { objectStorageConnector } from '../../src/adapters/connectors/object-storage/object-storage-connector.ts';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { signedRegion } from '../kit/s3-signature.ts';
import { startS3, type S3Peer } from '../kit/s3.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `{"n":${from + index}}\n`).join('');

/**
 * Every name leads to the emulator; each request's host, path, region and signature are checked
 * before it gets there.
 */

let peer: S3Peer;
let world: PipeWorld;
let port: string;
beforeAll(async () => {
  peer = await startS3();
  port = new URL(peer.endpoint).port;
  const regions = {
    [`minio.test:${port}`]: 'garage',
    [`s3.fr-par.known.test:${port}`]: 'fr-par',
  };
  const egress = egressGuard({
    allow: ['127.0.0.1'],
    resolver: (name) =>
      Promise.resolve(
        /\.(?:test|amazonaws\.com|digitaloceanspaces\.com|cloudflarestorage\.com)$/.test(name)
          ? [{ address: '127.0.0.1', family: 4 }]
          : [],
      ),
  });
  world = await pipeWorld({
    egress,
    regions,
    connectors: { ...createConnectors(), objectStorage: objectStorageConnector({ regions }) },
  });
  world.pipes.start();
  await peer.bucket('access');
});
afterEach(() => peer.interfere(undefined));
afterAll(async () => {
  await world?.close();
  await peer?.remove();
});
/**
 * Lets in what is signed for this region (undefined: any) and host, and tells nobody which region
 * that is.
 */
const insist = (
  host: string,
  region: string | undefined,
): { requests: Set<string>; refused: string[] } => {
  const requests = new Set<string>();
  const refused: string[] = [];
  peer.interfere((request, response) => {
    const { method, url = '', headers } = request;
    const signed = signedRegion(request, peer.accessKey.secretKey);
    if (
      signed === undefined ||
      (region !== undefined && signed !== region) ||
      headers.host !== `${host}:${port}`
    ) {
      refused.push(`${method} ${headers.host}${url} signed for ${signed}`);
      response
        .writeHead(403, { 'content-type': 'application/xml' })
        .end(
          method === 'HEAD'
            ? undefined
            : '<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>',
        );
      return true;
    }
    requests.add(
      `${headers['user-agent']?.startsWith('aws-sdk-js') === true ? 'listing' : 'engine'} ${method}`,
    );
    delete headers.authorization;
    headers.host = new URL(peer.direct).host;
    if (host.startsWith('access.')) {
      request.url = `/access${url}`;
    }
    return false;
  });
  return { requests, refused };
};
const pipeOf = (name: string, url: string): object => ({
  source: { objectStorage: { url: `${url}/${name}/*.json`, accessKey: peer.accessKey } },
  destination: {
    database: 'shop',
    table: name,
    columns: [{ name: 'n', type: 'UInt64' }],
    tableDefinition: { sortingKey: ['n'] },
  },
});
const completed = async (id: string): Promise<void> =>
  void (await until(
    'its end',
    async () => {
      const { state, stateMessage } = await world.get(id);
      if (state !== 'Completed') {
        throw new Error(`${state}: ${stateMessage}`);
      }
      return true;
    },
    20_000,
  ));

describe('how an object store is addressed and signed for', () => {
  it.each([
    [
      'virtual_host',
      'access.s3.store.test',
      '',
      'us-east-1',
      "virtual-host style, a service of somebody's own",
    ],
    [
      'path_style',
      's3.store.test',
      '/access',
      'us-east-1',
      "path style, a service of somebody's own",
    ],
    [
      'aws_path',
      's3.eu-west-9.amazonaws.com',
      '/access',
      'eu-west-9',
      'path style, a region of AWS',
    ],
    [
      'aws_host',
      'access.s3.eu-west-9.amazonaws.com',
      '',
      'eu-west-9',
      'virtual-host style, a region of AWS',
    ],
    ['spaces_path', 'fra1.digitaloceanspaces.com', '/access', 'us-east-1', 'path style, Spaces'],
    [
      'named_region',
      'minio.test',
      '/access',
      'garage',
      'a service whose region the operator named',
    ],
    [
      'told_region',
      's3.fr-par.known.test',
      '/access',
      'fr-par',
      'a service whose host tells its region, which the operator named for the engine',
    ],
  ])(
    '%s: both the listing and the engine come to %s%s, signed for %s (%s)',
    async (name, host, path, region) => {
      for (const index of [0, 1, 2]) {
        await peer.put('access', `${name}/a b+${index}.json`, lines(index * 5, index * 5 + 5));
      }
      const { requests, refused } = insist(host, region);
      const pipe = await world.create(pipeOf(name, `http://${host}:${port}${path}`));
      await completed(pipe.id);
      const rows = await world.rows(sql`SELECT count(), sum(n) FROM ${qualified('shop', name)}`);
      expect(rows[0]?.map(Number)).toEqual([15, 105]);
      expect(refused).toEqual([]);
      expect([...requests].sort()).toEqual(
        expect.arrayContaining(['engine GET', 'engine HEAD', 'listing GET']),
      );
    },
  );

  // The engine asks Google's host without the proxy, so that cannot be led here; its address is
  // made in the same way.
  it.each([
    [
      'spaces_host',
      'access.fra1.digitaloceanspaces.com',
      'fra1.digitaloceanspaces.com',
      'us-east-1',
    ],
    [
      'r2_host',
      'access.0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com',
      '0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com',
      undefined,
    ],
  ])(
    '%s: of a bucket in %s, where the engine does not look for one, both ask %s with the bucket in the path',
    async (name, host, service, region) => {
      await peer.put('access', `${name}/a.json`, lines(0, 5));
      await peer.put('access', `${name}.json`, lines(5, 10));
      const { requests, refused } = insist(service, region);
      const pipe = await world.create({
        ...pipeOf(name, `http://${host}:${port}`),
        source: {
          objectStorage: {
            url: `http://${host}:${port}/${name}**.json`,
            accessKey: peer.accessKey,
          },
        },
      });
      await completed(pipe.id);
      expect(
        (await world.rows(sql`SELECT count(), sum(n) FROM ${qualified('shop', name)}`))[0]?.map(
          Number,
        ),
      ).toEqual([10, 45]);
      expect([refused, (await world.metrics(pipe.id)).rows]).toEqual([[], 10]);
      expect([...requests].sort()).toEqual(expect.arrayContaining(['engine GET', 'listing GET']));
    },
  );

  it('if only the engine signs for a region the service refuses, the pipe says what to do', async () => {
    await peer.put('access', 'unknown_region/a.json', lines(0, 5));
    insist('s3.fr-par.store.test', 'fr-par');
    const pipe = await world.create(
      pipeOf('unknown_region', `http://s3.fr-par.store.test:${port}/access`),
    );
    await until(
      'the state',
      async () => {
        const { state, stateMessage } = await world.get(pipe.id);
        if (
          state !== 'Degraded' ||
          stateMessage?.includes('SIGHTLINE_OBJECT_STORAGE_REGIONS') !== true
        ) {
          throw new Error(`${state}: ${stateMessage}`);
        }
        return true;
      },
      20_000,
    );
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
  });
});

describe('a host that is allowed by its name, at an address that is not', () => {
  it('is read all the way through the proxy, samples too', async () => {
    const peer = await startS3();
    const egress = egressGuard({
      allow: ['inside.test'],
      resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    });
    const world = await pipeWorld({ egress, trusted: [] });
    try {
      world.pipes.start();
      await peer.bucket('inside');
      await peer.put('inside', 'a.json', lines(0, 5));
      peer.interfere(({ headers }) => {
        // The emulator takes a name for a bucket, and knows one host.
        delete headers.authorization;
        headers.host = new URL(peer.direct).host;
        return false;
      });
      const pipe = await world.create({
        source: {
          objectStorage: {
            url: `http://inside.test:${new URL(peer.endpoint).port}/inside/*.json`,
            accessKey: peer.accessKey,
          },
          validateSamples: true,
        },
        destination: {
          database: 'shop',
          table: 'inside',
          columns: [{ name: 'n', type: 'UInt64' }],
          tableDefinition: { sortingKey: ['n'] },
        },
      });
      await until('its end', async () => (await world.get(pipe.id)).state === 'Completed', 20_000);
      expect(
        (await world.rows(sql`SELECT count() FROM ${qualified('shop', 'inside')}`))[0]?.[0],
      ).toBe('5');
    } finally {
      await world.close();
      await peer.remove();
    }
  });
});
