import { recordCount, type RecordBatch, type SourceRecord } from '../../../../ports/batch.ts';

type Records = Pick<RecordBatch, 'records' | 'packed' | 'constants'>;

/**
 * Shows the records of a batch one after another. Packed records are read in place: an object for
 * each would cost more than the row that is made of it.
 */
export class RecordCursor {
  readonly count: number;
  readonly constants: NonNullable<RecordBatch['constants']>;
  /** The memory that holds the value; null if the record has none. */
  data: Buffer | null = null;
  /** Where the value begins and ends in `data`. */
  start = 0;
  end = 0;
  /** The same bytes as `data`, if they are those of many records. */
  view: DataView | undefined;
  /** Why the record has no value that can be read. */
  refused: string | undefined;
  readonly #batch: Records;
  #index = -1;

  constructor(batch: Records) {
    const { packed, constants = {} } = batch;
    this.#batch = batch;
    this.count = recordCount(batch);
    this.constants = constants;
    if (packed) {
      const { data } = packed;
      this.view = new DataView(data.buffer, data.byteOffset, data.length);
    }
  }

  /** The present record as an object. */
  get record(): SourceRecord {
    const batch = this.#batch;
    const record = batch.packed ? batch.packed.record(this.#index) : batch.records[this.#index];
    if (!record) {
      throw new RangeError(`no record ${this.#index}`);
    }
    return record;
  }

  /** Makes another record the present one. */
  moveTo(index: number): void {
    this.#index = index;
    const { packed } = this.#batch;
    if (packed) {
      this.start = packed.spans[2 * index] ?? -1;
      this.end = packed.spans[2 * index + 1] ?? -1;
      this.data = this.start < 0 ? null : packed.data;
      return;
    }
    const { data, refused } = this.record;
    this.data = data;
    this.refused = refused;
    this.start = 0;
    this.end = data?.length ?? 0;
  }
}
