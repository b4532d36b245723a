import type { FramePool } from './frame-pool.ts';

/** Responses up to this size are copied out of the receive buffer. */
const smallBytes = 64 * 1024;
/** No broker sends larger responses; a larger length means that the peer is not a broker. */
const frameBytesMax = 2 ** 30;
const lengthBytes = 4;

/**
 * Assembles responses without copying large ones: the socket reads into the memory from `space`,
 * which for a large response is the rest of its final place. Hands on each response whole, with its
 * length in front.
 */
export class FrameReader {
  readonly #pool: FramePool;
  readonly #hand: (frame: Buffer) => void;
  readonly #refuse: (reason: Error) => void;
  readonly #small = Buffer.allocUnsafeSlow(smallBytes);
  /** A large response that is not complete yet. */
  #large: Buffer | undefined;
  /** Number of bytes received into `#large`, or into `#small` if there is no large response. */
  #filled = 0;

  /** @param refuse is called if the bytes are not a response of a broker. */
  constructor(pool: FramePool, hand: (frame: Buffer) => void, refuse: (reason: Error) => void) {
    this.#pool = pool;
    this.#hand = hand;
    this.#refuse = refuse;
  }

  /** Memory for the next bytes; never empty. */
  space(): Buffer {
    return (this.#large ?? this.#small).subarray(this.#filled);
  }

  /** Reports bytes written into `space`. Returns false if no more bytes are wanted. */
  read(bytes: number): boolean {
    this.#filled += bytes;
    if (!this.#large) {
      return this.#takeSmall();
    }
    if (this.#filled < this.#large.length) {
      return true;
    }
    const frame = this.#large;
    this.#large = undefined;
    this.#filled = 0;
    this.#hand(frame);
    return true;
  }

  #takeSmall(): boolean {
    const small = this.#small;
    let start = 0;
    while (this.#filled - start >= lengthBytes) {
      const length = small.readInt32BE(start) + lengthBytes;
      if (length < lengthBytes || length > frameBytesMax) {
        this.#refuse(new Error('the response does not come from a Kafka broker'));
        return false;
      }
      if (length > this.#filled - start) {
        if (length <= smallBytes) {
          break;
        }
        this.#beginLarge(length, start);
        return true;
      }
      this.#hand(Buffer.from(small.subarray(start, (start += length))));
    }
    small.copyWithin(0, start, this.#filled);
    this.#filled -= start;
    return true;
  }

  /** Moves the first part of a large response, which starts at `start` in `#small`. */
  #beginLarge(length: number, start: number): void {
    this.#large = Buffer.from(this.#pool.take(length), 0, length);
    this.#filled = this.#small.copy(this.#large, 0, start, this.#filled);
  }
}
