import { recordCount, type Batch, type Position } from '../../../ports/batch.ts';
import type { Claim, Partition } from '../../../ports/store/pipe-store.ts';
import type { TelemetryShard } from '../../../ports/telemetry.ts';

/** When a buffer is full. */
export interface BatchLimits {
  rowsMax: number;
  /** What may be stored at once, where more than `rowsMax` wait. */
  rangeRowsMax: number;
  bytesMax: number;
  waitMs: number;
}

/** Consecutive batches that are stored together: (after, until]. */
export interface Range {
  after: Position | null;
  until: Position;
  batches: Batch[];
  rows: number;
  bytes: number;
  /** The range was begun before, with this shard for its rows. Absent: it is new. */
  begun?: { shard: string | null };
  /** The shard for its rows, once it is chosen. */
  shard?: TelemetryShard;
}

/** Approximate size of the JavaScript object around a record. */
const recordOverheadBytes = 200;
/** The same for a packed record: its entries in tables of numbers. */
const packedOverheadBytes = 32;

/** A quiet source makes a partition due with this fraction of `rowsMax`. */
const manyShare = 10;

interface Waiting {
  batch: Batch;
  sinceMs: number;
}

type StoredProgress = Pick<Partition, 'position' | 'until' | 'shard'>;

/** Batches of one partition that wait to be stored, in order. Pure: time comes in from outside. */
export class PartitionBuffer {
  readonly claim: Claim;
  #after: Position | null;
  /** The end of a range that must be stored again, exactly as before. */
  #until: Position | null;
  readonly #shard: string | null;
  #waiting: Waiting[] = [];
  #rows = 0;
  #bytes = 0;
  /** Waiting batches that make the partition due at once. */
  #urgent = 0;
  /** The last range had many rows: what follows is the end of a backlog. */
  #wasLarge = false;

  constructor(claim: Claim, { position, until, shard }: StoredProgress) {
    this.claim = claim;
    this.#after = position;
    this.#until = until === position ? null : until;
    this.#shard = shard;
  }

  /** An earlier range is being read again: it must end exactly where it ended before. */
  get isRepeating(): boolean {
    return this.#until !== null;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get empty(): boolean {
    return this.#waiting.length === 0;
  }

  add(batch: Batch, nowMs: number): void {
    this.#waiting.push({ batch, sinceMs: nowMs });
    this.#rows += rowsOf(batch);
    this.#bytes += sizeOf(batch);
    this.#urgent += urgencyOf(batch, this.#until);
  }

  /** Whether `take` would give something. */
  get ready(): boolean {
    return this.#until === null ? !this.empty : this.#urgent > 0;
  }

  /** Only the place where reading begins, without a record: stored at once. */
  get beginning(): boolean {
    return this.#until === null && this.#after === null && this.#rows === 0 && !this.empty;
  }

  /**
   * @param quiet the source has nothing more now, so that fewer rows are enough. The end of a
   * backlog does not wait at all.
   */
  due(limits: BatchLimits, nowMs: number, quiet = false): boolean {
    if (this.empty) {
      return false;
    }
    if (this.#until !== null) {
      return this.ready;
    }
    if (this.beginning || (quiet && (this.#wasLarge || isMany(this.#rows, limits)))) {
      return true;
    }
    return (
      this.#rows >= limits.rowsMax ||
      this.#bytes >= limits.bytesMax ||
      nowMs - (this.#waiting[0]?.sinceMs ?? nowMs) >= limits.waitMs ||
      this.#urgent > 0
    );
  }

  /** The next range to store; the rest keeps waiting. A replayed range only when it is complete. */
  take(limits?: BatchLimits): Range | undefined {
    const count = this.#next(limits);
    const batches = this.#waiting.splice(0, count).map(({ batch }) => batch);
    const last = batches.at(-1);
    if (!last) {
      return undefined;
    }
    const range = {
      after: this.#after,
      until: last.next,
      batches,
      rows: sum(batches, rowsOf),
      bytes: sum(batches, sizeOf),
      ...(this.isRepeating && { begun: { shard: this.#shard } }),
    };
    this.#after = range.until;
    this.#until = null;
    this.#wasLarge = limits !== undefined && isMany(range.rows, limits);
    this.#rows -= range.rows;
    this.#bytes -= range.bytes;
    this.#urgent = sum(
      this.#waiting.map(({ batch }) => batch),
      (batch) => urgencyOf(batch, null),
    );
    return range;
  }

  /** Forgets all waiting batches: they will be read again. */
  drop(): void {
    this.#waiting = [];
    this.#rows = 0;
    this.#bytes = 0;
    this.#urgent = 0;
    this.#wasLarge = false;
  }

  /**
   * How many of the batches make the next range: until one limit is reached, or up to a batch that
   * stands alone.
   */
  #next(limits?: BatchLimits): number {
    if (this.#until !== null) {
      return this.#waiting.findIndex(({ batch }) => batch.next === this.#until) + 1;
    }
    let [count, rows, bytes] = [0, 0, 0];
    for (const { batch } of this.#waiting) {
      if (standsAlone(batch)) {
        return Math.max(count, 1);
      }
      count++;
      rows += rowsOf(batch);
      bytes += sizeOf(batch);
      if (limits && (rows >= limits.rangeRowsMax || bytes >= limits.bytesMax)) {
        break;
      }
    }
    return count;
  }
}

function sum(batches: readonly Batch[], measure: (batch: Batch) => number): number {
  return batches.reduce((total, batch) => total + measure(batch), 0);
}

const isMany = (rows: number, { rowsMax }: BatchLimits): boolean => rows * manyShare >= rowsMax;

const standsAlone = ({ kind }: Batch): boolean => kind === 'select' || kind === 'table';

/**
 * 1 if the batch makes its buffer due at once: the end of a replayed range; otherwise a batch that
 * stands alone, or asks to be stored.
 */
function urgencyOf(batch: Batch, until: Position | null): number {
  return (until === null ? standsAlone(batch) || batch.flush === true : batch.next === until)
    ? 1
    : 0;
}

function rowsOf(batch: Batch): number {
  switch (batch.kind) {
    case 'records':
      return recordCount(batch);
    case 'rows':
      return batch.rows;
    default:
      return 1;
  }
}

function sizeOf(batch: Batch): number {
  switch (batch.kind) {
    case 'records':
      return batch.packed
        ? batch.packed.data.length + batch.packed.count * packedOverheadBytes
        : batch.bytes + batch.records.length * recordOverheadBytes;
    case 'rows':
      return batch.bytes;
    default:
      return 0;
  }
}
