import { writeAttributes, type Ranges } from './attributes.ts';
import { DataPoint, type PointKind } from './data-point.ts';
import { Days, encodedRows, Refusals, tooManyDays, type Encoded } from '../encoded.ts';
import {
  visitRequest,
  writeRange,
  writeRepeated,
  writeShared,
  type Group,
  type Range,
} from './groups.ts';
import { pointWriters, writePoint, type MetricTraits } from './point-rows.ts';
import { Arrival, timeMsAt } from './record-fields.ts';
import { metricBlocks, type MetricBlock } from '../tables.ts';
import { defaultQuota, type Quota } from '../wire/quota.ts';
import type { WireReader } from '../wire/wire-reader.ts';

type Kind = keyof typeof metricBlocks;

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
  { maxFields, maxRowBytes }: Quota = defaultQuota,
): Encoded {
  const encoder = new MetricsEncoder(receivedMs, maxRowBytes);
  visitRequest(request, encoder, maxFields);
  return encoder.encoded();
}

interface TableState {
  block: MetricBlock;
  days: Days;
  /** Rows of the current group. */
  groupRows: number;
}

class MetricsEncoder {
  private readonly tables = new Map<Kind, TableState>();
  private readonly refusals = new Refusals();
  private readonly point = new DataPoint();
  private readonly maxRowBytes: number;
  private readonly arrival: Arrival;

  constructor(receivedMs: number, maxRowBytes: number) {
    this.maxRowBytes = maxRowBytes;
    this.arrival = new Arrival(receivedMs);
  }

  record(reader: WireReader, start: number, end: number): void {
    const metric = readMetric(reader, start, end);
    if (!metric) {
      return;
    }
    const table = this.table(metric.kind);
    const rows = this.points(reader, metric, table);
    if (rows > 0) {
      table.groupRows += rows;
      writeMetric(reader, metric, table.block, rows);
    }
  }

  groupEnd(reader: WireReader, group: Group): void {
    for (const table of this.tables.values()) {
      if (table.groupRows > 0) {
        writeGroup(reader, group, table.block, table.groupRows);
        table.groupRows = 0;
      }
    }
  }

  encoded(): Encoded {
    const tables = [...this.tables.values()]
      .filter(({ block }) => block.rows > 0)
      .map(({ block, days }) => encodedRows(block, days));
    return {
      tables,
      rejected: this.refusals.count,
      message: this.refusals.message,
      usesArrival: this.arrival.used,
    };
  }

  /** Answers how many points were written. */
  private points(reader: WireReader, { kind, data }: Metric, { block, days }: TableState): number {
    const { points, traits } = readData(reader, data);
    const { point } = this;
    const firstRow = block.rows;
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
      writePoint(reader, point, this.arrival, block);
      writeKind(kind, reader, point, traits);
      block.rows++;
    }
    return block.rows - firstRow;
  }

  private table(kind: Kind): TableState {
    let table = this.tables.get(kind);
    if (!table) {
      table = { block: metricBlocks[kind], days: new Days(), groupRows: 0 };
      table.block.start(this.maxRowBytes);
      this.tables.set(kind, table);
    }
    return table;
  }
}

function writeGroup(reader: WireReader, group: Group, block: MetricBlock, rows: number): void {
  writeRepeated(block.shared, rows, () => {
    writeShared(reader, group, block);
    writeRange(reader, group.resourceSchemaUrl, block.resourceSchemaUrl);
    writeAttributes(reader, group.scopeAttributes, block.scopeAttributes);
    block.scopeDroppedAttributes.u32(group.scopeDroppedAttributes);
    writeRange(reader, group.scopeSchemaUrl, block.scopeSchemaUrl);
  });
}

function writeMetric(reader: WireReader, metric: Metric, block: MetricBlock, rows: number): void {
  writeRepeated(block.metric, rows, () => {
    writeRange(reader, metric.name, block.name);
    writeRange(reader, metric.description, block.description);
    writeRange(reader, metric.unit, block.unit);
  });
}

function writeKind<K extends Kind>(
  kind: K,
  reader: WireReader,
  point: DataPoint,
  traits: MetricTraits,
): void {
  pointWriters[kind](reader, point, traits, metricBlocks[kind]);
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
