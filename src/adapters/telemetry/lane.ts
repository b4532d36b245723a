import { TelemetryError, type Purpose } from '../../ports/telemetry.ts';

interface Waiting {
  start(): void;
  refuse(error: TelemetryError): void;
}

/** A bounded number of things at a time, and a bounded number waiting for their turn, first come first served. */
export class Lane {
  readonly #name: string;
  readonly #width: number;
  readonly #queueLimit: number;
  readonly #waiting = new Set<Waiting>();
  #running = 0;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(name: string, width: number, queueLimit: number) {
    this.#name = name;
    this.#width = width;
    this.#queueLimit = queueLimit;
  }

  /** Runs `work` when there is room. @throws TelemetryError unavailable when the queue is full or the lane closed, aborted when `signal` fires first. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Refuses whoever waits or comes later; resolves when what runs has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const waiting of this.#waiting) {
      waiting.refuse(this.#closing());
    }
    if (this.#running > 0) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  async #enter(signal?: AbortSignal): Promise<void> {
    if (this.#closed) {
      throw this.#closing();
    }
    if (signal?.aborted) {
      throw aborted();
    }
    if (this.#running < this.#width) {
      this.#running++;
      return;
    }
    if (this.#waiting.size >= this.#queueLimit) {
      throw new TelemetryError(
        'unavailable',
        `busy: ${this.#running} ${this.#name} queries run and ${this.#waiting.size} wait`,
      );
    }
    await this.#wait(signal);
  }

  #wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => waiting.refuse(aborted());
      const done = (): void => {
        this.#waiting.delete(waiting);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        start: () => {
          done();
          resolve();
        },
        refuse: (error) => {
          done();
          reject(error);
        },
      };
      this.#waiting.add(waiting);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** The place goes straight to the next in line, so `#running` does not change hands through zero. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next) {
      next.start();
      return;
    }
    this.#running--;
    if (this.#running === 0) {
      for (const resolve of this.#idle.splice(0)) {
        resolve();
      }
    }
  }

  #closing(): TelemetryError {
    return new TelemetryError('unavailable', 'the telemetry engine is closing');
  }
}

const aborted = (): TelemetryError =>
  new TelemetryError('aborted', 'aborted while waiting for its turn');

export interface LaneSize {
  /** How many run at once. */
  width: number;
  /** How many may wait; one more is refused as busy. */
  queueLimit: number;
}

export type LaneSizes = Record<Purpose, LaneSize>;

/** A lane for each purpose. */
export function lanes(sizes: LaneSizes): Record<Purpose, Lane> {
  const lane = (purpose: Purpose): Lane =>
    new Lane(purpose, sizes[purpose].width, sizes[purpose].queueLimit);
  return {
    chart: lane('chart'),
    alert: lane('alert'),
    ingest: lane('ingest'),
    pipe: lane('pipe'),
    load: lane('load'),
    admin: lane('admin'),
  };
}
