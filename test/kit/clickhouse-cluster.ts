import {
  freePort,
  startClickHouseServer,
  type ClickHouseServer,
  type Credentials,
} from './clickhouse-server.ts';

export interface ClickHouseCluster {
  /** Its name in `remote_servers` of every server. */
  name: string;
  /** One for each shard, in the order of the shards. */
  servers: readonly ClickHouseServer[];
  /** Their ports of the native protocol. */
  nativePorts: readonly number[];
  /** Makes all servers shards of the cluster, where only some of them were. Restarts them. */
  grow(): Promise<void>;
  close(): Promise<void>;
}

interface ClusterOptions {
  credentials?: Credentials;
  /** How many of the servers are shards at first; absent: all. */
  known?: number;
  /** More elements of the configuration of each server. */
  configuration?: string;
}

/**
 * Real ClickHouse servers that know each other as the shards of one cluster, over the native
 * protocol. This build of the server has neither `ON CLUSTER` nor replicas.
 */
export async function startCluster(
  shards: number,
  {
    credentials = { user: 'default', password: '' },
    known = shards,
    configuration: more = '',
  }: ClusterOptions = {},
): Promise<ClickHouseCluster> {
  const name = 'shards';
  const ports: number[] = [];
  while (ports.length < shards) {
    const port = await freePort();
    if (!ports.includes(port)) {
      ports.push(port);
    }
  }
  const configuration = (count: number): string =>
    `<remote_servers><${name}>${ports
      .slice(0, count)
      .map((port) => shard(port, credentials))
      .join('')}</${name}></remote_servers>${more}`;
  const started = await Promise.allSettled(
    ports.map((port) => startClickHouseServer(credentials, configuration(known), port)),
  );
  const servers = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()));
  };
  const failed = started.find((each) => each.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  const grow = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.reconfigure(configuration(shards))));
  };
  return { name, servers, nativePorts: ports, grow, close };
}

const shard = (port: number, { user, password }: Credentials): string =>
  `<shard><replica><host>127.0.0.1</host><port>${port}</port>
    <user>${user}</user><password>${password}</password></replica></shard>`;
