import type { ByteWriter } from '../block/byte-writer.ts';
import type { WordColumn } from '../block/columns.ts';
import { clear, writeAttributes, type Ranges } from './attributes.ts';
import { FieldRange, writeRange } from './groups.ts';
import {
  type Arrival,
  timeMsAt,
  isIdSize,
  isTooLate,
  isZero,
  tooLate,
  writeFixed64,
  writeId,
  wrongIds,
  wrongSpanId,
} from './record-fields.ts';
import type { TracesBlock } from '../tables.ts';
import { readPart, type PartTags, type SpanPart } from './span-part.ts';
import type { WireReader } from '../wire/wire-reader.ts';

const TRACE_ID = 0x0a;
const SPAN_ID = 0x12;
const TRACE_STATE = 0x1a;
const PARENT_SPAN_ID = 0x22;
const NAME = 0x2a;
const KIND = 0x30;
const START_TIME = 0x39;
const END_TIME = 0x41;
const ATTRIBUTES = 0x4a;
const EVENTS = 0x5a;
const LINKS = 0x6a;
const STATUS = 0x7a;

const STATUS_MESSAGE = 0x12;
const STATUS_CODE = 0x18;

const eventTags: PartTags = { time: 0x09, name: 0x12, attributes: 0x1a };
const linkTags: PartTags = { traceId: 0x0a, spanId: 0x12, name: 0x1a, attributes: 0x22 };

/** Names in the exporter's spelling. */
const kinds = ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer'].map((name) =>
  Buffer.from(name),
);
const statusCodes = ['Unset', 'Ok', 'Error'].map((name) => Buffer.from(name));
const noName = Buffer.alloc(0);

/** Positions of the fields of one span, reused for the next span. */
export class Span {
  private readonly arrival: Arrival;
  readonly traceId = new FieldRange();
  readonly spanId = new FieldRange();
  private readonly parentSpanId = new FieldRange();
  private readonly traceState = new FieldRange();
  private readonly name = new FieldRange();
  private kind = 0;
  private startTime = -1;
  private endTime = -1;
  private statusCode = 0;
  private readonly statusMessage = new FieldRange();
  private readonly attributes: Ranges = [];
  private readonly events: SpanPart[] = [];
  private readonly links: SpanPart[] = [];

  constructor(arrival: Arrival) {
    this.arrival = arrival;
  }

  /** Answers why the span is refused, or undefined. */
  read(reader: WireReader, start: number, end: number): string | undefined {
    this.clear();
    reader.pos = start;
    for (let tag = reader.tag(end); tag !== 0; tag = reader.tag(end)) {
      switch (tag) {
        case KIND:
          this.kind = reader.varint(end);
          break;
        case START_TIME:
          this.startTime = reader.fixed(8, end);
          break;
        case END_TIME:
          this.endTime = reader.fixed(8, end);
          break;
        case TRACE_ID:
        case SPAN_ID:
        case TRACE_STATE:
        case PARENT_SPAN_ID:
        case NAME:
        case ATTRIBUTES:
        case EVENTS:
        case LINKS:
        case STATUS: {
          const stop = reader.delimited(end);
          this.locate(reader, tag, reader.pos, stop);
          reader.pos = stop;
          break;
        }
        default:
          reader.skip(tag, end);
      }
    }
    return this.refusal(reader);
  }

  timeMs(reader: WireReader): number {
    return this.startTime < 0 ? this.arrival.timeMs : timeMsAt(reader, this.startTime);
  }

  write(reader: WireReader, block: TracesBlock): void {
    if (this.startTime < 0) {
      this.arrival.write(block.timestamp);
    } else {
      writeFixed64(reader, this.startTime, block.timestamp);
    }
    writeId(reader, this.traceId.start, this.traceId.end, block.traceId);
    writeId(reader, this.spanId.start, this.spanId.end, block.spanId);
    writeId(reader, this.parentSpanId.start, this.parentSpanId.end, block.parentSpanId);
    writeRange(reader, this.traceState, block.traceState);
    writeRange(reader, this.name, block.spanName);
    writeWord(kinds[this.kind], block.spanKind);
    writeAttributes(reader, this.attributes, block.attributes);
    this.writeDuration(reader, block.duration);
    writeWord(statusCodes[this.statusCode], block.statusCode);
    writeRange(reader, this.statusMessage, block.statusMessage);
    this.writeEvents(reader, block.events);
    this.writeLinks(reader, block.links);
  }

