import { Block } from './block/block.ts';
import type { Column } from './block/columns.ts';

/*
 * The tables of the OpenTelemetry ClickHouse exporter, with the columns an encoder writes.
 */

export class LogsBlock extends Block {
  readonly table = 'otel_logs';
  readonly resourceAttributes = this.map('ResourceAttributes');
  readonly serviceName = this.word('ServiceName');
  readonly scopeName = this.text('ScopeName');
  readonly scopeVersion = this.word('ScopeVersion');
  readonly resourceSchemaUrl = this.word('ResourceSchemaUrl');
  readonly scopeAttributes = this.map('ScopeAttributes');
  readonly scopeSchemaUrl = this.word('ScopeSchemaUrl');
  /** What all records of a group share. */
  readonly shared: readonly Column[] = this.declared();
  readonly timestamp = this.plain('Timestamp', 'DateTime64(9)');
  readonly traceId = this.text('TraceId');
  readonly spanId = this.text('SpanId');
  readonly traceFlags = this.plain('TraceFlags', 'UInt8');
  readonly severityText = this.word('SeverityText');
  readonly severityNumber = this.plain('SeverityNumber', 'UInt8');
  readonly body = this.text('Body');
  readonly attributes = this.map('LogAttributes');
  readonly eventName = this.text('EventName');
}

export class TracesBlock extends Block {
  readonly table = 'otel_traces';
  readonly resourceAttributes = this.map('ResourceAttributes');
  readonly serviceName = this.word('ServiceName');
  readonly scopeName = this.text('ScopeName');
  readonly scopeVersion = this.text('ScopeVersion');
  /** What all spans of a group share. */
  readonly shared: readonly Column[] = this.declared();
  readonly timestamp = this.plain('Timestamp', 'DateTime64(9)');
  readonly traceId = this.text('TraceId');
  readonly spanId = this.text('SpanId');
  readonly parentSpanId = this.text('ParentSpanId');
  readonly traceState = this.text('TraceState');
  readonly spanName = this.word('SpanName');
  readonly spanKind = this.word('SpanKind');
  readonly attributes = this.map('SpanAttributes');
  readonly duration = this.plain('Duration', 'UInt64');
  readonly statusCode = this.word('StatusCode');
  readonly statusMessage = this.text('StatusMessage');
  readonly events = {
    time: this.plainList('Events.Timestamp', 'DateTime64(9)'),
    name: this.wordList('Events.Name'),
    attributes: this.mapList('Events.Attributes'),
  };
  readonly links = {
    traceId: this.plainList('Links.TraceId', 'String'),
    spanId: this.plainList('Links.SpanId', 'String'),
    traceState: this.plainList('Links.TraceState', 'String'),
    attributes: this.mapList('Links.Attributes'),
  };
}

/** What the tables of all kinds of metrics begin with. */
export abstract class MetricBlock extends Block {
  readonly resourceAttributes = this.map('ResourceAttributes');
  readonly serviceName = this.word('ServiceName');
  readonly scopeName = this.text('ScopeName');
  readonly scopeVersion = this.text('ScopeVersion');
  readonly resourceSchemaUrl = this.text('ResourceSchemaUrl');
  readonly scopeAttributes = this.map('ScopeAttributes');
  readonly scopeDroppedAttributes = this.plain('ScopeDroppedAttrCount', 'UInt32');
  readonly scopeSchemaUrl = this.text('ScopeSchemaUrl');
  /** What all metrics of a group share. */
  readonly shared: readonly Column[] = this.declared();
  readonly name = this.word('MetricName');
  readonly description = this.text('MetricDescription');
  readonly unit = this.text('MetricUnit');
  /** What all points of a metric share. */
  readonly metric: readonly Column[] = this.declared().slice(this.shared.length);
  readonly attributes = this.map('Attributes');
  readonly startTime = this.plain('StartTimeUnix', 'DateTime64(9)');
  readonly time = this.plain('TimeUnix', 'DateTime64(9)');
  readonly flags = this.plain('Flags', 'UInt32');

  protected exemplarLists() {
    return {
      attributes: this.mapList('Exemplars.FilteredAttributes'),
      time: this.plainList('Exemplars.TimeUnix', 'DateTime64(9)'),
      value: this.plainList('Exemplars.Value', 'Float64'),
      spanId: this.plainList('Exemplars.SpanId', 'String'),
      traceId: this.plainList('Exemplars.TraceId', 'String'),
    };
  }
}

export type Exemplars = GaugeBlock['exemplars'];

export class GaugeBlock extends MetricBlock {
  readonly table: string = 'otel_metrics_gauge';
  readonly value = this.plain('Value', 'Float64');
  readonly exemplars = this.exemplarLists();
}

export class SumBlock extends GaugeBlock {
  override readonly table = 'otel_metrics_sum';
  readonly temporality = this.plain('AggregationTemporality', 'Int32');
  readonly monotonic = this.plain('IsMonotonic', 'Bool');
}

export class HistogramBlock extends MetricBlock {
  readonly table = 'otel_metrics_histogram';
  readonly count = this.plain('Count', 'UInt64');
  readonly sum = this.plain('Sum', 'Float64');
  readonly bucketCounts = this.plainList('BucketCounts', 'UInt64');
  readonly explicitBounds = this.plainList('ExplicitBounds', 'Float64');
  readonly min = this.plain('Min', 'Float64');
  readonly max = this.plain('Max', 'Float64');
  readonly exemplars = this.exemplarLists();
  readonly temporality = this.plain('AggregationTemporality', 'Int32');
}

export class ExponentialHistogramBlock extends MetricBlock {
  readonly table = 'otel_metrics_exponential_histogram';
  readonly count = this.plain('Count', 'UInt64');
  readonly sum = this.plain('Sum', 'Float64');
  readonly scale = this.plain('Scale', 'Int32');
  readonly zeroCount = this.plain('ZeroCount', 'UInt64');
  readonly positive = {
    offset: this.plain('PositiveOffset', 'Int32'),
    counts: this.plainList('PositiveBucketCounts', 'UInt64'),
  };
  readonly negative = {
    offset: this.plain('NegativeOffset', 'Int32'),
    counts: this.plainList('NegativeBucketCounts', 'UInt64'),
  };
  readonly min = this.plain('Min', 'Float64');
  readonly max = this.plain('Max', 'Float64');
  readonly exemplars = this.exemplarLists();
  readonly temporality = this.plain('AggregationTemporality', 'Int32');
}

export class SummaryBlock extends MetricBlock {
  readonly table = 'otel_metrics_summary';
  readonly count = this.plain('Count', 'UInt64');
  readonly sum = this.plain('Sum', 'Float64');
  readonly quantiles = this.plainList('ValueAtQuantiles.Quantile', 'Float64');
  readonly values = this.plainList('ValueAtQuantiles.Value', 'Float64');
}

/** One block for each kind of metric. */
export const metricBlocks = {
  gauge: new GaugeBlock(),
  sum: new SumBlock(),
  histogram: new HistogramBlock(),
  exponentialHistogram: new ExponentialHistogramBlock(),
  summary: new SummaryBlock(),
};
