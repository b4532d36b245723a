import type { FramePool } from './frame-pool.ts';

/** Answers up to here are copied out of the memory they arrive in. */
const smallBytes = 64 * 1024;
/** No broker's answer is as large: what says so is no broker. */
const frameBytesMax = 2 ** 30;
const lengthBytes = 4;

/**
 * Puts answers together where they will stay: the socket reads into the memory that `space` answers, which for a large answer is what is left
 * of its own. Each answer is handed on whole, with its length before it.
 */
export class FrameReader {
  readonly #pool: FramePool;
  readonly #hand: (frame: Buffer) => void;
  readonly #refuse: (reason: Error) => void;
  readonly #small = Buffer.allocUnsafeSlow(smallBytes);
  /** A large answer that is on its way, and how much of it is there; else of `#small`. */
  #large: Buffer | undefined;
  #filled = 0;

  /** @param refuse what comes is no answer of a broker. */
  constructor(pool: FramePool, hand: (frame: Buffer) => void, refuse: (reason: Error) => void) {
    this.#pool = pool;
    this.#hand = hand;
    this.#refuse = refuse;
  }

  /** Where the next bytes go; never empty. */
  space(): Buffer {
    return (this.#large ?? this.#small).subarray(this.#filled);
  }

  /** So many bytes were put where `space` said. False: no more is wanted. */
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
    let at = 0;
    while (this.#filled - at >= lengthBytes) {
      const length = small.readInt32BE(at) + lengthBytes;
      if (length < lengthBytes || length > frameBytesMax) {
        this.#refuse(new Error('the answer is not one of a Kafka broker'));
        return false;
      }
      if (length > this.#filled - at) {
        if (length <= smallBytes) {
          break;
        }
        this.#begin(length, at);
        return true;
      }
      this.#hand(Buffer.from(small.subarray(at, (at += length))));
    }
    small.copyWithin(0, at, this.#filled);
    this.#filled -= at;
    return true;
  }

  /** The beginning of a large answer has come, at the end of what is there. */
  #begin(length: number, at: number): void {
    this.#large = Buffer.from(this.#pool.take(length), 0, length);
    this.#filled = this.#small.copy(this.#large, 0, at, this.#filled);
  }
}
