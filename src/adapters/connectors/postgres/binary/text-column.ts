import { freeMemory } from '../../../../ports/free-memory.ts';
import { escapeTsv } from '../rows/tsv-text.ts';
import { NullMap, viewOf, type FieldPlaces, type NativeColumn } from './native-column.ts';
import type { TableMemory } from './table-memory.ts';

/**
 * Appends the text of the value in `source[start, end)` to a column.
 */
export type WriteText = (to: TextColumn, source: Buffer, start: number, end: number) => void;

/**
 * Values up to this length are copied in JavaScript. A call of the runtime's `copy` costs as much as
 * copying a few hundred bytes here.
 */
const scriptCopyBytesMax = 400;

/** Size of the first piece: a guess for each text. Each piece is twice as large as the one before. */
const guessedBytesPerText = 16;
const pieceBytesMin = 1024;
const pieceBytesMax = 512 * 1024;

/** Part of a column. No text crosses its end. */
interface Piece {
  buffer: Buffer;
  /** Bytes of texts, once the piece is full. */
  length: number;
  /** Made for one large text, and freed after it. */
  isLarge: boolean;
}

const nothing = Buffer.alloc(0);

/** Texts, each with its length in front. */
export class TextColumn implements NativeColumn {
  readonly type: string;
  readonly #write: WriteText;
  readonly #nulls: NullMap | undefined;
  readonly #memory: TableMemory;
  readonly #firstBytes: number;
  /** Those behind the current one are left from earlier rows. */
  #pieces: Piece[] = [];
  #current = -1;
  /** The current piece, … */
  #buffer: Buffer = nothing;
  #view = viewOf(nothing);
  /** … and how many bytes of it are in use. */
  #length = 0;
  #source = viewOf(nothing);
  #rows = 0;

  constructor(type: string, write: WriteText, rowsHint: number, memory: TableMemory) {
    this.type = type;
    this.#write = write;
    this.#nulls = type.startsWith('Nullable(') ? new NullMap() : undefined;
    this.#memory = memory;
    this.#firstBytes = Math.max(rowsHint * guessedBytesPerText, pieceBytesMin);
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
    const values = this.#filled();
    return this.#nulls ? [this.#nulls.take(this.#rows), ...values] : values;
  }

  fields(): string[] {
    return this.#filled()
      .flatMap(textsOf)
      .map((text, row) => (this.#nulls?.has(row) === true ? '\\N' : escapeTsv(text)));
  }

  reset(): void {
    freeMemory(this.#pieces.filter(({ isLarge }) => isLarge).map(({ buffer }) => buffer));
    this.#pieces = this.#pieces.filter(({ isLarge }) => !isLarge);
    this.#current = -1;
    this.#buffer = nothing;
    this.#length = 0;
    this.#rows = 0;
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
    if (this.#length + bytes > this.#buffer.length) {
      this.#nextPiece(bytes);
    }
  }

  #nextPiece(bytes: number): void {
    const full = this.#pieces[this.#current];
    if (full) {
      full.length = this.#length;
    }
    const place = ++this.#current;
    let piece = this.#pieces[place];
    if (piece === undefined || piece.buffer.length < bytes) {
      piece = this.#newPiece(place, bytes);
      this.#pieces.splice(place, 0, piece);
    }
    this.#buffer = piece.buffer;
    this.#view = viewOf(piece.buffer);
    this.#length = 0;
  }

  #newPiece(place: number, bytes: number): Piece {
    const usual = Math.min(this.#firstBytes * 2 ** place, pieceBytesMax);
    const isLarge = bytes > usual;
    const buffer = isLarge ? Buffer.allocUnsafeSlow(bytes) : this.#memory.take(usual);
    return { buffer, length: 0, isLarge };
  }

  #filled(): Buffer[] {
    const last = this.#current;
    return this.#pieces
      .slice(0, last + 1)
      .map(({ buffer, length }, place) =>
        buffer.subarray(0, place === last ? this.#length : length),
      );
  }
}

/** The texts of one piece. */
function textsOf(piece: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < piece.length;) {
    let bytes = 0;
    for (let shift = 1, more = true; more; shift *= 128, at++) {
      const byte = piece[at] ?? 0;
      bytes += (byte & 0x7f) * shift;
      more = byte > 0x7f;
    }
    at += bytes;
    texts.push(piece.toString('utf8', at - bytes, at));
  }
  return texts;
}
