import type { MetricDataType, SourceKind } from '../../../contract/source.ts';
import type { TelemetryTable } from '../../../contract/source-check.ts';
import type { Column, QueryResult } from '../../../ports/telemetry.ts';
import type { Sql } from '../../../sql/sql.ts';
import { emitTableColumns, emitTables } from '../emit/emit-tables.ts';
import { readType } from '../fields/value-type.ts';
import { grouped } from '../share/grouped.ts';

/** The tables and views of a database, by name. */
export async function readTables(
  database: string,
  run: (statement: Sql) => Promise<QueryResult>,
): Promise<TelemetryTable[]> {
  const [tables, columns] = await Promise.all([
    run(emitTables(database)),
    run(emitTableColumns(database)),
  ]);
  const byTable = grouped(columns.rows, ([table]) => String(table));
  return tables.rows.map(([name, engine]): TelemetryTable => {
    const own = (byTable.get(String(name)) ?? []).map(([, column, type]) => ({
      name: String(column),
      type: String(type),
    }));
    return {
      databaseName: database,
      tableName: String(name),
      kind: String(engine).endsWith('View') ? 'view' : 'table',
      columns: own,
      ...sourceKindsOf(own),
    };
  });
}

/** Columns by which the tables of the OpenTelemetry exporter are told apart. The first match counts. */
const metricColumns: [column: string, type: MetricDataType][] = [
  ['ValueAtQuantiles.Quantile', 'summary'],
  ['PositiveBucketCounts', 'exponential histogram'],
  ['ExplicitBounds', 'histogram'],
  ['IsMonotonic', 'sum'],
  ['Value', 'gauge'],
];

/** The kinds of source that a table with these columns fits, the best one first. */
export function sourceKindsOf(
  columns: readonly Column[],
): Pick<TelemetryTable, 'sourceKinds' | 'metricDataType'> {
  if (!columns.some(({ type }) => readType(type).base === 'time')) {
    return { sourceKinds: [] };
  }
  const has = (name: string): boolean => columns.some((column) => column.name === name);
  const metricDataType = has('MetricName')
    ? metricColumns.find(([column]) => has(column))?.[1]
    : undefined;
  const kinds: SourceKind[] = [
    ...(metricDataType ? (['metric'] as const) : []),
    ...(has('TraceId') && has('SpanId') && (has('Duration') || has('SpanName'))
      ? (['trace'] as const)
      : []),
    'log',
  ];
  return { sourceKinds: kinds, ...(metricDataType && { metricDataType }) };
}
