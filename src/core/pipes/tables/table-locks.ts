interface TableLock {
  /** The newest exclusive task. */
  exclusive: Promise<unknown>;
  /** Running shared tasks that started after it. */
  shared: Set<Promise<unknown>>;
}

/**
 * A read-write lock for each table: many shared tasks run at once, or one exclusive task runs
 * alone, in the order of their calls.
 */
export class TableLocks {
  readonly #locks = new Map<string, TableLock>();

  shared<T>(table: string, work: () => Promise<T>): Promise<T> {
    const { exclusive, shared } = this.#lock(table);
    const result = exclusive.then(work);
    const ended = result
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => shared.delete(ended));
    shared.add(ended);
    return result;
  }

  exclusive<T>(table: string, work: () => Promise<T>): Promise<T> {
    const lock = this.#lock(table);
    const result = Promise.all([lock.exclusive, ...lock.shared]).then(work);
    lock.exclusive = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  #lock(table: string): TableLock {
    const existing = this.#locks.get(table);
    if (existing) {
      return existing;
    }
    const lock = { exclusive: Promise.resolve(), shared: new Set<Promise<unknown>>() };
    this.#locks.set(table, lock);
    return lock;
  }
}
