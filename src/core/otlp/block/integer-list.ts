import type { BlockMemory, Piece } from './block-memory.ts';
import type { ByteWriter } from './byte-writer.ts';

const initialLength = 64;

/** Unsigned 32-bit integers in one growing array. */
export class IntegerList implements Piece {
  length = 0;
  private values = new Uint32Array(initialLength);
  private readonly memory: BlockMemory;
  private readonly maxWidth: 4 | 8;

  /** @param maxWidth the most bytes that `writeTo` writes for an integer */
  constructor(memory: BlockMemory, maxWidth: 4 | 8) {
    this.memory = memory;
    this.maxWidth = maxWidth;
    memory.add(this);
  }

  get usedBytes(): number {
    return this.length * this.maxWidth;
  }

  get heldBytes(): number {
    return this.values.byteLength;
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      this.reserve(1);
    }
    this.values[this.length++] = value;
  }

  /** Appends `times` copies of the integers from index `start` to `end`. */
  repeat(start: number, end: number, times: number): void {
    const size = end - start;
    const added = size * times;
    if (added === 0) {
      return;
    }
    this.reserve(added);
    const { values, length } = this;
    values.copyWithin(length, start, end);
    for (let done = size; done < added; done *= 2) {
      values.copyWithin(length + done, length, length + Math.min(done, added - done));
    }
    this.length = length + added;
  }

  /** The last integer; 0 if there is none. */
  get last(): number {
    return this.length === 0 ? 0 : this.values[this.length - 1]!;
  }

  /**
   * Appends `places[index]` for each index in the bytes from `start` on.
   * @param width of an index, in bytes
   */
  pushPlaces(
    places: Uint32Array,
    bytes: Uint8Array,
    start: number,
    count: number,
    width: 1 | 2 | 4,
  ): void {
    this.reserve(count);
    const { values, length } = this;
    for (let index = 0; index < count; index++) {
      let place = 0;
      for (let byte = width - 1; byte >= 0; byte--) {
        place = place * 256 + bytes[start + index * width + byte]!;
      }
      values[length + index] = places[place]!;
    }
    this.length = length + count;
  }

  /** Appends an integer that is `step` more than the last one, or than 0. */
  pushAfterLast(step: number): void {
    this.push(this.last + step);
  }

  /** Appends an arithmetic progression: each integer is `step` more than the one before. */
  continue(step: number, times: number): void {
    this.reserve(times);
    for (let index = 0; index < times; index++) {
      this.pushAfterLast(step);
    }
  }

  /** Writes the integers in little-endian order, each in `width` bytes. */
  writeTo(out: ByteWriter, width: 1 | 2 | 4 | 8): void {
    const { length } = this;
    const values = this.values.subarray(0, length);
    if (width === 8) {
      const halves = new Uint32Array(length * 2);
      for (let index = 0; index < length; index++) {
        halves[index * 2] = values[index]!;
      }
      out.array(halves);
    } else if (width === 4) {
      out.array(values);
    } else {
      out.array(width === 2 ? new Uint16Array(values) : new Uint8Array(values));
    }
  }

  reset(release: boolean): void {
    this.length = 0;
    if (release) {
      this.values = new Uint32Array(initialLength);
    }
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed > this.values.length) {
      this.memory.require(count * this.maxWidth);
      const larger = new Uint32Array(Math.max(needed, this.values.length * 2));
      larger.set(this.values.subarray(0, this.length));
      this.values = larger;
    }
  }
}
