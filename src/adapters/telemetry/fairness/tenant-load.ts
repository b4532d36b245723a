/** Over which time work is forgotten: to 37 % after this time, to 5 % after three times of it. */
const memoryMs = 10_000;
/** A tenant with more remembered work than this is heavy. */
const heavyMs = 2_000;
/** Tenants with less are dropped. */
const lightMs = 1;

interface Load {
  workMs: number;
  atMs: number;
}

/**
 * How much each tenant has used the engine lately. A tenant with much use is heavy while another
 * tenant uses the engine too; alone, it has all of it.
 */
export class TenantLoad {
  readonly #loads = new Map<string, Load>();
  /** Start times of the queries that run, by tenant. */
  readonly #running = new Map<string, number[]>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** A tenant sends a query. */
  note(tenant: string): void {
    this.#add(tenant, 0);
  }

  /** A query of a tenant starts. Its time counts from now on; call the result when it ends. */
  start(tenant: string): () => void {
    const startMs = this.#nowMs();
    this.#running.set(tenant, [...this.#startsOf(tenant), startMs]);
    return () => {
      const starts = this.#startsOf(tenant);
      const others = starts.toSpliced(starts.indexOf(startMs), 1);
      if (others.length === 0) {
        this.#running.delete(tenant);
      } else {
        this.#running.set(tenant, others);
      }
      this.#add(tenant, this.#nowMs() - startMs);
    };
  }

  isHeavy(tenant: string): boolean {
    return this.#endedMs(tenant) + this.#runningMs(tenant) > heavyMs && this.#hasOther(tenant);
  }

  #hasOther(tenant: string): boolean {
    const sinceMs = this.#nowMs() - memoryMs;
    for (const [other, { atMs }] of this.#loads) {
      if (other !== tenant && atMs >= sinceMs) {
        return true;
      }
    }
    return false;
  }

  #add(tenant: string, workMs: number): void {
    this.#loads.set(tenant, { workMs: this.#endedMs(tenant) + workMs, atMs: this.#nowMs() });
    if (this.#loads.size > 1000) {
      this.#forget();
    }
  }

  #startsOf(tenant: string): readonly number[] {
    return this.#running.get(tenant) ?? [];
  }

  #runningMs(tenant: string): number {
    const nowMs = this.#nowMs();
    return this.#startsOf(tenant).reduce((sum, startMs) => sum + nowMs - startMs, 0);
  }

  /** Work of queries that have ended, as far as it is remembered. */
  #endedMs(tenant: string): number {
    const load = this.#loads.get(tenant);
    return load === undefined ? 0 : load.workMs * Math.exp((load.atMs - this.#nowMs()) / memoryMs);
  }

  #forget(): void {
    const sinceMs = this.#nowMs() - memoryMs;
    for (const [tenant, { atMs }] of this.#loads) {
      if (atMs < sinceMs && this.#endedMs(tenant) < lightMs) {
        this.#loads.delete(tenant);
      }
    }
  }
}
