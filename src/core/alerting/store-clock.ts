import type { Clock } from '../../ports/ambient.ts';

/**
 * The time of the store between two of its readings. The clocks of the processes that share a store
 * may differ, so no stored time is compared with them: this process's clock only measures the time
 * since the last reading.
 */
export class StoreClock implements Clock {
  readonly #clock: Clock;
  #aheadMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes a reading of the store's time. */
  set(storeMs: number): void {
    this.#aheadMs = storeMs - this.#clock.now();
  }

  now(): number {
    return this.#clock.now() + this.#aheadMs;
  }
}
