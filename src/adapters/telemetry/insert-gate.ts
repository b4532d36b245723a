/** Lets inserts of a database pass, except while its rollup is recounted. */
export class InsertGate {
  readonly #running = new Map<string, Set<Promise<unknown>>>();
  readonly #closed = new Map<string, Promise<unknown>>();

  /** Runs an insert, after a recount that runs already. */
  async pass<T>(database: string, work: () => Promise<T>): Promise<T> {
    for (let closed; (closed = this.#closed.get(database)) !== undefined;) {
      await closed.catch(() => {});
    }
    const running = this.#running.get(database) ?? new Set();
    this.#running.set(database, running);
    const insert = work();
    running.add(insert);
    try {
      return await insert;
    } finally {
      running.delete(insert);
    }
  }

  /** Waits until the inserts that run have ended, and holds back the next ones meanwhile. */
  async close<T>(database: string, work: () => Promise<T>): Promise<T> {
    const before = this.#closed.get(database);
    const closed = (async () => {
      await before?.catch(() => {});
      await Promise.allSettled(this.#running.get(database) ?? new Set<Promise<unknown>>());
      return work();
    })();
    this.#closed.set(database, closed);
    try {
      return await closed;
    } finally {
      if (this.#closed.get(database) === closed) {
        this.#closed.delete(database);
      }
    }
  }
}
