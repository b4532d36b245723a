/**
 * Passes batches from producers to one consumer. It accepts batches while it holds less than
 * `bytesMax`, and always at least one.
 */
export class BatchQueue<T> {
  readonly #bytesMax: number;
  readonly #items: { item: T; bytes: number }[] = [];
  #bytes = 0;
  #closed = false;
  #ended = false;
  #failure: { error: unknown } | undefined;
  #changed: (() => void)[] = [];

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Whether the queue accepts another batch now. */
  get hasRoom(): boolean {
    return this.#closed || this.#items.length === 0 || this.#bytes < this.#bytesMax;
  }

  /** Waits until the queue accepts another batch. */
  async room(): Promise<void> {
    while (!this.hasRoom) {
      await this.change();
    }
  }

  /** Adds a batch, even if there is no room. */
  push(item: T, bytes: number): void {
    if (this.#closed) {
      return;
    }
    this.#items.push({ item, bytes });
    this.#bytes += bytes;
    this.#wake();
  }

  /** Adds a batch when there is room. */
  async put(item: T, bytes: number): Promise<void> {
    await this.room();
    this.push(item, bytes);
  }

  /** Resolves at the next change of the queue, or after `ms`. */
  change(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.#changed.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Drops all batches. */
  clear(): void {
    this.#items.length = 0;
    this.#bytes = 0;
    this.#wake();
  }

  /** Fails the consumer with this error, after the batches that are in the queue. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** Ends the consumer's loop after the batches that are in the queue. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Drops all batches and ends the consumer's loop. */
  close(): void {
    this.#closed = true;
    this.clear();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (!this.#closed) {
      const next = this.#items.shift();
      if (next) {
        this.#bytes -= next.bytes;
        this.#wake();
        yield next.item;
      } else if (this.#failure) {
        throw this.#failure.error;
      } else if (this.#ended) {
        return;
      } else {
        await this.change();
      }
    }
  }

  #wake(): void {
    const waiting = this.#changed;
    this.#changed = [];
    for (const wake of waiting) {
      wake();
    }
  }
}
