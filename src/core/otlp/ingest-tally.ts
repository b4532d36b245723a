import { ingestWindowSeconds } from '../../contract/status.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { IngestReport } from '../../ports/store/node-store.ts';

const bucketMs = 10_000;
const windowMs = ingestWindowSeconds * 1000;

/** Characters of a reason that are kept. */
const reasonMax = 500;

interface Bucket {
  fromMs: number;
  stored: number;
  rejected: number;
  refused: number;
}

interface Counted {
  /** Oldest first. */
  buckets: Bucket[];
  last: IngestReport['last'];
}

type Figure = 'stored' | 'rejected' | 'refused';

/** Counts what the receivers of this process got in the last minutes, for each database. */
export class IngestTally {
  readonly #clock: Clock;
  readonly #counted = new Map<string, Counted>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  stored(database: string, records: number): void {
    this.#add(database, 'stored', records);
  }

  rejected(database: string, records: number, reason: string): void {
    if (records > 0) {
      this.#add(database, 'rejected', records).last = this.#last(reason);
    }
  }

  refused(database: string, reason: string): void {
    this.#add(database, 'refused', 1).last = this.#last(reason);
  }

  /** By database, without those that got nothing. */
  reports(): Record<string, IngestReport> {
    const sinceMs = this.#clock.now() - windowMs;
    for (const [database, counted] of this.#counted) {
      counted.buckets = counted.buckets.filter(({ fromMs }) => fromMs > sinceMs);
      if (counted.buckets.length === 0) {
        this.#counted.delete(database);
      }
    }
    return Object.fromEntries(
      Array.from(this.#counted, ([database, counted]) => [database, reportOf(counted)]),
    );
  }

  #last(reason: string): IngestReport['last'] {
    return { reason: reason.slice(0, reasonMax), atMs: this.#clock.now() };
  }

  #add(database: string, figure: Figure, count: number): Counted {
    const counted = this.#counted.get(database) ?? { buckets: [], last: null };
    this.#counted.set(database, counted);
    const nowMs = this.#clock.now();
    const fromMs = nowMs - (nowMs % bucketMs);
    let bucket = counted.buckets.at(-1);
    if (bucket?.fromMs !== fromMs) {
      bucket = { fromMs, stored: 0, rejected: 0, refused: 0 };
      counted.buckets = [...counted.buckets.slice(1 - windowMs / bucketMs), bucket];
    }
    bucket[figure] += count;
    return counted;
  }
}

function reportOf({ buckets, last }: Counted): IngestReport {
  const sum = (figure: Figure): number => buckets.reduce((total, one) => total + one[figure], 0);
  return { stored: sum('stored'), rejected: sum('rejected'), refused: sum('refused'), last };
}
