/** Wakes waiters when something changes. */
export class Notifier {
  #waiting = new Set<() => void>();

  notify(): void {
    for (const wake of this.#waiting) {
      wake();
    }
  }

  /** Resolves at the next `notify`, after `ms`, or when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      this.#waiting.add(done);
    });
  }
}
