import { TelemetryError } from '../../../ports/telemetry.ts';

/** How long statements in progress may take to end before the engine is restarted. */
const drainLimitMs = 2_000;
/** How long a new statement may be held back: those in progress, then the engine's start. */
export const holdLimitMs = drainLimitMs + 2_000;

/**
 * Lets statements pass, except while the engine is restarted on purpose. Then new ones wait and
 * those in progress come first.
 */
export class Admission {
  #closed: Promise<void> | undefined;
  #running = 0;
  #writing = 0;
  #idle: (() => void)[] = [];
  #restarts = 0;

  /** How many restarts there have been: a statement that one cut short may be sent again. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Whether a restart is in progress, so that no statement may begin. */
  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /** Resolves when no restart is in progress. @throws TelemetryError unavailable when `signal` fires first. */
  async open(signal: AbortSignal): Promise<void> {
    while (this.#closed !== undefined) {
      await Promise.race([this.#closed, rejectedBy(signal)]);
    }
  }

  /** A statement begins. Call the result when it has ended. `writes`: it may change a table. */
  enter(writes: boolean): () => void {
    const written = writes ? 1 : 0;
    this.#running += 1;
    this.#writing += written;
    return () => {
      this.#running -= 1;
      this.#writing -= written;
      if (this.#running === 0) {
        for (const resolve of this.#idle.splice(0)) {
          resolve();
        }
      }
    };
  }

  /**
   * Holds new statements back, waits for those in progress, and restarts. `isClean` tells whether
   * all that may change a table have ended. If a restart is in progress, waits for that one.
   */
  async restart(work: (isClean: boolean) => Promise<void>): Promise<void> {
    if (this.#closed === undefined) {
      const done = this.#restart(work).finally(() => {
        this.#closed = undefined;
      });
      this.#closed = done.catch(() => {});
      await done;
    }
    await this.#closed;
  }

  async #restart(work: (isClean: boolean) => Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, drainLimitMs);
    });
    if (this.#running > 0) {
      await Promise.race([new Promise<void>((resolve) => this.#idle.push(resolve)), limit]);
    }
    clearTimeout(timer);
    this.#restarts += 1;
    await work(this.#writing === 0);
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = (): void =>
      reject(new TelemetryError('unavailable', 'the telemetry engine is restarting; try again'));
    if (signal.aborted) {
      refuse();
    } else {
      signal.addEventListener('abort', refuse, { once: true });
    }
  });
}
