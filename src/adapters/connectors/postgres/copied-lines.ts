/** Longer lines are copied by the runtime: a call costs as much as moving some hundred bytes here. */
const ownCopyMax = 400;

/** Lines of COPY's text format behind one another, each followed by the same fields. */
export class CopiedLines {
  rows = 0;
  length = 0;
  readonly #suffix: Buffer;
  #buffer: Buffer;
  #view: DataView;
  #source: Buffer | undefined;
  #sourceView: DataView;

  /** @param suffix fields and the line's end. */
  constructor(sizeHint: number, suffix: Buffer) {
    this.#suffix = suffix;
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(sizeHint, 1024));
    this.#view = this.#sourceView = viewOf(this.#buffer);
  }

  /** What was written; nothing more is added. */
  take(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }

  /** A line without its end. */
  add(source: Buffer, start: number, end: number): void {
    const wanted = this.length + end - start + this.#suffix.length;
    if (wanted > this.#buffer.length) {
      this.#grow(wanted);
    }
    if (end - start > ownCopyMax) {
      this.length += source.copy(this.#buffer, this.length, start, end);
    } else {
      this.#copy(source, start, end);
    }
    const suffix = this.#suffix;
    for (let at = 0; at < suffix.length; at++) {
      this.#buffer[this.length++] = suffix[at]!;
    }
    this.rows++;
  }

  /** Four bytes at a time: half of what a call of the runtime's costs for a row of a hundred bytes. */
  #copy(source: Buffer, start: number, end: number): void {
    if (source !== this.#source) {
      this.#source = source;
      this.#sourceView = viewOf(source);
    }
    const [from, to] = [this.#sourceView, this.#view];
    let at = start;
    let into = this.length;
    for (; at + 4 <= end; at += 4, into += 4) {
      to.setInt32(into, from.getInt32(at, true), true);
    }
    for (; at < end; at++) {
      this.#buffer[into++] = source[at]!;
    }
    this.length = into;
  }

  #grow(wanted: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(wanted, this.#buffer.length * 2));
    this.#buffer.copy(grown, 0, 0, this.length);
    this.#buffer = grown;
    this.#view = viewOf(grown);
  }
}

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView =>
  new DataView(buffer, byteOffset, length);
