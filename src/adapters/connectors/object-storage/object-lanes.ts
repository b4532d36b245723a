import type { Position } from '../../../ports/batch.ts';
import type { From } from '../../../ports/connector.ts';
import type { LedgerEntry, ObjectLedger } from '../../../ports/object-ledger.ts';

/**
 * One line of batches, one after another. It is a partition of the pipe; its positions are the
 * numbers of its batches.
 */
export interface ObjectLane {
  partition: string;
  /** Absent for a sample: then nothing is recorded. */
  ledger: ObjectLedger | undefined;
  /** The number of the next batch. */
  next: number;
  /** A batch was given out and is not stored yet. */
  busy: boolean;
}

/** The lanes of one reader. A lane is asked for a batch only when its last one is stored. */
export class ObjectLanes {
  readonly #lanes = new Map<string, ObjectLane>();
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
   * Takes a lane over; answers what was on its way in it. Undefined: it is not to be read by this
   * reader.
   */
  async open(
    partition: string,
    from: From,
  ): Promise<{ lane: ObjectLane; unfinished: LedgerEntry[] } | undefined> {
    const opening = await from(partition);
    if (!opening) {
      return undefined;
    }
    const lane = {
      partition,
      ledger: opening.ledger,
      next: Number(opening.position ?? 0) + 1,
      busy: false,
    };
    this.#lanes.set(partition, lane);
    return { lane, unfinished: (await opening.ledger?.batch(String(lane.next))) ?? [] };
  }

  get any(): ObjectLane | undefined {
    return this.#lanes.values().next().value;
  }

  stored(partition: string, position: Position): void {
    const lane = this.#lanes.get(partition);
    if (!lane || position !== String(lane.next)) {
      return;
    }
    lane.next++;
    lane.busy = false;
    this.#wake?.();
  }

  /** A lane with nothing on its way; undefined when reading is over. */
  async free(): Promise<ObjectLane | undefined> {
    for (;;) {
      if (this.#signal.aborted) {
        return undefined;
      }
      for (const lane of this.#lanes.values()) {
        if (!lane.busy) {
          return lane;
        }
      }
      await this.#change();
    }
  }

  /** Waits until everything that was given out is stored. */
  async idle(): Promise<void> {
    while (!this.#signal.aborted && [...this.#lanes.values()].some(({ busy }) => busy)) {
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
