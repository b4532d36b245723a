import { writeAttributes, type Ranges } from './attributes.ts';
import { bytesOf, type DataPoint } from './data-point.ts';
import { type Arrival, writeDouble, writeFixed64, writeId } from './record-fields.ts';
import type { RowWriter } from './row-writer.ts';
import type { SpanPart } from './span-part.ts';
import type { WireReader } from '../wire/wire-reader.ts';

/** Fields of the metric that its points do not have. */
export interface MetricTraits {
  temporality: number;
  monotonic: boolean;
}

type Writer = (reader: WireReader, point: DataPoint, traits: MetricTraits, out: RowWriter) => void;

/**
 * The columns of a point after `writePoint`, for each table, in the order `tables.ts` lists them.
 */
export const pointWriters: Record<
  'gauge' | 'sum' | 'histogram' | 'exponentialHistogram' | 'summary',
  Writer
> = {
  gauge(reader, point, _traits, out) {
    writeNumber(reader, point.double, point.integer, out);
    writeExemplars(reader, point.parts, out);
  },
  sum(reader, point, traits, out) {
    writeNumber(reader, point.double, point.integer, out);
    writeExemplars(reader, point.parts, out);
    out.u32(traits.temporality);
    out.u8(traits.monotonic ? 1 : 0);
  },
  histogram(reader, point, traits, out) {
    writeCountAndSum(reader, point, out);
    writePacked64(reader, point.bucketCounts, out);
    writePacked64(reader, point.explicitBounds, out);
    writeDouble(reader, point.min, out);
    writeDouble(reader, point.max, out);
    writeExemplars(reader, point.parts, out);
    out.u32(traits.temporality);
  },
  exponentialHistogram(reader, point, traits, out) {
    writeCountAndSum(reader, point, out);
    out.u32(zigzag(point.scale));
    writeFixed64(reader, point.zeroCount, out);
    writeBuckets(reader, point.positive, out);
    writeBuckets(reader, point.negative, out);
    writeDouble(reader, point.min, out);
    writeDouble(reader, point.max, out);
    writeExemplars(reader, point.parts, out);
    out.u32(traits.temporality);
  },
  summary(reader, point, _traits, out) {
    writeCountAndSum(reader, point, out);
    writeQuantiles(reader, point.quantiles, out);
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
  out: RowWriter,
): void {
  writeAttributes(reader, point.attributes, out);
  writeFixed64(reader, point.startTime, out);
  if (point.time < 0) {
    arrival.write(out);
  } else {
    writeFixed64(reader, point.time, out);
  }
  out.u32(point.flags);
}

/** Integers become Float64, the number type of the tables, which is exact up to 2^53. */
function writeNumber(reader: WireReader, double: number, integer: number, out: RowWriter): void {
  if (integer >= 0) {
    out.f64(Number(reader.view.getBigInt64(integer, true)));
  } else {
    writeDouble(reader, double, out);
  }
}

function writeCountAndSum(reader: WireReader, point: DataPoint, out: RowWriter): void {
  writeFixed64(reader, point.count, out);
  writeDouble(reader, point.sum, out);
}

/** Fixed 64-bit numbers are stored as they are sent. */
function writePacked64(reader: WireReader, ranges: Ranges, out: RowWriter): void {
  out.size(bytesOf(ranges) / 8);
  for (let index = 0; index < ranges.length; index += 2) {
    out.raw(reader.bytes, ranges[index]!, ranges[index + 1]!);
  }
}

const OFFSET = 0x08;
const COUNT = 0x10;
const PACKED_COUNTS = 0x12;

/** Offset and counts of one side of an exponential histogram. */
function writeBuckets(reader: WireReader, ranges: Ranges, out: RowWriter): void {
  let offset = 0;
  const halves: number[] = [];
  const count = (end: number): void => {
    reader.countField();
    reader.varint64(end);
    halves.push(reader.low, reader.high);
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
  out.u32(zigzag(offset));
  out.size(halves.length / 2);
  for (let index = 0; index < halves.length; index += 2) {
    out.u64(halves[index]!, halves[index + 1]!);
  }
}

const QUANTILE = 0x09;
const VALUE = 0x11;

function writeQuantiles(reader: WireReader, ranges: Ranges, out: RowWriter): void {
  const quantiles: number[] = [];
  const values: number[] = [];
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
    quantiles.push(quantile);
    values.push(value);
  }
  for (const list of [quantiles, values]) {
    out.size(list.length);
    for (const position of list) {
      writeDouble(reader, position, out);
    }
  }
}

function writeExemplars(reader: WireReader, exemplars: readonly SpanPart[], out: RowWriter): void {
  out.size(exemplars.length);
  for (const { attributes } of exemplars) {
    writeAttributes(reader, attributes, out);
  }
  out.size(exemplars.length);
  for (const { time } of exemplars) {
    writeFixed64(reader, time, out);
  }
  out.size(exemplars.length);
  for (const { double, integer } of exemplars) {
    writeNumber(reader, double, integer, out);
  }
  out.size(exemplars.length);
  for (const { spanId } of exemplars) {
    writeId(reader, spanId.start, spanId.end, out);
  }
  out.size(exemplars.length);
  for (const { traceId } of exemplars) {
    writeId(reader, traceId.start, traceId.end, out);
  }
}

/** A signed 32-bit integer from its zigzag form. */
function zigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}
