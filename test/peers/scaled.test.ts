import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Status } from '../../src/contract/status.ts';
import { startClickHouseServer, type ClickHouseServer } from '../kit/clickhouse-server.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { until } from '../kit/eventually.ts';
import { Program, type Server } from '../kit/program.ts';

const accessKey = 'slp_test_access_key_000000000000000000000000';
const ingestionKey = 'sli_test_ingestion_key_0000000000000000000000';

/** As compose.yaml has it: one PostgreSQL, one ClickHouse, two processes that serve everything. */
describe.skipIf(postgresMissing())('the scaled layout', () => {
  let postgres: PostgresPeer;
  let engine: ClickHouseServer;
  let programs: Program[] = [];
  let servers: Server[] = [];

  beforeAll(async () => {
    [postgres, engine] = await Promise.all([
      startPostgres(),
      startClickHouseServer({ user: 'sightline', password: 'secret' }),
    ]);
    const shared = {
      SIGHTLINE_DATABASE_URL: await postgres.createDatabase(),
      SIGHTLINE_CLICKHOUSE_URL: engine.url.replace('://', '://sightline:secret@'),
      SIGHTLINE_SECRET_KEY: randomBytes(32).toString('base64'),
      SIGHTLINE_BOOTSTRAP_ACCESS_KEY: accessKey,
      SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey,
    };
    programs = [new Program(shared), new Program(shared)];
    servers = await Promise.all(programs.map((program) => program.serve()));
  });
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.remove()));
    await engine?.close();
    await postgres?.remove();
  });

  it('starts both at once on empty stores; each shows what was sent to or created through the other', async () => {
    const [one, other] = servers as [Server, Server];
    expect(servers.filter(({ banner }) => banner.includes('First start'))).toHaveLength(1);
    const call = async (server: Server, method: string, path: string, body?: unknown) => {
      const answer = await fetch(`${server.api}/api/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${accessKey}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      expect([answer.status, path]).toEqual([200, path]);
      return ((await answer.json()) as { data: unknown }).data;
    };
    const now = Date.now();
    const logs = JSON.stringify({
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [{ timeUnixNano: `${now}000000`, body: { stringValue: 'through one' } }],
            },
          ],
        },
      ],
    });
    expect(
      (
        await fetch(`${one.otlpHttp}/v1/logs`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: ingestionKey },
          body: logs,
        })
      ).status,
    ).toBe(200);
    const [source] = (await call(other, 'GET', '/sources')) as [{ id: string }];
    const chart = {
      series: [{ sourceId: source.id, aggFn: 'count', where: '"through one"' }],
      startTime: now - 60_000,
      endTime: now + 60_000,
      granularity: '30d',
    };
    expect(await call(other, 'POST', '/charts/series', chart)).toEqual([
      { ts_bucket: expect.any(Number) as number, 'series_0.data': 1 },
    ]);
    const made = (await call(one, 'POST', '/dashboards', { name: 'Shared' })) as { id: string };
    expect(await call(other, 'GET', `/dashboards/${made.id}`)).toEqual(made);
    await call(other, 'PUT', `/dashboards/${made.id}`, { name: 'Renamed' });
    await until(
      'the first to see the change',
      async () =>
        ((await call(one, 'GET', `/dashboards/${made.id}`)) as { name: string }).name === 'Renamed'
          ? true
          : undefined,
      2000,
    );
  });

  const serverStatus = async ({ api }: Server) => {
    const answer = await fetch(`${api}/api/v2/status`, {
      headers: { authorization: `Bearer ${accessKey}` },
    });
    return Status.parse(((await answer.json()) as { data: unknown }).data).server!;
  };

  it('each says which processes run, and that they share the shards of alerts', async () => {
    for (const server of servers) {
      const { nodes, engines } = await until('a fair share of the shards', async () => {
        const status = await serverStatus(server);
        const shares = status.nodes.map(({ alertShards }) => alertShards.length);
        return shares.join() === '8,8' ? status : undefined;
      });
      expect(nodes.map(({ processId }) => processId).toSorted()).toEqual(
        servers.map(({ child }) => child.pid).toSorted(),
      );
      expect(nodes.flatMap(({ alertShards }) => alertShards).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 16 }, (_, shard) => shard),
      );
      expect(engines).toEqual([
        expect.objectContaining({ errors: [], parts: expect.any(Object) as object }),
      ]);
      expect(JSON.stringify(engines)).not.toContain('secret');
    }
  });

  it('one stops, the other goes on', async () => {
    const [one, other] = servers as [Server, Server];
    expect((await one.stop()).code).toBe(0);
    expect((await fetch(`${other.api}/ready`)).status).toBe(200);
    expect((await serverStatus(other)).nodes.map(({ processId }) => processId)).toEqual([
      other.child.pid,
    ]);
  });
});
