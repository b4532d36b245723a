import type { MetricDataType, Source } from '../../../contract/source.ts';
import type { MetricTable } from '../emit/emit-metric-list.ts';
import type { Fields } from '../fields/fields.ts';
import { eventTime } from '../plan/event-time.ts';
import type { Table } from '../plan/plan.ts';

export type MetricSource = Extract<Source, { kind: 'metric' }>;

/** What a table has for the list of metrics. Undefined if it has no names. */
export function metricTableOf(
  source: MetricSource,
  type: MetricDataType,
  table: Table,
  fields: Fields,
): MetricTable | undefined {
  const name = fields.find('MetricName');
  return (
    name && {
      table,
      time: eventTime(source, fields),
      name,
      unit: fields.find('MetricUnit'),
      value: fields.find(type === 'gauge' || type === 'sum' ? 'Value' : 'Count'),
    }
  );
}
