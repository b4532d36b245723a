import type { ChartRequest, DataPoint } from '../../contract/chart.ts';
import { Fault, invalid, notFound, type Issue } from '../../contract/errors.ts';
import type { WhereLanguage } from '../../contract/common.ts';
import type { SearchRequest, SearchResult } from '../../contract/search.ts';
import type { MetricDataType, Source, SourceField, SourceInput } from '../../contract/source.ts';
import type { Clock } from '../../ports/ambient.ts';
import {
  TelemetryError,
  type Column,
  type Purpose,
  type QueryResult,
  type Telemetry,
} from '../../ports/telemetry.ts';
import type { Sql } from '../../sql/sql.ts';
import { bucketMs } from './bucket.ts';
import { cachedRun } from './cached-run.ts';
import { conditionIssues, expressionIssues, sourceIssues } from './check.ts';
import { emitSearch } from './emit/emit-search.ts';
import { anyField, fieldsOf, type Fields } from './fields.ts';
import type { Plan, Scan, Table } from './plan.ts';
import { planSearch } from './plan-search.ts';
import { planSeries, tableOf, type SeriesInput, type SeriesRequest } from './plan-series.ts';
import { dataPoints, type SeriesRow } from './points.ts';
import { publicFault, refuse } from './public-fault.ts';
import { ResultCache } from './result-cache.ts';
import { rollupFits, rollupTable } from './rollup.ts';
import { searchPage } from './search-page.ts';
import { sourceFields } from './source-fields.ts';
import { WrittenTextCheck, type WrittenText } from './written-text.ts';
import { ask, runPlan, scanRunner, type QueryBounds } from './run-plan.ts';

export interface QueryOptions {
  telemetry: Telemetry;
  clock: Clock;
  limits: QueryBounds;
  cache?: CacheOptions | undefined;
}

export interface CacheOptions {
  /** 0 turns the cache off. 64 MiB where absent. */
  maxBytes?: number | undefined;
  /** How long a kept result may be out of date when rows arrived late past this process. 30 s where absent. */
  ttlMs?: number | undefined;
  /** How long after its end a bucket may still get rows in the ordinary way. 5 s where absent. */
  ingestDelayMs?: number | undefined;
}

/** Of one query, where the limits name none. */
const defaultMemoryBytes = 4 * 1024 ** 3;

/** Finds a source of the workspace that asks; undefined where there is none with this id. */
export type ResolveSource = (id: string) => Promise<Source | undefined>;

export interface RunContext {
  purpose?: Purpose;
  signal?: AbortSignal | undefined;
}

/** A series of a request whose source has been found. */
export type SourcedSeries = Omit<SeriesInput, 'fields'>;
export type SourcedRequest = Omit<SeriesRequest, 'series'> & { series: SourcedSeries[] };

/** The query engine over one telemetry engine. */
export class Query {
  private readonly telemetry: Telemetry;
  private readonly limits: QueryBounds;

  private readonly clock: Clock;
  private readonly cache: ResultCache;
  private readonly ingestDelayMs: number;

  constructor({ telemetry, clock, limits, cache = {} }: QueryOptions) {
    this.telemetry = telemetry;
    this.limits = { maxMemoryBytes: defaultMemoryBytes, ...limits };
    this.clock = clock;
    this.cache = new ResultCache(cache.maxBytes ?? 64 * 1024 * 1024, cache.ttlMs ?? 30_000);
    this.ingestDelayMs = cache.ingestDelayMs ?? 5000;
  }

