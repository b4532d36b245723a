import { freeMemory } from '../../../ports/free-memory.ts';

/** Memory that is not used for this time is given back, … */
const idleMs = 1_000;
/**
 * … if more than this was written to it. New memory counts in full, so with few blocks now and then
 * the runtime would collect the heap for each second of them.
 */
const keptBytes = 2 ** 20;

/** The memory of one segment. */
export class BlockMemory {
  readonly bytes: Buffer;
  #used = 0;
  #mostUsed = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** A copy of the data that is valid until the memory is used again. Data without room stay as is. */
  copy(data: readonly Buffer[]): readonly Buffer[] {
    const start = this.#used;
    const size = data.reduce((sum, { length }) => sum + length, 0);
    if (start + size > this.bytes.length) {
      return data;
    }
    for (const piece of data) {
      this.bytes.set(piece, this.#used);
      this.#used += piece.length;
    }
    return [this.bytes.subarray(start, this.#used)];
  }

  clear(): void {
    this.#mostUsed = Math.max(this.#mostUsed, this.#used);
    this.#used = 0;
  }

  /** The most bytes that were written to it at once. */
  get mostUsed(): number {
    return this.#mostUsed;
  }
}

/**
 * Memory for the blocks of segments, which is used again and again. A block waits so long that it
 * would leave the young part of the heap. Then only a collection of the whole heap frees it, and
 * every few hundred blocks cost one.
 */
export class BlockMemories {
  readonly #bytes: number;
  #free: BlockMemory[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param bytes of each. Only what is written takes memory of the machine. */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  take(): BlockMemory {
    return this.#free.pop() ?? new BlockMemory(Buffer.allocUnsafeSlow(this.#bytes));
  }

  /** Nobody may use the copies any more. */
  give(memory: BlockMemory): void {
    memory.clear();
    this.#free.push(memory);
    this.#timer ??= setTimeout(() => this.#release(), idleMs).unref();
    this.#timer.refresh();
  }

  #release(): void {
    const isLarge = ({ mostUsed }: BlockMemory): boolean => mostUsed > keptBytes;
    freeMemory(this.#free.filter(isLarge).map(({ bytes }) => bytes));
    this.#free = this.#free.filter((memory) => !isLarge(memory));
  }
}
