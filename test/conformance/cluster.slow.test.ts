import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCluster, type ClickHouseCluster } from '../kit/clickhouse-cluster.ts';
import { until } from '../kit/eventually.ts';
import { http } from '../kit/http.ts';

/** Facts about real shards that the design of sharded tables stands on (ADR 17). */

let cluster: ClickHouseCluster;

async function ask(shard: number, statement: string, settings: object = {}): Promise<string> {
  const url = new URL(cluster.servers[shard]!.url);
  for (const [name, value] of Object.entries(settings)) {
    url.searchParams.set(name, String(value));
  }
  const { status, text } = await http('POST', url.href, { body: statement });
  if (status !== 200) {
    throw new Error(text);
  }
  return text.trim();
}
const everywhere = async (statement: string): Promise<void> => {
  for (const shard of cluster.servers.keys()) {
    await ask(shard, statement);
  }
};
const count = async (shard: number, table: string, settings: object = {}): Promise<number> =>
  Number(await ask(shard, `SELECT count() FROM ${table}`, settings));
/** Rows by shard, as each server itself counts them. */
const counts = (): Promise<number[]> =>
  Promise.all([...cluster.servers.keys()].map((shard) => count(shard, 'logs_local')));
const block = (from: number, rows: number): string =>
  `SELECT number, 'text' FROM numbers(${from}, ${rows})`;
const quick = { connect_timeout_with_failover_ms: 500, connections_with_failover_max_tries: 1 };

beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster?.close());
beforeEach(async () => {
  await everywhere('DROP TABLE IF EXISTS logs');
  await everywhere('DROP TABLE IF EXISTS logs_local');
  await everywhere(
    `CREATE TABLE logs_local (id UInt64, body String) ENGINE = MergeTree ORDER BY id
     SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1`,
  );
  await everywhere(
    `CREATE TABLE logs AS logs_local
     ENGINE = Distributed('${cluster.name}', default, logs_local, cityHash64(id))`,
  );
});

describe('a table over two servers', () => {
  it('has rows on both, and each server counts all of them over the native protocol', async () => {
    await ask(0, `INSERT INTO logs_local ${block(0, 700)}`);
    await ask(1, `INSERT INTO logs_local ${block(700, 300)}`);
    expect(await counts()).toEqual([700, 300]);
    expect([await count(0, 'logs'), await count(1, 'logs')]).toEqual([1000, 1000]);
    const groups = `SELECT id % 3, count() FROM logs GROUP BY 1 ORDER BY 1`;
    expect(await ask(0, groups)).toBe('0\t334\n1\t333\n2\t333');
    expect(await ask(1, groups)).toBe(await ask(0, groups));
  });

  it('stores a block once that is sent to one local table twice, also after kill -9', async () => {
    const insert = `INSERT INTO logs_local ${block(0, 100)}`;
    const token = { insert_deduplication_token: 'block-1' };
    await ask(1, insert, token);
    await ask(1, insert, token);
    expect(await counts()).toEqual([0, 100]);
    await cluster.servers[1]!.kill();
    await cluster.servers[1]!.restart();
    await ask(1, insert, token);
    expect(await counts()).toEqual([0, 100]);
    // The other shard does not know the token: a retry must go to the same shard.
    await ask(0, insert, token);
    expect(await counts()).toEqual([100, 100]);
  });
});

describe('a token through the Distributed table', () => {
  const token = { insert_deduplication_token: 'block-1', distributed_foreground_insert: 1 };

  it('reaches the shards: a retry that splits the block in the same way stores nothing', async () => {
    const insert = `INSERT INTO logs ${block(0, 100)}`;
    await ask(0, insert, token);
    const first = await counts();
    expect(first[0]! + first[1]!).toBe(100);
    await ask(1, insert, token);
    expect(await counts()).toEqual(first);
  });

  it('loses and repeats rows if the retry splits the block in another way', async () => {
    // The first attempt split by halves and reached one shard only.
    await ask(0, `INSERT INTO logs_local ${block(0, 50)}`, token);
    await everywhere('DROP TABLE logs');
    await everywhere(
      `CREATE TABLE logs AS logs_local
       ENGINE = Distributed('${cluster.name}', default, logs_local, id % 2)`,
    );
    await ask(0, `INSERT INTO logs ${block(0, 100)}`, token);
    expect(await ask(0, 'SELECT count(), uniqExact(id) FROM logs')).toBe('100\t75');
  });
});

describe('a shard that is away', () => {
  beforeEach(async () => {
    await ask(0, `INSERT INTO logs_local ${block(0, 10)}`);
    await ask(1, `INSERT INTO logs_local ${block(10, 5)}`);
  });

  it('killed: a query fails or is partial, as it asks, and is whole after the restart', async () => {
    const [, second] = cluster.servers;
    await second!.kill();
    await expect(count(0, 'logs', quick)).rejects.toThrow('ALL_CONNECTION_TRIES_FAILED');
    expect(await count(0, 'logs', { ...quick, skip_unavailable_shards: 1 })).toBe(10);
    await second!.restart();
    expect(await count(0, 'logs')).toBe(15);
    expect(await count(1, 'logs')).toBe(15);
  });

  it('paused: a query ends at its timeout, and is whole after the shard goes on', async () => {
    const [, second] = cluster.servers;
    await second!.pause();
    try {
      await expect(count(0, 'logs', { ...quick, receive_timeout: 1 })).rejects.toThrow(
        /Timeout|ALL_CONNECTION_TRIES_FAILED/,
      );
    } finally {
      second!.resume();
    }
    await until('all rows', async () => (await count(0, 'logs')) === 15);
  });
});
