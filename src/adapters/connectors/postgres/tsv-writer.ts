import { plainEnd, type TsvColumn } from './tsv-column.ts';
import { unescapeTsv } from './tsv-text.ts';

const tab = 0x09;
const newline = 0x0a;
const backslash = 0x5c;

/** Rows in the engine's TabSeparated format. Grows by doubling. */
export class TsvWriter {
  rows = 0;
  length = 0;
  #buffer: Buffer;
  /** The next field is the first of its line. */
  #fresh = true;

  constructor(sizeHint: number) {
    this.#buffer = Buffer.allocUnsafe(Math.max(sizeHint, 256));
  }

  /** What was written; the writer is not used any more. */
  take(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }

  null(): void {
    this.#separate(2);
    this.#buffer[this.length++] = backslash;
    this.#buffer[this.length++] = 0x4e;
  }

  /** A field that needs no escaping any more. */
  field(text: string): void {
    this.#separate(text.length * 3);
    this.length += this.#buffer.write(text, this.length, 'utf8');
  }

  /** The text of one value as PostgreSQL writes it. */
  value(column: TsvColumn, source: Buffer, start: number, end: number): void {
    const { treatment } = column;
    if (treatment === 'escaped') {
      return this.#escaped(source, start, end);
    }
    const plain = treatment === 'plain' ? end : plainEnd(treatment, source, start, end);
    if (plain < 0) {
      return this.field(column.convert(source.toString('utf8', start, end)));
    }
    this.#separate(plain - start);
    this.#copy(source, start, plain);
  }

  /** A field of digits. */
  digits(text: string): void {
    this.#separate(text.length);
    for (let index = 0; index < text.length; index++) {
      this.#buffer[this.length++] = text.charCodeAt(index);
    }
  }

  /** Forgets the row that was begun at this length. */
  giveUpRow(length: number): void {
    this.length = length;
    this.#fresh = true;
  }

  endRow(): void {
    this.#reserve(1);
    this.#buffer[this.length++] = newline;
    this.#fresh = true;
    this.rows++;
  }

  /** A line of COPY's text format without its end, and fields after it. `special`: its columns, where some of them cannot go as they are. */
  copyLine(
    source: Buffer,
    start: number,
    end: number,
    special: readonly TsvColumn[] | undefined,
    suffix: Buffer,
  ): void {
    if (special && !isPlainLine(source, start, end, special)) {
      this.#convertLine(source, start, end, special);
    } else {
      this.#reserve(end - start);
      this.#copy(source, start, end);
    }
    this.#reserve(suffix.length);
    suffix.copy(this.#buffer, this.length);
    this.length += suffix.length;
    this.#fresh = true;
    this.rows++;
  }

  #convertLine(source: Buffer, start: number, end: number, columns: readonly TsvColumn[]): void {
    let from = start;
    let index = 0;
    for (let at = start; at <= end; at++) {
      if (at < end && source[at] !== tab) {
        continue;
      }
      this.#copiedField(columns[index++]!, source, from, at);
      from = at + 1;
    }
  }

  /** COPY has escaped it already, in a way that the engine reads. */
  #copiedField(column: TsvColumn, source: Buffer, start: number, end: number): void {
    const { treatment } = column;
    const isNull = end - start === 2 && source[start] === backslash && source[start + 1] === 0x4e;
    const plain =
      isNull || treatment === 'plain' || treatment === 'escaped'
        ? end
        : plainEnd(treatment, source, start, end);
    if (plain < 0) {
      return this.field(column.convert(unescapeTsv(source.toString('utf8', start, end))));
    }
    this.#separate(plain - start);
    this.#copy(source, start, plain);
  }

  #escaped(source: Buffer, start: number, end: number): void {
    this.#separate((end - start) * 2);
    const buffer = this.#buffer;
    let to = this.length;
    for (let at = start; at < end; at++) {
      const byte = source[at]!;
      if (byte === backslash || byte === tab || byte === newline || byte === 0x0d) {
        buffer[to++] = backslash;
        buffer[to++] =
          byte === tab ? 0x74 : byte === newline ? 0x6e : byte === 0x0d ? 0x72 : backslash;
      } else {
        buffer[to++] = byte;
      }
    }
    this.length = to;
  }

  #copy(source: Buffer, start: number, end: number): void {
    // For a few bytes a call into the engine costs more than it saves.
    if (end - start > 64) {
      this.length += source.copy(this.#buffer, this.length, start, end);
    } else {
      for (let at = start; at < end; at++) {
        this.#buffer[this.length++] = source[at]!;
      }
    }
  }

  #separate(bytes: number): void {
    this.#reserve(bytes + 1);
    if (this.#fresh) {
      this.#fresh = false;
    } else {
      this.#buffer[this.length++] = tab;
    }
  }

  #reserve(bytes: number): void {
    const wanted = this.length + bytes;
    if (wanted <= this.#buffer.length) {
      return;
    }
    const grown = Buffer.allocUnsafe(Math.max(wanted, this.#buffer.length * 2));
    this.#buffer.copy(grown, 0, 0, this.length);
    this.#buffer = grown;
  }
}

/** Whether each field of a copied line may go as it is. */
function isPlainLine(
  source: Buffer,
  start: number,
  end: number,
  columns: readonly TsvColumn[],
): boolean {
  let from = start;
  let index = 0;
  for (let at = start; at <= end; at++) {
    if (at < end && source[at] !== tab) {
      continue;
    }
    const { treatment } = columns[index++]!;
    const goes =
      treatment === 'plain' ||
      treatment === 'escaped' ||
      (source[from] === backslash && at - from === 2) ||
      plainEnd(treatment, source, from, at) >= 0;
    if (!goes) {
      return false;
    }
    from = at + 1;
  }
  return true;
}
