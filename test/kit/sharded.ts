import {
  openCluster,
  type ClusterOptions,
} from '../../src/adapters/telemetry/shards/open-cluster.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { startCluster, type ClickHouseCluster } from './clickhouse-cluster.ts';
import { http } from './http.ts';
import { linesOfLog } from './app.ts';

/** Losses are seen soon, and a slow machine is not taken for one. */
export const testTiming = { patienceMs: 200, probeMs: 5_000, retryMs: 100, unansweredMs: 60_000 };

export interface Sharded {
  cluster: ClickHouseCluster;
  telemetry: Telemetry;
  /** Log lines of the telemetry. */
  lines: string[];
  /** Opens the cluster once more, as another process would. */
  open(options?: Partial<ClusterOptions>): Promise<Telemetry>;
  /** Runs a statement on one server, past the telemetry. Shards are counted from 0 here. */
  ask(shard: number, statement: string, settings?: Record<string, string>): Promise<string>;
  /** Rows of a table by shard, as each server itself counts them. */
  counts(table: string): Promise<number[]>;
  close(): Promise<void>;
}

/** The telemetry of a real cluster, whose servers run on this machine. */
export async function openSharded(
  shards: number,
  options: Partial<ClusterOptions> = {},
): Promise<Sharded> {
  const cluster = await startCluster(shards);
  const { log, lines } = linesOfLog();
  const opened: Telemetry[] = [];
  const open = async (more: Partial<ClusterOptions> = {}): Promise<Telemetry> => {
    const telemetry = await openCluster({
      urls: cluster.servers.map(({ url }) => url),
      clusterName: cluster.name,
      log,
      timing: testTiming,
      ...options,
      ...more,
    });
    opened.push(telemetry);
    return telemetry;
  };
  const ask = serverAsk(cluster);
  try {
    const telemetry = await open();
    return {
      cluster,
      telemetry,
      lines,
      open,
      ask,
      counts: (table) =>
        Promise.all(
          cluster.servers.map(async (_, shard) =>
            Number(await ask(shard, `SELECT count() FROM ${table}`)),
          ),
        ),
      async close() {
        await Promise.all(opened.map((each) => each.close()));
        await cluster.close();
      },
    };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

export function serverAsk({ servers }: ClickHouseCluster): Sharded['ask'] {
  return async (shard, statement, settings = {}) => {
    const url = new URL(servers[shard]!.url);
    for (const [name, value] of Object.entries(settings)) {
      url.searchParams.set(name, value);
    }
    const { status, text } = await http('POST', url.href, { body: statement });
    if (status !== 200) {
      throw new Error(text);
    }
    return text.trim();
  };
}

/** A block of log records, one a second from a minute on. */
export function logBlock(service: string, rows: number, startSeconds = 1_767_225_600) {
  const lines = Array.from({ length: rows }, (_, index) =>
    JSON.stringify({
      Timestamp: `${startSeconds + index}.000000000`,
      ServiceName: service,
      Body: `${service} ${index}`,
      SeverityText: 'INFO',
    }),
  );
  return {
    format: 'JSONEachRow' as const,
    columns: ['Timestamp', 'ServiceName', 'Body', 'SeverityText'],
    data: Buffer.from(`${lines.join('\n')}\n`),
    rows,
  };
}
