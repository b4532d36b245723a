/** Reads what `Block` has written, from the start. Reading beyond the end throws RangeError. */
export class BlockReader {
  readonly bytes: Buffer;
  pos = 0;
  private readonly view: DataView;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get isAtEnd(): boolean {
    return this.pos >= this.bytes.length;
  }

  /** A length, as `ByteWriter.size` writes it. */
  size(): number {
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.pos++];
      if (byte === undefined || shift > 28) {
        throw new RangeError('a length in a block is cut off');
      }
      size |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        return size >>> 0;
      }
    }
  }

  /** A text with its length before it. */
  text(): string {
    const length = this.size();
    const start = this.skip(length);
    return this.bytes.toString('utf8', start, start + length);
  }

  /** A 64-bit integer that is smaller than 2³². */
  u64(): number {
    const { pos, view } = this;
    const low = view.getUint32(pos, true);
    if (view.getUint32(pos + 4, true) !== 0) {
      throw new RangeError('a number in a block is too large');
    }
    this.pos = pos + 8;
    return low;
  }

  /** Skips bytes, and returns where they begin. */
  skip(bytes: number): number {
    const start = this.pos;
    this.pos = start + bytes;
    if (this.pos > this.bytes.length) {
      throw new RangeError('a block is cut off');
    }
    return start;
  }

  /** Skips texts, and returns where they begin. */
  skipTexts(count: number): number {
    const { bytes, pos: start } = this;
    let pos = start;
    for (let index = 0; index < count; index++) {
      const length = bytes[pos]!;
      if (length < 0x80) {
        pos += 1 + length;
      } else {
        this.pos = pos;
        pos = this.size() + this.pos;
      }
    }
    this.pos = start;
    return this.skip(pos - start);
  }

  /** Whether these bytes are next; then they are read. */
  reads(expected: Uint8Array): boolean {
    const { bytes, pos } = this;
    for (let index = 0; index < expected.length; index++) {
      if (bytes[pos + index] !== expected[index]) {
        return false;
      }
    }
    this.pos = pos + expected.length;
    return true;
  }
}
