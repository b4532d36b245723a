import type { AlertStore, DeliveryMark } from '../../ports/alert-store.ts';
import type { Log } from '../../ports/ambient.ts';

interface Waiting {
  mark: DeliveryMark;
  resolve(): void;
  reject(reason: unknown): void;
}

/** No mark waits longer than this for company. */
const gatherMaxMs = 50;
const marksMax = 500;

/**
 * Writes what became of deliveries, many in one transaction: a commit reaches the disk, which costs far more than the marks. A mark waits 50 ms for
 * company. Where something waits for it, it waits only until three times as long has passed since the last commit as that one took. A crash in between
 * only sends again what receivers drop by its id.
 */
export class MarkWriter {
  readonly #store: AlertStore;
  readonly #log: Log;
  #waiting: Waiting[] = [];
  #commitMs = 0;
  #committedAtMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  /** Something waits for one of the marks that gather now. */
  #hurried = false;
  /** Ends the gathering that is under way, now or when so many milliseconds have passed. */
  #endIn: ((ms: number) => void) | undefined;

  constructor(store: AlertStore, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Resolves when the mark is durable. */
  write(mark: DeliveryMark): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ mark, resolve, reject });
      this.#running ??= this.#drain();
      if (this.#waiting.length >= marksMax) {
        this.#endIn?.(0);
      }
    });
  }

  /** Something waits for a mark that was given before, or there is no more company to wait for. */
  hurry(): void {
    if (this.#hurried || this.#waiting.length === 0) {
      return;
    }
    this.#hurried = true;
    this.#endIn?.(this.#pauseMs());
  }

  async idle(): Promise<void> {
    this.hurry();
    await this.#running;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < marksMax) {
        await this.#gather();
      }
      const batch = this.#waiting.splice(0, marksMax);
      this.#hurried = false;
      const startedMs = performance.now();
      try {
        await this.#store.settle(batch.map(({ mark }) => mark));
        this.#committedAtMs = performance.now();
        this.#commitMs = this.#committedAtMs - startedMs;
        for (const { resolve } of batch) {
          resolve();
        }
      } catch (error) {
        this.#log.warn({ error, count: batch.length }, 'delivery marks could not be written');
        for (const { reject } of batch) {
          reject(error);
        }
      }
    }
    this.#running = undefined;
  }

  #gather(): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (): void => {
        this.#endIn = undefined;
        resolve();
      };
      this.#endIn = (ms) => {
        clearTimeout(timer);
        timer = setTimeout(end, ms);
      };
      this.#endIn(this.#hurried ? this.#pauseMs() : gatherMaxMs);
    });
  }

  /** What is left of the pause after a commit: three times as long as it took. */
  #pauseMs(): number {
    return Math.max(
      0,
      this.#committedAtMs + Math.min(gatherMaxMs, 3 * this.#commitMs) - performance.now(),
    );
  }
}
