import type { TelemetryShard } from '../../../ports/telemetry.ts';
import { qualified, sql } from '../../../sql/sql.ts';

export const minuteMs = 60_000;

/** The table with a row for each minute of each pipe, in the database of the service. */
export const minuteTable = 'sightline_pipe_minutes';

export const minuteColumns = [
  'pipe_id',
  'minute',
  'rows',
  'bytes',
  'errors',
  'lag',
  'retained_bytes',
  'oldest_at',
] as const;

/** Rows live a little longer than the day that callers may ask for. */
export async function createMinuteTable(shard: TelemetryShard, database: string): Promise<void> {
  const table = qualified(database, shard.stored(minuteTable));
  await shard.command(
    sql`CREATE TABLE IF NOT EXISTS ${table} (
      pipe_id UUID, minute DateTime('UTC'), rows UInt64, bytes UInt64, errors UInt64,
      lag Nullable(UInt64), retained_bytes Nullable(UInt64), oldest_at Nullable(DateTime64(3, 'UTC'))
    ) ENGINE = ReplacingMergeTree ORDER BY (pipe_id, minute) TTL minute + INTERVAL 25 HOUR`,
    { purpose: 'pipe', tenant: database, timeoutMs: 30_000 },
  );
  shard.forgetColumns(database, shard.stored(minuteTable));
}
