import type { ExplainResult } from '../../contract/query/explain.ts';
import type { ExportRequest } from '../../contract/query/export.ts';
import type { FacetRequest, FacetResult } from '../../contract/query/facets.ts';
import type {
  SearchRequest,
  SearchResult,
  SearchRowRequest,
  SearchRowResult,
} from '../../contract/query/search.ts';
import type { Metric, MetricsQuery } from '../../contract/query/metrics.ts';
import type { ServiceMap, ServiceMapRequest } from '../../contract/query/service-map.ts';
import type { Trace } from '../../contract/query/trace.ts';
import type { MetricDataType, Source, SourceField, SourceInput } from '../../contract/source.ts';
import type { SourceCheck, TelemetryTable } from '../../contract/source-check.ts';
import type { SourceTime } from '../../contract/source-times.ts';
import type { Issue } from '../../contract/errors.ts';
import { Charts, type AskContext, type QueryOptions } from './charts.ts';
import { emitExport, emitRow, emitSearch } from './emit/emit-search.ts';
import { fieldsOf } from './fields/fields.ts';
import { joinedFields, sourceFields, type Ask } from './fields/source-fields.ts';
import { mainTable } from './fields/source-table.ts';
import { metricTable } from './plan/metric-series.ts';
import { planFacets } from './plan/plan-facets.ts';
import { planRow, planSearch, type SearchPlan } from './plan/plan-search.ts';
import { planServiceMap } from './plan/plan-service-map.ts';
import { planTrace, type TraceSource } from './plan/plan-trace.ts';
import { explain } from './run/explain.ts';
import type { CountRows } from './run/newest-part.ts';
import { refuse, requireWhole } from './run/public-fault.ts';
import { readFacets } from './run/read-facets.ts';
import { readServiceMap } from './run/read-service-map.ts';
import { readTrace } from './run/read-trace.ts';
import { extentRowsMax, RowCounts } from './run/row-counts.ts';
import { exportLimit, RowFile, type ExportedFile } from './run/row-file.ts';
import { ask, askStream, newMeter } from './run/run-plan.ts';
import { firstParts, readPage } from './run/search-page.ts';
import { asSource, draftIssues, firstOfEachPath, newestRows, tablesOf } from './sources/draft.ts';
import { readLastTimes } from './sources/last-times.ts';
import { metricTableOf, type MetricSource } from './sources/metric-tables.ts';
import { readMetrics, type MetricTables } from './sources/read-metrics.ts';
import { readTables } from './sources/tables.ts';

/** The query engine over one telemetry engine. Every query runs with the rights of its workspace. */
export class Query extends Charts {
  private readonly exportTimeoutMs: number;
  private readonly rowCounts: RowCounts;

  constructor(options: QueryOptions) {
    super(options);
    this.rowCounts = new RowCounts(options.clock);
    this.exportTimeoutMs = options.exportTimeoutMs ?? 600_000;
  }

