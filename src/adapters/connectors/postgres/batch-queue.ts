/** Gathers batches of several readers for one caller who pulls. Whoever brings one waits while more than `bytesMax` is held. */
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

  /** Waits until another batch may come. One batch may always be held, however large. */
  async room(): Promise<void> {
    while (!this.#closed && this.#items.length > 0 && this.#bytes >= this.#bytesMax) await this.#change();
  }

  async put(item: T, bytes: number): Promise<void> {
    await this.room();
    if (this.#closed) return;
    this.#items.push({ item, bytes });
    this.#bytes += bytes;
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
    this.#items.length = 0;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (!this.#closed) {
      const next = this.#items.shift();
      if (next) {
        this.#bytes -= next.bytes;
        this.#wake();
        yield next.item;
      } else if (this.#failure) throw this.#failure.error;
      else if (this.#ended) return;
      else await this.#change();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => { this.#changed.push(resolve); });
  }

  #wake(): void {
    const waiting = this.#changed;
    this.#changed = [];
    for (const wake of waiting) wake();
  }
}
