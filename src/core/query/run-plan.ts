import type { QueryResult, Telemetry, Value, Purpose } from '../../ports/telemetry.ts';
import type { Sql } from '../../sql/sql.ts';
import type { TimeRange } from './bucket.ts';
import { emitRows } from './emit/emit-rows.ts';
import { firstBucketMs } from './emit/emit-time.ts';
import type { Plan, Scan } from './plan.ts';
import { seriesRows, type ScanRow, type SeriesRow } from './points.ts';
import { pointsMax, publicFault, refuse, tooManyPoints } from './public-fault.ts';

export interface QueryBounds {
  timeoutMs: number;
  maxMemoryBytes?: number | undefined;
  maxRowsToRead?: number | undefined;
  maxThreads?: number | undefined;
}

export interface RunOptions extends QueryBounds {
  purpose: Purpose;
  signal?: AbortSignal | undefined;
}

/** Runs one scan over one range and gives its rows. */
export type RunScan = (scan: Scan, range: TimeRange) => Promise<ScanRow[]>;

/** Every scan of the plan, one after the other on the same lane, then side by side. @throws Fault */
export async function runPlan(plan: Plan, run: RunScan): Promise<SeriesRow[]> {
  const found = await Promise.all(plan.scans.map((scan) => run(scan, plan.range)));
  const rows = seriesRows(plan, found);
  if (rows.length > pointsMax) refuse([{ path: '', message: tooManyPoints }]);
  return rows;
}

/** Asks the engine. */
export function scanRunner(telemetry: Telemetry, options: RunOptions): RunScan {
  return async (scan, range) => {
    const result = await ask(telemetry, emitScan(scan, range), options);
    const rows = readRows(scan, range, result.rows);
    if (rows.length > pointsMax) refuse([{ path: '', message: tooManyPoints }]);
    return rows;
  };
}

function emitScan(scan: Scan, range: TimeRange): Sql {
  return emitRows(scan, range, pointsMax);
}

/** @throws Fault that a caller may see. */
export async function ask(telemetry: Telemetry, statement: Sql, { timeoutMs, maxMemoryBytes, maxRowsToRead, maxThreads, purpose, signal }: RunOptions): Promise<QueryResult> {
  try {
    return await telemetry.query(statement, {
      timeoutMs, purpose, signal,
      ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }),
      ...(maxRowsToRead === undefined ? {} : { maxRowsToRead }),
      ...(maxThreads === undefined ? {} : { maxThreads }),
    });
  } catch (error) {
    throw publicFault(error);
  }
}

function readRows(scan: Scan, range: TimeRange, rows: Value[][]): ScanRow[] {
  const { bucketMs, groups, readings } = scan;
  const firstMs = bucketMs === undefined ? range.fromMs : firstBucketMs(bucketMs, range);
  const groupAt = bucketMs === undefined ? 0 : 1;
  const valueAt = groupAt + groups.length;
  return rows.map((row) => ({
    bucketMs: bucketMs === undefined ? firstMs : firstMs + Number(row[0]) * bucketMs,
    group: row.slice(groupAt, valueAt).map(String),
    values: readings.map(({ aggregate }, index) => readValue(row[valueAt + index], aggregate.fn)),
  }));
}

/** Counting nothing is no value: the series has no rows there. */
function readValue(value: Value | undefined, fn: string): number | null {
  if (typeof value !== 'number') return null;
  return value === 0 && (fn === 'count' || fn === 'count_distinct') ? null : value;
}
