import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../../../api/client.ts';
import type { Dashboard, DashboardFilter } from '../../../api/queries/dashboards.ts';
import { sourcesQuery, type Source } from '../../../api/queries/sources.ts';
import { isOfValues } from '../../../tiles/model/requests.ts';
import { chosenFilters, valuesOf, type DashboardModel } from '../model.ts';

/** A value that a filter offers, with its number of rows if that is known. */
export interface OfferedValue {
  value: string;
  rows?: number;
}

/** What of a dashboard the values of its filters depend on. */
export type FilteredDashboard = Pick<
  Dashboard,
  'filters' | 'savedQuery' | 'savedQueryLanguage' | 'tiles'
>;

interface Wanted {
  model: DashboardModel;
  dashboard: FilteredDashboard;
  filter: DashboardFilter;
  /** Part of the value. */
  search: string;
}

const valuesMax = 50;

/** Values of a filter's field among the rows that the other filters leave. */
export function useValues(wanted: Wanted, isOn: boolean) {
  const { data: sources } = useQuery(sourcesQuery);
  const { enabled, ...query } = filterValuesQuery(wanted, sources);
  return useQuery({ ...query, enabled: isOn && enabled });
}

/** Asks nothing before the sources are known. */
export function filterValuesQuery(
  { model, dashboard, filter, search }: Wanted,
  sources: readonly Source[] | undefined,
) {
  const source = sources?.find(({ id }) => id === filter.sourceId);
  const scope = scopeOf({ model, dashboard, filter });
  const metrics = source?.kind === 'metric' ? metricsOf(dashboard, filter.sourceId) : undefined;
  // Values of metrics are searched here, those of rows by the server.
  const words = metrics ? '' : search.trim().slice(0, 256);
  return {
    queryKey: ['filter-values', filter.expression, scope, metrics, words],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      metrics
        ? valuesOfMetrics(filter.expression, scope, metrics, signal)
        : valuesOfRows(filter.expression, scope, words, signal),
    enabled: source !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 30_000,
  };
}

type Scope = ReturnType<typeof scopeOf>;

function scopeOf({ model, dashboard, filter }: Omit<Wanted, 'search'>) {
  const { span, params } = model;
  const { filters, savedQuery, savedQueryLanguage } = dashboard;
  const others = chosenFilters({ filters }, params)
    .filter((one) => one !== filter && one.sourceId === filter.sourceId)
    .map((one): Schemas['Filter'] => ({
      type: 'field',
      field: one.expression,
      op: 'is',
      values: [...valuesOf(params, one)],
    }));
  const saved: Schemas['Filter'][] =
    savedQuery === '' ? [] : [{ type: savedQueryLanguage, condition: savedQuery }];
  return {
    sourceId: filter.sourceId,
    filters: [...saved, ...others],
    startTime: Math.floor(span.startMs),
    endTime: Math.ceil(span.endMs),
  };
}

const noCondition = { where: '', whereLanguage: 'lucene' as const };

async function valuesOfRows(
  field: string,
  scope: Scope,
  search: string,
  signal: AbortSignal,
): Promise<OfferedValue[]> {
  const body = { ...scope, ...noCondition, fields: [field], search, limit: valuesMax };
  const { facets } = await ask(api.POST('/search/facets', { body, signal }));
  return facets[0]?.values ?? [];
}

type MetricOf = Pick<Schemas['ChartSeries'], 'metricName' | 'metricDataType'>;

/** Series of one request. */
const metricsMax = 5;

/** The metrics that the tiles of a source show: a source of metrics has no rows without a name. */
function metricsOf({ tiles }: FilteredDashboard, sourceId: string): MetricOf[] {
  const found = new Map<string, MetricOf>();
  for (const { config } of tiles) {
    for (const { metricName, metricType } of isOfValues(config) && config.sourceId === sourceId
      ? config.select
      : []) {
      if (metricName !== undefined) {
        const metric = { metricName, ...(metricType && { metricDataType: metricType }) };
        found.set(`${metricType} ${metricName}`, metric);
      }
    }
  }
  return [...found.values()].slice(0, metricsMax);
}

async function valuesOfMetrics(
  field: string,
  { sourceId, filters, ...range }: Scope,
  metrics: readonly MetricOf[],
  signal: AbortSignal,
): Promise<OfferedValue[]> {
  if (metrics.length === 0) {
    return [];
  }
  const one = { sourceId, ...noCondition, filters, aggFn: 'count' as const, groupBy: [field] };
  const body = {
    ...range,
    series: metrics.map((metric) => ({ ...one, ...metric })),
    seriesReturnType: 'column' as const,
    orderBy: { series: 0, direction: 'desc' as const },
    limit: 1000,
    other: false,
  };
  const { rows } = await ask(api.POST('/charts/totals', { body, signal }));
  const values = rows.flatMap(({ group = [] }) => group.slice(0, 1));
  return values
    .filter((value) => value !== '')
    .toSorted()
    .map((value) => ({ value }));
}
