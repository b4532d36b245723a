import { TelemetryError, type Purpose } from '../../../ports/telemetry.ts';
import { TenantLoad } from './tenant-load.ts';

interface Waiting {
  start(): void;
  refuse(error: TelemetryError): void;
}

export interface LimiterOptions {
  signal?: AbortSignal | undefined;
  /** Whose work it is. Work of one tenant waits for its own turn only. */
  tenant?: string | undefined;
}

/** From this width on, one tenant cannot take the last place. */
const reservingWidth = 4;
/** The part of the places that a heavy tenant may take while others use the engine, as 1 of this. */
const heavyShare = 4;
/** How many times the queue of one tenant may wait in all. */
const queuesInAll = 4;

/**
 * A bounded number of queries at a time, and a bounded number waiting. Tenants take turns: however
 * many one of them has waiting, the next free place goes to the tenant that has waited longest for
 * a turn. Within a tenant, first come, first served. A tenant whose queries took long lately gets few
 * places while others use the engine: the engine itself shares its processors by threads.
 */
export class FairLimiter {
  readonly #name: string;
  readonly #width: number;
  readonly #queueLimit: number;
  /** By tenant, in the order of their turns. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #runningByTenant = new Map<string, number>();
  readonly #load = new TenantLoad();
  #waitingInAll = 0;
  #running = 0;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(name: string, width: number, queueLimit: number) {
    this.#name = name;
    this.#width = width;
    this.#queueLimit = queueLimit;
  }

  /**
   * Runs `work` when there is room, and tells it whether its tenant is heavy.
   * @throws TelemetryError unavailable when the queue is full or the limiter closed, aborted when
   * `signal` fires first.
   */
  async run<T>(
    work: (isHeavy: boolean) => Promise<T>,
    { signal, tenant = '' }: LimiterOptions = {},
  ): Promise<T> {
    this.#load.note(tenant);
    await this.#enter(tenant, signal);
    const ended = this.#load.start(tenant);
    try {
      return await work(this.#load.isHeavy(tenant));
    } finally {
      ended();
      this.#leave(tenant);
    }
  }

  /** Refuses waiting and later work; resolves when all running work has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const queue of this.#waiting.values()) {
      for (const waiting of queue) {
        waiting.refuse(closing());
      }
    }
    if (this.#running > 0) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  async #enter(tenant: string, signal?: AbortSignal): Promise<void> {
    if (this.#closed) {
      throw closing();
    }
    if (signal?.aborted) {
      throw aborted();
    }
    if (this.#hasPlaceFor(tenant)) {
      this.#take(tenant);
      return;
    }
    const queued = this.#waiting.get(tenant)?.size ?? 0;
    if (queued >= this.#queueLimit || this.#waitingInAll >= this.#queueLimit * queuesInAll) {
      throw new TelemetryError(
        'unavailable',
        `busy: ${this.#running} ${this.#name} queries run and ${this.#waitingInAll} wait`,
      );
    }
    await this.#wait(tenant, signal);
  }

  #hasPlaceFor(tenant: string): boolean {
    const own = this.#runningByTenant.get(tenant) ?? 0;
    if (own > 0 && own >= Math.floor(this.#width / heavyShare) && this.#load.isHeavy(tenant)) {
      return false;
    }
    const reserved = this.#width >= reservingWidth && own > 0 ? 1 : 0;
    return this.#running < this.#width - reserved;
  }

  #take(tenant: string): void {
    this.#running += 1;
    this.#runningByTenant.set(tenant, (this.#runningByTenant.get(tenant) ?? 0) + 1);
  }

  #wait(tenant: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => waiting.refuse(aborted());
      const done = (): void => {
        this.#unqueue(tenant, waiting);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        start: () => {
          done();
          this.#take(tenant);
          resolve();
        },
        refuse: (error) => {
          done();
          reject(error);
        },
      };
      const queue = this.#waiting.get(tenant) ?? new Set();
      this.#waiting.set(tenant, queue.add(waiting));
      this.#waitingInAll += 1;
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  #unqueue(tenant: string, waiting: Waiting): void {
    const queue = this.#waiting.get(tenant);
    if (queue?.delete(waiting)) {
      this.#waitingInAll -= 1;
      if (queue.size === 0) {
        this.#waiting.delete(tenant);
      }
    }
  }

  #leave(tenant: string): void {
    this.#running -= 1;
    const own = (this.#runningByTenant.get(tenant) ?? 1) - 1;
    if (own === 0) {
      this.#runningByTenant.delete(tenant);
    } else {
      this.#runningByTenant.set(tenant, own);
    }
    this.#startNext();
    if (this.#running === 0) {
      for (const resolve of this.#idle.splice(0)) {
        resolve();
      }
    }
  }

  /** Gives free places to waiting tenants in turn. */
  #startNext(): void {
    for (const [tenant, queue] of this.#waiting) {
      const [next] = queue;
      if (next !== undefined && this.#hasPlaceFor(tenant)) {
        next.start();
        // The tenant had its turn: the others come first now.
        const rest = this.#waiting.get(tenant);
        if (rest !== undefined) {
          this.#waiting.delete(tenant);
          this.#waiting.set(tenant, rest);
        }
        return;
      }
    }
  }
}

const closing = (): TelemetryError =>
  new TelemetryError('unavailable', 'the telemetry engine is closing');

const aborted = (): TelemetryError =>
  new TelemetryError('aborted', 'aborted while waiting in the queue');

export interface QueryLimit {
  /** How many run at once. */
  width: number;
  /** How many may wait; one more is refused as busy. */
  queueLimit: number;
}

export type QueryLimits = Record<Purpose, QueryLimit>;

/** A limiter for each purpose. */
export function queryLimiters(limits: QueryLimits): Record<Purpose, FairLimiter> {
  const limiter = (purpose: Purpose): FairLimiter =>
    new FairLimiter(purpose, limits[purpose].width, limits[purpose].queueLimit);
  return {
    chart: limiter('chart'),
    export: limiter('export'),
    alert: limiter('alert'),
    ingest: limiter('ingest'),
    pipe: limiter('pipe'),
    load: limiter('load'),
    admin: limiter('admin'),
  };
}
