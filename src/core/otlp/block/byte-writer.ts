import { isUtf8 } from 'node:buffer';
import type { BlockMemory, Piece } from './block-memory.ts';

const hexOf = Uint16Array.from({ length: 256 }, (_, byte) => {
  const digits = byte.toString(16).padStart(2, '0');
  return (digits.charCodeAt(0) << 8) | digits.charCodeAt(1);
});

/**
 * Below this number of bytes, a loop is faster than a call into native code. The length of a string
 * is one byte then.
 */
const shortBytes = 128;

const initialBytes = 256;

/** Bytes of one column in one growing buffer. */
export class ByteWriter implements Piece {
  buffer: Buffer;
  pos = 0;
  private view: DataView;
  private readonly memory: BlockMemory;

  constructor(memory: BlockMemory) {
    this.memory = memory;
    this.buffer = Buffer.allocUnsafeSlow(initialBytes);
    this.view = new DataView(this.buffer.buffer);
    memory.add(this);
  }

  get usedBytes(): number {
    return this.pos;
  }

  get heldBytes(): number {
    return this.buffer.length;
  }

  reset(release: boolean): void {
    this.pos = 0;
    if (release && this.buffer.length > initialBytes) {
      this.use(Buffer.allocUnsafeSlow(initialBytes));
    }
  }

  /** Appends `times` copies of the bytes from `start` to `end`. */
  repeatBytes(start: number, end: number, times: number): void {
    const length = end - start;
    const added = length * times;
    if (added === 0) {
      return;
    }
    this.reserve(added);
    const { buffer, pos } = this;
    buffer.copyWithin(pos, start, end);
    for (let done = length; done < added; done *= 2) {
      buffer.copyWithin(pos + done, pos, pos + Math.min(done, added - done));
    }
    this.pos = pos + added;
  }

  u8(value: number): void {
    this.reserve(1);
    this.buffer[this.pos++] = value;
  }

  u32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.pos, value, true);
    this.pos += 4;
  }

  /** A 64-bit integer given by its unsigned halves. */
  u64(low: number, high: number): void {
    this.reserve(8);
    this.view.setUint32(this.pos, low, true);
    this.view.setUint32(this.pos + 4, high, true);
    this.pos += 8;
  }

  f64(value: number): void {
    this.reserve(8);
    this.view.setFloat64(this.pos, value, true);
    this.pos += 8;
  }

  /** Numbers of eight bytes each, as they are. */
  fixed64s(from: DataView, start: number, end: number): void {
    this.reserve(end - start);
    const { view, pos } = this;
    const distance = pos - start;
    for (let position = start; position < end; position += 4) {
      view.setInt32(distance + position, from.getInt32(position, true), true);
    }
    this.pos = distance + end;
  }

  /** The length of a string, as the engine reads it. */
  size(value: number): void {
    this.reserve(5);
    let rest = value;
    while (rest > 0x7f) {
      this.buffer[this.pos++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.buffer[this.pos++] = rest;
  }

  /** Bytes as they are, without a length. */
  raw(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.reserve(length);
    const { buffer, pos } = this;
    if (length < shortBytes) {
      for (let index = 0; index < length; index++) {
        buffer[pos + index] = bytes[start + index]!;
      }
    } else {
      buffer.set(bytes.subarray(start, end), pos);
    }
    this.pos = pos + length;
  }

  /** The bytes of an array of integers. */
  array(values: Uint8Array | Uint16Array | Uint32Array): void {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.raw(bytes, 0, bytes.length);
  }

  /**
   * A string from UTF-8 bytes. Invalid bytes become U+FFFD; otherwise a response with them would
   * not be valid JSON.
   */
  utf8(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (length < shortBytes && this.ascii(bytes, start, length)) {
      return;
    }
    const view = bytes.subarray(start, end);
    if (isUtf8(view)) {
      this.size(length);
      this.reserve(length);
      this.buffer.set(view, this.pos);
      this.pos += length;
    } else {
      this.text(Buffer.from(view).toString('utf8'));
    }
  }

  text(text: string): void {
    if (text.length < shortBytes && this.asciiText(text)) {
      return;
    }
    const length = Buffer.byteLength(text);
    this.size(length);
    this.reserve(length);
    this.pos += this.buffer.write(text, this.pos, length, 'utf8');
  }

  /** Bytes as a string of lower-case hexadecimal digits. */
  hex(bytes: Uint8Array, start: number, end: number): void {
    this.size((end - start) * 2);
    this.reserve((end - start) * 2);
    const { buffer } = this;
    for (let index = start; index < end; index++) {
      const digits = hexOf[bytes[index]!]!;
      buffer[this.pos++] = digits >>> 8;
      buffer[this.pos++] = digits & 0xff;
    }
  }

  /** Writes a short string if it is ASCII, as most are: one pass instead of a check and a copy. */
  private ascii(bytes: Uint8Array, start: number, length: number): boolean {
    this.reserve(length + 1);
    const { buffer, pos } = this;
    let seen = 0;
    for (let index = 0; index < length; index++) {
      const byte = bytes[start + index]!;
      seen |= byte;
      buffer[pos + 1 + index] = byte;
    }
    if (seen >= 0x80) {
      return false;
    }
    buffer[pos] = length;
    this.pos = pos + 1 + length;
    return true;
  }

  /** The same for a text of the runtime, such as a number in decimal. */
  private asciiText(text: string): boolean {
    const { length } = text;
    this.reserve(length + 1);
    const { buffer, pos } = this;
    let seen = 0;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      seen |= code;
      buffer[pos + 1 + index] = code;
    }
    if (seen >= 0x80) {
      return false;
    }
    buffer[pos] = length;
    this.pos = pos + 1 + length;
    return true;
  }

  /** Makes room for that many more bytes. */
  reserve(bytes: number): void {
    const needed = this.pos + bytes;
    if (needed > this.buffer.length) {
      this.grow(needed);
    }
  }

  private grow(needed: number): void {
    this.memory.require(needed - this.pos);
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.buffer.length * 2));
    larger.set(this.buffer.subarray(0, this.pos));
    this.use(larger);
  }

  private use(buffer: Buffer): void {
    this.buffer = buffer;
    this.view = new DataView(buffer.buffer);
  }
}
