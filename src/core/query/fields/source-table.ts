import type { MetricDataType, Source, SourceInput } from '../../../contract/source.ts';
import { TelemetryError, type Column } from '../../../ports/telemetry.ts';
import type { Table } from '../plan/plan.ts';

/**
 * The table whose columns stand for the source. The tables of a metric source share the columns
 * that conditions and groups use, so the first one is enough.
 */
export function mainTable(source: Source | SourceInput, metricType?: MetricDataType): Table {
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

/** The columns, or none if the engine does not respond in time. */
export async function columnsWithin(
  timeoutMs: number,
  columns: Promise<Column[]>,
): Promise<Column[]> {
  let timer: NodeJS.Timeout | undefined;
  const none = new Promise<Column[]>((resolve) => {
    timer = setTimeout(() => resolve([]), timeoutMs);
  });
  try {
    return await Promise.race([columns, none]);
  } catch (error) {
    if (error instanceof TelemetryError) {
      return [];
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
