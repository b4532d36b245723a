import type { ByteWriter } from '../block/byte-writer.ts';
import type { ArrayColumn, PlainColumn } from '../block/columns.ts';
import type {
  ExponentialHistogramBlock,
  Exemplars,
  MetricBlock,
  metricBlocks,
  SummaryBlock,
} from '../tables.ts';
import { writeAttributes, type Ranges } from './attributes.ts';
import { bytesOf, type DataPoint } from './data-point.ts';
import { type Arrival, writeDouble, writeFixed64, writeId } from './record-fields.ts';
import type { SpanPart } from './span-part.ts';
import type { WireReader } from '../wire/wire-reader.ts';

/** Fields of the metric that its points do not have. */
export interface MetricTraits {
  temporality: number;
  monotonic: boolean;
}

type Blocks = typeof metricBlocks;

/** The columns of a point after `writePoint`, for each table. */
export const pointWriters: {
  [K in keyof Blocks]: (
    reader: WireReader,
    point: DataPoint,
    traits: MetricTraits,
    block: Blocks[K],
  ) => void;
} = {
  gauge(reader, point, _traits, block) {
    writeNumber(reader, point.double, point.integer, block.value);
    writeExemplars(reader, point.parts, block.exemplars);
  },
  sum(reader, point, traits, block) {
    writeNumber(reader, point.double, point.integer, block.value);
    writeExemplars(reader, point.parts, block.exemplars);
    block.temporality.u32(traits.temporality);
    block.monotonic.u8(traits.monotonic ? 1 : 0);
  },
  histogram(reader, point, traits, block) {
    writeCountAndSum(reader, point, block);
    writePacked64(reader, point.bucketCounts, block.bucketCounts);
    writePacked64(reader, point.explicitBounds, block.explicitBounds);
    writeDouble(reader, point.min, block.min);
    writeDouble(reader, point.max, block.max);
    writeExemplars(reader, point.parts, block.exemplars);
    block.temporality.u32(traits.temporality);
  },
  exponentialHistogram(reader, point, traits, block) {
    writeCountAndSum(reader, point, block);
    block.scale.u32(zigzag(point.scale));
    writeFixed64(reader, point.zeroCount, block.zeroCount);
    writeBuckets(reader, point.positive, block.positive);
    writeBuckets(reader, point.negative, block.negative);
    writeDouble(reader, point.min, block.min);
    writeDouble(reader, point.max, block.max);
    writeExemplars(reader, point.parts, block.exemplars);
    block.temporality.u32(traits.temporality);
  },
  summary(reader, point, _traits, block) {
    writeCountAndSum(reader, point, block);
    writeQuantiles(reader, point.quantiles, block);
  },
};

/**
 * Writes the columns that all points begin with. A point without a time gets the time of its
 * arrival.
 */
export function writePoint(
  reader: WireReader,
  point: DataPoint,
  arrival: Arrival,
  block: MetricBlock,
): void {
  writeAttributes(reader, point.attributes, block.attributes);
  writeFixed64(reader, point.startTime, block.startTime);
  if (point.time < 0) {
    arrival.write(block.time);
  } else {
    writeFixed64(reader, point.time, block.time);
  }
  block.flags.u32(point.flags);
}

/** Integers become Float64, the number type of the tables, which is exact up to 2^53. */
function writeNumber(reader: WireReader, double: number, integer: number, out: ByteWriter): void {
  if (integer >= 0) {
    out.f64(Number(reader.view.getBigInt64(integer, true)));
  } else {
    writeDouble(reader, double, out);
  }
}

function writeCountAndSum(
  reader: WireReader,
  point: DataPoint,
  { count, sum }: { count: ByteWriter; sum: ByteWriter },
): void {
  writeFixed64(reader, point.count, count);
  writeDouble(reader, point.sum, sum);
}

/** Fixed 64-bit numbers are stored as they are sent. */
function writePacked64(reader: WireReader, ranges: Ranges, list: ArrayColumn<PlainColumn>): void {
  for (let index = 0; index < ranges.length; index += 2) {
    list.items.fixed64s(reader.view, ranges[index]!, ranges[index + 1]!);
  }
  list.close(bytesOf(ranges) / 8);
}

const OFFSET = 0x08;
const COUNT = 0x10;
const PACKED_COUNTS = 0x12;

/** Offset and counts of one side of an exponential histogram. */
function writeBuckets(
  reader: WireReader,
  ranges: Ranges,
  side: ExponentialHistogramBlock['positive'],
): void {
  let offset = 0;
  let counts = 0;
  const count = (end: number): void => {
    reader.countField();
    reader.varint64(end);
    side.counts.items.u64(reader.low, reader.high);
    counts++;
  };
  for (let index = 0; index < ranges.length; index += 2) {
    const end = ranges[index + 1]!;
    reader.pos = ranges[index]!;
    for (let tag = reader.tag(end); tag !== 0; tag = reader.tag(end)) {
      if (tag === OFFSET) {
        offset = reader.varint(end);
      } else if (tag === COUNT) {
        count(end);
      } else if (tag === PACKED_COUNTS) {
        for (const stop = reader.delimited(end); reader.pos < stop;) {
          count(stop);
        }
      } else {
        reader.skip(tag, end);
      }
    }
  }
  side.offset.u32(zigzag(offset));
  side.counts.close(counts);
}

const QUANTILE = 0x09;
const VALUE = 0x11;

function writeQuantiles(
  reader: WireReader,
  ranges: Ranges,
  { quantiles, values }: SummaryBlock,
): void {
  for (let index = 0; index < ranges.length; index += 2) {
    const end = ranges[index + 1]!;
    let quantile = -1;
    let value = -1;
    reader.pos = ranges[index]!;
    for (let tag = reader.tag(end); tag !== 0; tag = reader.tag(end)) {
      if (tag === QUANTILE) {
        quantile = reader.fixed(8, end);
      } else if (tag === VALUE) {
        value = reader.fixed(8, end);
      } else {
        reader.skip(tag, end);
      }
    }
    writeDouble(reader, quantile, quantiles.items);
    writeDouble(reader, value, values.items);
  }
  quantiles.close(ranges.length / 2);
  values.close(ranges.length / 2);
}

function writeExemplars(
  reader: WireReader,
  exemplars: readonly SpanPart[],
  columns: Exemplars,
): void {
  for (const { attributes, time, double, integer, spanId, traceId } of exemplars) {
    writeAttributes(reader, attributes, columns.attributes.items);
    writeFixed64(reader, time, columns.time.items);
    writeNumber(reader, double, integer, columns.value.items);
    writeId(reader, spanId.start, spanId.end, columns.spanId.items);
    writeId(reader, traceId.start, traceId.end, columns.traceId.items);
  }
  columns.attributes.close(exemplars.length);
  columns.time.close(exemplars.length);
  columns.value.close(exemplars.length);
  columns.spanId.close(exemplars.length);
  columns.traceId.close(exemplars.length);
}

/** A signed 32-bit integer from its zigzag form. */
function zigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}
