import { writeAttributes, type Ranges } from './attributes.ts';
import { DataPoint, type PointKind } from './data-point.ts';
import { Days, encodedRows, Refusals, tooManyDays, type Encoded } from '../encoded.ts';
import { visitRequest, writeRange, writeShared, type Group, type Range } from './groups.ts';
import { pointWriters, writePoint, type MetricTraits } from './point-rows.ts';
import { Arrival, timeMsAt } from './record-fields.ts';
import { RowWriter } from './row-writer.ts';
import { metricTables } from '../tables.ts';
import { defaultQuota, type Quota } from '../wire/quota.ts';
import type { WireReader } from '../wire/wire-reader.ts';

type Kind = keyof typeof metricTables;

const NAME = 0x0a;
const DESCRIPTION = 0x12;
const UNIT = 0x1a;
const kindOfTag: Record<number, Kind | undefined> = {
  0x2a: 'gauge',
  0x3a: 'sum',
  0x4a: 'histogram',
  0x52: 'exponentialHistogram',
  0x5a: 'summary',
};

const POINTS = 0x0a;
const TEMPORALITY = 0x10;
const MONOTONIC = 0x18;

const pointKinds: Record<Kind, PointKind> = {
  gauge: 'number',
  sum: 'number',
  histogram: 'histogram',
  exponentialHistogram: 'exponentialHistogram',
  summary: 'summary',
};

/**
 * Rows of the otel_metrics tables from an ExportMetricsServiceRequest. A point without a time gets
 * `receivedMs`.
 */
export function encodeMetrics(
  request: Uint8Array,
  receivedMs: number,
  quota: Quota = defaultQuota,
): Encoded {
  const encoder = new MetricsEncoder(request.length, receivedMs, quota.maxRowBytes);
  visitRequest(request, encoder, quota.maxFields);
  return encoder.encoded();
}

class MetricsEncoder {
  private readonly shared: RowWriter;
  private readonly writers = new Map<Kind, { out: RowWriter; days: Days }>();
  private readonly refusals = new Refusals();
  private readonly point = new DataPoint();
  private readonly requestBytes: number;
  private readonly maxRowBytes: number;
  private readonly arrival: Arrival;
  private groupEnd = 0;

  constructor(requestBytes: number, receivedMs: number, maxRowBytes: number) {
    this.requestBytes = requestBytes;
    this.maxRowBytes = maxRowBytes;
    this.shared = new RowWriter(1024, maxRowBytes);
    this.arrival = new Arrival(receivedMs);
  }

  group(reader: WireReader, group: Group): void {
    const { shared } = this;
    shared.pos = 0;
    writeShared(reader, group, shared);
    writeRange(reader, group.resourceSchemaUrl, shared);
    writeAttributes(reader, group.scopeAttributes, shared);
    shared.u32(group.scopeDroppedAttributes);
    writeRange(reader, group.scopeSchemaUrl, shared);
    this.groupEnd = shared.pos;
  }

  record(reader: WireReader, start: number, end: number): void {
    const metric = readMetric(reader, start, end);
    if (!metric) {
      return;
    }
    this.shared.pos = this.groupEnd;
    for (const range of [metric.name, metric.description, metric.unit]) {
      writeRange(reader, range, this.shared);
    }
    this.points(reader, metric);
  }

  encoded(): Encoded {
    const tables = [...this.writers]
      .filter(([, { out }]) => out.rows > 0)
      .map(([kind, { out, days }]) => encodedRows(metricTables[kind], out, days));
    return {
      tables,
      rejected: this.refusals.count,
      message: this.refusals.message,
      usesArrival: this.arrival.used,
    };
  }

  private points(reader: WireReader, { kind, data }: Metric): void {
    const { points, traits } = readData(reader, data);
    const { point, shared } = this;
    const { out, days } = this.writer(kind);
    for (let index = 0; index < points.length; index += 2) {
      point.read(reader, pointKinds[kind], points[index]!, points[index + 1]!);
      // A point without a value marks the end of a series: nothing was measured, so there is
      // nothing to store.
      if (point.hasNoValue) {
        continue;
      }
      const timeMs = point.time < 0 ? this.arrival.timeMs : timeMsAt(reader, point.time);
      const reason =
        point.refusal(reader, pointKinds[kind]) ?? (days.tryAdd(timeMs) ? undefined : tooManyDays);
      if (reason !== undefined) {
        this.refusals.add(reason);
        continue;
      }
      out.raw(shared.buffer, 0, shared.pos);
      writePoint(reader, point, this.arrival, out);
      pointWriters[kind](reader, point, traits, out);
      out.rows++;
    }
  }

  private writer(kind: Kind): { out: RowWriter; days: Days } {
    let writer = this.writers.get(kind);
    if (!writer) {
      this.writers.set(
        kind,
        (writer = {
          out: new RowWriter(this.requestBytes + 1024, this.maxRowBytes),
          days: new Days(),
        }),
      );
    }
    return writer;
  }
}

interface Metric {
  kind: Kind;
  name: Range;
  description: Range;
  unit: Range;
  data: Range;
}

/** Undefined for a metric of no known kind, which has no points that could be counted. */
function readMetric(reader: WireReader, start: number, end: number): Metric | undefined {
  const texts: Record<number, Range | undefined> = {};
  let kind: Kind | undefined;
  let data: Range = { start, end: start };
  reader.pos = start;
  for (let tag = reader.tag(end); tag !== 0; tag = reader.tag(end)) {
    const known =
      tag === NAME || tag === DESCRIPTION || tag === UNIT || kindOfTag[tag] !== undefined;
    if (!known) {
      reader.skip(tag, end);
      continue;
    }
    const stop = reader.delimited(end);
    const range = { start: reader.pos, end: stop };
    if (kindOfTag[tag]) {
      kind = kindOfTag[tag];
      data = range;
    } else {
      texts[tag] = range;
    }
    reader.pos = stop;
  }
  const nothing = { start, end: start };
  return (
    kind && {
      kind,
      data,
      name: texts[NAME] ?? nothing,
      description: texts[DESCRIPTION] ?? nothing,
      unit: texts[UNIT] ?? nothing,
    }
  );
}

function readData(
  reader: WireReader,
  { start, end }: Range,
): { points: Ranges; traits: MetricTraits } {
  const points: Ranges = [];
  const traits: MetricTraits = { temporality: 0, monotonic: false };
  reader.pos = start;
  for (let tag = reader.tag(end); tag !== 0; tag = reader.tag(end)) {
    if (tag === TEMPORALITY) {
      traits.temporality = reader.varint(end);
    } else if (tag === MONOTONIC) {
      traits.monotonic = reader.varint(end) !== 0;
    } else if (tag === POINTS) {
      const stop = reader.delimited(end);
      points.push(reader.pos, stop);
      reader.pos = stop;
    } else {
      reader.skip(tag, end);
    }
  }
  return { points, traits };
}
