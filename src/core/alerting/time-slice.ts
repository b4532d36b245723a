import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may hold the event loop before it yields. */
const sliceMs = 10;

/** Splits long work, so that the thread goes on answering requests. */
export class TimeSlice {
  #untilMs = performance.now() + sliceMs;

  get expired(): boolean {
    return performance.now() >= this.#untilMs;
  }

  async yieldToOthers(): Promise<void> {
    await nextTurn();
    this.#untilMs = performance.now() + sliceMs;
  }
}
