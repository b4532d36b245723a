/** Hands batches from a pushing client to a pulling caller; holds no more than `bytesMax`, and one batch at least. */
export class BatchQueue<T> {
  readonly #bytesMax: number;
  readonly #items: { item: T; bytes: number }[] = [];
  #bytes = 0;
  #closed = false;
  #failure: unknown;
  #changed: (() => void)[] = [];

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Whether a push would be taken at once. */
  get hasRoom(): boolean {
    return this.#closed || this.#items.length === 0 || this.#bytes < this.#bytesMax;
  }

  push(item: T, bytes: number): void {
    if (this.#closed) return;
    this.#items.push({ item, bytes });
    this.#bytes += bytes;
    this.#wake();
  }

  /** Resolves when something has changed, or after `ms`. */
  change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
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

  fail(error: unknown): void {
    this.#failure ??= error;
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#items.length = 0;
    this.#bytes = 0;
    this.#wake();
  }

  get closed(): boolean {
    return this.#closed;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (!this.#closed) {
      const next = this.#items.shift();
      if (next) {
        this.#bytes -= next.bytes;
        this.#wake();
        yield next.item;
      } else if (this.#failure !== undefined) throw this.#failure;
      else await this.change(1000);
    }
  }

  #wake(): void {
    const waiting = this.#changed;
    this.#changed = [];
    for (const wake of waiting) wake();
  }
}
