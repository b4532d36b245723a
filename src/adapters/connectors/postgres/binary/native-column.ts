/** Where the values of one column stand in some rows of COPY's binary format. */
export interface FieldPlaces {
  source: Buffer;
  view: DataView;
  /** Offset of each field's first byte; negative for NULL. The length stands in front of it. */
  starts: Int32Array;
  /** Index in `starts` of the column's first value, and the distance to the next. */
  first: number;
  step: number;
  rows: number;
}

/** One column of a block, filled from COPY's binary format and read in the engine's Native format. */
export interface NativeColumn {
  /** The engine's name of its type. */
  readonly type: string;
  add(places: FieldPlaces): void;
  /** The values in the Native format, without name and type. */
  pieces(): Buffer[];
  /** The same values as fields of TabSeparated lines. */
  fields(): string[];
  /** Forgets the values and keeps the memory. */
  reset(): void;
}

/** Which rows are NULL: one byte each. A column that is not nullable stores its type's default. */
export class NullMap {
  #bytes = Buffer.alloc(1024);

  set(row: number): void {
    if (row >= this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(row + 1, this.#bytes.length * 2));
      this.#bytes.copy(grown);
      this.#bytes = grown;
    }
    this.#bytes[row] = 1;
  }

  has(row: number): boolean {
    return this.#bytes[row] === 1;
  }

  take(rows: number): Buffer {
    if (rows > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes], rows);
    }
    return this.#bytes.subarray(0, rows);
  }

  reset(): void {
    this.#bytes.fill(0);
  }
}

export const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView =>
  new DataView(buffer, byteOffset, length);
