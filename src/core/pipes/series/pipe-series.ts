import { invalid } from '../../../contract/errors.ts';
import type { PipeMetricsPoint, PipeMetricsQuery } from '../../../contract/pipe/pipe-reports.ts';
import { TelemetryError, type Telemetry, type TelemetryShard } from '../../../ports/telemetry.ts';
import { qualified, sql } from '../../../sql/sql.ts';
import { shardsOf } from '../tables/shards.ts';
import { minuteTable } from './minute-table.ts';

const dayMs = 86_400_000;

export interface TimeRange {
  fromMs: number;
  toMs: number;
}

/** @throws Fault `bad_request` */
export function seriesRange({ from, to }: PipeMetricsQuery, nowMs: number): TimeRange | undefined {
  if (from === undefined) {
    if (to !== undefined) {
      throw invalid([{ path: 'from', message: 'is required with to' }]);
    }
    return undefined;
  }
  const range = { fromMs: Date.parse(from), toMs: to === undefined ? nowMs : Date.parse(to) };
  if (range.fromMs >= range.toMs) {
    const message = to === undefined ? 'must be in the past' : 'must be before to';
    throw invalid([{ path: 'from', message }]);
  }
  if (range.toMs - range.fromMs > dayMs) {
    throw invalid([{ path: 'from', message: 'must be at most 24 hours before to' }]);
  }
  return range;
}

export interface SeriesOf {
  database: string;
  pipeId: string;
  range: TimeRange;
  signal: AbortSignal | undefined;
}

/** The figures of each minute in which the pipe ran. */
export async function pipeSeries(
  { telemetry }: { telemetry: Telemetry },
  of: SeriesOf,
): Promise<PipeMetricsPoint[]> {
  const points = new Map<string, PipeMetricsPoint>();
  for (const shard of shardsOf(telemetry).present()) {
    for (const point of await pointsOn(shard, of)) {
      points.set(point.at, point);
    }
  }
  return [...points.values()].toSorted((one, other) => (one.at < other.at ? -1 : 1));
}

async function pointsOn(
  shard: TelemetryShard,
  { database, pipeId, range: { fromMs, toMs }, signal }: SeriesOf,
): Promise<PipeMetricsPoint[]> {
  try {
    const { rows } = await shard.query(
      sql`SELECT toUnixTimestamp(minute), toFloat64(rows), toFloat64(bytes), toFloat64(errors),
          toFloat64(lag), toFloat64(retained_bytes), toUnixTimestamp64Milli(oldest_at)
        FROM ${qualified(database, shard.stored(minuteTable))} FINAL
        WHERE pipe_id = toUUID(${pipeId}) AND minute >= toDateTime(${Math.ceil(fromMs / 1000)})
          AND minute < toDateTime(${Math.ceil(toMs / 1000)})
        ORDER BY minute`,
      { purpose: 'pipe', tenant: database, timeoutMs: 20_000, signal },
    );
    return rows.map(([minute, stored, bytes, errors, lag, retained, oldest]) => ({
      at: iso(Number(minute) * 1000),
      rows: Number(stored),
      bytes: Number(bytes),
      errors: Number(errors),
      lag: lag === null ? null : Number(lag),
      retainedBytes: retained === null ? null : Number(retained),
      oldestUnprocessedAt: oldest === null ? null : iso(Number(oldest)),
    }));
  } catch (error) {
    // No pipe of the service has run on this shard yet.
    if (error instanceof TelemetryError && error.kind === 'unknown_table') {
      return [];
    }
    throw error;
  }
}

const iso = (ms: number): string => new Date(ms).toISOString();
