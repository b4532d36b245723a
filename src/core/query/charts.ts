import { Fault, invalid, notFound, type Issue } from '../../contract/errors.ts';
import type { BatchResult } from '../../contract/query/batch.ts';
import type { ChartRequest, DataPoint } from '../../contract/query/chart.ts';
import type { ExplainResult } from '../../contract/query/explain.ts';
import type { TotalsRequest, TotalsResult } from '../../contract/query/totals.ts';
import type { Source } from '../../contract/source.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { Purpose, QueryResult, Telemetry } from '../../ports/telemetry.ts';
import type { Sql } from '../../sql/sql.ts';
import { CurrentColumns, noColumns } from './fields/current-columns.ts';
import { fieldsOf, type Fields } from './fields/fields.ts';
import type { WorkspaceDatabase } from './fields/text-checks.ts';
import { bucketMs } from './plan/bucket.ts';
import type { Plan, Scan } from './plan/plan.ts';
import { planSeries, tableOf, type SeriesInput, type SeriesRequest } from './plan/plan-series.ts';
import { rollupFits, rollupTable } from './plan/rollup.ts';
import { cachedRun } from './run/cached-run.ts';
import { explain, plansOf } from './run/explain.ts';
import { limitedPoints, totals } from './run/limited.ts';
import { dataPoints, type SeriesRow } from './run/points.ts';
import { refuse } from './run/public-fault.ts';
import { ResultCache, type CacheOptions } from './run/result-cache.ts';
import {
  ask,
  emitScan,
  engineOf,
  newMeter,
  runPlan,
  type Engine,
  type QueryBounds,
  type QueryMeter,
  type RunScan,
} from './run/run-plan.ts';
import { SharedScans } from './share/shared-scans.ts';

export interface QueryOptions {
  telemetry: Telemetry;
  workspaceDatabase: WorkspaceDatabase;
  clock: Clock;
  limits: QueryBounds;
  /** Time limit of an export. Milliseconds, default 600,000. */
  exportTimeoutMs?: number | undefined;
  cache?: CacheOptions | undefined;
}

/** Memory limit of one query if the limits set none. */
const defaultMemoryBytes = 4 * 1024 ** 3;

/** Finds a source of the caller's workspace. Undefined if there is none with this id. */
export type ResolveSource = (id: string) => Promise<Source | undefined>;

/** Who asks, and what the question costs. */
export interface AskContext {
  signal?: AbortSignal | undefined;
  meter?: QueryMeter | undefined;
}

export interface RunContext extends AskContext {
  purpose?: Purpose;
}

/** A requested series with its source. */
export type SourcedSeries = Omit<SeriesInput, 'fields'>;
export type SourcedRequest = Omit<SeriesRequest, 'series' | 'tenant'> & { series: SourcedSeries[] };

/** One request of a batch, or why it cannot be asked. */
export type BatchedRequest =
  | { type: 'series'; request: ChartRequest }
  | { type: 'totals'; request: TotalsRequest }
  | { type: 'error'; fault: Fault };

type RunPlan = (plan: Plan) => Promise<SeriesRow[]>;

/** Charts over one telemetry engine. Every query runs with the rights of its workspace. */
export class Charts extends CurrentColumns {
  protected readonly limits: QueryBounds;
  protected readonly clock: Clock;
  private readonly cache: ResultCache;
  private readonly ingestDelayMs: number;

  constructor({ telemetry, workspaceDatabase, clock, limits, cache = {} }: QueryOptions) {
    super(telemetry, workspaceDatabase);
    this.limits = { maxMemoryBytes: defaultMemoryBytes, ...limits };
    this.clock = clock;
    this.cache = new ResultCache(cache.maxBytes ?? 64 * 1024 * 1024, cache.ttlMs ?? 30_000);
    this.ingestDelayMs = cache.ingestDelayMs ?? 5000;
  }

  /**
   * Runs a chart request. @throws Fault not_found for an unknown source, bad_request with every
   * mistake, timeout
   */
  async series(
    request: ChartRequest,
    resolveSource: ResolveSource,
    context: AskContext = {},
  ): Promise<DataPoint[]> {
    const plan = await this.planChart(request, resolveSource);
    return pointsOf(plan, request, (part) => this.run(part, context));
  }

