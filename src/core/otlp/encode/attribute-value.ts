import type { ByteWriter } from '../block/byte-writer.ts';
import { malformed, type WireReader } from '../wire/wire-reader.ts';

const STRING = 0x0a;
const BOOL = 0x10;
const INT = 0x18;
const DOUBLE = 0x21;
const ARRAY = 0x2a;
const KEY_VALUES = 0x32;
const BYTES = 0x3a;

const ARRAY_ITEM = 0x0a;
const KEY = 0x0a;
const VALUE = 0x12;

/** Maximum depth of nested arrays and key-value lists. */
const maxDepth = 64;

/**
 * One AnyValue as a string column: text as it is, numbers and booleans in decimal, bytes in base64,
 * lists as JSON, nothing as ''.
 */
export function writeValue(reader: WireReader, start: number, end: number, out: ByteWriter): void {
  const value = find(reader, start, end, topValue);
  switch (value.tag) {
    case 0:
      out.size(0);
      break;
    case STRING:
      out.utf8(reader.bytes, value.start, value.end);
      break;
    case BOOL:
      out.text(value.start === 1 ? 'true' : 'false');
      break;
    case INT:
      out.text(signedText(reader.low, reader.high));
      break;
    case DOUBLE:
      out.text(doubleText(reader.view.getFloat64(value.start, true)));
      break;
    case BYTES:
      out.text(base64(reader, value.start, value.end));
      break;
    default:
      out.text(listJson(reader, value, 1));
  }
}

/** Positions of the key and the value of one KeyValue. */
export interface KeyValueRange {
  keyStart: number;
  keyEnd: number;
  valueStart: number;
  valueEnd: number;
}

export function readKeyValue(
  reader: WireReader,
  start: number,
  end: number,
  into: KeyValueRange,
): void {
  into.keyStart = into.keyEnd = into.valueStart = into.valueEnd = start;
  reader.pos = start;
  for (let tag = reader.tag(end); tag !== 0; tag = reader.tag(end)) {
    if (tag === KEY) {
      into.keyEnd = reader.delimited(end);
      into.keyStart = reader.pos;
      reader.pos = into.keyEnd;
    } else if (tag === VALUE) {
      into.valueEnd = reader.delimited(end);
      into.valueStart = reader.pos;
      reader.pos = into.valueEnd;
    } else {
      reader.skip(tag, end);
    }
  }
}

/** A signed 64-bit integer from its unsigned halves, in decimal. */
export function signedText(low: number, high: number): string {
  const near = (high | 0) * 0x1_0000_0000 + low;
  return Number.isSafeInteger(near)
    ? String(near)
    : String(BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low)));
}

interface ValueRange {
  /** 0: an empty value. */
  tag: number;
  /**
   * Position of the content. For a boolean, its value. Unused for an integer, whose halves are in
   * the reader.
   */
  start: number;
  end: number;
}

/** Reused: there are many values, one at a time. Items of a list have their own. */
const topValue: ValueRange = { tag: 0, start: 0, end: 0 };

/** If an AnyValue has several values, the last one counts, as in all of protocol buffers. */
function find(reader: WireReader, start: number, end: number, value: ValueRange): ValueRange {
  value.tag = value.start = value.end = 0;
  let integerLow = 0;
  let integerHigh = 0;
  reader.pos = start;
  for (let tag = reader.tag(end); tag !== 0; tag = reader.tag(end)) {
    switch (tag) {
      case STRING:
      case ARRAY:
      case KEY_VALUES:
      case BYTES:
        value.end = reader.delimited(end);
        value.start = reader.pos;
        reader.pos = value.end;
        break;
      case BOOL:
        value.start = reader.varint(end) === 0 ? 0 : 1;
        break;
      case INT:
        reader.varint64(end);
        integerLow = reader.low;
        integerHigh = reader.high;
        break;
      case DOUBLE:
        value.start = reader.fixed(8, end);
        break;
      default:
        reader.skip(tag, end);
        continue;
    }
    value.tag = tag;
  }
  if (value.tag === INT) {
    reader.low = integerLow;
    reader.high = integerHigh;
  }
  return value;
}

/**
 * Integers keep all digits. NaN and infinities become text, because JSON has no numbers for them.
 */
function valueJson(reader: WireReader, start: number, end: number, depth: number): string {
  const value = find(reader, start, end, { tag: 0, start: 0, end: 0 });
  switch (value.tag) {
    case 0:
      return 'null';
    case STRING:
      return JSON.stringify(text(reader, value.start, value.end));
    case BOOL:
      return value.start === 1 ? 'true' : 'false';
    case INT:
      return signedText(reader.low, reader.high);
    case DOUBLE:
      return doubleJson(reader.view.getFloat64(value.start, true));
    case BYTES:
      return `"${base64(reader, value.start, value.end)}"`;
    default:
      return listJson(reader, value, depth + 1);
  }
}

function listJson(reader: WireReader, list: ValueRange, depth: number): string {
  if (depth > maxDepth) {
    throw malformed(`a value is nested deeper than ${maxDepth} levels`);
  }
  const items: string[] = [];
  let position = list.start;
  while (position < list.end) {
    reader.pos = position;
    const tag = reader.tag(list.end);
    if (tag !== ARRAY_ITEM) {
      reader.skip(tag, list.end);
      position = reader.pos;
      continue;
    }
    position = reader.delimited(list.end);
    items.push(
      list.tag === ARRAY
        ? valueJson(reader, reader.pos, position, depth)
        : memberJson(reader, reader.pos, position, depth),
    );
  }
  return list.tag === ARRAY ? `[${items.join(',')}]` : `{${items.join(',')}}`;
}

function memberJson(reader: WireReader, start: number, end: number, depth: number): string {
  const range = { keyStart: 0, keyEnd: 0, valueStart: 0, valueEnd: 0 };
  readKeyValue(reader, start, end, range);
  const key = JSON.stringify(text(reader, range.keyStart, range.keyEnd));
  return `${key}:${valueJson(reader, range.valueStart, range.valueEnd, depth)}`;
}

function text(reader: WireReader, start: number, end: number): string {
  return slice(reader, start, end).toString('utf8');
}

function base64(reader: WireReader, start: number, end: number): string {
  return slice(reader, start, end).toString('base64');
}

function slice({ bytes }: WireReader, start: number, end: number): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
}

function doubleText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function doubleJson(value: number): string {
  return Number.isFinite(value) ? doubleText(value) : `"${value}"`;
}
