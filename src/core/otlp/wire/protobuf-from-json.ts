import { PbfWriter } from 'pbf';
import { messages, type Field, type MessageName, type Scalar } from './messages.ts';
import { defaultQuota, type Quota } from './quota.ts';
import { scanJson } from './scan-json.ts';
import { BYTES, FIXED32, FIXED64, malformed, VARINT } from './wire-reader.ts';

/** Maximum depth of nested messages. Arrays and key-value lists can be nested. */
const maxDepth = 300;

/**
 * Converts an OTLP/JSON request into the binary encoding, so that one decoder serves both. Unknown
 * fields are ignored, and null counts as absent.
 * @throws Fault `bad_request` naming the field, or `payload_too_large`.
 */
export function protobufFromJson(
  request: MessageName,
  body: Uint8Array,
  quota: Quota = defaultQuota,
): Uint8Array {
  const value = parse(body, quota);
  const writer = new PbfWriter(new Uint8Array(Math.max(64, body.length)));
  new Transcoder(writer).message(request, value);
  return writer.finish();
}

function parse(body: Uint8Array, quota: Quota): unknown {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const text = quoteLongIntegers(bytes, scanJson(bytes, quota.maxJsonValues));
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('the body is not JSON');
  }
}

/**
 * JSON.parse would round integers beyond 2^53: they become text first, which OTLP/JSON allows for
 * every 64-bit integer.
 */
function quoteLongIntegers(bytes: Buffer, longIntegers: readonly number[]): string {
  if (longIntegers.length === 0) {
    return bytes.toString('utf8');
  }
  const parts: string[] = [];
  let from = 0;
  for (let index = 0; index < longIntegers.length; index += 2) {
    const start = longIntegers[index]!;
    const end = longIntegers[index + 1]!;
    parts.push(bytes.toString('utf8', from, start), `"${bytes.toString('latin1', start, end)}"`);
    from = end;
  }
  parts.push(bytes.toString('utf8', from));
  return parts.join('');
}

class Transcoder {
  private readonly writer: PbfWriter;
  private readonly path: (string | number)[] = [];

  constructor(writer: PbfWriter) {
    this.writer = writer;
  }

