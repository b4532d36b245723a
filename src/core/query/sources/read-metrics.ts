import type { Metric, MetricsQuery } from '../../../contract/query/metrics.ts';
import type { MetricDataType } from '../../../contract/source.ts';
import type { QueryResult } from '../../../ports/telemetry.ts';
import type { Sql } from '../../../sql/sql.ts';
import { emitLastValues, emitMetricNames, type MetricTable } from '../emit/emit-metric-list.ts';

type Run = (statement: Sql) => Promise<QueryResult>;
export type MetricTables = Partial<Record<MetricDataType, MetricTable>>;

/** Metrics beyond this place are found by their name only. */
const namesMax = 100_000;

interface Named {
  name: string;
  type: MetricDataType;
  newestMs: number;
}

/** A page of the metrics of all tables, by name, and the number of all. */
export async function readMetrics(
  tables: MetricTables,
  { find = '', limit, offset }: MetricsQuery,
  run: Run,
): Promise<{ metrics: Metric[]; total: number }> {
  const types = Object.keys(tables) as MetricDataType[];
  const count = Math.min(offset + limit, namesMax);
  const lists = await Promise.all(
    types.map(async (type) => {
      const { rows } = await run(emitMetricNames(tables[type]!, find, count));
      const names = rows.map(([name, newest]): Named => ({
        name: String(name),
        type,
        newestMs: Number(newest),
      }));
      return { names, total: Number(rows[0]?.[2] ?? 0) };
    }),
  );
  const page = lists
    .flatMap(({ names }) => names)
    .sort(byName)
    .slice(offset, offset + limit);
  const metrics = await Promise.all(
    types.map((type) => {
      const own = page.filter((metric) => metric.type === type);
      return withValues(tables[type]!, own, run);
    }),
  );
  return {
    metrics: metrics.flat().sort(byName),
    total: lists.reduce((sum, { total }) => sum + total, 0),
  };
}

async function withValues(
  table: MetricTable,
  metrics: readonly Named[],
  run: Run,
): Promise<Metric[]> {
  if (metrics.length === 0) {
    return [];
  }
  const { rows } = await run(emitLastValues(table, metrics));
  const byMetric = new Map(rows.map(([name, value, unit]) => [String(name), { value, unit }]));
  return metrics.map(({ name, type, newestMs }): Metric => {
    const { value, unit } = byMetric.get(name) ?? {};
    return {
      name,
      type,
      unit: typeof unit === 'string' ? unit : '',
      ...(typeof value === 'number' && { lastValue: value }),
      lastTime: newestMs,
    };
  });
}

function byName(left: Pick<Metric, 'name' | 'type'>, right: Pick<Metric, 'name' | 'type'>): number {
  if (left.name !== right.name) {
    return left.name < right.name ? -1 : 1;
  }
  return left.type < right.type ? -1 : Number(left.type > right.type);
}
