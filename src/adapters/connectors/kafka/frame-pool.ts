/**
 * Memory for what brokers answer, used again: what is made anew for each answer must be cleared by the system and collected by the runtime,
 * which was a third of a pipe's work.
 */
export class FramePool {
  readonly #idleBytesMax: number;
  #idle: ArrayBuffer[] = [];
  readonly #lent = new WeakSet<ArrayBuffer>();
  #idleBytes = 0;
  /** Those that nobody has taken since the last `trim`. */
  #untouched = new Set<ArrayBuffer>();

  /** @param idleBytesMax what is kept while nobody uses it. */
  constructor(idleBytesMax: number) {
    this.#idleBytesMax = idleBytesMax;
  }

  get idleBytes(): number {
    return this.#idleBytes;
  }

  /** A piece of at least so many bytes, with anything in them. Whoever does not give it back loses nothing but the speed. */
  take(bytes: number): ArrayBuffer {
    if (bytes < sharedBytesMin) {
      return new ArrayBuffer(bytes);
    }
    let best = -1;
    for (const [index, { byteLength }] of this.#idle.entries()) {
      if (
        byteLength >= bytes &&
        byteLength <= bytes * looseness + grain &&
        (best < 0 || byteLength < this.#idle[best]!.byteLength)
      ) {
        best = index;
      }
    }
    // `allocUnsafeSlow` shares it with nobody, and does not clear it.
    const piece =
      best < 0
        ? (Buffer.allocUnsafeSlow(Math.ceil(bytes / grain) * grain).buffer as ArrayBuffer)
        : this.#idle.splice(best, 1)[0]!;
    if (best >= 0) {
      this.#idleBytes -= piece.byteLength;
    }
    this.#untouched.delete(piece);
    this.#lent.add(piece);
    return piece;
  }

  /** Lets go of what was idle since the last time this was asked. */
  trim(): void {
    this.#idle = this.#idle.filter((piece) => !this.#untouched.has(piece));
    this.#idleBytes = this.#idle.reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.#untouched = new Set(this.#idle);
  }

  /** Nobody looks at it any more. Memory that is not the pool's is left alone. */
  giveBack(piece: ArrayBufferLike): void {
    if (!(piece instanceof ArrayBuffer) || !this.#lent.delete(piece)) {
      return;
    }
    this.#idle.push(piece);
    this.#idleBytes += piece.byteLength;
    while (this.#idleBytes > this.#idleBytesMax) {
      const oldest = this.#idle.shift()!;
      this.#untouched.delete(oldest);
      this.#idleBytes -= oldest.byteLength;
    }
  }
}

/** Smaller pieces are not worth it. */
const sharedBytesMin = 64 * 1024;
/** Sizes are multiples of this, so that answers of nearly the same size share memory. */
const grain = 256 * 1024;
/** A piece may be so many times larger than what is asked for. */
const looseness = 2;

/** One answer, in which the records of several partitions lie: its memory is free again when all of its users are done. */
export class Frame {
  readonly pool: FramePool;
  readonly #memory: ArrayBufferLike;
  #users = 1;

  /** Whoever makes it is its first user. */
  constructor(pool: FramePool, memory: ArrayBufferLike) {
    this.pool = pool;
    this.#memory = memory;
  }

  get byteLength(): number {
    return this.#memory.byteLength;
  }

  /** One user more. */
  use(): this {
    this.#users++;
    return this;
  }

  /** One user less; each says so once. */
  release(): void {
    if (--this.#users === 0) {
      this.pool.giveBack(this.#memory);
    }
  }
}