  /** A chart request. @throws Fault not_found for an unknown source, bad_request naming every mistake, timeout. */
  async series(
    request: ChartRequest,
    resolveSource: ResolveSource,
    signal?: AbortSignal,
  ): Promise<DataPoint[]> {
    const range = { fromMs: request.startTime, toMs: request.endTime };
    const sources = await Promise.all(
      request.series.map(({ sourceId }) => resolveSource(sourceId)),
    );
    const series = request.series.map((asked, index): SourcedSeries => {
      const source = sources[index];
      if (!source) {
        throw notFound(`series.${index}.sourceId: source`);
      }
      return { ...asked, source, path: `series.${index}` };
    });
    const plan = await this.plan({
      series,
      groupBy: request.series[0]!.groupBy,
      range,
      bucketMs: bucketMs(request.granularity, range),
      ratio: request.seriesReturnType === 'ratio',
    });
    return dataPoints(plan, await this.run(plan, { signal }));
  }

  /** Checks a request against the tables as they are now. @throws Fault bad_request naming every mistake. */
  async plan({ series, groupBy, range, bucketMs: widthMs, ratio }: SourcedRequest): Promise<Plan> {
    const issues: Issue[] = [];
    const withFields: SeriesInput[] = [];
    for (const one of series) {
      const {
        source,
        aggFn,
        field,
        level,
        where,
        whereLanguage,
        metricName,
        metricDataType,
        path,
      } = one;
      withFields.push({
        source,
        fields: await this.fieldsFor(one, issues),
        aggFn,
        field,
        level,
        where,
        whereLanguage,
        metricName,
        metricDataType,
        path,
      });
    }
    refuse(issues);
    const plan = planSeries({ series: withFields, groupBy, range, bucketMs: widthMs, ratio });
    if ('issues' in plan) {
      throw invalid(plan.issues);
    }
    for (const [index, scan] of plan.scans.entries()) {
      plan.scans[index] = await this.withRollup(scan);
    }
    return plan;
  }

  /** Runs a plan. @throws Fault */
  run(plan: Plan, { purpose = 'chart', signal }: RunContext = {}): Promise<SeriesRow[]> {
    const direct = scanRunner(this.telemetry, { ...this.limits, purpose, signal });
    const closing = { nowMs: this.clock.now(), ingestDelayMs: this.ingestDelayMs };
    return runPlan(plan, plan.volatile ? direct : cachedRun(direct, this.cache, closing));
  }

  /** A page of rows. @throws Fault bad_request naming every mistake, timeout. */
  async search(
    request: SearchRequest,
    source: Source,
    signal?: AbortSignal,
  ): Promise<SearchResult> {
    const plan = planSearch(request, source, await this.sourceColumns(source));
    const run = (placed: boolean): Promise<QueryResult> =>
      ask(this.telemetry, emitSearch(plan, placed), { ...this.limits, purpose: 'chart', signal });
    const result = await run(true).catch((error: unknown) => {
      if (
        error instanceof Fault &&
        error.cause instanceof TelemetryError &&
        error.cause.kind === 'unknown_column'
      ) {
        return run(false);
      }
      throw error;
    });
    return searchPage(plan, result);
  }

  /** Columns and attribute keys of a source, with values that occur. @throws Fault */
  async fields(source: Source, signal?: AbortSignal): Promise<SourceField[]> {
    const fields = await this.sourceColumns(source);
    const run = async (statement: Sql) =>
      (await ask(this.telemetry, statement, { ...this.limits, purpose: 'chart', signal })).rows;
    return sourceFields(source, mainTable(source), fields, this.clock.now(), run);
  }

  /** What is wrong with the expressions of a source. Its table need not exist yet; where it does, their columns must. */
  async checkSource(source: SourceInput): Promise<Issue[]> {
    return sourceIssues(source, await this.knownFields(source));
  }

  /**
   * What is wrong with texts that are to be stored. What is about no source, a table that does not exist yet, or an engine that does not
   * answer: grammar and safety are checked, names of columns are not.
   */
  async checkTexts(source: Source | undefined, texts: readonly WrittenText[]): Promise<Issue[]> {
    const fields = new Map<MetricDataType | undefined, Fields>();
    for (const type of new Set(texts.map(({ metricType }) => metricType))) {
      fields.set(type, source ? await this.knownFields(source, type) : anyField);
    }
    return new WrittenTextCheck(source, fields).issues(texts);
  }

