const nothing = Buffer.alloc(0);

/**
 * Splits the server's bytes into messages. `type`, and the payload as `buffer[start, end)`, stay
 * valid until the next `feed`. Only a message that arrives in several pieces is copied.
 */
export class FrameReader {
  buffer: Buffer = nothing;
  type = 0;
  start = 0;
  end = 0;
  /** Where the next message starts in `buffer`. */
  #offset = 0;
  /** Pieces of an incomplete message, until it is complete. */
  #parts: Buffer[] = [];
  #partsBytes = 0;
  #neededBytes = 0;
  /** What arrived after the message that `buffer` holds alone. */
  #following: Buffer = nothing;

  /** Adds bytes. Call it when `next` has returned false. */
  feed(chunk: Buffer): void {
    const rest = this.buffer.length - this.#offset;
    if (this.#partsBytes === 0 && rest === 0) {
      this.buffer = chunk;
      this.#offset = 0;
      return;
    }
    if (this.#partsBytes === 0) {
      this.#parts = [this.buffer.subarray(this.#offset)];
      this.#partsBytes = rest;
      this.buffer = nothing;
      this.#offset = 0;
    }
    const missing = this.#neededBytes - this.#partsBytes;
    this.#parts.push(chunk.subarray(0, missing));
    this.#partsBytes += Math.min(missing, chunk.length);
    if (chunk.length < missing) {
      return;
    }
    this.buffer = Buffer.concat(this.#parts, this.#partsBytes);
    this.#following = chunk.subarray(missing);
    this.#offset = 0;
    this.#parts = [];
    this.#partsBytes = 0;
  }

  /** Copies the begin of the next message: the memory of the last `feed` is about to change. */
  keep(): void {
    const last = this.#parts.pop();
    if (last) {
      this.#parts.push(Buffer.from(last));
      return;
    }
    const rest = this.buffer.subarray(this.#offset);
    this.buffer = rest.length === 0 ? nothing : Buffer.from(rest);
    this.#offset = 0;
  }

  /** Moves to the next message. Returns false if more bytes are needed. */
  next(): boolean {
    while (!this.#take()) {
      if (this.#partsBytes > 0 || this.#following.length === 0) {
        return false;
      }
      const following = this.#following;
      this.#following = nothing;
      this.feed(following);
    }
    return true;
  }

  #take(): boolean {
    const { buffer } = this;
    const offset = this.#offset;
    // Keep the size that an incomplete message needs. Computing it again from no bytes would lose
    // it, and a message of many reads would be concatenated at each of them.
    if (this.#partsBytes > 0) {
      return false;
    }
    if (buffer.length - offset < 5) {
      this.#neededBytes = 5;
      return false;
    }
    // Checked indexing or readUInt32BE would cost time for each message; the bytes are there.
    const length =
      ((buffer[offset + 1]! << 24) |
        (buffer[offset + 2]! << 16) |
        (buffer[offset + 3]! << 8) |
        buffer[offset + 4]!) >>>
      0;
    const end = offset + 1 + length;
    if (end > buffer.length) {
      this.#neededBytes = 1 + length;
      return false;
    }
    this.type = buffer[offset]!;
    this.start = offset + 5;
    this.end = this.#offset = end;
    return true;
  }
}

/** Types of the messages that the connector handles. */
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
