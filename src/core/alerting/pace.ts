import { setImmediate as turn } from 'node:timers/promises';

/** How long the event loop is kept before others have their turn. */
const sliceMs = 10;

/** Long work on the thread that also answers requests: now and then it lets the others in. */
export class Pace {
  #untilMs = performance.now() + sliceMs;

  get due(): boolean {
    return performance.now() >= this.#untilMs;
  }

  async pause(): Promise<void> {
    await turn();
    this.#untilMs = performance.now() + sliceMs;
  }
}