  /** What is wrong with a condition over a source. */
  async checkCondition(
    source: Source,
    where: string,
    language: WhereLanguage,
    path = 'where',
  ): Promise<Issue[]> {
    return conditionIssues(source, await this.knownFields(source), where, language, path);
  }

  /** What is wrong with a field path or expression over a source. */
  async checkExpression(source: Source, text: string, path: string): Promise<Issue[]> {
    return expressionIssues(await this.knownFields(source), text, path);
  }

  /** Rows from `oldestMs` on have been stored: what is kept of that time is dropped. Cheap where nothing came late. */
  inserted(database: string, oldestMs: number): void {
    if (oldestMs < this.clock.now() - this.ingestDelayMs) {
      this.cache.forget(database, oldestMs);
    }
  }

  /** Without a word from the engine the rows themselves answer. */
  private async withRollup(scan: Scan): Promise<Scan> {
    if (scan.kind !== 'rows' || !rollupFits(scan)) {
      return scan;
    }
    const { database } = scan.table;
    const exactFromMs = await this.telemetry.rollupExactFrom(database).catch(() => undefined);
    if (exactFromMs === undefined) {
      return scan;
    }
    const { table, time, groups, bucketMs, readings } = scan;
    return {
      kind: 'rows',
      table,
      time,
      groups,
      bucketMs,
      readings,
      rollup: { table: { database, name: rollupTable }, exactFromMs },
    };
  }

  private async fieldsFor(series: SourcedSeries, issues: Issue[]): Promise<Fields> {
    const table = tableOf(series);
    const columns = table ? await this.columns(table.database, table.name) : [];
    if (table && columns.length === 0) {
      issues.push({
        path: `${series.path}.sourceId`,
        message: `the table of source "${series.source.name}" does not exist`,
      });
    }
    return fieldsOf(columns);
  }

  /** What can be known now: any name is taken while there is no table, or no answer. */
  private async knownFields(
    source: Source | SourceInput,
    metricType?: MetricDataType,
  ): Promise<Fields> {
    const { database, name } = mainTable(source, metricType);
    const columns = await answerWithin(columnsPatienceMs, this.telemetry.columns(database, name));
    return columns.length === 0 ? anyField : fieldsOf(columns);
  }

  private async sourceColumns(source: Source): Promise<Fields> {
    const { database, name } = mainTable(source);
    const columns = await this.columns(database, name);
    if (columns.length === 0) {
      throw invalid([
        { path: 'sourceId', message: `the table of source "${source.name}" does not exist` },
      ]);
    }
    return fieldsOf(columns);
  }

  private async columns(database: string, table: string): Promise<Column[]> {
    try {
      return await this.telemetry.columns(database, table);
    } catch (error) {
      throw publicFault(error);
    }
  }
}

/** A metric source is known by its first table: its tables share the columns that conditions and groups name. */
function mainTable(source: Source | SourceInput, metricType?: MetricDataType): Table {
  const name =
    source.kind === 'metric'
      ? ((metricType && source.metricTables[metricType]) ??
        source.metricTables.gauge ??
        source.metricTables.sum ??
        source.metricTables.histogram ??
        source.from.tableName)
      : source.from.tableName;
  return { database: source.from.databaseName, name };
}

/** How long a save waits for the engine to say what columns there are. */
const columnsPatienceMs = 5000;

/** The columns; none where the engine does not say them in time. */
async function answerWithin(timeoutMs: number, asked: Promise<Column[]>): Promise<Column[]> {
  let timer: NodeJS.Timeout | undefined;
  const none = new Promise<Column[]>((resolve) => {
    timer = setTimeout(() => resolve([]), timeoutMs);
  });
  try {
    return await Promise.race([asked, none]);
  } catch (error) {
    if (error instanceof TelemetryError) {
      return [];
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
