import { setTimeout as pause } from 'node:timers/promises';

/**
 * Maximum number of concurrent writes. They share a commit if the store groups commits: most ticks
 * need no second one, and no commit holds the thread for long.
 */
const concurrentMax = 3;
const restMaxMs = 50;

/**
 * Runs the writes of a tick, three at a time, in the order of their arrival. While other work needs
 * the store, it rests after each write for as long as the write took: a tick with many writes then
 * takes twice as long, and deliveries get half of the time.
 */
export class WriteThrottle {
  readonly #mustShare: () => boolean;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #restUntilMs = 0;

  /** @param mustShare whether other work needs the store at the moment. */
  constructor(mustShare: () => boolean) {
    this.#mustShare = mustShare;
  }

  async run<T>(write: () => Promise<T>): Promise<T> {
    if (this.#running >= concurrentMax) {
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
      if (this.#mustShare()) {
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
