import type { TopicPartitionOffset } from 'kafkajs';

/**
 * Commits offsets in few requests. A broker answers the requests of a connection one after another,
 * so a request for each partition would delay the next fetch by several milliseconds each. Offsets
 * that arrive during a request wait and share the next one.
 */
export class OffsetCommits {
  readonly #send: (offsets: TopicPartitionOffset[]) => Promise<void>;
  /** The newest offset of each partition that waits. */
  readonly #waiting = new Map<string, TopicPartitionOffset>();
  /** The request that takes the waiting offsets. */
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(send: (offsets: TopicPartitionOffset[]) => Promise<void>) {
    this.#send = send;
  }

  /** Resolves when the broker has the offset, or a newer one of its partition. */
  add(offset: TopicPartitionOffset): Promise<void> {
    this.#waiting.set(`${offset.topic}/${offset.partition}`, offset);
    if (!this.#next) {
      this.#next = this.#sendAfter(this.#last);
      this.#last = this.#next;
    }
    return this.#next;
  }

  async #sendAfter(earlier: Promise<void>): Promise<void> {
    await earlier.catch(() => undefined);
    const offsets = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#next = undefined;
    await this.#send(offsets);
  }
}
