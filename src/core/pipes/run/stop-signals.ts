/** Time to store what was read before a stop. What remains is read again later. */
const drainMs = 20_000;

/** Tells a reader, or the replay of a pipe, how it is to end. */
export class StopSignals {
  readonly #drain = new AbortController();
  readonly #halt = new AbortController();

  /** Aborted: store what was read, and read no more. */
  get drain(): AbortSignal {
    return this.#drain.signal;
  }

  /** Aborted: store nothing more. */
  get halt(): AbortSignal {
    return this.#halt.signal;
  }

  /** Drains for a limited time. Resolves when the work is `done`. */
  stop(done: Promise<void>): Promise<void> {
    this.#drain.abort();
    const timer = setTimeout(() => this.#halt.abort(), drainMs);
    return done.finally(() => clearTimeout(timer));
  }

  /** Ends the work immediately: another process has the lease. */
  haltNow(): void {
    this.#drain.abort();
    this.#halt.abort();
  }
}
