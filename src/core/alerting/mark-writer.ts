import type { AlertStore, DeliveryMark } from '../../ports/alert-store.ts';
import type { Log } from '../../ports/ambient.ts';

interface Waiting {
  mark: DeliveryMark;
  resolve(): void;
  reject(reason: unknown): void;
}

/** Writes what became of deliveries; all that gather while one transaction runs share the next. */
export class MarkWriter {
  readonly #store: AlertStore;
  readonly #log: Log;
  #waiting: Waiting[] = [];
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
    // What finishes in the same turn of the event loop is written together.
    await new Promise<void>((resolve) => void setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, 500);
      try {
        await this.#store.settle(batch.map(({ mark }) => mark));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        this.#log.warn({ error, count: batch.length }, 'delivery marks could not be written');
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = undefined;
  }
}
