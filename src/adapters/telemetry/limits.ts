import type { QueryLimits } from '../../ports/telemetry.ts';
import { literal } from '../../sql/sql.ts';

/**
 * A part of an answer must never pass for the whole, whatever a server's profile says: a count that
 * stopped early would end an alert that fires.
 */
const whole = {
  timeout_overflow_mode: 'throw',
  read_overflow_mode: 'throw',
  group_by_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  skip_unavailable_shards: '0',
};

/** The engine's settings for a query's limits. Zero means no limit, to the engine too. */
export function limitSettings(limits: QueryLimits): Record<string, string> {
  return {
    max_execution_time: String(Math.max(limits.timeoutMs, 1) / 1000),
    max_rows_to_read: String(limits.maxRowsToRead ?? 0),
    max_result_rows: String(limits.maxResultRows ?? 0),
    ...whole,
    max_memory_usage: String(limits.maxMemoryBytes ?? 0),
    ...(limits.maxThreads === undefined ? {} : { max_threads: String(limits.maxThreads) }),
  };
}

/**
 * `a='1', b='x'`. Every value is quoted, numbers too: a token `0012` bare would be the number 12.
 */
export function settingsClause(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${literal(value).text}`)
    .join(', ');
}
