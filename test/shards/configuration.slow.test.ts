import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCluster, describeCluster } from '../../src/adapters/telemetry/shards/open-cluster.ts';
import { createLog } from '../../src/adapters/ambient/log.ts';
import { startCluster, type ClickHouseCluster } from '../kit/clickhouse-cluster.ts';
import { startClickHouseServer, type ClickHouseServer } from '../kit/clickhouse-server.ts';
import { Program } from '../kit/program.ts';

const log = createLog({ level: 'silent' });
let cluster: ClickHouseCluster;
let stranger: ClickHouseServer;
let first = '';
let second = '';

beforeAll(async () => {
  cluster = await startCluster(2);
  stranger = await startClickHouseServer(
    { user: 'default', password: '' },
    `<remote_servers><shards><shard><replica><host>127.0.0.1</host><port>1</port></replica></shard>
      <shard><replica><host>127.0.0.1</host><port>2</port></replica></shard></shards></remote_servers>`,
  );
  [first = '', second = ''] = cluster.servers.map(({ url }) => url);
});
afterAll(async () => {
  await cluster?.close();
  await stranger?.close();
});

const refusal = async (urls: string[], clusterName = cluster.name): Promise<string> => {
  const error: unknown = await openCluster({ urls, clusterName, log }).then(
    (telemetry) => telemetry.close(),
    (cause: unknown) => cause,
  );
  return error instanceof Error ? error.message : 'opened';
};

describe('addresses that are not the shards of the cluster', () => {
  test('a shard without an address', async () => {
    expect(await refusal([first])).toMatch(
      /^SIGHTLINE_CLICKHOUSE_URL has no address for shard 2 \(127\.0\.0\.1:\d+\) of the cluster "shards"/,
    );
  });

  test('one server twice', async () => {
    expect(await refusal([first, second, second.replace('127.0.0.1', 'localhost')])).toMatch(
      /are the same shard 2 of the cluster "shards"/,
    );
  });

  test('a cluster that the servers do not have', async () => {
    expect(await refusal([first, second], 'other')).toMatch(
      /^the server at http:\S+ has no cluster "other"; it has .*shards/,
    );
  });

  test('a server of another cluster with the same name', async () => {
    expect(await refusal([first, second, stranger.url])).toMatch(
      /^the servers do not agree on the shards of the cluster "shards": /,
    );
  });

  test('a server that does not answer is a shard that is away; a second one is missing', async () => {
    const nobody = 'http://127.0.0.1:9';
    const telemetry = await openCluster({
      urls: [first, nobody],
      clusterName: cluster.name,
      log,
    });
    await telemetry.ping(5000);
    await telemetry.close();
    expect(await refusal([nobody])).toMatch(/ECONNREFUSED/);
  });
});

test('the shards are described for the doctor', async () => {
  const text = await describeCluster({ urls: [second, first], clusterName: cluster.name });
  expect(text).toBe(
    `cluster "shards" has 2 shards: 1 127.0.0.1:${cluster.nativePorts[0]} at ${first}; ` +
      `2 127.0.0.1:${cluster.nativePorts[1]} at ${second}`,
  );
});

test('doctor shows the shards, and what is wrong with the addresses', async () => {
  const program = new Program({
    SIGHTLINE_CLICKHOUSE_URL: `${first},${second}`,
    SIGHTLINE_CLICKHOUSE_CLUSTER: cluster.name,
  });
  const whole = await program.run('doctor');
  expect(whole.stdout).toContain('cluster "shards" has 2 shards: 1 127.0.0.1:');
  expect(whole.code).toBe(0);
  const { ended } = program.spawn(['doctor'], { SIGHTLINE_CLICKHOUSE_URL: first });
  const partly = await ended;
  expect(partly.stdout).toContain('SIGHTLINE_CLICKHOUSE_URL has no address for shard 2');
  expect(partly.code).toBe(1);
  await program.remove();
});
