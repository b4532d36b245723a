import { freeMemory } from '../../../../ports/free-memory.ts';

/**
 * Memory for the columns of one table's blocks, cut from large pieces. The runtime collects its whole
 * heap after about 24 MiB of new memory. A large piece counts once, and costs one collection.
 */
export class TableMemory {
  readonly #pieceBytes: number;
  readonly #pieces: Buffer[] = [];
  /** Bytes in use of the last piece. */
  #used = 0;

  /** @param pieceBytes Only what is written takes memory of the machine. */
  constructor(pieceBytes: number) {
    this.#pieceBytes = pieceBytes;
  }

  take(bytes: number): Buffer {
    let piece = this.#pieces.at(-1);
    if (piece === undefined || this.#used + bytes > piece.length) {
      piece = Buffer.allocUnsafeSlow(Math.max(bytes, this.#pieceBytes));
      this.#pieces.push(piece);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += bytes;
    return piece.subarray(start, this.#used);
  }

  /** Nobody may use any of it any more. */
  free(): void {
    freeMemory(this.#pieces);
    this.#pieces.length = 0;
  }
}
