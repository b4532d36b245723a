/** Remembers which of which records each row was made of. */
export class RowPlaces<Records> {
  readonly #groups: Group<Records>[] = [];
  #rows = 0;

  get rows(): number {
    return this.#rows;
  }

  /** @param indexes the records that make a row, if not all of them do */
  add(records: Records, rows: number, indexes: Int32Array | undefined): void {
    this.#groups.push({ records, rowsBefore: this.#rows, indexes });
    this.#rows += rows;
  }

  /** @throws RangeError if there is no such row */
  find(row: number): { records: Records; index: number } {
    let [from, to] = [0, this.#groups.length];
    while (to - from > 1) {
      const middle = (from + to) >>> 1;
      if ((this.#groups[middle]?.rowsBefore ?? 0) <= row) {
        from = middle;
      } else {
        to = middle;
      }
    }
    const group = this.#groups[from];
    if (!group || row >= this.#rows) {
      throw new RangeError(`no row ${row}`);
    }
    const place = row - group.rowsBefore;
    return { records: group.records, index: group.indexes?.[place] ?? place };
  }
}

interface Group<Records> {
  records: Records;
  rowsBefore: number;
  indexes: Int32Array | undefined;
}
