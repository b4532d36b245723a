import type { Batch, Position } from '../../ports/connector.ts';
import type { Claim } from '../../ports/pipe-store.ts';

/** When a buffer is full. */
export interface BatchLimits {
  rowsMax: number;
  bytesMax: number;
  waitMs: number;
}

/** A run of batches that are stored together: (after, until]. */
export interface Range {
  after: Position | null;
  until: Position;
  batches: Batch[];
  rows: number;
  bytes: number;
}

/** What a JavaScript object around a record costs, about. */
const recordOverheadBytes = 200;
/** What tables of numbers cost instead, where records are packed. */
const packedOverheadBytes = 32;

/** Batches of one partition that wait to be stored, in order. Pure: time comes in from outside. */
export class PartitionBuffer {
  readonly claim: Claim;
  #after: Position | null;
  /** The end of a range that is to be stored once more, exactly as it was. */
  #until: Position | null;
  #batches: Batch[] = [];
  #rows = 0;
  #bytes = 0;
  #sinceMs = 0;

  constructor(claim: Claim, position: Position | null, until: Position | null) {
    this.claim = claim;
    this.#after = position;
    this.#until = until === position ? null : until;
  }

  /** A range from before is being read again: it is neither cut short nor gone past. */
  get replaying(): boolean {
    return this.#until !== null;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get empty(): boolean {
    return this.#batches.length === 0;
  }

  /** Takes a batch; answers the range that has to be stored before (a select batch and a step of a table stand alone). */
  add(batch: Batch, nowMs: number): Range | undefined {
    const before = standsAlone(batch) && !this.replaying ? this.take() : undefined;
    if (this.empty) this.#sinceMs = nowMs;
    this.#batches.push(batch);
    this.#rows += rowsOf(batch);
    this.#bytes += sizeOf(batch);
    return before;
  }

  due(limits: BatchLimits, nowMs: number): boolean {
    if (this.empty) return false;
    const last = this.#batches.at(-1)!;
    if (this.#until !== null) return last.next === this.#until;
    // Where reading begins is stored at once: records may wait for it.
    if (this.#after === null && this.#rows === 0) return true;
    return standsAlone(last) || last.flush === true || this.#rows >= limits.rowsMax || this.#bytes >= limits.bytesMax || nowMs - this.#sinceMs >= limits.waitMs;
  }

  /** Everything that waits, as one range. A replayed range only when it is whole. */
  take(): Range | undefined {
    const last = this.#batches.at(-1);
    if (last === undefined || (this.#until !== null && last.next !== this.#until)) return undefined;
    const range = { after: this.#after, until: last.next, batches: this.#batches, rows: this.#rows, bytes: this.#bytes };
    this.#after = last.next;
    this.#until = null;
    this.drop();
    return range;
  }

  /** Forgets what waits: it will be read again. */
  drop(): void {
    this.#batches = [];
    this.#rows = 0;
    this.#bytes = 0;
  }
}

const standsAlone = ({ kind }: Batch): boolean => kind === 'select' || kind === 'table';

function rowsOf(batch: Batch): number {
  switch (batch.kind) {
    case 'records': return batch.packed?.count ?? batch.records.length;
    case 'rows': return batch.rows;
    default: return 1;
  }
}

function sizeOf(batch: Batch): number {
  switch (batch.kind) {
    case 'records': return batch.packed ? batch.packed.data.length + batch.packed.count * packedOverheadBytes : batch.bytes + batch.records.length * recordOverheadBytes;
    case 'rows': return batch.bytes;
    default: return 0;
  }
}
