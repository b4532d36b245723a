import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { openClickHouse } from '../../src/adapters/telemetry/clickhouse.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { killPipes, startPipes } from '../crash/pipes-child.ts';
import { makeCertificates } from '../kit/certificates.ts';
import { startClickHouseServer } from '../kit/clickhouse-server.ts';
import { startKinesis, testRegion, type KinesisPeer } from '../kit/kinesis.ts';
import { startSts, type StsPeer } from '../kit/sts.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../pipes/pipe-world.ts';

const caller = { accessKeyId: 'AKIDCALLER', secretKey: 'the secret of the caller' };
const role = 'arn:aws:iam::123456789012:role/reader';

describe('a cloudstream pipe', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-access-'));
  let peer: KinesisPeer;
  let sts: StsPeer;
  let world: PipeWorld;
  beforeAll(async () => {
    [peer, sts] = await Promise.all([startKinesis(), startSts(caller)]);
    world = await pipeWorld({
      connectors: createConnectors({ endpoint: peer.endpoint, stsEndpoint: sts.endpoint }),
    });
    world.pipes.start();
    // The emulator takes any credentials: the line answers as the service does to a key it does not
    // know, or one without its session.
    peer.interfere((_operation, _body, { authorization = '', ...headers }) => {
      const token = sts.issued.get(/Credential=([^/]+)/.exec(authorization)?.[1] ?? '');
      return token !== undefined && headers['x-amz-security-token'] === token
        ? undefined
        : { status: 400, type: 'UnrecognizedClientException' };
    });
  });
  afterAll(async () => {
    await killPipes();
    await world?.close();
    await Promise.all([peer?.remove(), sts?.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const body = (streamName: string, source: object) => ({
    source: { cloudstream: { streamName, region: testRegion, ...source } },
    settings: { streaming_max_insert_wait_ms: 500 },
    destination: { database: 'shop', table: streamName, columns: [{ name: 'id', type: 'UInt64' }] },
  });
  const count = async (table: string): Promise<number> =>
    Number((await world.rows(sql`SELECT count() FROM ${qualified('shop', table)}`))[0]?.[0]);

  it('reads as a role that its access key may assume, and assumes it anew before the credentials end', async () => {
    sts.roles.set(role, { seconds: 302 });
    await peer.createStream('assumed', 1);
    await peer.put('assumed', [{ key: 'k', data: '{"id":1}' }]);
    const pipe = await world.create(body('assumed', { accessKey: caller, iamRole: role }));
    await until('the row', async () => (await count('assumed')) === 1);
    const issued = sts.issued.size;
    expect(issued).toBeGreaterThan(0);
    await until('other credentials', () => Promise.resolve(sts.issued.size > issued));
    await peer.put('assumed', [{ key: 'k', data: '{"id":2}' }]);
    await until('the next row', async () => (await count('assumed')) === 2);
    const output = JSON.stringify([pipe, await world.get(pipe.id), world.logged]);
    for (const secret of [caller.secretKey, 'assumed-secret-', 'session/']) {
      expect(output).not.toContain(secret);
    }
  });

  it.each([
    [
      'a role that it may not assume',
      { accessKey: caller, iamRole: 'arn:aws:iam::123456789012:role/other' },
      'cannot assume the role arn:aws:iam::123456789012:role/other. ' +
        "Allow the pipe's access key, or the server's own identity, in the role's trust policy.",
    ],
    [
      'a key whose secret is wrong',
      { accessKey: { ...caller, secretKey: 'wrong' }, iamRole: role },
      `the service rejected the signature of the role ${role}. Check accessKey.secretKey and the clock of this server.`,
    ],
  ])('fails saying what to do with %s', async (_title, source, reason) => {
    await peer.createStream('refused').catch(() => undefined);
    const pipe = await world.create(body('refused', source));
    const failed = await until('Failed', async () => {
      const now = await world.get(pipe.id);
      return now.state === 'Failed' && now;
    });
    expect(failed.stateMessage).toBe(reason);
  });

  it('reads over TLS from an endpoint whose authority is trusted, and fails where it is not', async () => {
    const { server } = makeCertificates(folder);
    const endpoint = await peer.tlsEndpoint(server);
    await peer.createStream('encrypted', 1);
    await peer.put('encrypted', [{ key: 'k', data: '{"id":1}' }]);
    const clickHouse = await startClickHouseServer();
    // Whom a process trusts is settled when it starts: this one distrusts, the other one does not.
    const open = (): Promise<PipeWorld> =>
      pipeWorld({
        folder,
        clickHouseUrl: clickHouse.url,
        connectors: createConnectors({ endpoint }),
      });
    try {
      const distrusting = await open();
      distrusting.pipes.start();
      const pipe = await distrusting.create(body('encrypted', { accessKey: caller }));
      await until('Failed', async () => (await distrusting.get(pipe.id)).state === 'Failed');
      expect((await distrusting.get(pipe.id)).stateMessage).toBe(
        'the certificate of the stream service is not trusted. Add its CA to NODE_EXTRA_CA_CERTS.',
      );
      await distrusting.pipes.stop();
      await distrusting.call('changePipeState', {
        params: { pipeId: pipe.id },
        body: { command: 'start' },
      });
      await distrusting.close();
      const trusting = await startPipes({
        folder,
        clickHouseUrl: clickHouse.url,
        streamService: endpoint,
        trustedAuthority: join(folder, 'ca.crt'),
      });
      const engine = await openClickHouse({ url: clickHouse.url });
      await until(
        'the row',
        async () =>
          (
            await engine.query(sql`SELECT count() FROM shop.encrypted`, {
              purpose: 'admin',
              timeoutMs: 10_000,
            })
          ).rows[0]?.[0] === '1',
      );
      await engine.close();
      await trusting.end('SIGTERM');
    } finally {
      await clickHouse.close();
    }
  });
});
