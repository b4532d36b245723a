const hex = '0123456789abcdef';
/** Fewer bytes are copied faster here than by a call of the runtime. */
const loopBytesMax = 64;

/** Rows ready for the engine: one JSON object each. */
export interface RowLines {
  readonly rows: number;
  /** In bytes. */
  readonly length: number;
  /** One row; with its line end or without. */
  row(index: number): Buffer;
  /** All of them. */
  pieces(): Buffer[];
}

/**
 * Rows as bytes, one JSON object a line. Grows by doubling; `take` returns the bytes written. `!` in
 * this file: a checked read costs time for each byte.
 */
export class JsonRowWriter implements RowLines {
  #buffer: Buffer;
  #view: DataView;
  #length = 0;
  #rows = 0;
  /** Where each row ends. */
  #ends = new Uint32Array(1024);

  /** @param sizeHint in bytes */
  constructor(sizeHint: number) {
    this.#buffer = Buffer.allocUnsafe(Math.max(sizeHint, 1024));
    this.#view = viewOf(this.#buffer);
  }

  get rows(): number {
    return this.#rows;
  }

  get length(): number {
    return this.#length;
  }

  /** @param view shows the same bytes as `data` and only makes copying faster */
  bytes(data: Uint8Array, start = 0, end = data.length, view?: DataView): void {
    this.#reserve(end - start);
    const buffer = this.#buffer;
    let length = this.#length;
    let index = start;
    if (end - start > loopBytesMax) {
      buffer.set(start === 0 && end === data.length ? data : data.subarray(start, end), length);
      this.#length = length + end - start;
      return;
    }
    if (view) {
      for (; index + 4 <= end; index += 4, length += 4) {
        this.#view.setInt32(length, view.getInt32(index));
      }
    }
    while (index < end) {
      buffer[length++] = data[index++]!;
    }
    this.#length = length;
  }

  /** Text that needs no escaping. */
  text(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#buffer.write(text, this.#length, 'utf8');
  }

  /** Bytes as a JSON string: escaped where JSON needs it, otherwise unchanged in any encoding. */
  jsonString(data: Uint8Array): void {
    this.#reserve(data.length * 6 + 2);
    const buffer = this.#buffer;
    let offset = this.#length;
    buffer[offset++] = 0x22;
    for (const byte of data) {
      if (byte === 0x22 || byte === 0x5c) {
        buffer[offset++] = 0x5c;
        buffer[offset++] = byte;
      } else if (byte < 0x20) {
        offset += buffer.write(`\\u00${hex[byte >> 4]}${hex[byte & 15]}`, offset, 'latin1');
      } else {
        buffer[offset++] = byte;
      }
    }
    buffer[offset++] = 0x22;
    this.#length = offset;
  }

  endRow(): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = 0x0a;
    if (this.#rows === this.#ends.length) {
      const grown = new Uint32Array(2 * this.#rows);
      grown.set(this.#ends);
      this.#ends = grown;
    }
    this.#ends[this.#rows++] = this.#length;
  }

  /** One row, its line end included. */
  row(index: number): Buffer {
    const begin = index === 0 ? 0 : this.#ends[index - 1];
    return this.#buffer.subarray(begin, this.#ends[index]);
  }

  take(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  pieces(): Buffer[] {
    return [this.take()];
  }

  #reserve(bytes: number): void {
    const wanted = this.#length + bytes;
    if (wanted <= this.#buffer.length) {
      return;
    }
    const grown = Buffer.allocUnsafe(Math.max(wanted, this.#buffer.length * 2));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
    this.#view = viewOf(grown);
  }
}

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView =>
  new DataView(buffer, byteOffset, length);
