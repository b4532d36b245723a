import type { AlertStore, DeliveryMark } from '../../../ports/store/alert-store.ts';
import type { Log } from '../../../ports/ambient.ts';

interface Waiting {
  mark: DeliveryMark;
  resolve(): void;
  reject(reason: unknown): void;
}

/** Maximum time that a mark waits for others. */
const gatherMaxMs = 50;
const marksMax = 500;

/**
 * Writes the outcomes of deliveries (marks), many in one transaction, because a commit costs far
 * more than its marks. Marks gather for up to 50 ms. If a delivery waits for its mark, the pause
 * ends earlier: three times the duration of the last commit after that commit. After a crash in
 * between, deliveries are sent again, and receivers drop them by their id.
 */
export class MarkWriter {
  readonly #store: AlertStore;
  readonly #log: Log;
  #waiting: Waiting[] = [];
  #commitMs = 0;
  #committedAtMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  /** A delivery waits for one of the gathering marks. */
  #hurried = false;
  /** Ends the current gathering after the given milliseconds. */
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

  /** Shortens the gathering: a delivery waits for a mark, or no more marks are expected. */
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
        await this.#store.recordMarks(batch.map(({ mark }) => mark));
        this.#committedAtMs = performance.now();
        this.#commitMs = this.#committedAtMs - startedMs;
        for (const { resolve } of batch) {
          resolve();
        }
      } catch (error) {
        this.#log.warn({ err: error, marks: batch.length }, 'cannot save delivery outcomes');
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

  /** The rest of the pause after a commit, which is three times the commit's duration. */
  #pauseMs(): number {
    return Math.max(
      0,
      this.#committedAtMs + Math.min(gatherMaxMs, 3 * this.#commitMs) - performance.now(),
    );
  }
}
