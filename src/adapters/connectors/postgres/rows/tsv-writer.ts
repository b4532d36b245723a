import { plainEnd, type TsvColumn } from './tsv-column.ts';
import { unescapeTsv } from './tsv-text.ts';

const tab = 0x09;
const newline = 0x0a;
const carriageReturn = 0x0d;
const backslash = 0x5c;

/**
 * Writes rows in the engine's TabSeparated format into a buffer that grows by doubling. `!` in this
 * file: a checked read costs time for each byte or value of each row.
 */
export class TsvWriter {
  rows = 0;
  length = 0;
  #buffer: Buffer;
  /** The next field is the first of its line. */
  #fresh = true;

  constructor(sizeHint: number) {
    this.#buffer = Buffer.allocUnsafe(Math.max(sizeHint, 256));
  }

  /** The rows so far. Do not use the writer afterwards. */
  take(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }

  null(): void {
    this.#separate(2);
    this.#buffer[this.length++] = backslash;
    this.#buffer[this.length++] = 0x4e;
  }

  /** Writes a field that is already escaped. */
  field(text: string): void {
    this.#separate(text.length * 3);
    this.length += this.#buffer.write(text, this.length, 'utf8');
  }

  /** Writes one value, given as PostgreSQL's text. */
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

  /** Writes a field of digits. */
  digits(text: string): void {
    this.#separate(text.length);
    for (let index = 0; index < text.length; index++) {
      this.#buffer[this.length++] = text.charCodeAt(index);
    }
  }

  /** Drops the unfinished row that started at this length. */
  dropRow(length: number): void {
    this.length = length;
    this.#fresh = true;
  }

  endRow(): void {
    this.#reserve(1);
    this.#buffer[this.length++] = newline;
    this.#fresh = true;
    this.rows++;
  }

  /**
   * Writes a line of COPY's text format, given without its line end, and `suffix` after it.
   */
  copyLine(
    source: Buffer,
    start: number,
    end: number,
    columns: readonly TsvColumn[],
    suffix: Buffer,
  ): void {
    if (!isPlainLine(source, start, end, columns)) {
      this.#convertLine(source, start, end, columns);
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
    let fieldStart = start;
    let index = 0;
    for (let offset = start; offset <= end; offset++) {
      if (offset < end && source[offset] !== tab) {
        continue;
      }
      this.#copiedField(columns[index++]!, source, fieldStart, offset);
      fieldStart = offset + 1;
    }
  }

  /** Writes a field that COPY has already escaped, in a way that the engine reads. */
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
    for (let offset = start; offset < end; offset++) {
      const byte = source[offset]!;
      if (byte === backslash || byte === tab || byte === newline || byte === carriageReturn) {
        buffer[to++] = backslash;
        buffer[to++] = escapeCode(byte);
      } else {
        buffer[to++] = byte;
      }
    }
    this.length = to;
  }

  #copy(source: Buffer, start: number, end: number): void {
    // For a few bytes a call of the runtime's `copy` costs more than it saves.
    if (end - start > 64) {
      this.length += source.copy(this.#buffer, this.length, start, end);
    } else {
      for (let offset = start; offset < end; offset++) {
        this.#buffer[this.length++] = source[offset]!;
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
    const needed = this.length + bytes;
    if (needed <= this.#buffer.length) {
      return;
    }
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(grown, 0, 0, this.length);
    this.#buffer = grown;
  }
}

/** The letter that stands for the byte after a backslash. */
function escapeCode(byte: number): number {
  switch (byte) {
    case tab:
      return 0x74;
    case newline:
      return 0x6e;
    case carriageReturn:
      return 0x72;
    default:
      return byte;
  }
}

/** Whether every field of a copied line can be used unchanged. */
function isPlainLine(
  source: Buffer,
  start: number,
  end: number,
  columns: readonly TsvColumn[],
): boolean {
  let fieldStart = start;
  let index = 0;
  for (let offset = start; offset <= end; offset++) {
    if (offset < end && source[offset] !== tab) {
      continue;
    }
    const { treatment } = columns[index++]!;
    const isPlain =
      treatment === 'plain' ||
      treatment === 'escaped' ||
      (source[fieldStart] === backslash && offset - fieldStart === 2) ||
      plainEnd(treatment, source, fieldStart, offset) >= 0;
    if (!isPlain) {
      return false;
    }
    fieldStart = offset + 1;
  }
  return true;
}
