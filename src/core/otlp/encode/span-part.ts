import type { Ranges } from './attributes.ts';
import type { Range } from './groups.ts';
import type { WireReader } from '../wire/wire-reader.ts';

/** An event or a link of a span, or an exemplar of a data point. */
export interface SpanPart {
  /** Position of the time, -1 without one. */
  time: number;
  /** An event's name, a link's trace state. */
  name: Range;
  traceId: Range;
  spanId: Range;
  attributes: Ranges;
  /** Position of a floating-point or an integer value, -1 without one. */
  double: number;
  integer: number;
}

/** Tags of the fields in one kind of part. */
export type PartTags = Partial<Record<keyof SpanPart, number>>;

export function readPart(reader: WireReader, start: number, end: number, tags: PartTags): SpanPart {
  const part: SpanPart = {
    time: -1,
    name: { start, end: start },
    traceId: { start, end: start },
    spanId: { start, end: start },
    attributes: [],
    double: -1,
    integer: -1,
  };
  reader.pos = start;
  for (let tag = reader.tag(end); tag !== 0; tag = reader.tag(end)) {
    if (tag === tags.time) {
      part.time = reader.fixed(8, end);
    } else if (tag === tags.double) {
      part.double = reader.fixed(8, end);
    } else if (tag === tags.integer) {
      part.integer = reader.fixed(8, end);
    } else if (
      tag === tags.name ||
      tag === tags.traceId ||
      tag === tags.spanId ||
      tag === tags.attributes
    ) {
      const stop = reader.delimited(end);
      const range = { start: reader.pos, end: stop };
      if (tag === tags.name) {
        part.name = range;
      } else if (tag === tags.traceId) {
        part.traceId = range;
      } else if (tag === tags.spanId) {
        part.spanId = range;
      } else {
        part.attributes.push(range.start, range.end);
      }
      reader.pos = stop;
    } else {
      reader.skip(tag, end);
    }
  }
  return part;
}
