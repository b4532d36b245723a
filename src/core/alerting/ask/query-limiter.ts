/**
 * Limits how many queries run at once, in total and per source: a source that hangs blocks its own
 * queries and no others. Queries of one source start in the order of their arrival.
 */
export class QueryLimiter {
  readonly #limits: { total: number; perSource: number };
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #running = new Map<string, number>();
  #total = 0;

  constructor(limits: { total: number; perSource: number }) {
    this.#limits = limits;
  }

  async run<T>(sourceId: string, query: () => Promise<T>): Promise<T> {
    await this.#enter(sourceId);
    try {
      return await query();
    } finally {
      this.#leave(sourceId);
    }
  }

  #enter(sourceId: string): Promise<void> | undefined {
    if (this.#mayRun(sourceId)) {
      return void this.#begin(sourceId);
    }
    return new Promise((resolve) => {
      const queue = this.#waiting.get(sourceId) ?? [];
      queue.push(resolve);
      this.#waiting.set(sourceId, queue);
    });
  }

  #mayRun(sourceId: string): boolean {
    return (
      this.#total < this.#limits.total &&
      (this.#running.get(sourceId) ?? 0) < this.#limits.perSource
    );
  }

  #begin(sourceId: string): void {
    this.#total++;
    this.#running.set(sourceId, (this.#running.get(sourceId) ?? 0) + 1);
  }

  #leave(sourceId: string): void {
    this.#total--;
    const running = (this.#running.get(sourceId) ?? 1) - 1;
    if (running === 0) {
      this.#running.delete(sourceId);
    } else {
      this.#running.set(sourceId, running);
    }
    for (const [waitingId, queue] of this.#waiting) {
      if (!this.#mayRun(waitingId)) {
        continue;
      }
      const resume = queue.shift();
      // A source that goes on waiting moves to the end, so that no source is always first.
      this.#waiting.delete(waitingId);
      if (queue.length > 0) {
        this.#waiting.set(waitingId, queue);
      }
      this.#begin(waitingId);
      resume?.();
      if (this.#total >= this.#limits.total) {
        return;
      }
    }
  }
}
