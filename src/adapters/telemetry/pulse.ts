import type { Endpoint } from './engine.ts';

/** An engine that has not answered for this long is taken for one that hangs. */
const answerLimitMs = 10_000;

/** Tells whether an engine answers at all. Whoever asks meanwhile shares one ping. */
export class Pulse {
  readonly #endpoint: Endpoint;
  #asking: Promise<boolean> | undefined;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /** False only if nothing comes back: an engine that is paused, or hangs. */
  answers(): Promise<boolean> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<boolean> {
    const startedMs = performance.now();
    const limit = AbortSignal.timeout(answerLimitMs);
    await this.#endpoint.client.ping(limit);
    // If this process was held up itself, the answer may be there, not yet read.
    const isLate = performance.now() - startedMs > answerLimitMs + 1_000;
    return !limit.aborted || isLate;
  }
}
