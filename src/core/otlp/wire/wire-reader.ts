import { Fault } from '../../../contract/errors.ts';
import { beyondQuota } from './quota.ts';

/** Wire types of the protocol buffers encoding. */
export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const FIXED32 = 5;

/**
 * A cursor over a protocol buffers message that checks every bound. It hands out positions, not
 * values: most of a telemetry record is copied into a row as it stands. Fields are told apart by
 * their whole tag (number and wire type), so that a known number with a foreign wire type is
 * skipped like any unknown field.
 */
export class WireReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  pos = 0;
  /** Low and high half of the last `varint64`. */
  low = 0;
  high = 0;

  private freeFields: number;

  /** Reads at most `maxFields` delimited fields. */
  constructor(bytes: Uint8Array, maxFields = Infinity) {
    this.freeFields = maxFields;
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The tag of the next field before `end`, 0 when there is none. */
  tag(end: number): number {
    if (this.pos >= end) {
      return 0;
    }
    const tag = this.varint(end);
    if (tag < 8 || tag > 0xffffffff) {
      throw malformed('a field has the number 0');
    }
    return tag;
  }

  /**
   * An unsigned varint as a number: exact for tags, lengths, 32-bit integers and enumerations. Up to
   * 28 bits it is made by operations on integers only. Otherwise lists of positions would become
   * lists of floating-point numbers, for which the runtime needs much more time.
   */
  varint(end: number): number {
    const { bytes } = this;
    let { pos } = this;
    let value = 0;
    for (let shift = 0; shift < 28 && pos < end; shift += 7) {
      const byte = bytes[pos++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        this.pos = pos;
        return value;
      }
    }
    this.varint64(end);
    return this.high * 0x1_0000_0000 + this.low;
  }

  /** A 64-bit varint, exact, into `low` and `high` (both unsigned). */
  varint64(end: number): void {
    let low = 0;
    let high = 0;
    for (let index = 0; index < 10; index++) {
      if (this.pos >= end) {
        throw malformed('a number is truncated');
      }
      const byte = this.bytes[this.pos++]!;
      const bits = byte & 0x7f;
      const shift = index * 7;
      if (shift < 28) {
        low |= bits << shift;
      } else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else {
        high |= bits << (shift - 32);
      }
      if (byte < 0x80) {
        this.low = low >>> 0;
        this.high = high >>> 0;
        return;
      }
    }
    throw malformed('a number has more than ten bytes');
  }

  /**
   * Reads the length of a delimited field and answers where it ends; `pos` is then its first byte.
   */
  delimited(end: number): number {
    this.countField();
    const stop = this.varint(end) + this.pos;
    if (stop > end) {
      throw malformed('a field is longer than its message');
    }
    return stop;
  }

  /** Counts a field whose position or value is kept. @throws Fault `payload_too_large`. */
  countField(): void {
    if (--this.freeFields < 0) {
      throw beyondQuota('the request has too many fields');
    }
  }

  /** Skips `size` fixed bytes and returns their position. */
  fixed(size: 4 | 8, end: number): number {
    const start = this.pos;
    if (start + size > end) {
      throw malformed('a number is truncated');
    }
    this.pos = start + size;
    return start;
  }

  /** Skips the value of an unused field. */
  skip(tag: number, end: number): void {
    switch (tag & 7) {
      case VARINT:
        this.varint64(end);
        break;
      case FIXED64:
        this.fixed(8, end);
        break;
      case BYTES:
        this.pos = this.delimited(end);
        break;
      case FIXED32:
        this.fixed(4, end);
        break;
      default:
        throw malformed('a field has an unknown wire type');
    }
  }
}

/** The error for a body that does not match its content type. A retry cannot succeed. */
export function malformed(reason: string): Fault {
  return new Fault('bad_request', `the request is not valid OTLP: ${reason}`);
}
