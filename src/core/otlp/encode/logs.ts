import { clear, writeAttributes, type Ranges } from './attributes.ts';
import { writeValue } from './attribute-value.ts';
import { Days, encodedRows, Refusals, tooManyDays, type Encoded } from '../encoded.ts';
import {
  FieldRange,
  visitRequest,
  writeRange,
  writeRepeated,
  writeShared,
  type Group,
} from './groups.ts';
import {
  Arrival,
  timeMsAt,
  isTooLate,
  isZero,
  tooLate,
  writeFixed64,
  writeId,
  wrongIds,
} from './record-fields.ts';
import { LogsBlock } from '../tables.ts';
import { defaultQuota, type Quota } from '../wire/quota.ts';
import type { WireReader } from '../wire/wire-reader.ts';

const TIME = 0x09;
const SEVERITY_NUMBER = 0x10;
const SEVERITY_TEXT = 0x1a;
const BODY = 0x2a;
const ATTRIBUTES = 0x32;
const FLAGS = 0x45;
const TRACE_ID = 0x4a;
const SPAN_ID = 0x52;
const OBSERVED_TIME = 0x59;
const EVENT_NAME = 0x62;

const block = new LogsBlock();

/**
 * Rows of otel_logs from an ExportLogsServiceRequest. A record without any time gets `receivedMs`.
 */
export function encodeLogs(
  request: Uint8Array,
  receivedMs: number,
  { maxFields, maxRowBytes }: Quota = defaultQuota,
): Encoded {
  const arrival = new Arrival(receivedMs);
  const refusals = new Refusals();
  const days = new Days();
  const record = new LogRecord(arrival);
  let firstRow = 0;
  block.start(maxRowBytes);
  visitRequest(
    request,
    {
      groupStart: () => {
        firstRow = block.rows;
      },
      record: (reader, start, end) => {
        record.read(reader, start, end);
        const reason =
          record.refusal(reader) ?? (days.tryAdd(record.timeMs(reader)) ? undefined : tooManyDays);
        if (reason !== undefined) {
          return refusals.add(reason);
        }
        record.write(reader);
        block.rows++;
      },
      groupEnd: (reader, group) => writeGroup(reader, group, block.rows - firstRow),
    },
    maxFields,
  );
  return {
    tables: block.rows > 0 ? [encodedRows(block, days)] : [],
    rejected: refusals.count,
    message: refusals.message,
    usesArrival: arrival.used,
  };
}

function writeGroup(reader: WireReader, group: Group, rows: number): void {
  if (rows === 0) {
    return;
  }
  writeRepeated(block.shared, rows, () => {
    writeShared(reader, group, block);
    writeRange(reader, group.resourceSchemaUrl, block.resourceSchemaUrl);
    writeAttributes(reader, group.scopeAttributes, block.scopeAttributes);
    writeRange(reader, group.scopeSchemaUrl, block.scopeSchemaUrl);
  });
}

/** Positions of the fields of one log record in the request; reused for the next record. */
class LogRecord {
  private readonly arrival: Arrival;
  private time = -1;
  private observedTime = -1;
  private severityNumber = 0;
  private flags = 0;
  private readonly severityText = new FieldRange();
  private readonly body = new FieldRange();
  readonly traceId = new FieldRange();
  readonly spanId = new FieldRange();
  private readonly eventName = new FieldRange();
  private readonly attributes: Ranges = [];

  constructor(arrival: Arrival) {
    this.arrival = arrival;
  }

  read(reader: WireReader, start: number, end: number): void {
    this.clear();
    reader.pos = start;
    for (let tag = reader.tag(end); tag !== 0; tag = reader.tag(end)) {
      switch (tag) {
        case TIME:
          this.time = reader.fixed(8, end);
          break;
        case OBSERVED_TIME:
          this.observedTime = reader.fixed(8, end);
          break;
        case SEVERITY_NUMBER:
          this.severityNumber = reader.varint(end);
          break;
        case FLAGS:
          this.flags = reader.view.getUint32(reader.fixed(4, end), true);
          break;
        case SEVERITY_TEXT:
        case BODY:
        case ATTRIBUTES:
        case TRACE_ID:
        case SPAN_ID:
        case EVENT_NAME: {
          const stop = reader.delimited(end);
          this.locate(tag, reader.pos, stop);
          reader.pos = stop;
          break;
        }
        default:
          reader.skip(tag, end);
      }
    }
  }

  /** Chooses the time of the record. Returns why the record is refused, if it is. */
  refusal(reader: WireReader): string | undefined {
    if (this.time >= 0 && isZero(reader, this.time)) {
      this.time = -1;
    }
    if (this.time < 0 && this.observedTime >= 0 && !isZero(reader, this.observedTime)) {
      this.time = this.observedTime;
    }
    if (isTooLate(reader, this.time)) {
      return tooLate;
    }
    return wrongIds(this);
  }

  timeMs(reader: WireReader): number {
    return this.time < 0 ? this.arrival.timeMs : timeMsAt(reader, this.time);
  }

  write(reader: WireReader): void {
    if (this.time < 0) {
      this.arrival.write(block.timestamp);
    } else {
      writeFixed64(reader, this.time, block.timestamp);
    }
    writeId(reader, this.traceId.start, this.traceId.end, block.traceId);
    writeId(reader, this.spanId.start, this.spanId.end, block.spanId);
    block.traceFlags.u8(this.flags & 0xff);
    writeRange(reader, this.severityText, block.severityText);
    block.severityNumber.u8(Math.min(this.severityNumber, 255));
    writeValue(reader, this.body.start, this.body.end, block.body);
    writeAttributes(reader, this.attributes, block.attributes);
    writeRange(reader, this.eventName, block.eventName);
  }

  private locate(tag: number, start: number, end: number): void {
    switch (tag) {
      case SEVERITY_TEXT:
        this.severityText.set(start, end);
        break;
      case BODY:
        this.body.set(start, end);
        break;
      case ATTRIBUTES:
        this.attributes.push(start, end);
        break;
      case TRACE_ID:
        this.traceId.set(start, end);
        break;
      case SPAN_ID:
        this.spanId.set(start, end);
        break;
      default:
        this.eventName.set(start, end);
    }
  }

  private clear(): void {
    this.time = this.observedTime = -1;
    this.severityNumber = this.flags = 0;
    this.traceId.set(0, 0);
    this.spanId.set(0, 0);
    this.severityText.set(0, 0);
    this.body.set(0, 0);
    this.eventName.set(0, 0);
    clear(this.attributes);
  }
}