  private locate(reader: WireReader, tag: number, start: number, end: number): void {
    switch (tag) {
      case TRACE_ID:
        this.traceId.set(start, end);
        break;
      case SPAN_ID:
        this.spanId.set(start, end);
        break;
      case PARENT_SPAN_ID:
        this.parentSpanId.set(start, end);
        break;
      case TRACE_STATE:
        this.traceState.set(start, end);
        break;
      case NAME:
        this.name.set(start, end);
        break;
      case ATTRIBUTES:
        this.attributes.push(start, end);
        break;
      case EVENTS:
        this.events.push(readPart(reader, start, end, eventTags));
        break;
      case LINKS:
        this.links.push(readPart(reader, start, end, linkTags));
        break;
      default:
        this.readStatus(reader, start, end);
    }
  }

  private readStatus(reader: WireReader, start: number, end: number): void {
    reader.pos = start;
    for (let tag = reader.tag(end); tag !== 0; tag = reader.tag(end)) {
      if (tag === STATUS_CODE) {
        this.statusCode = reader.varint(end);
      } else if (tag === STATUS_MESSAGE) {
        const stop = reader.delimited(end);
        this.statusMessage.set(reader.pos, stop);
        reader.pos = stop;
      } else {
        reader.skip(tag, end);
      }
    }
  }

  private refusal(reader: WireReader): string | undefined {
    if (this.startTime >= 0 && isZero(reader, this.startTime)) {
      this.startTime = -1;
    }
    if (
      isTooLate(reader, this.startTime) ||
      isTooLate(reader, this.endTime) ||
      this.events.some(({ time }) => isTooLate(reader, time))
    ) {
      return tooLate;
    }
    if (!isIdSize(this.parentSpanId, 8)) {
      return wrongSpanId;
    }
    return wrongIds(this) ?? this.links.map(wrongIds).find((reason) => reason !== undefined);
  }

  /**
   * End minus start in nanoseconds; 0 for a span that has not ended, or that ended before it began.
   */
  private writeDuration(reader: WireReader, out: ByteWriter): void {
    if (this.startTime < 0 || this.endTime < 0) {
      return out.u64(0, 0);
    }
    const { view } = reader;
    const startLow = view.getUint32(this.startTime, true);
    const endLow = view.getUint32(this.endTime, true);
    const high =
      view.getUint32(this.endTime + 4, true) -
      view.getUint32(this.startTime + 4, true) -
      (endLow < startLow ? 1 : 0);
    if (high < 0) {
      out.u64(0, 0);
    } else {
      out.u64(endLow - startLow, high);
    }
  }

  private writeEvents(reader: WireReader, columns: TracesBlock['events']): void {
    for (const event of this.events) {
      writeFixed64(reader, event.time, columns.time.items);
      writeRange(reader, event.name, columns.name.items);
      writeAttributes(reader, event.attributes, columns.attributes.items);
    }
    columns.time.close(this.events.length);
    columns.name.close(this.events.length);
    columns.attributes.close(this.events.length);
  }

  private writeLinks(reader: WireReader, columns: TracesBlock['links']): void {
    for (const { traceId, spanId, name, attributes } of this.links) {
      writeId(reader, traceId.start, traceId.end, columns.traceId.items);
      writeId(reader, spanId.start, spanId.end, columns.spanId.items);
      writeRange(reader, name, columns.traceState.items);
      writeAttributes(reader, attributes, columns.attributes.items);
    }
    columns.traceId.close(this.links.length);
    columns.spanId.close(this.links.length);
    columns.traceState.close(this.links.length);
    columns.attributes.close(this.links.length);
  }

  private clear(): void {
    this.traceId.set(0, 0);
    this.spanId.set(0, 0);
    this.parentSpanId.set(0, 0);
    this.traceState.set(0, 0);
    this.name.set(0, 0);
    this.statusMessage.set(0, 0);
    this.kind = this.statusCode = 0;
    this.startTime = this.endTime = -1;
    clear(this.attributes);
    clear(this.events);
    clear(this.links);
  }
}

function writeWord(name = noName, column: WordColumn): void {
  column.utf8(name, 0, name.length);
}