  /** Runs a request for totals. @throws Fault as `series` */
  async totals(
    request: TotalsRequest,
    resolveSource: ResolveSource,
    context: AskContext = {},
  ): Promise<TotalsResult> {
    const plan = await this.planOf(request, resolveSource, undefined);
    return totals(plan, request, (part) => this.run(part, context));
  }

  /**
   * Runs many requests in as few scans as possible. A request that fails has its own error. Results
   * are in the order of the requests.
   */
  async batch(
    batched: readonly BatchedRequest[],
    resolveSource: ResolveSource,
    context: AskContext = {},
  ): Promise<BatchResult> {
    const { meter = newMeter() } = context;
    const sources = new Map<string, Promise<Source | undefined>>();
    const resolveOnce: ResolveSource = (id) => {
      const source = sources.get(id) ?? resolveSource(id);
      sources.set(id, source);
      return source;
    };
    const planned = await Promise.all(
      batched.map((one) => ownFault(() => this.planBatched(one, resolveOnce))),
    );
    // All requests ask before the first scan runs, so that they can share it.
    const shared = new Map<string, SharedScans>();
    const run: RunPlan = (plan) => {
      const { tenant } = plan;
      const scans =
        shared.get(tenant) ?? new SharedScans(this.engine(tenant, { ...context, meter }));
      shared.set(tenant, scans);
      return this.runWith(plan, meter, (scan, range) => scans.run(scan, range));
    };
    return Promise.all(
      planned.map(async (one) => ('type' in one ? one : ownFault(() => one.answer(run)))),
    );
  }

  private async planBatched(
    batched: BatchedRequest,
    resolveSource: ResolveSource,
  ): Promise<{ answer: (run: RunPlan) => Promise<BatchResult[number]> }> {
    if (batched.type === 'error') {
      throw batched.fault;
    }
    if (batched.type === 'totals') {
      const { type, request } = batched;
      const plan = await this.planOf(request, resolveSource, undefined);
      return { answer: async (run) => ({ type, totals: await totals(plan, request, run) }) };
    }
    const { type, request } = batched;
    const plan = await this.planChart(request, resolveSource);
    return { answer: async (run) => ({ type, points: await pointsOf(plan, request, run) }) };
  }

  private planChart(request: ChartRequest, resolveSource: ResolveSource): Promise<Plan> {
    const range = { fromMs: request.startTime, toMs: request.endTime };
    return this.planOf(request, resolveSource, bucketMs(request.granularity, range));
  }

  private async planOf(
    request: Pick<ChartRequest, 'series' | 'startTime' | 'endTime' | 'seriesReturnType'>,
    resolveSource: ResolveSource,
    widthMs: number | undefined,
  ): Promise<Plan> {
    const sources = await Promise.all(
      request.series.map(({ sourceId }) => resolveSource(sourceId)),
    );
    const series = request.series.map((requested, index): SourcedSeries => {
      const source = sources[index];
      if (!source) {
        throw notFound(`series.${index}.sourceId: source`);
      }
      return { ...requested, source, path: `series.${index}` };
    });
    return this.plan({
      series,
      groupBy: request.series[0]?.groupBy ?? [],
      range: { fromMs: request.startTime, toMs: request.endTime },
      bucketMs: widthMs,
      ratio: request.seriesReturnType === 'ratio',
    });
  }

  /** Checks a request against the current tables. @throws Fault bad_request with every mistake */
  async plan({ series, groupBy, range, bucketMs: widthMs, ratio }: SourcedRequest): Promise<Plan> {
    const issues: Issue[] = [];
    const withFields: SeriesInput[] = [];
    const [first] = series;
    if (first === undefined) {
      throw invalid([{ path: 'series', message: 'must name at least one series' }]);
    }
    const tenant = await this.tenantOf(first.source);
    for (const each of series) {
      withFields.push({ ...each, fields: await this.fieldsFor(tenant, each, issues) });
    }
    refuse(issues);
    const plan = planSeries({
      tenant,
      series: withFields,
      groupBy,
      range,
      bucketMs: widthMs,
      ratio,
    });
    if ('issues' in plan) {
      throw invalid(plan.issues);
    }
    for (const [index, scan] of plan.scans.entries()) {
      plan.scans[index] = await this.withRollup(scan);
    }
    return plan;
  }

