import { beyondQuota } from '../wire/quota.ts';

/** A part of a block that holds memory. */
export interface Piece {
  /** Bytes that it adds to the block. */
  readonly usedBytes: number;
  /** Bytes that it has allocated. */
  readonly heldBytes: number;
  /** Forgets what was written, and with `release` frees its memory. */
  reset(release: boolean): void;
}

/** More than a request of 10,000 log records needs. */
const keptBytes = 8 * 1024 * 1024;

/** The memory of one block. It is kept for the next one, unless it is large. */
export class BlockMemory {
  private readonly pieces: Piece[] = [];
  private maxBytes = Infinity;

  add(piece: Piece): void {
    this.pieces.push(piece);
  }

  get usedBytes(): number {
    return this.pieces.reduce((sum, piece) => sum + piece.usedBytes, 0);
  }

  /**
   * Asked before a piece grows, which is seldom, and for the whole block. @throws Fault
   * `payload_too_large`.
   */
  require(bytes: number): void {
    if (this.usedBytes + bytes > this.maxBytes) {
      throw beyondQuota(`the rows of the request are larger than ${this.maxBytes} bytes`);
    }
  }

  reset(maxBytes: number): void {
    this.maxBytes = maxBytes;
    const heldBytes = this.pieces.reduce((sum, piece) => sum + piece.heldBytes, 0);
    for (const piece of this.pieces) {
      piece.reset(heldBytes > keptBytes);
    }
  }
}
