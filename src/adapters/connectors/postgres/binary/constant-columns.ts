/** Rows more than were needed, so that a slightly larger block needs no new memory. */
const spareRows = 4096;

/** The columns with the same value in all rows of a snapshot. Its blocks share them. */
export class ConstantColumns {
  readonly version: bigint;
  #versions = new BigUint64Array(0);
  #deleted = Buffer.alloc(0);

  constructor(version: bigint) {
    this.version = version;
  }

  /** Version and mark of deletion, in the Native format. */
  take(rows: number): [versions: Buffer, deleted: Buffer] {
    if (this.#versions.length < rows) {
      this.#versions = new BigUint64Array(rows + spareRows).fill(this.version);
      this.#deleted = Buffer.alloc(rows + spareRows);
    }
    return [Buffer.from(this.#versions.buffer, 0, rows * 8), this.#deleted.subarray(0, rows)];
  }
}
