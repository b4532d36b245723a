import { Fault } from '../../../contract/errors.ts';
import {
  TelemetryError,
  type Purpose,
  type QueryOptions,
  type QueryResult,
  type TakeRows,
  type Telemetry,
  type Value,
} from '../../../ports/telemetry.ts';
import type { Sql } from '../../../sql/sql.ts';
import type { TimeRange } from '../plan/bucket.ts';
import { emitRows } from '../emit/emit-rows.ts';
import { emitGroupings } from '../share/groupings.ts';
import { emitExponentialHistogram, emitSummary } from '../emit/emit-distributions.ts';
import { emitGauge, emitHistogram, emitSum } from '../emit/emit-metrics.ts';
import type { Plan, RowScan, Scan } from '../plan/plan.ts';
import { readExponentialHistograms, readSummaries } from './read-distributions.ts';
import { readHistograms, readRows } from './read-rows.ts';
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
  /** Database of the workspace that asks. */
  tenant: string;
  signal?: AbortSignal | undefined;
  meter?: QueryMeter | undefined;
}

/** What a request learns from its queries, of which there may be several. */
export interface QueryMeter {
  rowsRead: number;
  /** Numbers of shards whose rows the results lack. */
  missingShards: Set<number>;
}

export const newMeter = (): QueryMeter => ({ rowsRead: 0, missingShards: new Set() });

/** Runs one scan over one range and returns its rows. */
export type RunScan = (scan: Scan, range: TimeRange) => Promise<ScanRow[]>;

/** Runs every scan of the plan and merges their results. @throws Fault */
export async function runPlan(plan: Plan, run: RunScan): Promise<SeriesRow[]> {
  const results = await Promise.all(plan.scans.map((scan) => run(scan, plan.range)));
  const rows = seriesRows(plan, results);
  if (rows.length > pointsMax) {
    refuse([{ path: '', message: tooManyPoints }]);
  }
  return rows;
}

/** Runs scans on the engine. */
export interface Engine {
  scan: RunScan;
  /**
   * Scans over the same rows with different groups or buckets, as one statement. `result[n]` belongs
   * to `scans[n]`.
   */
  groupings(scans: readonly RowScan[], range: TimeRange): Promise<ScanRow[][]>;
}

export function engineOf(telemetry: Telemetry, options: RunOptions): Engine {
  const rowsOf = async (scan: Scan, statement: Sql): Promise<Value[][]> => {
    if (statement.text.length > statementMax) {
      refuse([{ path: '', message: tooLong }]);
    }
    const { rows } = await askTable(telemetry, scan, statement, options);
    if (rows.length > pointsMax) {
      refuse([{ path: '', message: tooManyPoints }]);
    }
    return rows;
  };
  return {
    async scan(scan, range) {
      const rows = await rowsOf(scan, emitScan(scan, range));
      return readers[scan.kind](scan, range, rows);
    },
    async groupings(scans, range) {
      const [first] = scans;
      if (!first) {
        return [];
      }
      const { statement, read } = emitGroupings(scans, range, pointsMax);
      return read(await rowsOf(first, statement));
    },
  };
}

/** The engine reads at most 256 KiB of SQL. */
const statementMax = 250_000;
const tooLong =
  'the conditions of this request are too long in total. Use fewer terms or fewer series.';

/** If a column does not exist any more, forgets the columns, so that the next request reads them. */
async function askTable(
  telemetry: Telemetry,
  { table }: Scan,
  statement: Sql,
  options: RunOptions,
): Promise<QueryResult> {
  try {
    return await ask(telemetry, statement, options);
  } catch (error) {
    if (
      error instanceof Fault &&
      error.cause instanceof TelemetryError &&
      error.cause.kind === 'unknown_column'
    ) {
      telemetry.forgetColumns(table.database, table.name);
    }
    throw error;
  }
}

const emitters = {
  gauge: emitGauge,
  sum: emitSum,
  histogram: emitHistogram,
  'exponential histogram': emitExponentialHistogram,
  summary: emitSummary,
};

const readers = {
  rows: readRows,
  gauge: readRows,
  sum: readRows,
  histogram: readHistograms,
  'exponential histogram': readExponentialHistograms,
  summary: readSummaries,
};

/** The SQL statement of a scan. */
export function emitScan(scan: Scan, range: TimeRange): Sql {
  return scan.kind === 'rows'
    ? emitRows(scan, range, pointsMax)
    : emitters[scan.kind](scan, range, pointsMax);
}

/** @throws Fault with a message that a caller may see */
export async function ask(
  telemetry: Telemetry,
  statement: Sql,
  { meter, ...options }: RunOptions,
): Promise<QueryResult> {
  try {
    const result = await telemetry.query(statement, engineOptions(options));
    if (meter) {
      meter.rowsRead += result.rowsRead;
      result.missingShards?.forEach((shard) => meter.missingShards.add(shard));
    }
    return result;
  } catch (error) {
    throw publicFault(error);
  }
}

/** Hands the rows over as they come. @throws Fault with a message that a caller may see */
export async function askStream(
  telemetry: Telemetry,
  statement: Sql,
  options: RunOptions,
  take: TakeRows,
): Promise<void> {
  try {
    await telemetry.stream(statement, engineOptions(options), take);
  } catch (error) {
    throw publicFault(error);
  }
}

const engineOptions = ({
  timeoutMs,
  maxMemoryBytes,
  maxRowsToRead,
  maxThreads,
  purpose,
  tenant,
  signal,
}: RunOptions): QueryOptions => ({
  timeoutMs,
  purpose,
  signal,
  tenant,
  ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }),
  ...(maxRowsToRead === undefined ? {} : { maxRowsToRead }),
  ...(maxThreads === undefined ? {} : { maxThreads }),
});
