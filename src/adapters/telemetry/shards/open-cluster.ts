import type { Log } from '../../../ports/ambient.ts';
import { TelemetryError, type Telemetry } from '../../../ports/telemetry.ts';
import { openClickHouse, serverConnection, type ClickHouseOptions } from '../clickhouse.ts';
import { engineError } from '../engine-errors.ts';
import { EngineTelemetry } from '../engine-telemetry.ts';
import { HttpEngine } from '../http-engine.ts';
import { ownShard, readLayout, type ClusterLayout } from './cluster-layout.ts';
import { ShardedTelemetry } from './sharded-telemetry.ts';
import { defaultTiming, Shards, type Shard, type ShardServer, type ShardTiming } from './shards.ts';

export interface ClusterOptions extends Omit<ClickHouseOptions, 'url' | 'clusterName'> {
  /** An address of each shard: `http(s)://[user[:password]@]host[:port][/path]`. */
  urls: readonly string[];
  clusterName: string;
  log: Log;
  timing?: Partial<ShardTiming>;
}

/**
 * Connects to a ClickHouse cluster. If it has one shard, its tables are replicated and one address is
 * enough.
 * @throws TelemetryError if no server answers, or if the addresses are not the shards of the cluster
 */
export async function openCluster(options: ClusterOptions): Promise<Telemetry> {
  const { urls, clusterName, log, timing, users, ...rest } = options;
  const servers = urls.map((url) => shardServer({ ...rest, url, isShard: true, users }));
  const close = () => Promise.all(servers.map(({ telemetry }) => telemetry.close(0)));
  let layout: ClusterLayout<ShardServer>;
  try {
    layout = await readLayout(servers, clusterName);
    requireSupport(layout, clusterName);
  } catch (error) {
    await close();
    throw error;
  }
  if (layout.shards.length === 1) {
    await close();
    const [url = ''] = urls;
    return openClickHouse({ ...rest, url, clusterName, users });
  }
  warnOfVersions(layout, log);
  const shards = layout.shards.map(({ number, name, server }): Shard => ({
    number,
    name,
    server,
    away: server ? undefined : 'did not answer at the start',
  }));
  for (const { number, name, away } of shards) {
    if (away !== undefined) {
      log.warn({ shard: number, name }, 'shard does not respond');
    }
  }
  return new ShardedTelemetry(
    clusterName,
    (prepare) =>
      new Shards({
        shards,
        log,
        timing: { ...defaultTiming, ...timing },
        prepare,
        locate: ({ number }) => locate(number, layout.silent, clusterName),
      }),
  );
}

/** One line for each shard, and what does not fit. For a person. */
export async function describeCluster({
  urls,
  clusterName,
}: Pick<ClusterOptions, 'urls' | 'clusterName'>): Promise<string> {
  const servers = urls.map((url) => shardServer({ url }));
  try {
    const layout = await readLayout(servers, clusterName);
    requireSupport(layout, clusterName);
    const { shards, versions } = layout;
    const away = shards.filter(({ server }) => server === undefined);
    const list = shards
      .map(
        ({ number, name, server }) =>
          `${number} ${name} ${server ? `at ${server.label}` : 'does not respond'}`,
      )
      .join('; ');
    const text = `cluster "${clusterName}" has ${shards.length} ${shards.length === 1 ? 'shard' : 'shards'}: ${list}`;
    if (away.length > 0) {
      throw new TelemetryError('unavailable', `${text}. Start the servers that do not respond.`);
    }
    if (versions.length > 1) {
      throw new TelemetryError('other', `${text}. ${versionsText(versions)}`);
    }
    return text;
  } finally {
    await Promise.all(servers.map(({ telemetry }) => telemetry.close(0)));
  }
}

function shardServer(options: ClickHouseOptions): ShardServer {
  const { endpoint, limits } = serverConnection(options);
  const closeWaitMs = options.closeWaitMs ?? 3_000;
  const engine = new HttpEngine({ endpoint, limits, closeWaitMs });
  return {
    label: new URL(options.url).origin,
    telemetry: new EngineTelemetry(engine, options, options.rollupCheck),
    async ask(query, timeoutMs) {
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        return await endpoint.client.text({ query, signal });
      } catch (error) {
        throw engineError(error);
      }
    },
  };
}

async function locate(
  number: number,
  silent: readonly ShardServer[],
  cluster: string,
): Promise<ShardServer | undefined> {
  for (const server of silent) {
    const own = await ownShard(server, cluster).catch(() => undefined);
    if (own === number) {
      return server;
    }
  }
  return undefined;
}

function requireSupport({ shards, hasReplicas }: ClusterLayout, cluster: string): void {
  if (shards.length > 1 && hasReplicas) {
    throw new TelemetryError(
      'other',
      `the cluster "${cluster}" has ${shards.length} shards with replicas. ` +
        'Sightline supports several shards without replicas, or one shard with replicas.',
    );
  }
}

function warnOfVersions({ versions }: ClusterLayout, log: Log): void {
  if (versions.length > 1) {
    log.warn({ versions }, 'the servers of the cluster have different versions');
  }
}

const versionsText = (versions: readonly string[]): string =>
  `The servers have different versions (${versions.join(', ')}). Update them to the same version.`;
