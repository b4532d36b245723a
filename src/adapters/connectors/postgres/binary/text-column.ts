import { escapeTsv } from '../rows/tsv-text.ts';
import { NullMap, viewOf, type FieldPlaces, type NativeColumn } from './native-column.ts';

/**
 * Appends the text of the value in `source[start, end)` to a column.
 */
export type WriteText = (to: TextColumn, source: Buffer, start: number, end: number) => void;

/**
 * Values up to this length are copied in JavaScript. A call of the runtime's `copy` costs as much as
 * copying a few hundred bytes here.
 */
const scriptCopyBytesMax = 400;

/** Texts, each with its length in front. */
export class TextColumn implements NativeColumn {
  readonly type: string;
  readonly #write: WriteText;
  readonly #nulls: NullMap | undefined;
  #buffer: Buffer;
  #view: DataView;
  #source: DataView;
  #length = 0;
  #rows = 0;

  constructor(type: string, write: WriteText, rowsHint: number) {
    this.type = type;
    this.#write = write;
    this.#nulls = type.startsWith('Nullable(') ? new NullMap() : undefined;
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(rowsHint * 16, 1024));
    this.#view = this.#source = viewOf(this.#buffer);
  }

  add({ source, view, starts, first, step, rows }: FieldPlaces): void {
    this.#source = view;
    const write = this.#write;
    for (let row = 0, place = first; row < rows; row++, place += step) {
      const start = starts[place]!;
      if (start < 0) {
        this.#nulls?.set(this.#rows + row);
        this.size(0);
      } else {
        write(this, source, start, start + view.getInt32(start - 4));
      }
    }
    this.#rows += rows;
  }

  pieces(): Buffer[] {
    const values = this.#buffer.subarray(0, this.#length);
    return this.#nulls ? [this.#nulls.take(this.#rows), values] : [values];
  }

  fields(): string[] {
    let at = 0;
    return Array.from({ length: this.#rows }, (_, row) => {
      let bytes = 0;
      for (let shift = 1, more = true; more; shift *= 128, at++) {
        const byte = this.#buffer[at] ?? 0;
        bytes += (byte & 0x7f) * shift;
        more = byte > 0x7f;
      }
      at += bytes;
      return this.#nulls?.has(row) === true
        ? '\\N'
        : escapeTsv(this.#buffer.toString('utf8', at - bytes, at));
    });
  }

  reset(): void {
    this.#rows = 0;
    this.#length = 0;
    this.#nulls?.reset();
  }

  /** Begins a text of this length. `bytes` of it follow. */
  size(bytes: number): void {
    this.#reserve(bytes + 5);
    let rest = bytes;
    while (rest > 0x7f) {
      this.#buffer[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[this.#length++] = rest;
  }

  /** A whole text, from the rows that are being added. */
  copy(source: Buffer, start: number, end: number): void {
    this.size(end - start);
    if (end - start > scriptCopyBytesMax) {
      this.#length += source.copy(this.#buffer, this.#length, start, end);
      return;
    }
    const [from, to] = [this.#source, this.#view];
    let read = start;
    let write = this.#length;
    for (; read + 4 <= end; read += 4, write += 4) {
      to.setInt32(write, from.getInt32(read, true), true);
    }
    for (; read < end; read++) {
      this.#buffer[write++] = source[read]!;
    }
    this.#length = write;
  }

  /** A whole text. */
  text(text: string): void {
    const bytes = Buffer.byteLength(text);
    this.size(bytes);
    this.#length += this.#buffer.write(text, this.#length, bytes, 'utf8');
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
      this.#view = viewOf(grown);
    }
  }
}
