import { attributesCodec, type TableDeclaration } from './schema.ts';

const text = 'String';
const word = 'LowCardinality(String)';
const attributes = 'Map(LowCardinality(String), String)';
const time = 'DateTime64(9)';
const timeCodec = 'CODEC(Delta(8), ZSTD(1))';

type Columns = TableDeclaration['columns'];

const head: Columns = [
  ['ResourceAttributes', attributes, attributesCodec],
  ['ResourceSchemaUrl', text],
  ['ScopeName', text],
  ['ScopeVersion', text],
  ['ScopeAttributes', attributes, attributesCodec],
  ['ScopeDroppedAttrCount', 'UInt32'],
  ['ScopeSchemaUrl', text],
  ['ServiceName', word],
  ['MetricName', word],
  ['MetricDescription', text],
  ['MetricUnit', text],
  ['Attributes', attributes, attributesCodec],
  ['StartTimeUnix', time, timeCodec],
  ['TimeUnix', time, timeCodec],
];

const exemplars: Columns = [
  ['Exemplars.FilteredAttributes', `Array(${attributes})`, attributesCodec],
  ['Exemplars.TimeUnix', `Array(${time})`],
  ['Exemplars.Value', 'Array(Float64)'],
  ['Exemplars.SpanId', 'Array(String)'],
  ['Exemplars.TraceId', 'Array(String)'],
];

const flags: Columns = [['Flags', 'UInt32']];
const temporality: Columns = [['AggregationTemporality', 'Int32']];
const extremes: Columns = [
  ['Min', 'Float64'],
  ['Max', 'Float64'],
];
const total: Columns = [
  ['Count', 'UInt64', timeCodec],
  ['Sum', 'Float64'],
];

/**
 * OpenTelemetry metric points, one table a kind: the collector's ClickHouse exporter writes these
 * very columns.
 */
export const metrics: readonly TableDeclaration[] = [
  metric('gauge', [['Value', 'Float64'], ...flags, ...exemplars]),
  metric('sum', [
    ['Value', 'Float64'],
    ...flags,
    ...exemplars,
    ...temporality,
    ['IsMonotonic', 'Bool'],
  ]),
  metric('histogram', [
    ...total,
    ['BucketCounts', 'Array(UInt64)'],
    ['ExplicitBounds', 'Array(Float64)'],
    ...exemplars,
    ...flags,
    ...extremes,
    ...temporality,
  ]),
  metric('exponential_histogram', [
    ...total,
    ['Scale', 'Int32'],
    ['ZeroCount', 'UInt64'],
    ['PositiveOffset', 'Int32'],
    ['PositiveBucketCounts', 'Array(UInt64)'],
    ['NegativeOffset', 'Int32'],
    ['NegativeBucketCounts', 'Array(UInt64)'],
    ...exemplars,
    ...flags,
    ...extremes,
    ...temporality,
  ]),
  metric('summary', [
    ...total,
    ['ValueAtQuantiles.Quantile', 'Array(Float64)'],
    ['ValueAtQuantiles.Value', 'Array(Float64)'],
    ...flags,
  ]),
];

/**
 * By metric first: a chart of metrics always names one, and a metric's points are the rows it
 * reads.
 */
function metric(kind: string, columns: Columns): TableDeclaration {
  return {
    name: `otel_metrics_${kind}`,
    signal: 'metrics',
    columns: [...head, ...columns],
    indexes: [
      'idx_res_attr_key mapKeys(ResourceAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
      'idx_res_attr_value mapValues(ResourceAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
      'idx_scope_attr_key mapKeys(ScopeAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
      'idx_scope_attr_value mapValues(ScopeAttributes) TYPE bloom_filter(0.01) GRANULARITY 1',
      'idx_attr_key mapKeys(Attributes) TYPE bloom_filter(0.01) GRANULARITY 1',
      'idx_attr_value mapValues(Attributes) TYPE bloom_filter(0.01) GRANULARITY 1',
    ],
    partitionBy: 'toDate(TimeUnix)',
    primaryKey: 'MetricName, toStartOfHour(TimeUnix), ServiceName',
    orderBy:
      'MetricName, toStartOfHour(TimeUnix), ServiceName, cityHash64(Attributes), toUnixTimestamp64Nano(TimeUnix)',
    ageBy: 'toDateTime(TimeUnix)',
  };
}
