interface FetchedPartition {
  topic: string;
  partition: number;
}

/** Bytes to read from a partition before another one goes first. */
const turnBytes = 24 * 2 ** 20;
/** A partition with fewer bytes in a response has no backlog at the moment. */
const dryBytes = 2 ** 20;

/**
 * Orders the partitions of a fetch request. A response is filled from the first partition on. One
 * partition stays first for several responses, so that the records in memory form few large ranges
 * instead of many small ones. Then the next partition takes its turn.
 */
export class FetchTurns {
  #first: string | undefined;
  #bytes = 0;
  #order: string[] = [];

  order<P extends FetchedPartition>(partitions: readonly P[]): P[] {
    const names = partitions.map(nameOf);
    const first = Math.max(0, this.#first === undefined ? 0 : names.indexOf(this.#first));
    const ordered = [...partitions.slice(first), ...partitions.slice(0, first)];
    this.#order = ordered.map(nameOf);
    return ordered;
  }

  /** Reports the size of each partition in the response to the last ordered request. */
  received(sizes: readonly (FetchedPartition & { bytes: number })[]): void {
    const first = this.#order[0];
    if (first !== this.#first) {
      this.#bytes = 0;
    }
    this.#first = first;
    const bytes = sizes.reduce((sum, size) => (nameOf(size) === first ? sum + size.bytes : sum), 0);
    this.#bytes += bytes;
    if (bytes >= dryBytes && this.#bytes < turnBytes) {
      return;
    }
    this.#first = this.#order[1 % this.#order.length];
    this.#bytes = 0;
  }
}

const nameOf = ({ topic, partition }: FetchedPartition): string => `${topic}/${partition}`;
