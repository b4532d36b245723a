/**
 * Takes the server's bytes apart into messages, without copying: `type`, and the payload as `buffer[start, end)`, stay right until the next `feed`.
 */
export class FrameReader {
  buffer: Buffer = Buffer.alloc(0);
  type = 0;
  start = 0;
  end = 0;
  #at = 0;
  /** Of a message larger than one read: what came of it so far. */
  #parts: Buffer[] = [];
  #partsBytes = 0;
  #wanted = 0;

  feed(chunk: Buffer): void {
    const rest = this.buffer.length - this.#at;
    if (this.#partsBytes === 0 && rest === 0) {
      this.buffer = chunk;
      this.#at = 0;
      return;
    }
    if (this.#partsBytes === 0) {
      this.#parts = [this.buffer.subarray(this.#at)];
      this.#partsBytes = rest;
      this.buffer = Buffer.alloc(0);
      this.#at = 0;
    }
    this.#parts.push(chunk);
    this.#partsBytes += chunk.length;
    if (this.#partsBytes < this.#wanted) {
      return;
    }
    this.buffer = Buffer.concat(this.#parts, this.#partsBytes);
    this.#at = 0;
    this.#parts = [];
    this.#partsBytes = 0;
  }

  /** Moves on to the next message; false: more bytes are needed. */
  next(): boolean {
    const { buffer } = this;
    const at = this.#at;
    // What is wanted is known: asked again between two reads, it would be forgotten, and a message of many reads be put together at each of them.
    if (this.#partsBytes > 0) {
      return false;
    }
    if (buffer.length - at < 5) {
      this.#wanted = 5;
      return false;
    }
    const length =
      ((buffer[at + 1]! << 24) |
        (buffer[at + 2]! << 16) |
        (buffer[at + 3]! << 8) |
        buffer[at + 4]!) >>>
      0;
    const end = at + 1 + length;
    if (end > buffer.length) {
      this.#wanted = 1 + length;
      return false;
    }
    this.type = buffer[at]!;
    this.start = at + 5;
    this.end = this.#at = end;
    return true;
  }
}

/** Types of the messages that matter here. */
export const frame = {
  copyData: 0x64,
  copyDone: 0x63,
  error: 0x45,
  notice: 0x4e,
  ready: 0x5a,
  copyOut: 0x48,
  copyBoth: 0x57,
  dataRow: 0x44,
} as const;
