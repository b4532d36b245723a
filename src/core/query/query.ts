import type { ChartRequest, DataPoint } from '../../contract/query/chart.ts';
import { invalid, notFound, type Issue } from '../../contract/errors.ts';
import type { ExplainResult } from '../../contract/query/explain.ts';
import type { ExportRequest } from '../../contract/query/export.ts';
import type { FacetRequest, FacetResult } from '../../contract/query/facets.ts';
import type {
  SearchRequest,
  SearchResult,
  SearchRowRequest,
  SearchRowResult,
} from '../../contract/query/search.ts';
import type { TotalsRequest, TotalsResult } from '../../contract/query/totals.ts';
import type { Trace } from '../../contract/query/trace.ts';
import type { Source, SourceField } from '../../contract/source.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { Purpose, QueryResult, Telemetry } from '../../ports/telemetry.ts';
import type { Sql } from '../../sql/sql.ts';
import { bucketMs } from './plan/bucket.ts';
import { cachedRun } from './run/cached-run.ts';
import { emitExport, emitRow, emitSearch } from './emit/emit-search.ts';
import { exportLimit, RowFile, type ExportedFile } from './run/row-file.ts';
import { fieldsOf, type Fields } from './fields/fields.ts';
import type { Plan, Scan } from './plan/plan.ts';
import { planFacets } from './plan/plan-facets.ts';
import { planRow, planSearch } from './plan/plan-search.ts';
import { planTrace, type TraceSource } from './plan/plan-trace.ts';
import { planSeries, tableOf, type SeriesInput, type SeriesRequest } from './plan/plan-series.ts';
import { explain, plansOf } from './run/explain.ts';
import { limitedPoints, totals } from './run/limited.ts';
import { dataPoints, type SeriesRow } from './run/points.ts';
import { refuse } from './run/public-fault.ts';
import { readFacets } from './run/read-facets.ts';
import { ResultCache, type CacheOptions } from './run/result-cache.ts';
import { rollupFits, rollupTable } from './plan/rollup.ts';
import { readPage } from './run/search-page.ts';
import { readTrace } from './run/read-trace.ts';
import { sourceFields } from './fields/source-fields.ts';
import { mainTable } from './fields/source-table.ts';
import { CurrentColumns, noColumns } from './fields/current-columns.ts';
import type { WorkspaceDatabase } from './fields/text-checks.ts';
import {
  ask,
  askStream,
  emitScan,
  runPlan,
  scanRunner,
  type QueryBounds,
  type QueryMeter,
} from './run/run-plan.ts';

export interface QueryOptions {
  telemetry: Telemetry;
  workspaceDatabase: WorkspaceDatabase;
  clock: Clock;
  limits: QueryBounds;
  /** Time limit of an export. Milliseconds, default 600,000. */
  exportTimeoutMs?: number | undefined;
  cache?: CacheOptions | undefined;
}

const firstPart = { kind: 'first' } as const;

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

/** The query engine over one telemetry engine. Every query runs with the rights of its workspace. */
export class Query extends CurrentColumns {
  private readonly limits: QueryBounds;

  private readonly clock: Clock;
  private readonly cache: ResultCache;
  private readonly ingestDelayMs: number;
  private readonly exportTimeoutMs: number;

