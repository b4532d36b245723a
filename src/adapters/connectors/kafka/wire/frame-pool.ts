/**
 * Reuses memory for the responses of brokers. New memory for each response must be cleared by the
 * system and collected by the runtime, which took a third of a pipe's CPU time.
 */
export class FramePool {
  readonly #idleBytesMax: number;
  #idle: ArrayBufferLike[] = [];
  readonly #lent = new WeakSet<ArrayBufferLike>();
  #idleBytes = 0;
  /** Pieces that were not used since the last `trim`. */
  #untouched = new Set<ArrayBufferLike>();

  /** @param idleBytesMax maximum of unused memory to keep. */
  constructor(idleBytesMax: number) {
    this.#idleBytesMax = idleBytesMax;
  }

  get idleBytes(): number {
    return this.#idleBytes;
  }

  /**
   * Returns a piece of at least `bytes` bytes with undefined content. Giving it back is optional:
   * it only saves time.
   */
  take(bytes: number): ArrayBufferLike {
    if (bytes < sharedBytesMin) {
      return new ArrayBuffer(bytes);
    }
    const piece = this.#takeIdle(bytes) ?? newPiece(bytes, 2 * this.#idleBytesMax);
    this.#untouched.delete(piece);
    this.#lent.add(piece);
    return piece;
  }

  /** Takes the smallest idle piece that fits. */
  #takeIdle(bytes: number): ArrayBufferLike | undefined {
    let best: ArrayBufferLike | undefined;
    for (const piece of this.#idle) {
      const { byteLength } = piece;
      if (
        byteLength >= bytes &&
        byteLength <= bytes * looseness + grain &&
        (!best || byteLength < best.byteLength)
      ) {
        best = piece;
      }
    }
    if (best) {
      this.#idle.splice(this.#idle.indexOf(best), 1);
      this.#idleBytes -= best.byteLength;
    }
    return best;
  }

  /** Releases pieces that were idle since the last call. */
  trim(): void {
    this.#idle = this.#idle.filter((piece) => !this.#untouched.has(piece));
    this.#idleBytes = this.#idle.reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.#untouched = new Set(this.#idle);
  }

  /** Takes a piece back that is not used any more. Ignores memory that is not the pool's. */
  giveBack(piece: ArrayBufferLike): void {
    if (!this.#lent.delete(piece)) {
      return;
    }
    this.#idle.push(piece);
    this.#idleBytes += piece.byteLength;
    while (this.#idleBytes > this.#idleBytesMax) {
      const oldest = this.#idle.shift();
      if (!oldest) {
        return;
      }
      this.#untouched.delete(oldest);
      this.#idleBytes -= oldest.byteLength;
    }
  }
}

/**
 * The runtime collects garbage after every 64 MiB of new `ArrayBuffer`s. While the memory of a
 * reader grew, that took a third of this process's CPU time and found nothing. It does not count
 * shared memory, so pieces are of that kind. Pieces that are lost wait for a collection which this
 * memory does not cause: so only a bounded part of all memory is of that kind.
 */
function newPiece(bytes: number, uncountedBytesMax: number): ArrayBufferLike {
  const size = Math.ceil(bytes / grain) * grain;
  if (uncountedBytes + size > Math.min(uncountedBytesMax, allUncountedBytesMax)) {
    // `allocUnsafeSlow` neither clears the memory nor shares it with other buffers.
    return Buffer.allocUnsafeSlow(size).buffer;
  }
  const piece = new SharedArrayBuffer(size);
  uncountedBytes += size;
  collected.register(piece, size);
  return piece;
}

/** Memory of this process that is shared, in use or not collected yet. */
let uncountedBytes = 0;
const allUncountedBytesMax = 256 * 1024 * 1024;
const collected = new FinalizationRegistry<number>((size) => {
  uncountedBytes -= size;
});

/** Smaller pieces are not worth reusing. */
const sharedBytesMin = 64 * 1024;
/** Sizes are multiples of this, so that responses of similar size can use the same memory. */
const grain = 256 * 1024;
/** A piece may be this many times larger than requested. */
const looseness = 2;

/**
 * One response, which contains records of several partitions. Its memory returns to the pool when
 * all users have released it.
 */
export class Frame {
  readonly pool: FramePool;
  readonly #memory: ArrayBufferLike;
  #users = 1;

  /** The creator is the first user. */
  constructor(pool: FramePool, memory: ArrayBufferLike) {
    this.pool = pool;
    this.#memory = memory;
  }

  get byteLength(): number {
    return this.#memory.byteLength;
  }

  /** Adds a user. */
  use(): this {
    this.#users++;
    return this;
  }

  /** Removes a user. Each user calls this once. */
  release(): void {
    if (--this.#users === 0) {
      this.pool.giveBack(this.#memory);
    }
  }
}
