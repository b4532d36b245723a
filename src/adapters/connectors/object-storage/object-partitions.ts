import type { Position } from '../../../ports/batch.ts';
import type { From } from '../../../ports/connector.ts';
import type { LedgerEntry, ObjectLedger } from '../../../ports/store/object-ledger.ts';

/** A sequence of batches. Its positions are the numbers of its batches. */
export interface ObjectPartition {
  name: string;
  /** Undefined for a sample, which records nothing. */
  ledger: ObjectLedger | undefined;
  /** The number of the next batch. */
  next: number;
  /** Whether a batch is not stored yet. */
  busy: boolean;
}

/** The partitions of one reader. A partition takes a batch only when its last one is stored. */
export class ObjectPartitions {
  readonly #partitions = new Map<string, ObjectPartition>();
  readonly #signal: AbortSignal;
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener(
      'abort',
      () => {
        this.#wake?.();
      },
      { once: true },
    );
  }

  /**
   * Opens a partition and returns its unfinished objects. Undefined if this reader must not read
   * the partition.
   */
  async open(
    name: string,
    from: From,
  ): Promise<{ partition: ObjectPartition; unfinished: LedgerEntry[] } | undefined> {
    const opening = await from(name);
    if (!opening) {
      return undefined;
    }
    const partition = {
      name,
      ledger: opening.ledger,
      next: Number(opening.position ?? 0) + 1,
      busy: false,
    };
    this.#partitions.set(name, partition);
    return { partition, unfinished: (await opening.ledger?.batch(String(partition.next))) ?? [] };
  }

  get any(): ObjectPartition | undefined {
    return this.#partitions.values().next().value;
  }

  stored(name: string, position: Position): void {
    const partition = this.#partitions.get(name);
    if (!partition || position !== String(partition.next)) {
      return;
    }
    partition.next++;
    partition.busy = false;
    this.#wake?.();
  }

  /** A partition without an unfinished batch. Undefined if the reader stops. */
  async free(): Promise<ObjectPartition | undefined> {
    for (;;) {
      if (this.#signal.aborted) {
        return undefined;
      }
      for (const partition of this.#partitions.values()) {
        if (!partition.busy) {
          return partition;
        }
      }
      await this.#change();
    }
  }

  /** Waits until every batch is stored. */
  async idle(): Promise<void> {
    while (!this.#signal.aborted && [...this.#partitions.values()].some(({ busy }) => busy)) {
      await this.#change();
    }
  }

  async #change(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
}
