import type { ChartRequest, DataPoint } from '../../contract/chart.ts';
import { notFound, type Issue } from '../../contract/errors.ts';
import type { Source } from '../../contract/source.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { Purpose, Telemetry } from '../../ports/telemetry.ts';
import { bucketMs } from './bucket.ts';
import { fieldsOf, type Fields } from './fields.ts';
import type { Plan } from './plan.ts';
import { planSeries, tableOf, type SeriesInput, type SeriesRequest } from './plan-series.ts';
import { dataPoints, type SeriesRow } from './points.ts';
import { publicFault, refuse } from './public-fault.ts';
import { runPlan, scanRunner, type QueryBounds } from './run-plan.ts';

export interface QueryOptions {
  telemetry: Telemetry;
  clock: Clock;
  limits: QueryBounds;
}

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

  constructor({ telemetry, limits }: QueryOptions) {
    this.telemetry = telemetry;
    this.limits = limits;
  }

  /** A chart request. @throws Fault not_found for an unknown source, bad_request naming every mistake, timeout. */
  async series(request: ChartRequest, resolveSource: ResolveSource, signal?: AbortSignal): Promise<DataPoint[]> {
    const range = { fromMs: request.startTime, toMs: request.endTime };
    const sources = await Promise.all(request.series.map(({ sourceId }) => resolveSource(sourceId)));
    const series = request.series.map((asked, index): SourcedSeries => {
      const source = sources[index];
      if (!source) throw notFound(`series.${index}.sourceId: source`);
      return { ...asked, source, path: `series.${index}` };
    });
    const plan = await this.plan({ series, groupBy: request.series[0]!.groupBy, range, bucketMs: bucketMs(request.granularity, range), ratio: request.seriesReturnType === 'ratio' });
    return dataPoints(plan, await this.run(plan, { signal }));
  }

  /** Checks a request against the tables as they are now. @throws Fault bad_request naming every mistake. */
  async plan({ series, ...rest }: SourcedRequest): Promise<Plan> {
    const issues: Issue[] = [];
    const withFields = await Promise.all(series.map(async (one): Promise<SeriesInput> => ({ ...one, fields: await this.fieldsFor(one, issues) })));
    refuse(issues);
    const plan = planSeries({ ...rest, series: withFields });
    if ('issues' in plan) refuse(plan.issues);
    return plan as Plan;
  }

  /** Runs a plan. @throws Fault */
  run(plan: Plan, { purpose = 'chart', signal }: RunContext = {}): Promise<SeriesRow[]> {
    return runPlan(plan, scanRunner(this.telemetry, { ...this.limits, purpose, signal }));
  }

  private async fieldsFor(series: SourcedSeries, issues: Issue[]): Promise<Fields> {
    const table = tableOf(series);
    const columns = table ? await this.columns(table.database, table.name) : [];
    if (table && columns.length === 0) issues.push({ path: `${series.path}.sourceId`, message: `the table of source "${series.source.name}" does not exist` });
    return fieldsOf(columns);
  }

  private async columns(database: string, table: string) {
    try {
      return await this.telemetry.columns(database, table);
    } catch (error) {
      throw publicFault(error);
    }
  }
}
