import type { QueryLimits } from '../../ports/telemetry.ts';
import { literal } from '../../sql/sql.ts';

/** The engine's settings for a query's limits. Zero means no limit, to the engine too. */
export function limitSettings(limits: QueryLimits): Record<string, string> {
  return {
    max_execution_time: String(Math.max(limits.timeoutMs, 1) / 1000),
    max_rows_to_read: String(limits.maxRowsToRead ?? 0),
    max_result_rows: String(limits.maxResultRows ?? 0),
    result_overflow_mode: 'throw',
    max_memory_usage: String(limits.maxMemoryBytes ?? 0),
    ...(limits.maxThreads === undefined ? {} : { max_threads: String(limits.maxThreads) }),
  };
}

/** `a='1', b='x'`. Every value is quoted, numbers too: a token `0012` bare would be the number 12. */
export function settingsClause(settings: Record<string, string>): string {
  return Object.entries(settings).map(([name, value]) => `${name}=${literal(value).text}`).join(', ');
}
