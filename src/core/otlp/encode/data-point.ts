import { clear, type Ranges } from './attributes.ts';
import { isTooLate, isZero, tooLate, wrongIds } from './record-fields.ts';
import { readPart, type PartTags, type SpanPart } from './span-part.ts';
import { BYTES, FIXED64, malformed, VARINT, type WireReader } from '../wire/wire-reader.ts';

export type PointKind = 'number' | 'histogram' | 'exponentialHistogram' | 'summary';

type FixedSlot =
  | 'startTime'
  | 'time'
  | 'count'
  | 'sum'
  | 'min'
  | 'max'
  | 'zeroCount'
  | 'double'
  | 'integer';
type VarintSlot = 'flags' | 'scale';
type RangeSlot =
  | 'attributes'
  | 'exemplars'
  | 'positive'
  | 'negative'
  | 'quantiles'
  | 'bucketCounts'
  | 'explicitBounds';
type Slot = FixedSlot | VarintSlot | RangeSlot;

/** Tags of the fields in the points of each kind. Lists of numbers are packed or repeated. */
const slots: Record<PointKind, readonly (Slot | undefined)[]> = {
  number: byTag({
    0x11: 'startTime',
    0x19: 'time',
    0x21: 'double',
    0x2a: 'exemplars',
    0x31: 'integer',
    0x3a: 'attributes',
    0x40: 'flags',
  }),
  histogram: byTag({
    0x11: 'startTime',
    0x19: 'time',
    0x21: 'count',
    0x29: 'sum',
    0x31: 'bucketCounts',
    0x32: 'bucketCounts',
    0x39: 'explicitBounds',
    0x3a: 'explicitBounds',
    0x42: 'exemplars',
    0x4a: 'attributes',
    0x50: 'flags',
    0x59: 'min',
    0x61: 'max',
  }),
  exponentialHistogram: byTag({
    0x0a: 'attributes',
    0x11: 'startTime',
    0x19: 'time',
    0x21: 'count',
    0x29: 'sum',
    0x30: 'scale',
    0x39: 'zeroCount',
    0x42: 'positive',
    0x4a: 'negative',
    0x50: 'flags',
    0x5a: 'exemplars',
    0x61: 'min',
    0x69: 'max',
  }),
  summary: byTag({
    0x11: 'startTime',
    0x19: 'time',
    0x21: 'count',
    0x29: 'sum',
    0x32: 'quantiles',
    0x3a: 'attributes',
    0x40: 'flags',
  }),
};

const exemplarTags: PartTags = {
  time: 0x11,
  double: 0x19,
  spanId: 0x22,
  traceId: 0x2a,
  integer: 0x31,
  attributes: 0x3a,
};

/** The flag of a point without a value. */
const NO_RECORDED_VALUE = 1;

/**
 * Positions of the fields of one data point, reused for the next point. -1 if a field is absent. A
 * time of 0 counts as absent.
 */
export class DataPoint
  implements Record<FixedSlot | VarintSlot, number>, Record<RangeSlot, Ranges>
{
  startTime = -1;
  time = -1;
  count = -1;
  sum = -1;
  min = -1;
  max = -1;
  zeroCount = -1;
  double = -1;
  integer = -1;
  flags = 0;
  /** As sent, zigzag. */
  scale = 0;
  readonly attributes: Ranges = [];
  readonly exemplars: Ranges = [];
  readonly positive: Ranges = [];
  readonly negative: Ranges = [];
  readonly quantiles: Ranges = [];
  readonly bucketCounts: Ranges = [];
  readonly explicitBounds: Ranges = [];
  parts: SpanPart[] = [];

  read(reader: WireReader, kind: PointKind, start: number, end: number): void {
    this.clear();
    const slotOf = slots[kind];
    reader.pos = start;
    for (let tag = reader.tag(end); tag !== 0; tag = reader.tag(end)) {
      const slot = slotOf[tag];
      if (slot === undefined) {
        reader.skip(tag, end);
      } else {
        this.place(reader, tag, slot, end);
      }
    }
    if (this.time >= 0 && isZero(reader, this.time)) {
      this.time = -1;
    }
    this.parts = [];
    const { exemplars } = this;
    for (let index = 0; index < exemplars.length; index += 2) {
      this.parts.push(readPart(reader, exemplars[index]!, exemplars[index + 1]!, exemplarTags));
    }
  }

  get hasNoValue(): boolean {
    return (this.flags & NO_RECORDED_VALUE) !== 0;
  }

  /** Why the point cannot be stored, or undefined. */
  refusal(reader: WireReader, kind: PointKind): string | undefined {
    if (
      isTooLate(reader, this.startTime) ||
      isTooLate(reader, this.time) ||
      this.parts.some(({ time }) => isTooLate(reader, time))
    ) {
      return tooLate;
    }
    if (kind === 'number' && this.double < 0 && this.integer < 0) {
      return 'a data point has no value';
    }
    if (kind === 'histogram' && !this.bucketsFit()) {
      return 'the number of bucket counts of a histogram must be the number of its bounds plus one';
    }
    return this.parts.map(wrongIds).find((reason) => reason !== undefined);
  }

  private bucketsFit(): boolean {
    const counts = bytesOf(this.bucketCounts) / 8;
    const bounds = bytesOf(this.explicitBounds) / 8;
    return counts === bounds + 1 || (counts === 0 && bounds === 0);
  }

  private place(reader: WireReader, tag: number, slot: Slot, end: number): void {
    switch (tag & 7) {
      case VARINT:
        this[slot as VarintSlot] = reader.varint(end);
        break;
      case FIXED64: {
        const position = reader.fixed(8, end);
        if (slot === 'bucketCounts' || slot === 'explicitBounds') {
          reader.countField();
          this[slot].push(position, position + 8);
        } else {
          this[slot as FixedSlot] = position;
        }
        break;
      }
      case BYTES: {
        const stop = reader.delimited(end);
        if (
          (slot === 'bucketCounts' || slot === 'explicitBounds') &&
          (stop - reader.pos) % 8 !== 0
        ) {
          throw malformed('a list of numbers is truncated');
        }
        this[slot as RangeSlot].push(reader.pos, stop);
        reader.pos = stop;
        break;
      }
      default:
        reader.skip(tag, end);
    }
  }

  private clear(): void {
    this.startTime =
      this.time =
      this.count =
      this.sum =
      this.min =
      this.max =
      this.zeroCount =
      this.double =
      this.integer =
        -1;
    this.flags = this.scale = 0;
    clear(this.attributes);
    clear(this.exemplars);
    clear(this.positive);
    clear(this.negative);
    clear(this.quantiles);
    clear(this.bucketCounts);
    clear(this.explicitBounds);
  }
}

/** Bytes in all ranges together. */
export function bytesOf(ranges: Ranges): number {
  let bytes = 0;
  for (let index = 0; index < ranges.length; index += 2) {
    bytes += ranges[index + 1]! - ranges[index]!;
  }
  return bytes;
}

function byTag(tags: Record<number, Slot>): (Slot | undefined)[] {
  const list = Array.from<Slot | undefined>({ length: 128 });
  for (const [tag, slot] of Object.entries(tags)) {
    list[Number(tag)] = slot;
  }
  return list;
}
