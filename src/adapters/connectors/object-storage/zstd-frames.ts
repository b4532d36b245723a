/** Whether these bytes are zstd frames from the first to the last. */
export async function isWholeStream(bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
  const frames = new ZstdFrames();
  for await (const chunk of bytes) {
    frames.push(chunk);
  }
  return frames.isWhole;
}

const frameMagic = 0xfd2fb528;
const isSkippable = (magic: number): boolean => magic >= 0x184d2a50 && magic <= 0x184d2a5f;

/** What comes next in the stream: a header of so many bytes, which says what follows it. */
interface Header {
  bytes: number;
  read(header: DataView): { skip: number; next: Header | undefined };
}

/**
 * Follows the frames of a zstd stream from header to header, without decompressing anything. The engine takes a stream that was cut off for its end, so
 * this is what tells a whole object from half of one (RFC 8878).
 */
export class ZstdFrames {
  #header: Header | undefined = frame;
  #known = 0;
  #skip = 0;
  readonly #bytes = new Uint8Array(18);

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && this.#header;) {
      const skipped = Math.min(this.#skip, chunk.length - at);
      this.#skip -= skipped;
      at += skipped;
      if (this.#skip > 0) {
        return;
      }
      const taken = chunk.subarray(at, at + this.#header.bytes - this.#known);
      this.#bytes.set(taken, this.#known);
      this.#known += taken.length;
      at += taken.length;
      if (this.#known === this.#header.bytes) {
        this.#turn(this.#header);
      }
    }
  }

  /** The stream ends where a frame ends, and everything before was frames. */
  get isWhole(): boolean {
    return this.#header === frame && this.#known === 0 && this.#skip === 0;
  }

  #turn(header: Header): void {
    const { skip, next } = header.read(new DataView(this.#bytes.buffer));
    this.#skip = skip;
    this.#header = next;
    this.#known = 0;
  }
}

const frame: Header = {
  bytes: 5,
  read(header) {
    const magic = header.getUint32(0, true);
    // Its fifth byte is the lowest of the length.
    if (isSkippable(magic)) {
      return { skip: 0, next: skippable(header.getUint8(4)) };
    }
    if (magic !== frameMagic) {
      return { skip: 0, next: undefined };
    }
    const descriptor = header.getUint8(4);
    const single = (descriptor & 0x20) !== 0;
    const contentSize = [single ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
    const dictionary = [0, 1, 2, 4][descriptor & 3]!;
    return {
      skip: (single ? 0 : 1) + dictionary + contentSize,
      next: block((descriptor & 4) !== 0),
    };
  },
};

const skippable = (lowest: number): Header => ({
  bytes: 3,
  read: (header) => ({
    skip: lowest + header.getUint16(0, true) * 2 ** 8 + header.getUint8(2) * 2 ** 24,
    next: frame,
  }),
});

const block = (checksum: boolean): Header => ({
  bytes: 3,
  read(header) {
    const word = header.getUint16(0, true) + header.getUint8(2) * 2 ** 16;
    const isRepeated = ((word >> 1) & 3) === 1;
    const last = (word & 1) === 1;
    return {
      skip: (isRepeated ? 1 : word >> 3) + (last && checksum ? 4 : 0),
      next: last ? frame : block(checksum),
    };
  },
});
