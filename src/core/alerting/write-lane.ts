import { setTimeout as pause } from 'node:timers/promises';

/** So many writes at once: where the store shares commits they share one, and no commit keeps the thread for long. */
const atOnce = 2;
const restMaxMs = 50;

/**
 * Lets the writes of a tick through, a few at a time, in the order in which they were asked for. While something else is to be kept going, it rests as
 * long after each as that took: a tick with much to write then takes twice as long, and deliveries have half of the time.
 */
export class WriteLane {
  readonly #shares: () => boolean;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #restUntilMs = 0;

  /** @param shares whether there is something to be kept going beside the writes. */
  constructor(shares: () => boolean) {
    this.#shares = shares;
  }

  async run<T>(write: () => Promise<T>): Promise<T> {
    if (this.#running >= atOnce) {
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    try {
      const restMs = this.#restUntilMs - performance.now();
      if (restMs > 0) {
        await pause(restMs);
      }
      const startedMs = performance.now();
      const written = await write();
      const endedMs = performance.now();
      if (this.#shares()) {
        this.#restUntilMs = Math.max(
          this.#restUntilMs,
          endedMs + Math.min(endedMs - startedMs, restMaxMs),
        );
      }
      return written;
    } finally {
      const next = this.#waiting.shift();
      if (next) {
        next();
      } else {
        this.#running--;
      }
    }
  }
}
