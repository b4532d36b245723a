import type { AlertStore, DeliveryMark } from '../../ports/alert-store.ts';
import type { Log } from '../../ports/ambient.ts';

interface Waiting {
  mark: DeliveryMark;
  resolve(): void;
  reject(reason: unknown): void;
}

/** Deliveries of one alert wait for the mark of the one before: no longer than this for company. */
const gatherMaxMs = 50;

/**
 * Writes what became of deliveries, many in one transaction: a commit reaches the disk, which costs far more than the marks. So it waits for as long
 * as the last commits took, times three, before the next. A crash in between only sends again what receivers drop by its id.
 */
export class MarkWriter {
  readonly #store: AlertStore;
  readonly #log: Log;
  #waiting: Waiting[] = [];
  #commitMs = 0;
  #running: Promise<void> | undefined;

  constructor(store: AlertStore, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Resolves when the mark is durable. */
  write(mark: DeliveryMark): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ mark, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise<void>((resolve) => void setTimeout(resolve, Math.min(gatherMaxMs, 3 * this.#commitMs)));
      const batch = this.#waiting.splice(0, 500);
      const startedMs = performance.now();
      try {
        await this.#store.settle(batch.map(({ mark }) => mark));
        this.#commitMs = performance.now() - startedMs;
        for (const { resolve } of batch) resolve();
      } catch (error) {
        this.#log.warn({ error, count: batch.length }, 'delivery marks could not be written');
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = undefined;
  }
}