  message(name: MessageName, value: unknown): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.wrong('must be an object');
    }
    if (this.path.length > maxDepth) {
      throw malformed('a value is nested too deep');
    }
    const fields = messages[name];
    for (const key of Object.keys(value)) {
      const content = (value as Record<string, unknown>)[key];
      if (content === null || content === undefined || !Object.hasOwn(fields, key)) {
        continue;
      }
      this.path.push(key);
      this.field(fields[key]!, content);
      this.path.pop();
    }
  }

  private field(field: Field, content: unknown): void {
    if (!field.repeated) {
      return this.single(field, content);
    }
    if (!Array.isArray(content)) {
      throw this.wrong('must be an array');
    }
    for (let index = 0; index < content.length; index++) {
      this.path.push(index);
      this.single(field, content[index]);
      this.path.pop();
    }
  }

  private single({ number, type }: Field, content: unknown): void {
    if (type in messages) {
      this.writer.writeMessage(
        number,
        (value: unknown) => this.message(type as MessageName, value),
        content,
      );
      return;
    }
    // The JavaScript SDK calls every number without a fraction an integer, 1e300 too.
    if (type === 'int64' && typeof content === 'number' && Math.abs(content) >= 2 ** 63) {
      return this.single(messages.AnyValue['doubleValue']!, content);
    }
    this.scalar(number, type as Scalar, content);
  }

  private scalar(number: number, type: Scalar, content: unknown): void {
    const { writer } = this;
    switch (type) {
      case 'string':
        writer.writeTag(number, BYTES);
        // The writer's own encoding of strings corrupts characters beyond U+1FFFF.
        writer.writeBytes(Buffer.from(this.text(content)));
        break;
      case 'bytes':
        writer.writeTag(number, BYTES);
        writer.writeBytes(this.decoded(content, base64, 'base64'));
        break;
      case 'hex':
        writer.writeTag(number, BYTES);
        writer.writeBytes(this.decoded(content, hexadecimal, 'hex'));
        break;
      case 'bool':
        writer.writeTag(number, VARINT);
        writer.writeBoolean(this.boolean(content));
        break;
      case 'double':
        writer.writeTag(number, FIXED64);
        writer.writeDouble(this.double(content));
        break;
      case 'int64':
        writer.writeTag(number, VARINT);
        this.varint64(this.integer(content, minInt64, maxInt64));
        break;
      case 'uint64':
        writer.writeTag(number, VARINT);
        this.varint64(this.integer(content, 0n, maxUint64));
        break;
      case 'fixed64':
        writer.writeTag(number, FIXED64);
        this.fixed64(this.integer(content, 0n, maxUint64));
        break;
      case 'sfixed64':
        writer.writeTag(number, FIXED64);
        this.fixed64(this.integer(content, minInt64, maxInt64));
        break;
      case 'uint32':
        writer.writeTag(number, VARINT);
        writer.writeVarint(Number(this.integer(content, 0n, maxUint32)));
        break;
      case 'fixed32':
        writer.writeTag(number, FIXED32);
        writer.writeFixed32(Number(this.integer(content, 0n, maxUint32)));
        break;
      case 'sint32':
        writer.writeTag(number, VARINT);
        writer.writeSVarint(Number(this.integer(content, -(1n << 31n), (1n << 31n) - 1n)));
        break;
    }
  }

  private text(content: unknown): string {
    if (typeof content !== 'string') {
      throw this.wrong('must be a string');
    }
    return content;
  }

  private decoded(content: unknown, pattern: RegExp, encoding: 'base64' | 'hex'): Buffer {
    const text = this.text(content);
    if ((encoding === 'hex' && text.length > maxHexDigits) || !pattern.test(text)) {
      throw this.wrong(encoding === 'hex' ? 'must be hexadecimal' : 'must be base64');
    }
    return Buffer.from(text, encoding);
  }

  private boolean(content: unknown): boolean {
    if (typeof content !== 'boolean') {
      throw this.wrong('must be true or false');
    }
    return content;
  }

  private double(content: unknown): number {
    const value =
      typeof content === 'string' &&
      (content === 'NaN' || /^-?(Infinity|[\d.]+([eE][+-]?\d+)?)$/.test(content))
        ? Number(content)
        : content;
    if (typeof value !== 'number') {
      throw this.wrong('must be a number');
    }
    return value;
  }

  private integer(content: unknown, min: bigint, max: bigint): bigint {
    const whole =
      typeof content === 'number'
        ? Number.isInteger(content)
        : typeof content === 'string' && /^-?\d{1,20}$/.test(content);
    if (!whole) {
      throw this.wrong('must be a whole number');
    }
    const value = BigInt(content as string | number);
    if (value < min || value > max) {
      throw this.wrong(`must be from ${min} to ${max}`);
    }
    return value;
  }

  private fixed64(value: bigint): void {
    this.writer.realloc(8);
    this.writer.dataView.setBigUint64(this.writer.pos, BigInt.asUintN(64, value), true);
    this.writer.pos += 8;
  }

  private varint64(value: bigint): void {
    const { writer } = this;
    writer.realloc(10);
    let rest = BigInt.asUintN(64, value);
    while (rest > 0x7fn) {
      writer.buf[writer.pos++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    writer.buf[writer.pos++] = Number(rest);
  }

  private wrong(what: string): Error {
    return malformed(
      this.path.length === 0 ? `the body ${what}` : `${this.path.join('.')}: ${what}`,
    );
  }
}

const hexadecimal = /^(?:[\da-fA-F]{2})*$/;
/** No id has more: a pattern with groups is slow on very long texts. */
const maxHexDigits = 1000;
const base64 = /^[\w+/-]*={0,2}$/;
const maxUint32 = 0xffff_ffffn;
const minInt64 = -(1n << 63n);
const maxInt64 = (1n << 63n) - 1n;
const maxUint64 = (1n << 64n) - 1n;
