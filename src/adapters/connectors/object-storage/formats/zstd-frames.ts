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

/** A header in the stream: its size, and what follows it. */
interface Header {
  bytes: number;
  read(header: DataView): { skip: number; next: Header | undefined };
}

/**
 * Follows the frames of a zstd stream from header to header, without decompression (RFC 8878). The
 * engine does not notice that a stream is cut off; this does.
 */
export class ZstdFrames {
  #header: Header | undefined = frame;
  #known = 0;
  #skip = 0;
  readonly #bytes = new Uint8Array(18);

  push(chunk: Uint8Array): void {
    for (let offset = 0; offset < chunk.length && this.#header;) {
      const skipped = Math.min(this.#skip, chunk.length - offset);
      this.#skip -= skipped;
      offset += skipped;
      if (this.#skip > 0) {
        return;
      }
      const part = chunk.subarray(offset, offset + this.#header.bytes - this.#known);
      this.#bytes.set(part, this.#known);
      this.#known += part.length;
      offset += part.length;
      if (this.#known === this.#header.bytes) {
        this.#enter(this.#header);
      }
    }
  }

  /** The stream ends where a frame ends, and everything before was frames. */
  get isWhole(): boolean {
    return this.#header === frame && this.#known === 0 && this.#skip === 0;
  }

  #enter(header: Header): void {
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
    // The fifth byte is the lowest byte of the length.
    if (isSkippable(magic)) {
      return { skip: 0, next: skippable(header.getUint8(4)) };
    }
    if (magic !== frameMagic) {
      return { skip: 0, next: undefined };
    }
    const descriptor = header.getUint8(4);
    const single = (descriptor & 0x20) !== 0;
    const contentSize = [single ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
    const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
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
