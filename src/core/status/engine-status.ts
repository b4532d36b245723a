import type { EngineStatus } from '../../contract/status.ts';
import {
  ShardAway,
  TelemetryError,
  type Telemetry,
  type TelemetryShard,
  type Value,
} from '../../ports/telemetry.ts';
import { sql, type Sql } from '../../sql/sql.ts';

const timeoutMs = 5000;
/** Object storage tells a size beyond every disk. */
const largestDiskBytes = 2 ** 60;

const disks = sql`SELECT name, toFloat64(free_space), toFloat64(total_space) FROM system.disks
ORDER BY name`;
const usedMemory = sql`SELECT toFloat64(value) FROM system.metrics WHERE metric = 'MemoryTracking'`;
const memoryLimit = sql`SELECT toFloat64OrZero(value) FROM system.server_settings
WHERE name = 'max_server_memory_usage'`;
const activeParts = sql`SELECT toFloat64(sum(parts)), toFloat64(max(parts)) FROM (
  SELECT count() AS parts FROM system.parts WHERE active GROUP BY database, table, partition_id
)`;
const detachedParts = sql`SELECT toFloat64(countIf(reason LIKE 'broken%')), toFloat64(count())
FROM system.detached_parts`;

type Ask = (statement: Sql) => Promise<Value[][]>;

/** The engines as they are now. One that does not respond, or refuses to tell, says so. */
export async function engineStatuses(telemetry: Telemetry): Promise<EngineStatus[]> {
  const { shards } = telemetry;
  if (!shards) {
    return [await engineStatus(telemetry, null)];
  }
  const present = await Promise.all(
    shards.present().map((shard) => engineStatus(shard, shard.name)),
  );
  try {
    shards.all();
    return present;
  } catch (error) {
    return [...present, { errors: [reasonOf(error)] }];
  }
}

async function engineStatus(
  engine: Pick<TelemetryShard, 'query'>,
  shard: string | null,
): Promise<EngineStatus> {
  const ask: Ask = async (statement) =>
    (await engine.query(statement, { purpose: 'admin', timeoutMs })).rows;
  const [diskFigures, memory, parts] = await Promise.allSettled([
    disksOf(ask),
    memoryOf(ask),
    partsOf(ask),
  ]);
  const failed = [diskFigures, memory, parts].flatMap((outcome) =>
    outcome.status === 'rejected' ? [reasonOf(outcome.reason)] : [],
  );
  return {
    ...(shard !== null && { shard }),
    ...(diskFigures.status === 'fulfilled' && { disks: diskFigures.value }),
    ...(memory.status === 'fulfilled' && { memory: memory.value }),
    ...(parts.status === 'fulfilled' && { parts: parts.value }),
    errors: [...new Set(failed)],
  };
}

async function disksOf(ask: Ask): Promise<NonNullable<EngineStatus['disks']>> {
  return (await ask(disks))
    .map(([name, free, total]) => ({
      name: String(name),
      freeBytes: Number(free),
      totalBytes: Number(total),
    }))
    .filter(({ totalBytes }) => totalBytes > 0 && totalBytes < largestDiskBytes);
}

async function memoryOf(ask: Ask): Promise<NonNullable<EngineStatus['memory']>> {
  const [used, limit] = await Promise.all([ask(usedMemory), ask(memoryLimit)]);
  const limitBytes = Number(limit[0]?.[0] ?? 0);
  return {
    // The engine's own count can be below zero for a moment.
    usedBytes: Math.max(0, Number(used[0]?.[0] ?? 0)),
    ...(limitBytes > 0 && { limitBytes }),
  };
}

async function partsOf(ask: Ask): Promise<NonNullable<EngineStatus['parts']>> {
  const [active, detached] = await Promise.all([ask(activeParts), ask(detachedParts)]);
  const [broken, all] = (detached[0] ?? []).map(Number);
  return {
    active: Number(active[0]?.[0] ?? 0),
    mostInPartition: Number(active[0]?.[1] ?? 0),
    broken: broken ?? 0,
    detached: (all ?? 0) - (broken ?? 0),
  };
}

/** In our own words: the engine's text may hold names of another team. */
function reasonOf(error: unknown): string {
  if (error instanceof ShardAway) {
    return `${error.message}. Start the server, or check its network.`;
  }
  if (error instanceof TelemetryError && error.kind === 'denied') {
    return 'The ClickHouse user of Sightline may not read the system tables. Grant it SELECT ON system.*.';
  }
  if (error instanceof TelemetryError && error.kind !== 'other') {
    return 'The telemetry engine does not respond. See the log of the server.';
  }
  return 'The telemetry engine could not answer. See the log of the server.';
}
