import { Fault } from '../../../contract/errors.ts';

const retryAfterSeconds = 5;

/** Limits the number of sources that a workspace looks at together. */
export class DraftLimiter {
  readonly #max: number;
  readonly #running = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** @throws Fault `rate_limited` */
  async run<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(workspaceId) ?? 0;
    if (running >= this.#max) {
      const message =
        `the service already checks or explores ${this.#max} sources. ` +
        'Send the request again when one of these requests has ended.';
      throw new Fault('rate_limited', message, { retryAfterSeconds });
    }
    this.#running.set(workspaceId, running + 1);
    try {
      return await work();
    } finally {
      this.#release(workspaceId);
    }
  }

  #release(workspaceId: string): void {
    const running = (this.#running.get(workspaceId) ?? 1) - 1;
    if (running === 0) {
      this.#running.delete(workspaceId);
    } else {
      this.#running.set(workspaceId, running);
    }
  }
}
