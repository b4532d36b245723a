import type { Batch } from '../../../ports/batch.ts';
import type { From } from '../../../ports/connector.ts';
import type { BatchQueue } from '../batch-queue.ts';
import { partitionName, type TopicPartition } from './partition-name.ts';
import { positionOf, type StartOffsets } from './start-offsets.ts';

export interface OpenPartition {
  /** The next offset to hand on. */
  next: bigint;
  /** A batch must end exactly here. */
  until: bigint | undefined;
  /** Part of every position of this partition. */
  firstCount: number | undefined;
}

export interface AssignmentOptions {
  from: From;
  queue: BatchQueue<Batch>;
  starts: StartOffsets;
  /** Whether the first position of a partition is stored before any record is handed on. */
  storesStarts: boolean;
  /** Tells the client where to fetch next. */
  seek(partition: TopicPartition, offset: bigint): void;
}

interface Start {
  open: OpenPartition;
  /** Ends when records may be handed on. */
  stored: Promise<void> | undefined;
}

/** The partitions that the group assigned to this member at one time. */
export class Assignment {
  readonly #options: AssignmentOptions;
  readonly #openings = new Map<string, Promise<OpenPartition | undefined>>();
  /** Wakes partitions that wait until their start position is stored. */
  readonly #startsStored = new Map<string, () => void>();
  /** Ends when the client knows where to fetch every partition, or that it cannot be opened. */
  readonly started: Promise<unknown>;

  constructor(assigned: Record<string, number[]>, options: AssignmentOptions) {
    this.#options = options;
    const starts: Promise<unknown>[] = [];
    for (const [topic, numbers] of Object.entries(assigned)) {
      for (const number of numbers) {
        const start = this.#start({ topic, number });
        starts.push(start);
        this.#openings.set(partitionName({ topic, number }), this.#open(start));
      }
    }
    this.started = Promise.allSettled(starts);
  }

  /** Undefined if the partition belongs to another reader. */
  opening(partition: string): Promise<OpenPartition | undefined> | undefined {
    return this.#openings.get(partition);
  }

  /** The position where the partition begins is stored: its records may be handed on. */
  startStored(partition: string): void {
    this.#startsStored.get(partition)?.();
    this.#startsStored.delete(partition);
  }

  #open(start: Promise<Start | undefined>): Promise<OpenPartition | undefined> {
    const opening = start.then(async (started) => {
      await started?.stored;
      return started?.open;
    });
    opening.catch((error: unknown) => {
      this.#options.queue.fail(error);
    });
    return opening;
  }

  async #start(place: TopicPartition): Promise<Start | undefined> {
    const { from, queue, starts, storesStarts, seek } = this.#options;
    const partition = partitionName(place);
    const opening = await from(partition);
    if (!opening) {
      return undefined;
    }
    const { offset: start, until, firstCount } = await starts.startOf(place, opening);
    const isFirst = opening.position === undefined;
    const waits = isFirst && (until === undefined || until === start) && storesStarts;
    // "Latest" means the current end. The first position must be stored before any record is handed
    // on, because after a crash the end would be another one.
    const stored = waits
      ? new Promise<void>((resolve) => {
          this.#startsStored.set(partition, resolve);
        })
      : undefined;
    if (isFirst || until === start) {
      queue.push(
        { kind: 'records', partition, records: [], bytes: 0, next: positionOf(start, firstCount) },
        0,
      );
    }
    seek(place, start);
    const open = { next: start, until: until === start ? undefined : until, firstCount };
    return { open, stored };
  }
}
