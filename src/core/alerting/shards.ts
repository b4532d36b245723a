import { hash } from 'node:crypto';
import type { Log } from '../../ports/ambient.ts';
import { shardCount } from '../../ports/alert-store.ts';
import type { Lease, Store } from '../../ports/store.ts';

export interface Place {
  /** A process works on the shards whose leases it holds. */
  shard: number;
  /** Spreads what alerts of one shard do now and then. */
  slot: number;
}

/** The same for an alert wherever and whenever it is asked. */
export function placeOf(alertId: string): Place {
  const digest = hash('sha256', alertId, 'hex');
  return {
    shard: Number.parseInt(digest.slice(0, 2), 16) % shardCount,
    slot: Number.parseInt(digest.slice(2, 4), 16),
  };
}

export const shardOf = (alertId: string): number => placeOf(alertId).shard;

export interface ShardsOptions {
  store: Store;
  holder: string;
  leaseTtlMs: number;
  log: Log;
}

export interface ShardChange {
  gained: number[];
  lost: number[];
}

/** The leases of one process: takes its fair share, keeps it, gives back what another process should have. */
export class Shards {
  readonly #options: ShardsOptions;
  readonly #held = new Map<number, Lease>();
  #keptAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ShardsOptions) {
    this.#options = options;
  }

  get held(): number[] {
    return [...this.#held.keys()];
  }

  lease(shard: number): Lease | undefined {
    return this.#held.get(shard);
  }

  /** A write was refused, so somebody else has it. */
  drop(shard: number): void {
    this.#held.delete(shard);
    this.#keptAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Three times within the life of a lease, and whenever the clock jumped. */
  async keep(nowMs: number): Promise<ShardChange> {
    const { store, holder, leaseTtlMs } = this.#options;
    if (Math.abs(nowMs - this.#keptAtMs) < leaseTtlMs / 3) {
      return { gained: [], lost: [] };
    }
    // Asked for at the same time, they share a commit where the store can.
    const [alive, lost] = await Promise.all([
      store.alerts.heartbeat(holder, leaseTtlMs),
      this.#renew(),
    ]);
    const share = Math.ceil(shardCount / Math.max(alive.length, 1));
    const gained = await this.#take(share);
    lost.push(...(await this.#giveBack(share)));
    this.#keptAtMs = nowMs;
    return {
      gained: gained.filter((shard) => this.#held.has(shard)),
      lost: lost.filter((shard) => !this.#held.has(shard)),
    };
  }

  async release(): Promise<void> {
    for (const lease of this.#held.values()) {
      await this.#options.store.leases.release(lease);
    }
    this.#held.clear();
    await this.#options.store.alerts.leave(this.#options.holder);
  }

  async #renew(): Promise<number[]> {
    const renewed = await this.#options.store.transaction(async (parts) => {
      const result: [number, Lease | undefined][] = [];
      for (const [shard, lease] of this.#held) {
        result.push([shard, await parts.leases.renew(lease, this.#options.leaseTtlMs)]);
      }
      return result;
    });
    const lost: number[] = [];
    for (const [shard, lease] of renewed) {
      if (lease) {
        this.#held.set(shard, lease);
      } else {
        this.#held.delete(shard);
        lost.push(shard);
      }
    }
    if (lost.length > 0) {
      this.#options.log.warn(
        { shards: lost },
        'leases on alerts were taken over by another process',
      );
    }
    return lost;
  }

  async #take(share: number): Promise<number[]> {
    const gained: number[] = [];
    for (let shard = 0; shard < shardCount && this.#held.size < share; shard++) {
      if (this.#held.has(shard)) {
        continue;
      }
      const lease = await this.#options.store.leases.acquire(
        `alerts/${shard}`,
        this.#options.holder,
        this.#options.leaseTtlMs,
      );
      if (!lease) {
        continue;
      }
      this.#held.set(shard, lease);
      gained.push(shard);
    }
    return gained;
  }

  async #giveBack(share: number): Promise<number[]> {
    const extra = [...this.#held].slice(share);
    for (const [shard, lease] of extra) {
      this.#held.delete(shard);
      await this.#options.store.leases.release(lease);
    }
    return extra.map(([shard]) => shard);
  }
}
