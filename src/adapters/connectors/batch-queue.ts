/** Hands batches from those who push to one who pulls. It holds no more than `bytesMax`, and one batch at least, however large. */
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

  /** Whether another batch may come now. */
  get hasRoom(): boolean {
    return this.#closed || this.#items.length === 0 || this.#bytes < this.#bytesMax;
  }

  /** Waits until another batch may come. */
  async room(): Promise<void> {
    while (!this.hasRoom) {
      await this.change();
    }
  }

  /** Takes a batch, whether there is room or not. */
  push(item: T, bytes: number): void {
    if (this.#closed) {
      return;
    }
    this.#items.push({ item, bytes });
    this.#bytes += bytes;
    this.#wake();
  }

  /** Takes a batch when there is room. */
  async put(item: T, bytes: number): Promise<void> {
    await this.room();
    this.push(item, bytes);
  }

  /** Resolves when something has changed, or after `ms`. */
  change(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.#changed.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Forgets what waits. */
  clear(): void {
    this.#items.length = 0;
    this.#bytes = 0;
    this.#wake();
  }

  /** Ends reading with this error, after what is held already. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** Nothing more will come: reading ends after what is held. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

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
