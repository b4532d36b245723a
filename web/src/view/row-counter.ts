const lineBreak = 0x0a;
const quote = 0x22;

/** Counts the rows of a file that comes in pieces. In CSV, a line break in quotes is text. */
export class RowCounter {
  private readonly isCsv: boolean;
  private isQuoted = false;
  private lines = 0;

  constructor(format: 'csv' | 'ndjson') {
    this.isCsv = format === 'csv';
  }

  add(piece: Uint8Array): void {
    for (const byte of piece) {
      if (byte === lineBreak && !this.isQuoted) {
        this.lines += 1;
      } else if (byte === quote && this.isCsv) {
        this.isQuoted = !this.isQuoted;
      }
    }
  }

  /** Whole rows so far, without the head of a CSV file. */
  get rows(): number {
    return Math.max(0, this.lines - (this.isCsv ? 1 : 0));
  }
}
