import type { Column } from '../../ports/telemetry.ts';

/**
 * Columns that are not text, by how RowBinary writes them: `Int` and its bits, signed or not,
 * `Float64`, `Time`.
 */
const layouts: Record<string, string> = {
  ...named('Time', ['Timestamp', 'StartTimeUnix', 'TimeUnix']),
  ...named('Int8', ['TraceFlags', 'SeverityNumber', 'IsMonotonic']),
  ...named('Int32', [
    'ScopeDroppedAttrCount',
    'Flags',
    'AggregationTemporality',
    'Scale',
    'PositiveOffset',
    'NegativeOffset',
  ]),
  ...named('Int64', ['Duration', 'Count', 'ZeroCount']),
  ...named('Float64', ['Value', 'Sum', 'Min', 'Max']),
  ...named('Array(Int64)', ['BucketCounts', 'PositiveBucketCounts', 'NegativeBucketCounts']),
  ...named('Array(Float64)', [
    'ExplicitBounds',
    'Exemplars.Value',
    'ValueAtQuantiles.Quantile',
    'ValueAtQuantiles.Value',
  ]),
  ...named('Array(Time)', ['Events.Timestamp', 'Exemplars.TimeUnix']),
  ...named('Array(String)', [
    'Events.Name',
    'Links.TraceId',
    'Links.SpanId',
    'Links.TraceState',
    'Exemplars.SpanId',
    'Exemplars.TraceId',
  ]),
  ...named('Map(String, String)', [
    'ResourceAttributes',
    'ScopeAttributes',
    'LogAttributes',
    'SpanAttributes',
    'Attributes',
  ]),
  ...named('Array(Map(String, String))', [
    'Events.Attributes',
    'Links.Attributes',
    'Exemplars.FilteredAttributes',
  ]),
};

/**
 * Why rows as we write them do not fit a table, or undefined. RowBinary has no types in it: in a
 * table that somebody else made, with an integer of another width, every value after it would land
 * in the wrong place.
 */
export function misfit(table: readonly Column[], columns: readonly string[]): string | undefined {
  const types = new Map(table.map(({ name, type }) => [name, type]));
  for (const name of columns) {
    const type = types.get(name);
    if (type === undefined) {
      return `it has no column ${name}`;
    }
    const wanted = layouts[name] ?? 'String';
    if (layoutOf(type) !== wanted) {
      return `its column ${name} is ${type}, which is not ${wanted}`;
    }
  }
  return undefined;
}

function layoutOf(type: string): string {
  return type
    .replace(/LowCardinality\((\w+)\)/g, '$1')
    .replace(/DateTime64\(9(?:, '[^']*')?\)/g, 'Time')
    .replace(/\bUInt(\d+)\b/g, 'Int$1')
    .replace(/\bBool\b/g, 'Int8');
}

function named(layout: string, columns: readonly string[]): Record<string, string> {
  return Object.fromEntries(columns.map((name) => [name, layout]));
}
