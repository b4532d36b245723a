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
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** A tenant sends a query, or one of its queries ended after `workMs`. */
  note(tenant: string, workMs = 0): void {
    this.#loads.set(tenant, { workMs: this.#workMs(tenant) + workMs, atMs: this.#nowMs() });
    if (this.#loads.size > 1000) {
      this.#forget();
    }
  }

  isHeavy(tenant: string): boolean {
    return this.#workMs(tenant) > heavyMs && this.#hasOther(tenant);
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

  #workMs(tenant: string): number {
    const load = this.#loads.get(tenant);
    return load === undefined ? 0 : load.workMs * Math.exp((load.atMs - this.#nowMs()) / memoryMs);
  }

  #forget(): void {
    const sinceMs = this.#nowMs() - memoryMs;
    for (const [tenant, { atMs }] of this.#loads) {
      if (atMs < sinceMs && this.#workMs(tenant) < lightMs) {
        this.#loads.delete(tenant);
      }
    }
  }
}