  /** Returns a page of rows. @throws Fault bad_request with every mistake, timeout */
  async search(
    request: SearchRequest,
    source: Source,
    context: AskContext = {},
  ): Promise<SearchResult> {
    return this.withCurrentColumns(source, async (fields) => {
      const plan = planSearch(request, source, fields);
      const { meter = newMeter() } = context;
      const run = await this.runner(source, { ...context, meter });
      return readPage(plan, {
        read: (part, limit) => run(emitSearch(plan, part, limit)),
        countRows: this.rowCounter(plan, source, context),
        isStored: async (row) => {
          const { rows } = await run(emitRow(plan, plan.content, row));
          requireWhole(meter, rows.length > 0);
          return rows.length > 0;
        },
      });
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

  /** The statements of a search, and what they would read. @throws Fault as `search` */
  async explainSearch(
    request: SearchRequest,
    source: Source,
    context: AskContext = {},
  ): Promise<ExplainResult> {
    return this.withCurrentColumns(source, async (fields) => {
      const plan = planSearch(request, source, fields);
      const parts = await firstParts(plan, this.rowCounter(plan, source, context));
      const statements = parts.map((part) => emitSearch(plan, part, plan.limit + 1));
      return explain(statements, await this.runner(source, context));
    });
  }

  /** Estimates the rows in a range of the table that a search reads. */
  private rowCounter(plan: SearchPlan, source: Source, { signal }: AskContext): CountRows {
    return (range) =>
      this.rowCounts.inRange(plan, range, async (statement) => {
        const tenant = await this.tenantOf(source);
        const limits = { ...this.limits, maxRowsToRead: extentRowsMax };
        return ask(this.telemetry, statement, { ...limits, purpose: 'chart', tenant, signal });
      });
  }

  /** One row with all its columns; undefined if it is not stored. @throws Fault */
  async searchRow(
    request: SearchRowRequest,
    source: Source,
    context: AskContext = {},
  ): Promise<SearchRowResult | undefined> {
    return this.withCurrentColumns(source, async (fields) => {
      const plan = planRow(request, source, fields);
      const { meter = newMeter() } = context;
      const run = await this.runner(source, { ...context, meter });
      const { columns, rows } = await run(emitRow(plan, plan.columns, plan.row));
      const [values] = rows;
      requireWhole(meter, values !== undefined);
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
      const { meter = newMeter() } = context;
      const run = await this.runner(source, { ...context, meter });
      const trace = await readTrace(plan, { traceId, atMs, hasTimes }, run);
      requireWhole(meter, trace !== undefined);
      return trace && { ...trace, sourceId: source.id };
    });
  }

  /** The services of a source and the calls between them. @throws Fault as `search` */
  async serviceMap(
    request: ServiceMapRequest,
    source: TraceSource,
    context: AskContext = {},
  ): Promise<ServiceMap> {
    return this.withCurrentColumns(source, async (fields) =>
      readServiceMap(planServiceMap(request, source, fields), await this.runner(source, context)),
    );
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
    const main = mainTable(source);
    const run = await this.runner(source, context);
    const tenant = await this.tenantOf(source);
    const ask: Ask = async (statement) => (await run(statement)).rows;
    const nowMs = this.clock.now();
    const lists = [await sourceFields(source, main, fields, nowMs, ask)];
    // Each type of metrics has attributes of its own.
    for (const { table } of source.kind === 'metric' ? tablesOf(source) : []) {
      const columns = table.name === main.name ? [] : await this.columns(tenant, table);
      if (columns.length > 0) {
        lists.push(await sourceFields(source, table, fieldsOf(columns), nowMs, ask));
      }
    }
    return joinedFields(lists);
  }

  /** A page of the metrics of a source, and the number of all. @throws Fault */
  async metrics(
    source: MetricSource,
    request: MetricsQuery,
    context: AskContext = {},
  ): Promise<{ metrics: Metric[]; total: number }> {
    const tenant = await this.tenantOf(source);
    const tables: MetricTables = {};
    for (const type of Object.keys(source.metricTables) as MetricDataType[]) {
      const table = metricTable(source, type);
      const columns = table ? await this.columns(tenant, table) : [];
      const listed = table && metricTableOf(source, type, table, fieldsOf(columns));
      if (listed) {
        tables[type] = listed;
      }
    }
    return readMetrics(tables, request, this.runnerFor(tenant, context));
  }

  /** The tables and views of the workspace, with their columns. @throws Fault */
  async tables(workspaceId: string, context: AskContext = {}): Promise<TelemetryTable[]> {
    const database = await this.tenantOf({ team: workspaceId });
    return readTables(database, this.runnerFor(database, context));
  }

  /** When each source of one workspace got its newest row. @throws Fault */
  async lastTimes(sources: readonly Source[], context: AskContext = {}): Promise<SourceTime[]> {
    const [first] = sources;
    if (!first) {
      return [];
    }
    const tenant = await this.tenantOf(first);
    return readLastTimes(sources, {
      fieldsOf: async (table) => {
        const columns = await this.columns(tenant, table);
        return columns.length > 0 ? fieldsOf(columns) : undefined;
      },
      run: this.runnerFor(tenant, context),
    });
  }

  /**
   * Checks a source of the workspace's own database that is not stored, and returns its newest rows.
   * @throws Fault bad_request with every mistake
   */
  async checkDraft(
    draft: SourceInput,
    workspaceId: string,
    context: AskContext = {},
  ): Promise<SourceCheck> {
    const tenant = await this.tenantOf({ team: workspaceId });
    const tables = tablesOf(draft);
    const issues: Issue[] =
      tables.length > 0 ? [] : [{ path: 'metricTables', message: 'must name at least one table' }];
    for (const named of tables) {
      const { database, name } = named.table;
      this.telemetry.forgetColumns(database, name);
      issues.push(...draftIssues(draft, named, await this.columns(tenant, named.table)));
    }
    refuse(firstOfEachPath(issues));
    const source = asSource(draft, workspaceId);
    return newestRows(this.clock.now(), (request) => this.search(request, source, context));
  }
}
