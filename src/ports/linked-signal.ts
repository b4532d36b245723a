import { setMaxListeners } from 'node:events';

/**
 * A signal that aborts when one of its sources does, until it is released. `AbortSignal.any` does
 * the same, but each source keeps an entry for every such signal as long as it lives, on Node 20.
 * So this one is for sources that live long and signals that do not.
 */
export class LinkedSignal {
  readonly #controller = new AbortController();
  readonly #sources: readonly AbortSignal[];

  constructor(...sources: (AbortSignal | undefined)[]) {
    this.#sources = sources.filter((source) => source !== undefined);
    // One listener for each signal in use.
    setMaxListeners(0, this.signal, ...this.#sources);
    for (const source of this.#sources) {
      source.addEventListener('abort', this.#abort);
    }
    if (this.#sources.some(({ aborted }) => aborted)) {
      this.#abort();
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** From now on the sources have no effect on the signal. */
  release(): void {
    for (const source of this.#sources) {
      source.removeEventListener('abort', this.#abort);
    }
  }

  readonly #abort = (): void => {
    this.#controller.abort(this.#sources.find(({ aborted }) => aborted)?.reason);
    this.release();
  };
}