  constructor(options: QueryOptions) {
    const { telemetry, workspaceDatabase, clock, limits, exportTimeoutMs, cache = {} } = options;
    super(telemetry, workspaceDatabase);
    this.limits = { maxMemoryBytes: defaultMemoryBytes, ...limits };
    this.clock = clock;
    this.cache = new ResultCache(cache.maxBytes ?? 64 * 1024 * 1024, cache.ttlMs ?? 30_000);
    this.ingestDelayMs = cache.ingestDelayMs ?? 5000;
    this.exportTimeoutMs = exportTimeoutMs ?? 600_000;
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
    const { granularity, limit, other } = request;
    const range = { fromMs: request.startTime, toMs: request.endTime };
    const plan = await this.planOf(request, resolveSource, bucketMs(granularity, range));
    return limit === undefined || !plan.grouped
      ? dataPoints(plan, await this.run(plan, context))
      : limitedPoints(plan, { limit, other }, (part) => this.run(part, context));
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
  run(plan: Plan, { purpose = 'chart', signal, meter }: RunContext = {}): Promise<SeriesRow[]> {
    const { tenant } = plan;
    const direct = scanRunner(this.telemetry, { ...this.limits, purpose, tenant, signal, meter });
    const closing = { tenant, nowMs: this.clock.now(), ingestDelayMs: this.ingestDelayMs };
    return runPlan(plan, plan.volatile ? direct : cachedRun(direct, this.cache, closing));
  }

  /** Returns a page of rows. @throws Fault bad_request with every mistake, timeout */
  async search(
    request: SearchRequest,
    source: Source,
    context: AskContext = {},
  ): Promise<SearchResult> {
    return this.withCurrentColumns(source, async (fields) => {
      const plan = planSearch(request, source, fields);
      const run = await this.runner(source, context);
      return readPage(
        plan,
        (part, limit) => run(emitSearch(plan, part, limit)),
        async (row) => (await run(emitRow(plan, plan.content, row))).rows.length > 0,
      );
    });
  }

  /**
   * Writes all rows that match, up to the limit of exports, in the order of a search. `put` gets the
   * file in pieces. @throws Fault as `search`; then the pieces are not the file
   */
  async exportRows(
    request: ExportRequest,
    source: Source,
    put: (text: string) => Promise<void>,
    context: AskContext = {},
  ): Promise<ExportedFile> {
    return this.withCurrentColumns(source, async (fields) => {
      const plan = planSearch({ ...request, limit: exportLimit }, source, fields);
      const file = new RowFile(request.format, plan.columns, put);
      const statement = emitExport(plan, exportLimit + 1);
      const limits = { ...this.limits, timeoutMs: this.exportTimeoutMs };
      const tenant = await this.tenantOf(source);
      const options = { ...limits, purpose: 'export', tenant } as const;
      await askStream(this.telemetry, statement, { ...options, ...context }, (rows, columns) =>
        file.take(rows, columns),
      );
      return file.end();
    });
  }

  /** The statement of a search, and what it would read. @throws Fault as `search` */
  async explainSearch(
    request: SearchRequest,
    source: Source,
    context: AskContext = {},
  ): Promise<ExplainResult> {
    return this.withCurrentColumns(source, async (fields) => {
      const plan = planSearch(request, source, fields);
      const part = plan.cursor ? ({ kind: 'after', row: plan.cursor } as const) : firstPart;
      const statement = emitSearch(plan, part, plan.limit + 1);
      return explain([statement], await this.runner(source, context));
    });
  }

  /** The statements of a chart, and what they would read. @throws Fault as `series` */
  async explainSeries(
    request: ChartRequest,
    resolveSource: ResolveSource,
    context: AskContext = {},
  ): Promise<ExplainResult> {
    const range = { fromMs: request.startTime, toMs: request.endTime };
    const plan = await this.planOf(request, resolveSource, bucketMs(request.granularity, range));
    const scans = plansOf(plan, request.limit).flatMap((one) => one.scans);
    const statements = scans.map((scan) => emitScan(scan, range));
    return explain(statements, this.runnerFor(plan.tenant, context));
  }

  /** One row with all its columns; undefined if it is not stored. @throws Fault */
  async searchRow(
    request: SearchRowRequest,
    source: Source,
    context: AskContext = {},
  ): Promise<SearchRowResult | undefined> {
    return this.withCurrentColumns(source, async (fields) => {
      const plan = planRow(request, source, fields);
      const run = await this.runner(source, context);
      const { columns, rows } = await run(emitRow(plan, plan.columns, plan.row));
      const [values] = rows;
      return (
        values && {
          columns,
          row: {
            ...Object.fromEntries(columns.map(({ name }, index) => [name, values[index] ?? null])),
            _id: request.id,
          },
        }
      );
    });
  }

  /** The most frequent values of fields. @throws Fault bad_request with every mistake, timeout */
  async facets(
    request: FacetRequest,
    source: Source,
    context: AskContext = {},
  ): Promise<FacetResult> {
    return this.withCurrentColumns(source, async (fields) => {
      const plan = planFacets(request, source, fields);
      const total = await this.count(request, source, context);
      return readFacets(plan, total, await this.runner(source, context));
    });
  }

  /** The spans of a trace; undefined if the source has none, or no table yet. @throws Fault */
  async trace(
    { traceId, atMs }: { traceId: string; atMs: number | undefined },
    source: TraceSource,
    context: AskContext = {},
  ): Promise<Trace | undefined> {
    const tenant = await this.tenantOf(source);
    if ((await this.columns(tenant, mainTable(source))).length === 0) {
      return undefined;
    }
    return this.withCurrentColumns(source, async (fields) => {
      const plan = planTrace(source, fields);
      const hasTimes = (await this.columns(tenant, plan.timesTable)).length > 0;
      const run = await this.runner(source, context);
      const trace = await readTrace(plan, { traceId, atMs, hasTimes }, run);
      return trace && { ...trace, sourceId: source.id };
    });
  }

  /** Number of rows that match. */
  private async count(
    { where, whereLanguage, filters, startTime, endTime }: FacetRequest,
    source: Source,
    context: AskContext,
  ): Promise<number> {
    const plan = await this.plan({
      series: [{ source, aggFn: 'count', where, whereLanguage, filters, path: 'count' }],
      groupBy: [],
      range: { fromMs: startTime, toMs: endTime },
      bucketMs: undefined,
      ratio: false,
    });
    const [row] = await this.run(plan, context);
    return row?.values[0] ?? 0;
  }

  /** Columns and attribute keys of a source, with sample values. @throws Fault */
  async fields(source: Source, context: AskContext = {}): Promise<SourceField[]> {
    const fields = await this.sourceColumns(source);
    const table = mainTable(source);
    const run = await this.runner(source, context);
    return sourceFields(source, table, fields, this.clock.now(), async (statement) => {
      const { rows } = await run(statement);
      return rows;
    });
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
  private async runner(source: Source, context: AskContext) {
    return this.runnerFor(await this.tenantOf(source), context);
  }

  private runnerFor(tenant: string, context: AskContext) {
    return (statement: Sql): Promise<QueryResult> =>
      ask(this.telemetry, statement, { ...this.limits, purpose: 'chart', tenant, ...context });
  }
}