  /** Runs a plan. @throws Fault */
  run(plan: Plan, { purpose = 'chart', ...context }: RunContext = {}): Promise<SeriesRow[]> {
    const { meter = newMeter() } = context;
    const engine = this.engine(plan.tenant, { ...context, meter }, purpose);
    return this.runWith(plan, meter, (scan, range) => engine.scan(scan, range));
  }

  private runWith(plan: Plan, meter: QueryMeter, run: RunScan): Promise<SeriesRow[]> {
    const { tenant, volatile } = plan;
    const closing = {
      tenant,
      nowMs: this.clock.now(),
      ingestDelayMs: this.ingestDelayMs,
      isWhole: () => meter.missingShards.size === 0,
    };
    return runPlan(plan, volatile ? run : cachedRun(run, this.cache, closing));
  }

  private engine(tenant: string, context: AskContext, purpose: Purpose = 'chart'): Engine {
    return engineOf(this.telemetry, { ...this.limits, purpose, tenant, ...context });
  }

  /** The statements of a chart, and what they would read. @throws Fault as `series` */
  async explainSeries(
    request: ChartRequest,
    resolveSource: ResolveSource,
    context: AskContext = {},
  ): Promise<ExplainResult> {
    const plan = await this.planChart(request, resolveSource);
    const scans = plansOf(plan, request.limit).flatMap((one) => one.scans);
    const statements = scans.map((scan) => emitScan(scan, plan.range));
    return explain(statements, this.runnerFor(plan.tenant, context));
  }

  /**
   * Reports that rows from `oldestMs` on were stored. Drops cached results of that time; costs
   * nothing if no row was late.
   */
  inserted(database: string, oldestMs: number): void {
    if (oldestMs < this.clock.now() - this.ingestDelayMs) {
      this.cache.forget(database, oldestMs);
    }
  }

  /** Uses the rollup if it fits. If the engine does not respond, the scan reads the rows. */
  private async withRollup(scan: Scan): Promise<Scan> {
    if (scan.kind !== 'rows' || !rollupFits(scan)) {
      return scan;
    }
    const { database } = scan.table;
    const exactFromMs = await this.telemetry.rollupExactFrom(database).catch(() => undefined);
    if (exactFromMs === undefined) {
      return scan;
    }
    const { table, time, groups, bucketMs, measures } = scan;
    return {
      kind: 'rows',
      table,
      time,
      groups,
      bucketMs,
      measures,
      rollup: { table: { database, name: rollupTable }, exactFromMs },
    };
  }

  private async fieldsFor(tenant: string, series: SourcedSeries, issues: Issue[]): Promise<Fields> {
    const table = tableOf(series);
    const columns = table ? await this.columns(tenant, table) : [];
    if (table && columns.length === 0) {
      const message = noColumns(tenant, series.source);
      issues.push({ path: `${series.path}.sourceId`, message });
    }
    return fieldsOf(columns);
  }

  /** Runs queries with the rights of the source's workspace. */
  protected async runner(source: Source, context: AskContext) {
    return this.runnerFor(await this.tenantOf(source), context);
  }

  protected runnerFor(tenant: string, context: AskContext) {
    return (statement: Sql): Promise<QueryResult> =>
      ask(this.telemetry, statement, { ...this.limits, purpose: 'chart', tenant, ...context });
  }
}

/** The points of a chart, and the groups beyond its limit as one. */
function pointsOf(plan: Plan, { limit, other }: ChartRequest, run: RunPlan): Promise<DataPoint[]> {
  return limit === undefined || !plan.grouped
    ? run(plan).then((rows) => dataPoints(plan, rows))
    : limitedPoints(plan, { limit, other }, run);
}

/** The error of one request of a batch, in place of its result. */
async function ownFault<T>(
  answer: () => Promise<T>,
): Promise<T | Extract<BatchResult[number], { type: 'error' }>> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof Fault)) {
      throw error;
    }
    const { message, code, issues } = error;
    return { type: 'error', error: { message, code, ...(issues && { errors: issues }) } };
  }
}
