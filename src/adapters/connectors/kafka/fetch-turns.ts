interface Place {
  topic: string;
  partition: number;
}

/** So much comes of a partition before another one goes first. */
const turnBytes = 24 * 2 ** 20;
/** With less in an answer than this a partition has nothing more to give just now. */
const dryBytes = 2 ** 20;

/**
 * In which order partitions stand in a request: what comes first fills the answer first. A partition stays first for several answers, so that what is
 * held of a long backlog is much of few partitions, which makes large ranges in little memory; then the next one is, so that each has its turn.
 */
export class FetchTurns {
  #first: string | undefined;
  #bytes = 0;
  #order: string[] = [];

  order<P extends Place>(places: readonly P[]): P[] {
    const names = places.map(nameOf);
    const at = Math.max(0, this.#first === undefined ? 0 : names.indexOf(this.#first));
    const ordered = [...places.slice(at), ...places.slice(0, at)];
    this.#order = ordered.map(nameOf);
    return ordered;
  }

  /** What the answer to the request that was ordered last held. */
  took(answered: readonly (Place & { bytes: number })[]): void {
    const first = this.#order[0];
    if (first !== this.#first) {
      this.#bytes = 0;
    }
    this.#first = first;
    const bytes = answered.reduce(
      (sum, place) => (nameOf(place) === first ? sum + place.bytes : sum),
      0,
    );
    this.#bytes += bytes;
    if (bytes >= dryBytes && this.#bytes < turnBytes) {
      return;
    }
    this.#first = this.#order[1 % this.#order.length];
    this.#bytes = 0;
  }
}

const nameOf = ({ topic, partition }: Place): string => `${topic}/${partition}`;
