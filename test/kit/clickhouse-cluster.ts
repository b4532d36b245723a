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
  close(): Promise<void>;
}

/**
 * Real ClickHouse servers that know each other as the shards of one cluster, over the native
 * protocol. This build of the server has neither `ON CLUSTER` nor replicas.
 */
export async function startCluster(
  shards: number,
  credentials: Credentials = { user: 'default', password: '' },
): Promise<ClickHouseCluster> {
  const name = 'shards';
  const ports: number[] = [];
  while (ports.length < shards) {
    const port = await freePort();
    if (!ports.includes(port)) {
      ports.push(port);
    }
  }
  const configuration = `<remote_servers><${name}>${ports
    .map((port) => shard(port, credentials))
    .join('')}</${name}></remote_servers>`;
  const started = await Promise.allSettled(
    ports.map((port, index) =>
      startClickHouseServer(
        credentials,
        `${configuration}<macros><shard>${index + 1}</shard></macros>`,
        port,
      ),
    ),
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
  return { name, servers, close };
}

const shard = (port: number, { user, password }: Credentials): string =>
  `<shard><replica><host>127.0.0.1</host><port>${port}</port>
    <user>${user}</user><password>${password}</password></replica></shard>`;
