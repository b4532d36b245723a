import { pipeWorld, type PipeWorld, type PipeWorldOptions } from '../pipes/pipe-world.ts';
import { startCluster, type ClickHouseCluster } from './clickhouse-cluster.ts';
import { until } from './eventually.ts';
import { serverAsk, type Sharded } from './sharded.ts';

export interface ShardedPipes extends Pick<Sharded, 'cluster' | 'ask' | 'counts'> {
  world: PipeWorld;
  /** Waits until every shard takes statements again. */
  allPresent(): Promise<unknown>;
  close(): Promise<void>;
}

/** Pipes that run over a real cluster, with the database `shop` on each server. */
export async function startShardedPipes(
  shards: number,
  options: PipeWorldOptions = {},
): Promise<ShardedPipes> {
  const cluster = await startCluster(shards);
  const ask = serverAsk(cluster);
  try {
    const world = await pipeWorld({ cluster: addressOf(cluster), ...options });
    return {
      cluster,
      world,
      ask,
      counts: (table) =>
        Promise.all(
          cluster.servers.map(async (_, shard) =>
            Number(await ask(shard, `SELECT count() FROM ${table}`)),
          ),
        ),
      allPresent: () =>
        until('all shards', () =>
          Promise.resolve(world.telemetry.shards!.present().length === shards),
        ),
      async close() {
        await world.close();
        await cluster.close();
      },
    };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

export const addressOf = ({ name, servers }: ClickHouseCluster) => ({
  urls: servers.map(({ url }) => url),
  clusterName: name,
});
